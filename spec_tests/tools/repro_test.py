"""`assay repro`: the folder that it writes fails on the backend as it is. ASSAY names the executable."""

import importlib.util
import os
import pathlib
import re
import shlex
import sys
import unittest

from command_line import ASSAY, ROOT, CliTest, each, entry, peer, ran


# Three elements that are 20 in place of -1.
WRONG = "".join(f"output 0, element {i}: expected 000080bf got 0000a041\n" for i in range(3)) + "wrong in 20 of 20 runs\n"


class ReproTest(CliTest):
    def repro(self, *arguments, code=1):
        result = self.assay("repro", *arguments, "--out", self.folder / "out", "--corpus", ROOT / "golden", code=code)
        return result.stdout

    def read(self, name):
        return (self.folder / "out" / name).read_text()

    def names(self):
        return sorted(path.name for path in (self.folder / "out").iterdir())

    def outputs(self, backend):
        return self.run_json(self.folder / "out/module.hlo", "--backend", backend)["outputs"]

    def test_a_case_fails_again_and_the_issue_says_why(self):
        out = self.repro("subtract/f32/specials", "--backend", "mutant:subtract_of_equals")
        self.assertRegex(out, r"^FAIL subtract/f32/specials .*\n  .*: expected\.json, issue\.md, module\.hlo, repro\.py\n$")
        self.assertEqual(self.names(), ["expected.json", "issue.md", "module.hlo", "repro.py"])
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
        self.assay("check", "--corpus", ROOT / "golden", "--filter", "op=subtract | op=add", "--report", self.report,
                   "--backend", "mutant:subtract_of_equals")
        causes = self.results(self.report)["clusters"]
        failed = {cause["witness"] for cause in causes if cause["standing"] == "failed"}
        self.assertTrue(failed)
        self.repro(self.report, "--backend", "mutant:subtract_of_equals")
        self.assertEqual(self.names(), sorted(name.replace("/", "-") for name in failed))

    def test_of_a_report_with_expected_failures_only_these(self):
        report, expectations = self.folder / "report", self.folder / "expected.json"
        arguments = ["check", "--corpus", ROOT / "golden", "--filter", "op=subtract", "--report", report,
                     "--backend", "mutant:subtract_of_equals", "--expectations", expectations]  # fmt: skip
        self.assay(*arguments, "--update-expectations")
        self.assertEqual(self.assay(*arguments).returncode, 0)
        causes = self.results(report)["clusters"]
        failed = {cause["witness"] for cause in causes if cause["verdict"] == "FAIL"}
        self.assertTrue(failed)
        self.assertEqual({cause["standing"] for cause in causes if cause["verdict"] == "FAIL"}, {"expected"})
        out = self.repro(report, "--backend", "mutant:subtract_of_equals")
        self.assertTrue(out.startswith(f"{self.report}: every failure is expected, by {len(failed)} causes;"), out)
        self.assertEqual(self.names(), sorted(name.replace("/", "-") for name in failed))

    def test_a_failure_that_comes_and_goes_runs_until_it_fails(self):
        corpus = self.corpus_of("//! case one of a test\n//! arg f32[2] 1 2\n//! want f32[2] -1 -2")
        backend = self.backend_of(peer("""
run += 1
data = "000080bf" + ("00000000" if str(run) in sys.argv else "000000c0")
reply = {"status": "ok", "outputs": [{"shape": "f32[2]", "data_hex": data}]}""", before="run = 0"))
        self.assay("check", "--corpus", corpus, "--report", self.report, "--backend", f"{backend} 1", "--retries", "2")
        arguments = ["repro", self.report, "--corpus", corpus, "--out", self.folder / "out", "--backend"]
        run = self.assay(*arguments, f"{backend} 3 6 9 12 15 18", code=1)
        self.assertTrue(run.stdout.startswith("FAIL negate/f32/one "), run.stdout)
        run = ran(sys.executable, self.folder / "out/negate-f32-one/repro.py")
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertTrue(run.stdout.endswith("element 1: expected 000000c0 got 00000000\nwrong in 6 of 20 runs\n"), run.stdout)
        # A backend that is right each time has nothing to reproduce.
        self.assertEqual(self.assay(*arguments, backend, code=0).stdout.splitlines()[-1], "  nothing to reproduce")

    def test_of_a_report_without_failures_nothing(self):
        self.assay("check", "--corpus", ROOT / "golden", "--filter", "op=subtract", "--report", self.report,
                   "--backend", "reference")  # fmt: skip
        self.assertEqual(self.repro(self.report, "--backend", "reference", code=0), f"{self.report}: nothing failed\n")

    def test_right_cases_are_not_written(self):
        out = self.repro("add/f32/specials", "--backend", "reference", code=0)
        self.assertIn("nothing to reproduce", out)
        self.assertFalse((self.folder / "out").exists())

    def test_an_illegal_module_is_one_error(self):
        module = self.file("m.hlo", entry("a = f32[2] parameter(0)", "ROOT b = f32[3] negate(a)"))
        for command in ("repro", "explain", "diff"):
            self.assert_fails(2, "f32[3]", command, module, "--backend", "reference")

    def test_cases_that_do_not_exist(self):
        self.assert_fails(2, "did you mean add/f32/specials?", "repro", "add/f32/special", "--backend", "reference",
                          "--corpus", ROOT / "golden")

    def run_script(self, *words):
        environment = {**os.environ, "PATH": f"{pathlib.Path(ASSAY).parent}:{os.environ['PATH']}"}
        return ran(sys.executable, self.folder / "out/repro.py", *words, env=environment, timeout=600, cwd="/")

    @each(("subtract/f32/specials", "subtract/specials/f16", "subtract/roundings/f8e4m3fn"))
    def test_the_script_runs_the_backend_that_failed(self, case):
        self.repro(case, "--backend", "mutant:subtract_of_equals")
        run = self.run_script("--runs", "2")
        self.assertEqual((run.returncode, run.stderr), (1, ""), run.stdout)
        expected, got = re.search(r": expected (\w+) got (\w+)\n", run.stdout).groups()
        self.assertNotEqual(expected, got)
        self.assertTrue(run.stdout.endswith("\nwrong in 2 of 2 runs\n"), run.stdout)
        # Another program, which is right.
        run = self.run_script(ASSAY, "serve")
        self.assertEqual((run.returncode, run.stdout, run.stderr), (0, "wrong in 0 of 20 runs\n", ""))
        self.assertIn("through the process protocol", self.read("issue.md"))
        self.assertNotIn("XLA:CPU", self.read("issue.md"))

    def returns_20s(self, name, *, takes_constants=True):
        """Returns a backend of this name that returns 20s, if need be for modules with parameters only."""
        return self.backend_of(peer(f"""import re
size = re.search(r"ROOT[^=]*= f32\\[(\\d+)\\]", message["hlo"])[1]
reply = {{"status": "ok", "outputs": [{{"shape": f"f32[{{size}}]", "data_hex": "0000a041" * int(size)}}]}}
if "parameter(0)" not in message["hlo"].rpartition("ENTRY")[2] and not {takes_constants}:
    reply = {{"status": "unsupported", "message": "constants"}}""", name))

    def test_a_name_is_no_code(self):
        module = self.file("m.hlo", entry("a = f32[3] parameter(0)", "ROOT b = f32[3] negate(a)"))
        trap = self.folder / "pwned"
        for name in (f'a\"\"\"+open({str(trap)!r},"w").write("x")+\"\"\"', f"\nopen({str(trap)!r}, 'w')\n", "\"\"\"", "@CHECK@", "\\"):
            with self.subTest(name):
                backend = self.returns_20s(name)
                self.repro(module, "--backend", backend, "--input", "f32[3] {1, 1, 1}")
                run = self.run_script()
                self.assertEqual((run.returncode, run.stdout, run.stderr), (1, WRONG, ""))
                self.assertFalse(trap.exists())
                (command,) = re.findall(r"`(assay diff [^`]*)`", self.read("issue.md"))
                self.assertEqual(shlex.split(command)[4], backend)

    def test_a_script_has_inputs_where_constants_are_right(self):
        module = self.file("m.hlo", entry("a = f32[3] parameter(0)", "ROOT b = f32[3] negate(a)"))
        backend = self.returns_20s("choosy", takes_constants=False)
        self.repro(module, "--backend", backend, "--input", "f32[3] {1, 1, 1}")
        self.assertEqual(self.names(), ["expected.json", "inputs.json", "issue.md", "module.hlo", "repro.py"])
        run = self.run_script()
        self.assertEqual((run.returncode, run.stdout, run.stderr), (1, WRONG, ""))

    @unittest.skipUnless(importlib.util.find_spec("jaxlib"), "needs jaxlib")
    @each(("cbrt/f32/subnormal", "popcnt/types/s4", "clamp/shapes/imaginary"))
    def test_the_script_fails_on_jaxlib_as_it_is(self, name):
        self.repro(name, "--backend", "xla-cpu")
        run = ran(sys.executable, self.folder / "out/repro.py")
        self.assertEqual(run.returncode, 1, run.stderr)
        expected, got = re.search(r"^output 0, element \d+: expected (\w+) got (\w+)$", run.stdout, re.M).groups()
        self.assertNotEqual(expected, got)
        self.assertTrue(run.stdout.endswith("\nwrong in 20 of 20 runs\n"), run.stdout)
