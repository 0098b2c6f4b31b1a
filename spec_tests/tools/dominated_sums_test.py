"""Sums of softmax rows in which a weight dominates: backends that only add are not SUSPECT, in any order and on any data.
ASSAY names the executable."""

import importlib.util
import unittest

import assay
import numpy as np

from spec_tests.nightly import is_nightly

DOT = """HloModule m
ENTRY e { p = f32[ROWS,64] parameter(0)
v = f32[64,64] parameter(1)
ROOT r = f32[ROWS,64] dot(p, v), lhs_contracting_dims={1}, rhs_contracting_dims={0} }
"""
REDUCE = """HloModule m
add { a = f32[] parameter(0)
b = f32[] parameter(1)
ROOT s = f32[] add(a, b) }
ENTRY e { p = f32[ROWS,64] parameter(0)
z = f32[] constant(0)
ROOT r = f32[ROWS] reduce(p, z), dimensions={1}, to_apply=add }
"""
SUMS = {"stablehlo": 4096}  # of each other backend 16384: the interpreter takes microseconds for an addition
BACKENDS = ["xla-cpu", "stablehlo"] if importlib.util.find_spec("jaxlib") else []
NOISE = [f"lawful:{profile}:{seed}" for profile in ("xla", "xla-cpu", "ieee", "stablehlo") for seed in range(3)]
# The logits in front of their noise. exp(-18) is a fourth of the last place of 1.
LOGITS = {"first": lambda k: np.where(k == 0, 18.0, 0.0), "last": lambda k: np.where(k == 63, 18.0, 0.0),
          "sorted": lambda k: -k / 3.0, "rising": lambda k: k / 3.0,
          "one-hot": lambda k: np.where(k == 5, 200.0, 0.0), "equal": lambda k: np.zeros(64)}  # fmt: skip


class DominatedSumsTest(unittest.TestCase):
    def softmax(self, kind, rows):
        noise = np.zeros((rows, 64)) if kind == "equal" else self.random.normal(size=(rows, 64)) * 0.1
        weights = np.exp(LOGITS[kind](np.arange(64)) + noise)
        return weights / weights.sum(axis=1, keepdims=True)

    def test_backends_that_only_add_are_lawful(self):
        self.random = np.random.default_rng(1)
        noise = [backend for backend in NOISE if backend.endswith(":0") or is_nightly("two more seeds of lawful noise")]
        for kind in LOGITS:
            dot = [self.softmax(kind, 256), self.random.uniform(0.5, 1, size=(64, 64))]
            rows = self.softmax(kind, 16384) * self.random.random((16384, 64))
            for backend in BACKENDS + noise:
                count = SUMS.get(backend, len(rows))
                for name, module, of, arrays in (("dot", DOT, count // 64, [dot[0][: count // 64], dot[1]]),
                                                 ("reduce", REDUCE, count, [rows[:count]])):  # fmt: skip
                    with self.subTest(f"{name} {kind} {backend}"):
                        text = module.replace("ROWS", str(of))
                        found = assay.diff(text, *(array.astype(np.float32) for array in arrays), backend=backend)
                        self.assertIn(found.verdict, ("EXACT", "LEGAL"), str(found))
