"""rng draws from the distribution that it is asked for, from a state that starts as XLA's does and moves on."""

import importlib.util
import json
import os
import subprocess
import unittest

import ml_dtypes
import numpy as np
import scipy.stats

from spec_tests.nightly import is_nightly

ASSAY = os.environ["ASSAY"]
COUNT = 20_000
FLOATS = {"f64": np.float64, "f32": np.float32, "f16": np.float16, "bf16": ml_dtypes.bfloat16,
          "f8e5m2": ml_dtypes.float8_e5m2, "f8e4m3fn": ml_dtypes.float8_e4m3fn}
INTEGERS = {"s64": np.int64, "u64": np.uint64, "s32": np.int32, "u32": np.uint32, "s16": np.int16, "u16": np.uint16,
            "s8": np.int8, "u8": np.uint8, "s4": np.int8, "u4": np.uint8}
# The streams are fixed, so these are no chances of a false alarm but how unlucky a stream may be.
UNLIKELY = 1e-6


def evaluate(body, dtypes):
    ran = subprocess.run([ASSAY, "run", "-", "--format", "json"], input=f"HloModule m\nENTRY e {{ {body} }}",
                         capture_output=True, text=True)
    if ran.returncode != 0:
        raise AssertionError(ran.stderr)
    value = json.loads(ran.stdout)["outputs"][0]
    leaves = value["tuple"] if "tuple" in value else [value]
    return [np.frombuffer(bytes.fromhex(leaf["data_hex"]), dtype) for leaf, dtype in zip(leaves, dtypes)]


def draw(kind, dtype, distribution, a, b):
    body = f"a = {kind}[] constant({a})\n b = {kind}[] constant({b})\n" \
           f"ROOT r = {kind}[{COUNT}] rng(a, b), distribution={distribution}"
    return evaluate(body, [dtype])[0]


