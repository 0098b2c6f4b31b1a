"""`assay fuzz --from`: programs of a user are changed, and faults are found from them. ASSAY names the executable."""

import unittest

from command_line import entry
from fuzz_command import FuzzCliTest


class FuzzFromTest(FuzzCliTest):
    def test_given_modules_are_changed(self):
        models = self.folder / "models"
        models.mkdir()
        (models / "logits.hlo").write_text(
            "HloModule logits\n\nENTRY e {\n  x = f32[4,3] parameter(0)\n  y = f32[2,3] parameter(1)\n"
            "  c = f32[6,3] concatenate(x, y), dimensions={0}\n  n = f32[6,3] negate(c)\n"
            "  ROOT t = f32[6,3] tanh(n)\n}\n"
        )
        for oracle in ("reference", "rewrites"):
            words = ("--from", models, "--oracle", oracle, "--count", "150")
            right = self.fuzz("--backend", "reference", *words, folder="right")
            self.assertEqual(right.returncode, 0, right.stdout + right.stderr)
            self.assertRegex(right.stdout, r": 1\d\d EXACT;")
            wrong = self.fuzz("--backend", "mutant:concat_order", *words, folder=oracle)
            self.assertEqual(wrong.returncode, 1, wrong.stdout + wrong.stderr)
            findings = self.findings(oracle)
            self.assertTrue(any("concatenate.f32" in finding["signature"] for finding in findings), findings)
            self.assertTrue(all(finding["source"].startswith("logits") for finding in findings), findings)
        (models / "bad.hlo").write_text("HloModule bad\nENTRY e {\n  ROOT x = f32[2] add(y, y)\n}\n")
        self.assert_fails(2, "bad.hlo:3:", "fuzz", "--backend", "reference", "--from", models, "--count", "1", "--out",
                          self.folder / "none")  # fmt: skip

    def test_modules_need_no_layouts(self):
        # A changed scatter has the shape that its record infers, without a layout.
        module = self.file("m.hlo", "HloModule m\n\nlast {\n  a = f32[] parameter(0)\n  ROOT b = f32[] parameter(1)\n}\n\n"
                           + entry("x = f32[5,3] parameter(0)", "i = s32[2,1] parameter(1)", "u = f32[2,3] parameter(2)",
                                   "ROOT s = f32[5,3] scatter(x, i, u), update_window_dims={1}, inserted_window_dims={0}, "
                                   "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=last")
                           .split("\n", 1)[1])  # fmt: skip
        run = self.fuzz("--backend", "reference", "--from", module, "--count", "300")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertIn(" EXACT; ", run.stdout)


if __name__ == "__main__":
    unittest.main()
