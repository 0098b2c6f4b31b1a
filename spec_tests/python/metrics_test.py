"""The metrics beside a verdict are those of NumPy and SciPy, and gates that contradict a proof are named."""

import dataclasses
import unittest

import assay
import ml_dtypes
import numpy as np
import scipy.spatial.distance

TORCH = {"float16": (1e-3, 1e-5), "bfloat16": (1.6e-2, 1e-5), "float32": (1.3e-6, 1e-5), "float64": (1e-7, 1e-7)}
NAMES = {"float16": "f16", "bfloat16": "bf16", "float32": "f32", "float64": "f64"}


def reversed_array(dtype, want, got):
    """Judges `got` as the reverse of an array, which is exact."""
    shape = f"{NAMES[np.dtype(dtype).name]}[{want.size}]"
    module = f"HloModule m\nENTRY e {{ x = {shape} parameter(0) ROOT r = {shape} reverse(x), dimensions={{0}} }}"
    return assay.judge(module, [want[::-1].copy()], [got])


def drawn(dtype, seed, error):
    """Returns an array, and one with relative errors of this size."""
    random = np.random.default_rng(seed)
    want = (random.normal(1, 2, 1000) * np.exp2(random.integers(-6, 6, 1000))).astype(dtype)
    return want, (want.astype(np.float64) * (1 + error * random.normal(size=1000))).astype(dtype)


class Metrics(unittest.TestCase):
    def test_are_those_of_numpy_and_scipy(self):
        for dtype in (np.float16, ml_dtypes.bfloat16, np.float32, np.float64):
            for seed, error in enumerate((1e-9, 1e-6, 1e-3, 0.1, 3)):
                with self.subTest(dtype=np.dtype(dtype).name, error=error):
                    narrow_want, narrow_got = drawn(dtype, seed, error)
                    found = reversed_array(dtype, narrow_want, narrow_got).outputs[0].metrics
                    if np.array_equal(narrow_want, narrow_got):
                        self.assertIsNone(found)
                        continue
                    want, got = narrow_want.astype(np.float64), narrow_got.astype(np.float64)
                    relative, absolute = TORCH[np.dtype(dtype).name]
                    wanted = assay.Metrics(pcc=np.corrcoef(want, got)[0, 1],
                                           cosine=1 - scipy.spatial.distance.cosine(want, got),
                                           relative_l2=np.linalg.norm(got - want) / np.linalg.norm(want),
                                           max_ulps=assay.ulp_distance(narrow_got, narrow_want).max(),
                                           max_absolute=np.abs(got - want).max(),
                                           max_relative=(np.abs(got - want) / np.abs(want)).max(),
                                           numpy_allclose=np.allclose(got, want),
                                           torch_assert_close=np.allclose(got, want, relative, absolute))
                    for field in dataclasses.fields(wanted):
                        name = field.name
                        np.testing.assert_allclose(getattr(found, name), getattr(wanted, name), rtol=1e-12, err_msg=name)

    def test_a_dropped_row_passes_a_correlation(self):
        random = np.random.default_rng(0)
        a, b = (random.normal(size=(256, 64)).astype(np.float32) for _ in range(2))
        module = ("HloModule m\nENTRY e { a = f32[256,64] parameter(0) b = f32[256,64] parameter(1) "
                  "ROOT r = f32[256,64] add(a, b) }")  # fmt: skip
        dropped = a + b
        dropped[100] = 0
        found = assay.judge(module, [a, b], [dropped])
        self.assertEqual(found.verdict, "FAIL")
        self.assertGreater(found.outputs[0].metrics.pcc, 0.99)
        self.assertEqual(found.warnings, ("PCC > 0.99 passes this, though it is FAIL",
                                          "cosine > 0.99 passes this, though it is FAIL"))  # fmt: skip
        self.assertIn("warning: PCC > 0.99 passes this, though it is FAIL", str(found))

    def test_a_lawful_sum_fails_a_tolerance(self):
        # The terms cancel to a sum near their roundings.
        x = np.float32([1e6, -1e6, 0.1, 0.3])
        module = ("HloModule m\nsum { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] add(a, b) }\n"
                  "ENTRY e { x = f32[4] parameter(0) zero = f32[] constant(0) "
                  "ROOT r = f32[] reduce(x, zero), dimensions={0}, to_apply=sum }")  # fmt: skip
        found = assay.judge(module, [x], [np.float32((x[0] + x[2]) + (x[1] + x[3]))])
        self.assertEqual(found.verdict, "LEGAL")
        self.assertIn("numpy.allclose fails this, though it is LEGAL", found.warnings)
        self.assertTrue(np.isnan(found.outputs[0].metrics.pcc))  # of one number

    def test_an_exact_result_has_none(self):
        want = np.float32([1, 2, 3])
        found = reversed_array(np.float32, want, want)
        self.assertEqual((found.verdict, found.outputs[0].metrics, found.warnings), ("EXACT", None, ()))
