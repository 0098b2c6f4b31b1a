"""Ill-conditioned sums of products through every op that has them, against exact rational arithmetic."""

import itertools
import math

from harness import Case, OracleTest
from ill_conditioned import columns, condition_of, gen_dot
from summed import TYPES, array

from golden.witness.arrays import Array
from golden.witness.element_types import COMPLEX
from golden.witness.evaluator.products import from_results, products_summed
from spec_tests.nightly import is_nightly

# Condition numbers that the exponents of the type have room for, products and rounded sum alike.
CONDITIONS = {"f64": (1e30, 1e60), "f32": (1e30, 1e60), "bf16": (1e30, 1e60), "f16": (1e8, 1e13),
              "f8e5m2": (1e5, 1e9), "f8e4m3fn": (1e3, 1e5)}  # fmt: skip
# Conditions for which the sum itself need not be a number of the type.
WIDE_CONDITIONS = {"f16": 1e20, "f8e5m2": 1e15, "f8e4m3fn": 1e8}
# Ill-conditioned sums of each type and condition.
CASES = 12 if is_nightly("eight of twelve ill-conditioned sums of each type") else 4


class IllConditioned(OracleTest):
    def dot(self, operand, result, x, y):
        x, y = (array(operand, v, [1, len(v)]) for v in (x, y))
        expected = from_results(result, [products_summed(result, zip(x.values[0], y.values[0]))], [1, 1])
        text = f"@r = {result}[1,1] dot(@p0, @p1), lhs_contracting_dims={{1}}, rhs_contracting_dims={{1}}"
        return Case([x, y], text, expected=[expected])

    def pairs(self, rng, kind, condition):
        pairs = gen_dot(rng, kind, rng.choice([60, 100, 300, 700]), condition)
        self.assertGreater(condition_of(pairs), condition / 100)
        return pairs

    def test_dot(self):
        for kind in TYPES:
            for condition in CONDITIONS[kind]:
                with self.subTest(kind=kind, condition=condition):
                    results = []

                    def make(rng):
                        case = self.dot(kind, kind, *columns(self.pairs(rng, kind, condition)))
                        results.append(float(case.expected[0].values[0, 0]))
                        return case

                    self.compare(make, CASES)
                    self.assertGreater(sum(x != 0 and math.isfinite(x) for x in results), CASES // 2)

    def test_dot_with_a_wider_result(self):
        for kind, condition in WIDE_CONDITIONS.items():
            with self.subTest(kind=kind):
                self.compare(lambda rng: self.dot(kind, "f64", *columns(self.pairs(rng, kind, condition))), CASES)

    def test_complex_dot(self):
        """(a + bi)(c + di): the real part is made ill-conditioned by all of ac and -bd, the imaginary part comes by."""
        for kind, condition in itertools.product(COMPLEX, (1e30, 1e60)):
            with self.subTest(kind=kind, condition=condition):

                def make(rng):
                    x, y = columns(self.pairs(rng, COMPLEX[kind], condition))
                    half = len(x) // 2 * 2
                    return self.dot(kind, kind, x[:half:2] + 1j * x[1:half:2], y[:half:2] - 1j * y[1:half:2])

                self.compare(make, CASES)

    def test_convolution(self):
        """The whole input under one kernel, two features deep."""
        for kind in TYPES:
            with self.subTest(kind=kind):

                def make(rng):
                    x, y = columns(self.pairs(rng, kind, CONDITIONS[kind][1]))
                    n = len(x) // 2
                    x, y = (array(kind, v[: 2 * n], [n, 2]) for v in (x, y))
                    terms = [*zip(x.values.reshape(-1), y.values.reshape(-1)), (0.0, 1.0)]
                    x, y = Array(kind, x.values.reshape(1, n, 2)), Array(kind, y.values.reshape(n, 2, 1))
                    expected = from_results(kind, [products_summed(kind, terms)], [1, 1, 1])
                    text = f"@r = {kind}[1,1,1] convolution(@p0, @p1), window={{size={n}}}, dim_labels=b0f_0io->b0f"
                    return Case([x, y], text, expected=[expected])

                self.compare(make, CASES)