class Rng(unittest.TestCase):
    def test_uniform_floats(self):
        for kind, dtype in FLOATS.items():
            with self.subTest(kind):
                values = draw(kind, dtype, "rng_uniform", -2, 6).astype(np.float64)
                self.assertTrue((values >= -2).all() and (values < 6).all())
                if np.dtype(dtype).itemsize >= 2:  # With eight bits, the draws that would round to 6 leave a gap.
                    self.assertLess(abs(values.mean() - 2), 0.1)
                    self.assertLess(abs(values.std() / (8 / 12**0.5) - 1), 0.05)
                if kind in ("f64", "f32"):  # The others are too coarse for a continuous distribution.
                    self.assertGreater(scipy.stats.kstest(values, scipy.stats.uniform(-2, 8).cdf).pvalue, UNLIKELY)

    def test_uniform_floats_stay_below_a_bound_that_rounding_would_reach(self):
        values = draw("f8e5m2", FLOATS["f8e5m2"], "rng_uniform", 0, 1).astype(np.float64)
        self.assertTrue((values >= 0).all() and (values < 1).all())

    def test_normal(self):
        for kind, dtype in FLOATS.items():
            with self.subTest(kind):
                values = draw(kind, dtype, "rng_normal", 1, 2).astype(np.float64)
                self.assertLess(abs(values.mean() - 1), 5 * 2 / COUNT**0.5 + 0.02)
                self.assertLess(abs(values.std() / 2 - 1), 0.05)
                if kind in ("f64", "f32"):
                    self.assertGreater(scipy.stats.kstest(values, scipy.stats.norm(1, 2).cdf).pvalue, UNLIKELY)

    def test_uniform_integers(self):
        for kind, dtype in INTEGERS.items():
            with self.subTest(kind):
                low = 0 if kind.startswith("u") else -3
                values = draw(kind, dtype, "rng_uniform", low, 5).astype(np.int64)
                counts = np.bincount(values - low, minlength=5 - low)
                self.assertEqual(len(counts), 5 - low)
                self.assertGreater(scipy.stats.chisquare(counts).pvalue, UNLIKELY)

    def test_the_whole_range_of_an_integer_type(self):
        values = draw("u64", np.uint64, "rng_uniform", 0, 2**64 - 1)
        self.assertGreater(scipy.stats.kstest(values.astype(np.float64) / 2.0**64, "uniform").pvalue, UNLIKELY)

    def test_preds(self):
        self.assertEqual(draw("pred", np.uint8, "rng_uniform", 0, 1).tolist(), [0] * COUNT)

    def test_an_empty_range_gives_its_lower_end(self):
        for kind, dtype in [("f32", np.float32), ("s32", np.int32)]:
            self.assertEqual(set(draw(kind, dtype, "rng_uniform", 4, 4).tolist()), {4})
            self.assertEqual(set(draw(kind, dtype, "rng_uniform", 4, 3).tolist()), {4})

    def test_two_draws_differ(self):
        body = "a = f32[] constant(0)\n b = f32[] constant(1)\n" \
               "r = f32[100] rng(a, b), distribution=rng_uniform\n s = f32[100] rng(a, b), distribution=rng_uniform\n" \
               "ROOT t = (f32[100], f32[100]) tuple(r, s)"
        first, second = evaluate(body, [np.float32, np.float32])
        self.assertEqual(len(set(first) & set(second)), 0)

    def test_the_state_starts_as_xlas_and_moves_on_by_delta(self):
        body = "a = u64[2] rng-get-and-update-state(), delta=5\n b = u64[2] rng-get-and-update-state(), delta=1\n" \
               "c = u64[2] rng-get-and-update-state(), delta=1\n ROOT t = (u64[2], u64[2], u64[2]) tuple(a, b, c)"
        states = [tuple(state) for state in evaluate(body, [np.uint64] * 3)]
        self.assertEqual(states, [(0x7012395, 0), (0x701239A, 0), (0x701239B, 0)])

    @unittest.skipUnless(importlib.util.find_spec("jaxlib"), "no jaxlib here; tools/dev installs it")
    def test_xla_draws_from_the_distributions(self):
        draws = [(kind, "rng_uniform", -2, 6) for kind in ("f64", "f32", "s32", "s64")]
        draws += [(kind, "rng_uniform", 3, 1000) for kind in ("u32", "u64")]
        draws += [(kind, "rng_normal", 1, 2) for kind in ("f64", "f32", "f16", "bf16")]
        ran = self.diff(*draws)
        self.assertTrue(ran.stdout.startswith("LEGAL"), ran.stdout + ran.stderr)
        self.assertIn("random numbers", ran.stdout)

    @unittest.skipUnless(importlib.util.find_spec("jaxlib"), "no jaxlib here; tools/dev installs it")
    def test_xla_rounds_narrow_uniform_numbers_up_to_the_open_end(self):
        for kind in ("f16", "bf16") if is_nightly("rng of f16 on XLA:CPU") else ("bf16",):
            ran = self.diff((kind, "rng_uniform", -2, 6))
            self.assertTrue(ran.stdout.startswith("FAIL"), ran.stdout + ran.stderr)
            self.assertIn("a number outside [-2, 6): 6", ran.stdout)

    def diff(self, *draws):
        """Judges XLA:CPU's numbers of each draw in one module."""
        lines = [f"a{i} = {kind}[] constant({a})\n b{i} = {kind}[] constant({b})\n"
                 f"r{i} = {kind}[{COUNT}] rng(a{i}, b{i}), distribution={distribution}\n"
                 for i, (kind, distribution, a, b) in enumerate(draws)]
        shapes = ", ".join(f"{kind}[{COUNT}]" for kind, *_ in draws)
        names = ", ".join(f"r{i}" for i in range(len(draws)))
        text = f"HloModule m\nENTRY e {{ {''.join(lines)} ROOT t = ({shapes}) tuple({names}) }}"
        return subprocess.run([ASSAY, "diff", "-", "--backend", "xla-cpu"], input=text, capture_output=True, text=True)
