"""`assay explain` prints the numbers that docs/verdicts.md derives, worked out here by hand. ASSAY names the executable."""

import os
import pathlib
import subprocess
import tempfile
import unittest

ASSAY = os.environ["ASSAY"]
ROOT = pathlib.Path(__file__).resolve().parents[2]


def explain(*arguments):
    return subprocess.run(
        [ASSAY, "explain", *map(str, arguments)], capture_output=True, text=True, timeout=120, cwd=ROOT
    )


class ExplainTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def module(self, *lines):
        path = self.folder / "m.hlo"
        path.write_text("\n".join(["HloModule m", "ENTRY e {", *lines, "}"]))
        return path

    def explained(self, *arguments):
        run = explain(*arguments)
        self.assertEqual(run.returncode, 0, run.stderr)
        return run.stdout

    def test_a_function(self):
        module = self.module("x = f32[2] parameter(0)", "ROOT r = f32[2] tanh(x)")
        text = self.explained(module, "--input", "f32[2] {0.5, 10}")
        # tanh(1/2) = 0.46211715726000975, units of 2^-25, six of them to either side: 1.788e-7.
        self.assertIn("element [0]: want x3eec9a9f", text)
        self.assertIn("ulp: 6 units in the last place (XLA:CPU measured", text)
        self.assertIn("exact value 0.462117157260009", text)
        self.assertIn("unit in the last place 2.98023e-08", text)
        self.assertIn("accepted: 0.462116978446", text)
        self.assertIn("the range of the function, -1 to 1", text)
        self.assertIn("element [1]: want x3f800000 (1)", text)
        closed = self.explained(module, "--input", "f32[2] {0.5, 10}", "--profile", "ieee")
        self.assertIn("exact: only these bits", closed)
        self.assertNotIn("units in the last place", closed)

    def test_a_sum(self):
        module = self.module(
            "a = f32[3] parameter(0)", "b = f32[3] parameter(1)",
            "ROOT r = f32[] dot(a, b), lhs_contracting_dims={0}, rhs_contracting_dims={0}",
        )  # fmt: skip
        text = self.explained(module, "--input", "f32[3] {1, 1, -1}", "--input", "f32[3] {1, 2, 4}", "--profile", "ieee")
        # 3 products of magnitudes 1, 2, 4; 5 u 7 = 35 / 2^24 = 2.08616e-6.
        for step in ("n = 3 terms", "sum|terms| = 7,", "u = 5.96e-08", "= 2.08616257e-06", "accepted: -1.0000020861"):
            self.assertIn(step, text)
        # With flush open also seven least normal numbers, which do not show.
        flushed = self.explained(module, "--input", "f32[3] {1, 1, -1}", "--input", "f32[3] {1, 2, 4}")
        self.assertIn("(2n + 1) least normal numbers", flushed)

    def test_a_backend_is_shown_beside_it(self):
        text = self.explained("tanh/f32/specials", "--backend", "reference")
        self.assertIn("golden/tanh/f32.hlo", text)
        self.assertEqual(text.count("  got "), 8)
        self.assertIn("\nEXACT: 8 elements, 0 not exact", text)

    def test_one_element_of_many(self):
        module = self.module("x = f32[2,50] parameter(0)", "ROOT r = f32[2,50] exponential(x)")
        self.assertIn("and 92 more elements", self.explained(module))
        self.assertIn("element [1,49]:", self.explained(module, "--element", "99"))
        run = explain(module, "--element", "100")
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn("has 100 elements, so there is no element 100", run.stderr)

    def test_other_rules(self):
        sort = (
            "HloModule m\nless { a = s32[] parameter(0)\nb = s32[] parameter(1)\n"
            "ROOT r = pred[] compare(a, b), direction=LT }\nENTRY e { x = s32[3] parameter(0)\n"
            "ROOT r = s32[3] sort(x), dimensions={0}, to_apply=less }\n"
        )
        path = self.folder / "sort.hlo"
        path.write_text(sort)
        self.assertIn("rows that it cannot tell apart may swap", self.explained(path))
        fft = self.module("x = c64[4] parameter(0)", "ROOT r = c64[4] fft(x), fft_type=FFT, fft_length={4}")
        self.assertIn("transform: N = 4 points", self.explained(fft))
        copied = self.module("x = f32[1] parameter(0)", "ROOT r = f32[1] copy(x)")
        self.assertIn("a zero for the subnormal result too", self.explained(copied, "--input", "f32[1] {1e-45}"))

    def test_what_is_not_there(self):
        for arguments, message in [
            (["no/such/case"], "neither a file nor the name of a case"),
            (["tanh/f32/specials", "--profile", "loose"], "loose"),
            (["tanh/f32/specials", "--backend", "nobody"], "unknown backend nobody"),
        ]:
            with self.subTest(arguments=arguments):
                run = explain(*arguments)
                self.assertEqual((run.returncode, run.stdout), (2, ""))
                self.assertIn(message, run.stderr)


if __name__ == "__main__":
    unittest.main()
