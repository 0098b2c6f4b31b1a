"""assay.jax.batch_invariant compares the elements of a batch with their results alone."""

import unittest

import jax.numpy as jnp
import numpy as np

import assay
import assay.jax
from assay._batch import batch_invariance

# 1 + 2^-24 + 2^-24 is 1 from the left in f32, and 1 + 2^-23 from the right.
ROW = np.array([1, 2**-24, 2**-24], np.float32)


def by_batch(x):
    """Adds each row, of a batch and of a single row in opposite orders."""
    order = [0, 1, 2] if x.shape[0] > 1 else [2, 1, 0]
    total = jnp.zeros(x.shape[0], jnp.float32)
    for i in order:
        total = total + x[:, i]
    return total


class Batch(unittest.TestCase):
    def test_equal_bits(self):
        found = assay.jax.batch_invariant(lambda x: x * 2 + 1, np.arange(12, dtype=np.float32).reshape(4, 3))
        self.assertTrue(found)
        self.assertEqual((found.verdict, found.size, found.differing), (assay.Verdict.EXACT, 4, ()))
        self.assertTrue(assay.jax.batch_invariant(jnp.sort, np.array([[3, 1], [np.nan, 2]], np.float32)))

    def test_another_axis(self):
        self.assertTrue(assay.jax.batch_invariant(lambda x: jnp.negative(x), np.ones((2, 3), np.float32), axis=1))

    def test_a_difference_is_judged(self):
        x = np.array([1, 2], np.float32)
        doubled = "HloModule m\nENTRY e { x = f32[1] parameter(0) ROOT r = f32[1] add(x, x) }"
        lawful = assay.judge(doubled, [x[:1]], [x[:1] * 2])
        wrong = assay.judge(doubled, [x[:1]], [x[:1] * 3])
        self.assertEqual((lawful.verdict, wrong.verdict), (assay.Verdict.EXACT, assay.Verdict.FAIL))

        def found(judged_alone):
            return batch_invariance(
                lambda v: [v * 2 if len(v) == 2 or v[0] == 1 else v * 3], lambda v: [v * 2],
                lambda v: lawful if len(v) == 2 else judged_alone, x, 0, ["out['l']"])  # fmt: skip

        self.assertFalse(found(lawful))
        self.assertEqual((found(lawful).verdict, found(lawful).differing), (assay.Verdict.LEGAL, (1,)))
        self.assertEqual(found(wrong).verdict, assay.Verdict.FAIL)
        self.assertEqual(str(found(wrong)), "FAIL: 1 of 2 elements have other bits alone: 1, first in out['l']")

    def test_no_batch(self):
        with self.assertRaisesRegex(assay.Error, "axis 0 is no batch of independent elements"):
            assay.jax.batch_invariant(by_batch, np.stack([ROW, ROW]))
        with self.assertRaisesRegex(assay.Error, "must have axis 0 of size 2"):
            assay.jax.batch_invariant(lambda x: x.sum(), np.ones((2, 3), np.float32))
        for x, axis in ((np.ones(2), 1), (np.ones(2), -2), ({"a": np.ones(2)}, 0), (3.0, 0)):
            with self.subTest(x=x, axis=axis), self.assertRaisesRegex(assay.Error, f"one array that has axis {axis}"):
                assay.jax.batch_invariant(lambda x: x, x, axis)
        self.assertTrue(assay.jax.batch_invariant(lambda x: x, np.ones((2, 3), np.float32), -1))
