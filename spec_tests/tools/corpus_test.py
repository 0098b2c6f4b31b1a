"""The corpus in golden/: the reference returns every value in it, bit for bit; and a wrong value is noticed."""

import fnmatch
import importlib.util
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from golden.witness.hlo.goldens import case_names
from golden.witness.program import golden_paths
from spec_tests.nightly import nightly

ROOT = pathlib.Path(__file__).resolve().parents[2]
ASSAY = os.environ.get("ASSAY", str(ROOT / "build" / "tools" / "assay"))
CORPUS = ROOT / "golden"


def check(corpus, backend="reference", *options):
    command = [ASSAY, "check", "--backend", backend, "--corpus", str(corpus), *options]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def expectations():
    return json.loads((CORPUS / "xla-cpu.json").read_text())["cases"]


def expected_verdicts(name):
    verdict = next((row["verdict"] for row in expectations() if fnmatch.fnmatchcase(name, row["name"])), [])
    return [verdict] if isinstance(verdict, str) else verdict


def written():
    """Returns the number of cases in the corpus."""
    return sum(len(case_names(path)) for path in golden_paths())


def quick_cases():
    return [line for line in (CORPUS / "quick.txt").read_text().splitlines() if not line.startswith("#")]


class CorpusTest(unittest.TestCase):
    def test_reference_is_exact_on_every_case_by_kernels_and_by_definitions(self):
        count = written()
        self.assertGreater(count, 0)
        for backend in ("reference", "reference:plain"):
            done = check(CORPUS, backend)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertRegex(done.stdout.splitlines()[-1], rf": {count} cases, {count} EXACT$")

    def test_a_wrong_value_fails(self):
        text = (CORPUS / "add" / "s8.hlo").read_text()
        changed = re.sub(r"(//! row -?\d+ -?\d+ ->) -?\d+", r"\1 77", text, count=1)
        self.assertNotEqual(text, changed)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "add" / "s8.hlo"
            path.parent.mkdir()
            path.write_text(changed)
            done = check(folder)
        self.assertEqual((done.returncode, done.stderr), (2, ""))
        self.assertIn("the reference does not return what the golden says", done.stdout)

    def test_however_many_work_at_once_the_report_is_the_same(self):
        said, reports = set(), set()
        for jobs in ("1", "3"):
            with tempfile.TemporaryDirectory() as folder:
                done = check(CORPUS, "mutant:subtract_of_equals", "--filter", "sub", "--jobs", jobs, "--report", folder)
                self.assertEqual(done.returncode, 1, done.stderr)
                said.add(done.stdout.replace(folder, ""))
                reports.add((pathlib.Path(folder) / "results.json").read_text())
        self.assertEqual((len(said), len(reports)), (1, 1))
        names = [case["name"] for case in json.loads(reports.pop())["cases"]]
        self.assertEqual(names, sorted(names, key=lambda name: name.rpartition("/")[0]))
        self.assertGreater(len({name.rpartition("/")[0] for name in names}), 10)
        self.assertIn("FAIL", said.pop())

    def test_tags_choose_files(self):
        def listed(*tags):
            options = [word for tag in tags for word in ("--tag", tag)]
            return set(check(CORPUS, "reference", "--list", *options).stdout.split())

        with_tag = {path.relative_to(CORPUS).with_suffix("").as_posix() for path in golden_paths()
                    if re.search(r"^//! tags .*\bconvolution\b", path.read_text(), re.M)}  # fmt: skip
        self.assertEqual({name.rpartition("/")[0] for name in listed("convolution")}, with_tag)
        both = listed("reduce", "level2")
        self.assertEqual(both, listed("reduce") & listed("level2"))
        self.assertGreater(len(both), 0)
        done = check(CORPUS, "reference", "--tag", "level", "--tag", "f32")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no case matches --tag level --tag f32", done.stderr)

    def test_the_report_has_the_outcome_of_each_case(self):
        with tempfile.TemporaryDirectory() as folder:
            known = pathlib.Path(folder) / "known.json"
            rows = [{"name": name, "verdict": "FAIL", "reason": "known"} for name in ("subtract/f32/spec*", "sub/no/such")]
            known.write_text(json.dumps({"cases": rows}))
            small = pathlib.Path(folder) / "corpus" / "subtract"
            small.mkdir(parents=True)
            (small / "f32.hlo").write_text((CORPUS / "subtract" / "f32.hlo").read_text())
            done = check(small.parent, "mutant:subtract_of_equals", "--expectations", str(known), "--report", folder)
            report = json.loads((pathlib.Path(folder) / "results.json").read_text())
        standings = {case["standing"] for case in report["cases"]}
        self.assertEqual(standings, {"expected", "failed"}, done.stdout)
        self.assertEqual((report["exit_code"], done.returncode), (1, 1))
        self.assertEqual(sum(report["totals"].values()), len(report["cases"]))
        self.assertRegex(report["cases"][0]["place"], r"/subtract/f32\.hlo:\d+$")
        self.assertEqual(report["cases"][0]["expected"], ["FAIL"])
        self.assertIn("expectations that fit no case\n  sub/no/such\n", done.stdout)
        self.assertRegex(done.stdout, r", 3 FAIL \(1 expected\)\n")

    def test_types_are_shown(self):
        done = check(CORPUS, "reference", "--filter", "sign/types", "--types")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"(?m)^sign +EXACT: (.* )?f32 .*c128")

    def test_the_types_are_those_of_an_ops_results(self):
        def row(op):
            done = check(CORPUS, "reference", "--filter", f"name={op}/types/f32", "--types")
            self.assertEqual(done.returncode, 0, done.stderr)
            return re.search(rf"(?m)^{op} +EXACT: (.*)$", done.stdout)[1]

        # The row of select is that of its branches, the row of compare that of its operands; convert has both ends.
        for op, types in (("select", "f32"), ("compare", "f32"), ("sort", "f32"), ("real", "f32")):
            self.assertEqual(row(op), types)

    def test_an_expectation_may_leave_a_choice(self):
        for verdict, code, message in [
            ("EXACT", 0, "1 EXACT (expected)"),
            (["FAIL", "EXACT"], 0, "1 EXACT (expected)"),
            (["FAIL", "LEGAL"], 1, "FAIL or LEGAL was expected: correct the expectations"),
            ([], 2, "an entry has no verdict"),
            (["FAIL", 1], 2, "an entry has no verdict"),
        ]:
            with self.subTest(verdict), tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder) / "expected.json"
                path.write_text(json.dumps({"cases": [{"name": "sign/*", "verdict": verdict, "reason": "a test"}]}))
                done = check(CORPUS, "reference", "--filter", "sign/types/f32", "--expectations", str(path))
                self.assertEqual(done.returncode, code, done.stdout + done.stderr)
                self.assertIn(message, done.stdout + done.stderr)

    def test_the_quick_cases_are_in_the_corpus(self):
        names = set(check(CORPUS, "reference", "--list").stdout.split())
        quick = check(CORPUS, "reference", "--list", "--quick").stdout.split()
        listed = quick_cases()
        self.assertEqual(sorted(quick), sorted(listed))
        self.assertTrue(set(listed) < names)
        self.assertEqual({name.split("/")[0] for name in listed}, {name.split("/")[0] for name in names})

    def test_disputed_cases_are_expected_to_differ(self):
        disputed = re.findall(r"`([\w*[\]-]+(?:/[\w*[\]-]+){2})`", (CORPUS / "disputes.md").read_text())
        self.assertGreater(len(disputed), 30)
        self.assertLessEqual(set(disputed), {row["name"] for row in expectations()})
        self.assertTrue(all(row["reason"] for row in expectations()))

    @unittest.skipUnless(importlib.util.find_spec("jaxlib"), "needs jaxlib")
    def test_xla_fails_only_where_expected(self):
        self.check_xla("--quick", "--shard", "3/20")

    @nightly
    @unittest.skipUnless(importlib.util.find_spec("jaxlib"), "needs jaxlib")
    def test_xla_fails_only_where_expected_in_all_quick_cases(self):
        self.check_xla("--quick")

    def check_xla(self, *options):
        # All of the corpus takes XLA many minutes: tools/dev nightly has it.
        with tempfile.TemporaryDirectory() as folder:
            done = check(CORPUS, "xla-cpu", *options, "--report", folder)
            self.assertIn(done.returncode, (0, 1), done.stderr)
            cases = json.loads((pathlib.Path(folder) / "results.json").read_text())["cases"]
        self.assertGreater(len(cases), 25)
        self.assertGreater(sum(case["verdict"] in ("EXACT", "LEGAL") for case in cases), len(cases) // 2)
        # Only the worse ones: which code XLA generates depends on the processor.
        bad = ("SUSPECT", "FAIL", "ERROR", "CRASH", "TIMEOUT", "WEAK", "UNSUPPORTED", "UNJUDGED")
        for case in cases:
            # Drawn instructions ask for anything, and XLA's importer declines many of them. A refusal says nothing if it
            # declines the legal neighbour too.
            declines = "/faults" in case["name"] or case["name"].startswith("refused/")
            if case["verdict"] == "UNSUPPORTED" and declines:
                continue
            if case["verdict"] in bad:
                self.assertIn(case["verdict"], expected_verdicts(case["name"]), case["name"])
