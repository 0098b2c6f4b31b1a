"""The corpus in golden/: the reference returns every value in it, bit for bit; and a wrong value is noticed."""

import fnmatch
import importlib.util
import json
import re
import unittest

from command_line import GOLDEN, CliTest, each
from golden.witness.hlo.goldens import case_names
from golden.witness.program import golden_paths
from spec_tests.nightly import nightly


def expectations():
    return json.loads((GOLDEN / "xla-cpu.json").read_text())["cases"]


def expected_verdicts(name):
    verdict = next((row["verdict"] for row in expectations() if fnmatch.fnmatchcase(name, row["name"])), [])
    return [verdict] if isinstance(verdict, str) else verdict


def written():
    """Returns the number of cases in the corpus."""
    return sum(len(case_names(path)) for path in golden_paths())


def quick_cases():
    return [line for line in (GOLDEN / "quick.txt").read_text().splitlines() if not line.startswith("#")]


class CorpusTest(CliTest):
    def check(self, corpus, backend="reference", *options, code=None):
        return self.assay("check", "--backend", backend, "--corpus", corpus, *options, code=code, timeout=None)

    def test_reference_is_exact_on_every_case_by_definitions(self):
        """golden_coverage_test.py says the same of its kernels."""
        count = written()
        self.assertGreater(count, 0)
        done = self.check(GOLDEN, "reference:plain", code=0)
        self.assertRegex(done.stdout.splitlines()[-1], rf": {count} cases, {count} EXACT$")

    def test_a_wrong_value_fails(self):
        text = (GOLDEN / "add" / "s8.hlo").read_text()
        changed = re.sub(r"(//! row -?\d+ -?\d+ ->) -?\d+", r"\1 77", text, count=1)
        self.assertNotEqual(text, changed)
        self.file("add/s8.hlo", changed)
        done = self.check(self.folder)
        self.assertEqual((done.returncode, done.stderr), (2, ""))
        self.assertIn("the reference does not return what the golden says", done.stdout)

    def test_however_many_work_at_once_the_report_is_the_same(self):
        said, reports = set(), set()
        for jobs in ("1", "3"):
            folder = self.folder / jobs
            done = self.check(GOLDEN, "mutant:subtract_of_equals", "--filter", "sub", "--jobs", jobs,
                              "--report", folder, code=1)
            said.add(done.stdout.replace(str(folder), ""))
            reports.add((folder / "results.json").read_text())
        self.assertEqual((len(said), len(reports)), (1, 1))
        names = [case["name"] for case in json.loads(reports.pop())["cases"]]
        self.assertEqual(names, sorted(names, key=lambda name: name.rpartition("/")[0]))
        self.assertGreater(len({name.rpartition("/")[0] for name in names}), 10)
        self.assertIn("FAIL", said.pop())

    def test_tags_choose_files(self):
        def listed(*tags):
            options = [word for tag in tags for word in ("--tag", tag)]
            return set(self.check(GOLDEN, "reference", "--list", *options).stdout.split())

        with_tag = {path.relative_to(GOLDEN).with_suffix("").as_posix() for path in golden_paths()
                    if re.search(r"^//! tags .*\bconvolution\b", path.read_text(), re.M)}  # fmt: skip
        self.assertEqual({name.rpartition("/")[0] for name in listed("convolution")}, with_tag)
        both = listed("reduce", "level2")
        self.assertEqual(both, listed("reduce") & listed("level2"))
        self.assertGreater(len(both), 0)
        done = self.check(GOLDEN, "reference", "--tag", "level", "--tag", "f32", code=2)
        self.assertIn("no case matches --tag level --tag f32", done.stderr)

    def test_the_report_has_the_outcome_of_each_case(self):
        rows = [{"name": name, "verdict": "FAIL", "reason": "known"} for name in ("subtract/f32/spec*", "sub/no/such")]
        known = self.file("known.json", {"cases": rows})
        self.file("corpus/subtract/f32.hlo", (GOLDEN / "subtract" / "f32.hlo").read_text())
        done = self.check(self.folder / "corpus", "mutant:subtract_of_equals", "--expectations", known,
                          "--report", self.folder)
        report = self.results("")
        standings = {case["standing"] for case in report["cases"]}
        self.assertEqual(standings, {"expected", "failed"}, done.stdout)
        self.assertEqual((report["exit_code"], done.returncode), (1, 1))
        self.assertEqual(sum(report["totals"].values()), len(report["cases"]))
        self.assertRegex(report["cases"][0]["place"], r"/subtract/f32\.hlo:\d+$")
        self.assertEqual(report["cases"][0]["expected"], ["FAIL"])
        self.assertIn("expectations that fit no case\n  sub/no/such\n", done.stdout)
        self.assertRegex(done.stdout, r", 3 FAIL \(1 expected\)\n")

    def test_types_are_shown(self):
        done = self.check(GOLDEN, "reference", "--filter", "sign/types", "--types", code=0)
        self.assertRegex(done.stdout, r"(?m)^sign +EXACT: (.* )?f32 .*c128")

    def test_the_types_are_those_of_an_ops_results(self):
        def row(op):
            done = self.check(GOLDEN, "reference", "--filter", f"name={op}/types/f32", "--types", code=0)
            return re.search(rf"(?m)^{op} +EXACT: (.*)$", done.stdout)[1]

        # The row of select is that of its branches, the row of compare that of its operands; convert has both ends.
        for op, types in (("select", "f32"), ("compare", "f32"), ("sort", "f32"), ("real", "f32")):
            self.assertEqual(row(op), types)

    @each([
        ("EXACT", 0, "1 EXACT (expected)"),
        (["FAIL", "EXACT"], 0, "1 EXACT (expected)"),
        (["FAIL", "LEGAL"], 1, "FAIL or LEGAL was expected: correct the expectations"),
        ([], 2, "an entry has no verdict"),
        (["FAIL", 1], 2, "an entry has no verdict"),
    ])
    def test_an_expectation_may_leave_a_choice(self, verdict, code, message):
        rows = [{"name": "sign/*", "verdict": verdict, "reason": "a test"}]
        known = self.file("expected.json", {"cases": rows})
        done = self.check(GOLDEN, "reference", "--filter", "sign/types/f32", "--expectations", known, code=code)
        self.assertIn(message, done.stdout + done.stderr)

    def test_the_quick_cases_are_in_the_corpus(self):
        names = set(self.check(GOLDEN, "reference", "--list").stdout.split())
        quick = self.check(GOLDEN, "reference", "--list", "--quick").stdout.split()
        listed = quick_cases()
        self.assertEqual(sorted(quick), sorted(listed))
        self.assertTrue(set(listed) < names)
        self.assertEqual({name.split("/")[0] for name in listed}, {name.split("/")[0] for name in names})

    def test_disputed_cases_are_expected_to_differ(self):
        disputed = re.findall(r"`([\w*[\]-]+(?:/[\w*[\]-]+){2})`", (GOLDEN / "disputes.md").read_text())
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
        done = self.check(GOLDEN, "xla-cpu", *options, "--report", self.folder)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        cases = self.results("")["cases"]
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
