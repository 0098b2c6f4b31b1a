"""The backend cuda:exact, over the stand-ins of CUDA's libraries: the reference's bits, whatever computes them."""

import json
import re

from spec_tests.cuda.cuda_test_case import CudaTest

UNARY = ("acos acosh asin asinh atan atanh cbrt cosh cosine erf exponential exponential-minus-one log log-plus-one"
         " logistic rsqrt sine sinh tan tanh").split()  # fmt: skip


class Exact(CudaTest):
    def swept(self, op, kind, *options):
        """Returns a sweep over inputs; how many results are not the reference's, and the counts of the runs."""
        log = self.folder / "log"
        log.unlink(missing_ok=True)
        done = self.assay("exhaust", op, "--type", kind, "--backend", "cuda:exact", "--profile", "exact", "--jobs", 1,
                          "--piece", 1 << 16, *options, ASSAY_CUDA_LOG=log)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertNotIn("left to the host", done.stderr)
        return int(re.search(r"not exact +(\d+)", done.stdout).group(1)), self.counts()

    def test_functions_of_16_bits_on_all_inputs(self):
        for op in UNARY:
            for kind in ("f16", "bf16"):
                with self.subTest(op=op, kind=kind):
                    wrong, runs = self.swept(op, kind)
                    self.assertEqual(wrong, 0)
                    self.assertTrue(any(op in run["device"] for run in runs), runs)

    def test_functions_of_f32_on_a_stretch_of_inputs(self):
        for op in UNARY:
            with self.subTest(op=op):
                first = 0x3F780000 if op in ("acosh", "log", "acos", "asin", "atanh") else 0x40490000
                wrong, runs = self.swept(op, "f32", "--first", first, "--count", 1 << 17)
                self.assertEqual(wrong, 0)
                # Few elements are in doubt, so that the kernel's results are used.
                self.assertFalse(any(op in run["host"] for run in runs), runs)

    def test_a_tie_is_in_doubt(self):
        # (1 + 2^-12)^2 is halfway between two numbers of f32, and so is its neighbor's square on the odd side.
        module = """HloModule m
ENTRY e {
  x = f32[3] parameter(0)
  y = f32[3] parameter(1)
  ROOT z = f32[3] power(x, y)
}
"""
        inputs = ("--input", "f32[3] {1.000244140625, 1.000732421875, 3}", "--input", "f32[3] {2, 2, 2}", "--format", "json")
        log = self.folder / "log"
        path = self.module(module)
        got = self.assay("run", path, "--backend", "cuda:exact", *inputs, ASSAY_CUDA_LOG=log)
        want = self.assay("run", path, *inputs)
        self.assertEqual((got.returncode, want.returncode), (0, 0), got.stderr)
        self.assertEqual(json.loads(got.stdout)["outputs"], json.loads(want.stdout)["outputs"])
        self.assertIn("power", self.counts()[0]["device"])

    def test_results_without_elements(self):
        module = """HloModule m
add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] add(a, b)
}
ENTRY e {
  x = f32[2,0] parameter(0)
  i = f32[] constant(0)
  ROOT y = f32[0] reduce(x, i), dimensions={0}, to_apply=add
}
"""
        done = self.assay("run", self.module(module), "--backend", "cuda:exact", "--input", "f32[2,0] {{}, {}}")
        self.assertEqual((done.returncode, done.stdout), (0, "{}\n"), done.stderr)

    def test_instructions_not_known_to_be_exact_run_on_the_host(self):
        module = """HloModule m
ENTRY e {
  x = f64[4] parameter(0)
  y = f64[4] exponential(x)
  ROOT z = f64[4] add(y, y)
}
"""
        log = self.folder / "log"
        done = self.assay("run", self.module(module), "--backend", "cuda:exact", "--input", "f64[4] {0, 1, 2, 3}",
                          ASSAY_CUDA_LOG=log)
        self.assertEqual(done.returncode, 0, done.stderr)
        counts = self.counts()[0]
        self.assertEqual((counts["device"], counts["host"], counts["doubtful"]), ({"add": 1}, {"exponential": 1}, 0))
