"""`assay repro`: the folder that it writes fails on the backend as it is. ASSAY names the executable."""

import importlib.util
import json
import pathlib
import re
import subprocess
import sys
import unittest

from command_line import CliTest, entry

ROOT = pathlib.Path(__file__).resolve().parents[2]


class ReproTest(CliTest):
    def repro(self, *arguments, code=1):
        result = self.assay("repro", *arguments, "--out", self.folder / "out", "--corpus", ROOT / "golden")
        self.assertEqual(result.returncode, code, result.stderr + result.stdout)
        return result.stdout

    def read(self, name):
        return (self.folder / "out" / name).read_text()

    def names(self):
        return sorted(path.name for path in (self.folder / "out").iterdir())

    def outputs(self, backend):
        return self.run_json(self.folder / "out/module.hlo", "--backend", backend)["outputs"]

    def test_a_case_fails_again_and_the_issue_says_why(self):
        out = self.repro("subtract/f32/specials", "--backend", "mutant:subtract_of_equals")
        self.assertRegex(out, r"^FAIL subtract/f32/specials .*\n  .*: issue\.md, module\.hlo, repro\.py\n$")
        self.assertEqual(self.names(), ["issue.md", "module.hlo", "repro.py"])
        right, wrong = self.outputs("reference"), self.outputs("mutant:subtract_of_equals")
        self.assertNotEqual(right, wrong)
        issue = self.read("issue.md")
        for part in ("mutant:subtract_of_equals", "| element | expected | got |", "Why no freedom of a compiler explains",
                     "assay diff module.hlo --backend mutant:subtract_of_equals", self.read("module.hlo")[:40]):
            self.assertIn(part, issue)

    def test_every_device_gets_its_own(self):
        self.repro("all-gather/groups_alone/grid", "--backend", "mutant:second_device")
        self.assertIn("replica-id()", self.read("module.hlo"))
        self.assertNotEqual(self.outputs("reference"), self.outputs("mutant:second_device"))

    def test_of_a_module_the_first_instruction_that_fails(self):
        module = self.file("m.hlo", entry("a = f32[2] parameter(0)", "b = f32[2] add(a, a)",
                                          "c = f32[2] subtract(b, b)", "ROOT d = f32[2] negate(c)"))
        out = self.repro(module, "--backend", "mutant:subtract_of_equals", "--input", "f32[2] {1, 2}")
        self.assertIn("line 5: %c = f32[2]{0} subtract(%b, %b)", out)
        self.assertNotIn("negate", self.read("module.hlo"))

    def test_of_a_report_the_smallest_case_of_each_cause(self):
        report = self.folder / "report"
        self.assay("check", "--corpus", ROOT / "golden", "--filter", "op=subtract | op=add", "--report", report,
                   "--backend", "mutant:subtract_of_equals")
        causes = json.loads((report / "results.json").read_text())["clusters"]
        failed = {cause["witness"] for cause in causes if cause["standing"] == "failed"}
        self.assertTrue(failed)
        self.repro(report, "--backend", "mutant:subtract_of_equals")
        self.assertEqual(self.names(), sorted(name.replace("/", "-") for name in failed))

    def test_what_is_right_is_not_written(self):
        out = self.repro("add/f32/specials", "--backend", "reference", code=0)
        self.assertIn("nothing to reproduce", out)
        self.assertFalse((self.folder / "out").exists())

    def test_what_there_is_not(self):
        self.assert_fails(2, "did you mean add/f32/specials?", "repro", "add/f32/special", "--backend", "reference",
                          "--corpus", ROOT / "golden")

    @unittest.skipUnless(importlib.util.find_spec("jaxlib"), "needs jaxlib")
    def test_the_script_fails_on_jaxlib_as_it_is(self):
        for name in ("cbrt/f32/subnormal", "popcnt/types/s4", "clamp/shapes/imaginary"):
            with self.subTest(name):
                self.repro(name, "--backend", "xla-cpu")
                run = subprocess.run([sys.executable, self.folder / "out/repro.py"], capture_output=True, text=True)
                self.assertEqual(run.returncode, 1, run.stderr)
                self.assertRegex(run.stdout, r"^expected \[.*\] [0-9a-f]+ got \[.*\] [0-9a-f]+\n$")
                expected, got = re.findall(r"\] ([0-9a-f]+)", run.stdout)
                self.assertNotEqual(expected, got)


if __name__ == "__main__":
    unittest.main()
