"""check --repeat and --for find results that change from one run to the next; compare finds those of two reports."""

import importlib.util
import json
import pathlib

from command_line import PYTHON, CliTest
from markdown_it import MarkdownIt

PEER = pathlib.Path(__file__).with_name("summing_peer.py")
SUM = """//! case row of four
//! arg f32[4] 1 2 3 4
//! want f32[] 10
HloModule m
add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }
ENTRY e {
  x = f32[4] parameter(0)
  zero = f32[] constant(0)
  ROOT r = f32[] reduce(x, zero), dimensions={0}, to_apply=add
}
"""


class RepeatsTest(CliTest):
    def corpus(self):
        path = self.folder / "corpus" / "reduce" / "f32.hlo"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("//! clause reduce\n//! provenance derived\n//! oracle by hand\n" + SUM)
        return self.folder / "corpus"

    def check(self, order, *options):
        if importlib.util.find_spec("numpy") is None:
            self.skipTest("no numpy here; tools/dev installs it")
        report = self.folder / order
        run = self.assay("check", "--backend", f"process:{PYTHON} {PEER} {order}", "--corpus", self.corpus(),
                         "--report", report, *options)  # fmt: skip
        self.assertEqual(run.stderr, "")
        return run, json.loads((report / "results.json").read_text())["cases"][0]

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

    def test_equal_bits_pass(self):
        run, case = self.check("numpy", "--repeat", "20")
        self.assertEqual(run.returncode, 0)
        self.assertNotIn("flips", case)
        self.assertIn("20 further runs of 1 cases", run.stdout)

    def test_an_expectation_accepts_flips(self):
        expectations = self.file("expected.json", json.dumps({"cases": [{"name": "reduce/*", "verdict": "EXACT", "reason": "known"}]}))
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
        run = self.assay("compare", before, after, "--format", "json", "--page", page)
        self.assertEqual(run.returncode, 1, run.stderr)
        found = json.loads(run.stdout)
        self.assertEqual([(one["kind"], one["name"][-1], one.get("before"), one.get("after")) for one in found["changes"]],
                         [("newly wrong", "a", "EXACT", "FAIL"), ("mended", "b", "FAIL", "EXACT"),
                          ("other verdict", "d", "LEGAL", "EXACT"), ("other bits", "c", "LEGAL", "LEGAL"),
                          ("added", "f", None, "EXACT"), ("removed", "e", "EXACT", None)])  # fmt: skip
        self.assertEqual(found["rows"], [{"op": "reduce", "type": "f32", "cases": 5, "newly wrong": 1, "mended": 1,
                                          "other verdict": 1, "other bits": 1, "added": 1, "removed": 1}])  # fmt: skip
        self.assertIn('id="earlier">{', page.read_text())
        text = self.assay("compare", before, after)
        self.assertEqual(text.returncode, 1)
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
