"""check --repeat and --for find results that change from one run to the next; compare finds those of two reports."""

import json
import os
import pathlib
import subprocess
import time

from command_line import ASSAY, PYTHON, CliTest
import numpy  # noqa: F401  # of summing_peer.py
from markdown_it import MarkdownIt

PEER = pathlib.Path(__file__).with_name("summing_peer.py")
CASE = "//! case row of four\n//! arg f32[4] 1 2 3 4\n//! want f32[] 10"
SUM = """HloModule m
add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }
ENTRY e {
  x = f32[4] parameter(0)
  zero = f32[] constant(0)
  ROOT r = f32[] reduce(x, zero), dimensions={0}, to_apply=add
}
"""


class RepeatsTest(CliTest):
    def corpus(self):
        return self.corpus_of(CASE, SUM, "reduce/f32")

    def check(self, order, *options):
        report = self.folder / order
        run = self.assay("check", "--backend", f"process:{PYTHON} {PEER} {order}", "--corpus", self.corpus(),
                         "--report", report, *options)  # fmt: skip
        self.assertEqual(run.stderr, "")
        return run, self.results(report)["cases"][0]

    def test_a_flip_is_found_with_its_element_and_rate(self):
        # The check is answer 1, the first run to compare with answer 2: answers 7, 14 and 21 differ.
        run, case = self.check("flips", "--repeat", "20")
        self.assertEqual(run.returncode, 1)
        self.assertEqual((case["verdict"], case["standing"]), ("EXACT", "flaky"))
        self.assertEqual(case["flips"], {"runs": 20, "differing": 3, "element": "element []",
                                         "before": "x41200000 (10)", "after": "x41200001 (10.000000953674316)"})
        self.assertIn("a flake: 3 of 20 further runs returned something else: element [] was x41200000 (10)", run.stdout)
        self.assertIn("20 further runs of 1 cases", run.stdout)

    def test_rounds_go_on_until_the_time_is_over(self):
        run, case = self.check("flips", "--for", "2")
        self.assertEqual(run.returncode, 1)
        self.assertGreaterEqual(case["flips"]["runs"], 5)

    def test_the_journal_of_a_killed_soak_has_its_flips(self):
        report = self.folder / "soak"
        words = ["check", "--backend", f"process:{PYTHON} {PEER} flips", "--corpus", self.corpus(), "--report", report]
        soak = subprocess.Popen([ASSAY, *words, "--for", "1h"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        journal = report / "journal.jsonl"

        def whole_lines():
            lines = journal.read_text().splitlines(keepends=True) if journal.exists() else []
            return [json.loads(line) for line in lines[2:] if line.endswith("\n")]

        try:
            while not any(line.get("flips", {}).get("differing", 0) > 2 for line in whole_lines()):
                self.assertIsNone(soak.poll(), "the soak ended")
                time.sleep(0.05)
        finally:
            soak.kill()
            soak.wait()
        known = whole_lines()
        self.assertEqual(known[-1]["case"], "reduce/f32/row")
        self.assay(*words, "--resume", code=1)
        (case,) = self.results(report)["cases"]
        self.assertEqual((case["standing"], case["flips"]), ("flaky", known[-1]["flips"]))
        self.assertGreater(case["flips"]["differing"], 2)

    def test_times_have_units(self):
        run, case = self.check("numpy", "--for", "0.01m")
        self.assertEqual(run.returncode, 0, run.stdout)
        for text in ("8d", "h", "-1m", "0h", "1h30m", "infh", ""):
            self.assert_fails(2, "number of seconds, or of minutes or hours as 30m or 8h", "check", "--for", text)

    def vary(self, backend, *options):
        report = self.folder / "varied"
        run = self.assay("check", "--backend", backend, "--corpus", self.corpus(), "--report", report, *options)
        self.assertEqual(run.stderr, "")
        return run, self.results(report)["cases"][0].get("flips", {}).get("settings")

    def test_settings_that_change_bits_are_named(self):
        # 1 + 2^-24 + 2^-25 + 2^-25 is 1 in NumPy's order; all at once it is 1 + 2^-23, the exact sum.
        values = "1 5.9604644775390625e-08 2.98023223876953125e-08 2.98023223876953125e-08"
        case = CASE.replace("1 2 3 4", values).replace("f32[] 10", "f32[] 1.00000011920928955078125")
        self.corpus = lambda: self.corpus_of(case, SUM, "reduce/f32")
        run, settings = self.vary(f"process:{PYTHON} {PEER} ${{ORDER:-numpy}}", "--vary", "ORDER=numpy,fused", "--repeat", "3")
        self.assertEqual((run.returncode, settings), (1, {"ORDER=fused": 3}))
        self.assertIn("ORDER=fused: other bits in 1 of 1 cases\nORDER=numpy: other bits in 0 of 1 cases\n", run.stdout)
        self.assertIn("3 of them with ORDER=fused", run.stdout)
        run, settings = self.vary(f"process:{PYTHON} {PEER} devices", "--vary", "devices=1,4")
        self.assertEqual((run.returncode, settings), (1, {"devices=4": 2}))
        if len(os.sched_getaffinity(0)) > 1:
            by_threads = f"process:{PYTHON} {PEER} $(test $(nproc) = 1 && echo fused || echo numpy)"
            run, settings = self.vary(by_threads, "--vary", "threads=1,2")
            self.assertEqual((run.returncode, settings), (1, {"threads=1": 1}))

    def test_settings_of_own_backends_change_nothing(self):
        for backend in ("simd", "reference"):
            run, settings = self.vary(backend, "--vary", "threads=1", "--vary", "devices=2")
            self.assertEqual((run.returncode, settings), (0, None), run.stdout)
            self.assertIn("devices=2: other bits in 0 of 1 cases\nthreads=1: other bits in 0 of 1 cases\n", run.stdout)

    def test_wrong_settings_are_errors(self):
        for text, message in (("threads", "expected SETTING=VALUE,VALUE"), ("=1", "expected SETTING=VALUE,VALUE"),
                              ("threads=0", "threads=0: expected 1 to"), ("threads=9999", "processors"),
                              ("devices=two", "devices=two: expected 1 to"), ("devices=1,", "devices=: expected 1 to")):  # fmt: skip
            self.assert_fails(2, message, "check", "--corpus", self.corpus(), "--vary", text)

    def test_equal_bits_pass(self):
        run, case = self.check("numpy", "--repeat", "20")
        self.assertEqual(run.returncode, 0)
        self.assertNotIn("flips", case)
        self.assertIn("20 further runs of 1 cases", run.stdout)

    def test_an_expectation_accepts_flips(self):
        expectations = self.file("expected.json", {
            "cases": [{"name": "reduce/*", "verdict": "EXACT", "reason": "known"}]})  # fmt: skip
        run, case = self.check("flips", "--repeat", "20", "--expectations", expectations)
        self.assertEqual((run.returncode, case["standing"]), (0, "expected"), run.stdout)


class CompareTest(CliTest):
    corpus, check = RepeatsTest.corpus, RepeatsTest.check

    def report(self, name, **cases):
        """Writes a report of `reference` in which cases have these fields."""
        self.assay("check", "--backend", "reference", "--corpus", self.corpus(), "--report", self.folder / name)
        path = self.folder / name / "results.json"
        document = json.loads(path.read_text())
        (case,) = document["cases"]
        document["cases"] = [{**case, "name": f"reduce/f32/{one}", **fields} for one, fields in cases.items()]
        path.write_text(json.dumps(document))
        return self.folder / name

    WRONG = {"verdict": "FAIL", "standing": "failed", "reason": "wrong"}
    LAWFUL = {"verdict": "LEGAL", "reason": "reassociation"}

    def test_changes_by_kind(self):
        before = self.report("before", a={}, b=self.WRONG, c={**self.LAWFUL, "bits": "0" * 16}, d=self.LAWFUL, e={}, g={})
        after = self.report("after", a=self.WRONG, b={}, c={**self.LAWFUL, "bits": "1" * 16}, d={}, f={}, g={})
        page = self.folder / "changes.html"
        found = json.loads(self.assay("compare", before, after, "--format", "json", "--page", page, code=1).stdout)
        self.assertEqual([(one["kind"], one["name"][-1], one.get("before"), one.get("after")) for one in found["changes"]],
                         [("newly wrong", "a", "EXACT", "FAIL"), ("mended", "b", "FAIL", "EXACT"),
                          ("other verdict", "d", "LEGAL", "EXACT"), ("other bits", "c", "LEGAL", "LEGAL"),
                          ("added", "f", None, "EXACT"), ("removed", "e", "EXACT", None)])  # fmt: skip
        self.assertEqual(found["rows"], [{"op": "reduce", "type": "f32", "cases": 5, "newly wrong": 1, "mended": 1,
                                          "other verdict": 1, "other bits": 1, "added": 1, "removed": 1}])  # fmt: skip
        self.assertIn('id="earlier">{', page.read_text())
        text = self.assay("compare", before, after, code=1)
        self.assertIn("  FAIL     was EXACT    reduce/f32/a: wrong\n", text.stdout)
        self.assertIn("1 newly wrong, 1 mended, 1 other verdict, 1 other bits, 1 added, 1 removed\n", text.stdout)

    def test_markdown_for_a_comment(self):
        """A text from a backend is code in its cell: it is no markup, and mentions nobody."""
        hostile = {**self.WRONG, "reason": "a|b `@octocat` <img src=x>\n# heading"}
        before = self.report("before", a={}, b=self.WRONG)
        run = self.assay("compare", before, self.report("after", a=hostile, b={}), "--format", "markdown")
        self.assertEqual((run.returncode, run.stderr), (1, ""))
        page = MarkdownIt("commonmark", {"html": False}).enable("table").render(run.stdout)
        self.assertIn("<strong>1 newly wrong, 1 mended, 0 other verdict, 0 other bits, 0 added, 0 removed</strong>", page)
        self.assertIn("<td><code>reduce/f32/a</code></td>\n<td>EXACT</td>\n<td>FAIL</td>\n"
                      "<td><code>a b  @octocat  &lt;img src=x&gt;</code></td>", page)  # fmt: skip
        self.assertEqual((page.count("<table>"), page.count("<h1>")), (2, 0))

    def test_markdown_names_twenty_cases_of_a_kind(self):
        names = [f"case_{number}" for number in range(25)]
        before = self.report("before", **{name: {} for name in names})
        after = self.report("after", **{name: self.WRONG for name in names})
        text = self.assay("compare", before, after, "--format", "markdown").stdout
        self.assertEqual((text.count("reduce/f32/case_"), text.count("\nand 5 more\n")), (20, 1))
        text = self.assay("compare", before, after, "--format", "markdown", "--verbose").stdout
        self.assertEqual((text.count("reduce/f32/case_"), text.count("more")), (25, 0))

    def test_no_change(self):
        report = self.report("report", a={})
        run = self.assay("compare", report, report)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertIn("0 newly wrong, 0 mended", run.stdout)

    def test_bits_of_one_result_are_equal_in_two_reports(self):
        first, one = self.check("numpy")
        second, other = self.check("truncating")
        self.assertEqual(one["bits"], other["bits"])
        self.assertRegex(one["bits"], "^[0-9a-f]{16}$")

    def test_errors(self):
        self.assert_fails(2, "compare needs two reports", "compare", self.folder)
        self.assert_fails(2, "results.json", "compare", self.folder, self.folder)
