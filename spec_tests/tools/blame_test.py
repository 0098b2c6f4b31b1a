"""`assay blame`: a compiler of three passes, and XLA:CPU with a fault that is known. ASSAY names the executable."""

import re
import sys

from command_line import PEER, ROOT, CliTest, entry

PASSES = f"process:{sys.executable} {ROOT}/spec_tests/backends/pass_peer.py"


class BlameTest(CliTest):
    def blame(self, module, *arguments, code=1):
        return self.assay("blame", self.file("m.hlo", module), *arguments, code=code).stdout

    DIFFERENCE = entry("a = f32[2] parameter(0)", "b = f32[2] parameter(1)", "s = f32[2] subtract(a, b)",
                       "ROOT r = f32[2] negate(s)")
    VALUES = ["--input", "f32[2] {1, 2}", "--input", "f32[2] {3, 5}"]

    def test_ends_with_one_name_and_one_command(self):
        out = self.blame(self.DIFFERENCE, "--backend", PASSES, *self.VALUES)
        self.assertRegex(out, r"- +%s = f32\[2\]\{0\} subtract\(%a, %b\)\n +\+ +%s = f32\[2\]\{0\} subtract\(%b, %a\)")
        self.assertIn("by the reference, the module has another value after it", out)
        name, command = out.splitlines()[-2:]
        self.assertEqual(name, "reorder")
        self.assertRegex(command, r"^  assay blame .*m\.hlo --backend '.*pass_peer\.py' --pass reorder --input ")
        again = self.blame(self.DIFFERENCE, "--backend", PASSES, *self.VALUES, "--pass", "reorder")
        self.assertIn("without reorder it is right", again)
        other = self.blame(self.DIFFERENCE, "--backend", PASSES, *self.VALUES, "--pass", "tidy")
        self.assertIn("without tidy it fails as before", other)

    def test_no_pass_explains_the_emitter(self):
        out = self.blame(self.DIFFERENCE, "--backend", f"{PASSES} emitter", *self.VALUES)
        self.assertIn("no single pass explains it: it is right with code=slow", out)

    def test_nothing_fails(self):
        out = self.blame(entry("a = f32[2] parameter(0)", "ROOT r = f32[2] negate(a)"), "--backend", PASSES,
                         "--input", "f32[2] {1, 2}", code=0)
        self.assertRegex(out, r"^EXACT: .*m\.hlo\n$")

    def test_a_backend_without_options_is_none(self):
        module = self.file("m.hlo", self.DIFFERENCE)
        for backend in ("reference", f"process:{PEER}"):
            self.assert_fails(3, "takes no options for its compiler", "blame", module, "--backend", backend,
                              *self.VALUES)
        self.assert_fails(3, "--pass needs them", "reduce", module, "--backend", "mutant:subtract_of_equals", "--pass",
                          "p", *self.VALUES, "--out", self.folder / "out")

    def test_passes_that_cannot_be_listed(self):
        hello = """'hello-with:{"options": true}'"""
        peer = f"process:{sys.executable} {ROOT}/spec_tests/backends/scripted_peer.py {hello}"
        module = self.file("m.hlo", entry("a = f32[2] parameter(0)", "ROOT r = f32[2] abs(a)"))
        result = self.assay("blame", module, "--backend", peer, "--input", "f32[2] {1, 2}", code=3)
        self.assertIn("the passes cannot be listed: the backend ended with exit code 1", result.stderr)

    def test_reduce_keeps_the_blamed_pass(self):
        out = self.folder / "out"
        result = self.assay("reduce", self.file("m.hlo", self.DIFFERENCE), "--backend", PASSES, "--pass", "reorder",
                            *self.VALUES, "--out", out, code=1)
        self.assertNotIn("negate", (out / "module.hlo").read_text())
        self.assert_fails(2, "without the pass tidy the module is not right", "reduce", self.folder / "m.hlo",
                          "--backend", PASSES, "--pass", "tidy", *self.VALUES, "--out", out)

    def test_the_root_of_a_square_on_xla_cpu(self):
        # openxla/xla#42732: sqrt(x * x) becomes |x|, though x * x overflows. jaxlib 0.10.2 has it.
        module = entry("x = f32[2] parameter(0)", "m = f32[2] multiply(x, x)", "ROOT r = f32[2] sqrt(m)")
        out = self.blame(module, "--backend", "xla-cpu", "--input", "f32[2] {2e19, 3}")
        self.assertEqual(out.splitlines()[-2], "algsimp")
        self.assertTrue(re.search(r"- .*multiply.*\n +- .*sqrt.*\n +\+ .*abs", out), out)
        self.assertIn("by the reference, the module has another value after it", out)
