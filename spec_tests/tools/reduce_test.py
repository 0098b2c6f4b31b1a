"""`assay reduce`: its output fails on the backend unchanged, and is small. ASSAY names the executable."""

import json
import re
import shlex
import sys

from command_line import ROOT, CliTest, entry

MUTANT = "mutant:subtract_of_equals"
MODULE = entry("a = f32[8] parameter(0)", "b = f32[8] parameter(1)", "c = f32[8] add(a, b)",
               "d = f32[8] subtract(c, c)", "e = f32[8] multiply(d, b)", "ROOT r = (f32[8], f32[8]) tuple(e, c)")


class ReduceTest(CliTest):
    def reduce(self, module, *arguments, code=1, backend=MUTANT):
        result = self.assay("reduce", self.file("m.hlo", module), "--backend", backend, "--out", self.folder / "out",
                            *arguments, code=code)
        return result.stdout

    def module(self):
        return (self.folder / "out/module.hlo").read_text()

    def test_the_written_module_fails_again(self):
        out = self.reduce(MODULE, "--seed", "1")
        self.assertEqual(sorted(path.name for path in (self.folder / "out").iterdir()),
                         ["command.txt", "inputs.json", "module.hlo"])
        self.assertTrue(out.startswith(self.module()))
        self.assertRegex(out, r"instructions: 6 -> [23], elements: \d+ -> [23]\n  \d+ tries, \d+\.\d s\n")
        self.assertNotRegex(self.module(), "add|multiply|tuple")
        command = shlex.split((self.folder / "out/command.txt").read_text())
        self.assertEqual(command[0], "assay")
        self.assertEqual(self.assay(*command[1:]).returncode, 1)
        inputs = json.loads((self.folder / "out/inputs.json").read_text())["inputs_per_device"]
        self.assertEqual(len(inputs), 1)

    def test_the_same_on_any_number_of_jobs(self):
        texts = []
        for jobs in (1, 4):
            out = self.reduce(MODULE, "--seed", "1", "--jobs", jobs)
            inputs = (self.folder / "out/inputs.json").read_text()
            texts.append((self.module(), inputs, re.search(r"\d+ tries", out)[0]))
        self.assertEqual(texts[0], texts[1])

    def test_out_of_calls_loops_and_choices(self):
        module = """HloModule m
inner { p = f32[3] parameter(0)
  s = f32[3] subtract(p, p)
  ROOT r = f32[3] add(s, s) }
left { p = f32[3] parameter(0)
  ROOT c = f32[3] call(p), to_apply=inner }
right { ROOT p = f32[3] parameter(0) }
body { t = (s32[], f32[3], f32[3]) parameter(0)
  i = s32[] get-tuple-element(t), index=0
  x = f32[3] get-tuple-element(t), index=1
  old = f32[3] get-tuple-element(t), index=2
  one = s32[] constant(1)
  j = s32[] add(i, one)
  three = s32[] constant(3)
  is_last = pred[] compare(j, three), direction=EQ
  y = f32[3] conditional(is_last, x, x), true_computation=left, false_computation=right
  ROOT u = (s32[], f32[3], f32[3]) tuple(j, x, y) }
condition { t = (s32[], f32[3], f32[3]) parameter(0)
  i = s32[] get-tuple-element(t), index=0
  n = s32[] constant(3)
  ROOT b = pred[] compare(i, n), direction=LT }
ENTRY e { a = f32[3] parameter(0)
  zero = s32[] constant(0)
  t = (s32[], f32[3], f32[3]) tuple(zero, a, a)
  w = (s32[], f32[3], f32[3]) while(t), condition=condition, body=body
  ROOT r = f32[3] get-tuple-element(w), index=2 }
"""
        self.reduce(module, "--input", "f32[3] {1, 2, 3}")
        self.assertNotRegex(self.module(), "while|conditional|call|tuple")
        self.assertLessEqual(self.module().count(" = "), 3, self.module())

    def test_nothing_fails(self):
        out = self.reduce(MODULE, "--seed", "1", code=0, backend="reference")
        self.assertRegex(out, r"^EXACT: .*\n  nothing to reduce\n$")
        self.assertFalse((self.folder / "out").exists())

    def test_an_error_of_the_backend_stays_that_error(self):
        peer = f"process:{sys.executable} {ROOT}/spec_tests/backends/scripted_peer.py refusing"
        module = entry("a = f32[2] parameter(0)", "b = f32[2] add(a, a)", "ROOT c = f32[2] negate(b)")
        out = self.reduce(module, "--input", "f32[2] {1, 2}", backend=peer)
        self.assertIn("ERROR: the backend reported an error: it is illegal", out)
        self.assertLessEqual(self.module().count(" = "), 2)

    def test_a_crash_stays_a_crash(self):
        peer = f"process:{sys.executable} {ROOT}/spec_tests/backends/scripted_peer.py die:negate {self.folder}/log"
        module = entry("a = f32[4] parameter(0)", "b = f32[4] add(a, a)", "ROOT c = f32[4] negate(b)")
        out = self.reduce(module, "--seed", "1", backend=peer)
        self.assertIn("CRASH", out)
        self.assertIn("negate", self.module())
        self.assertEqual(self.module().count(" = "), 2, self.module())

    def test_the_end_of_the_budget_is_reported(self):
        out = self.reduce(MODULE, "--seed", "1", "--budget", "0.000001")
        self.assertIn("the time of --budget was up", out)
