"""Transforms, factorizations, batch normalization and random bits, against the second evaluator. Hilbert matrices, whose
condition numbers are huge, against their definitions in two hundred digits."""

import math
from fractions import Fraction

import mpmath
import numpy as np
from harness import Case, OracleTest, braces, compares, shape_text

from golden.witness.arrays import Array
from golden.witness.element_types import COMPLEX, DTYPES
from golden.witness.evaluator.rounding import encode, rounded, round_to, to_fraction

mpmath.mp.dps = 90
REAL = ["f16", "bf16", "f32", "f64"]


def hilbert(n):
    """1 / (i + j + 1) times the least number that makes all elements whole."""
    scale = math.lcm(*range(1, 2 * n))
    return [[Fraction(scale, i + j + 1) for j in range(n)] for i in range(n)]


def cholesky_factor(a):
    n = len(a)
    factor = [[mpmath.mpf(0)] * n for _ in range(n)]
    for i in range(n):
        for j in range(i + 1):
            rest = mpmath.mpf(int(a[i][j])) - mpmath.fsum(factor[i][k] * factor[j][k] for k in range(j))
            factor[i][j] = mpmath.sqrt(rest) if i == j else rest / factor[j][j]
    return factor


class Transforms(OracleTest):
    @compares(40)
    def test_fft(self, rng):
        kind = rng.choice(["FFT", "IFFT", "RFFT", "IRFFT"])
        sizes = [rng.randint(1, 2)] + [rng.randint(1, 6) for _ in range(rng.randint(1, 3))]
        while math.prod(sizes) > 40:
            sizes.pop()
        real, pair = rng.choice([("f32", "c64"), ("f64", "c128")])
        halved = sizes[:-1] + [sizes[-1] // 2 + 1]
        x = rng.numbers(real if kind == "RFFT" else pair, halved if kind == "IRFFT" else sizes, -4, 4)
        result = shape_text(real if kind == "IRFFT" else pair, halved if kind == "RFFT" else sizes)
        return Case([x], f"@r = {result} fft(@p0), fft_type={kind}, fft_length={braces(sizes[1:] or sizes)}")


class Factorizations(OracleTest):
    @compares(60)
    def test_cholesky(self, rng):
        kind, n = rng.choice(REAL + [*COMPLEX]), rng.randint(0, 4)
        m = rng.numbers(kind, [n, n], -2, 2).values.astype(np.complex128)
        product = m @ m.conj().T + np.eye(n)
        a = Array(kind, (product if kind in COMPLEX else product.real).astype(DTYPES[kind]))
        return Case([a], f"@r = {a.shape} cholesky(@p0), lower={rng.choice(['true', 'false'])}")

    def test_cholesky_of_hilbert_matrices(self):
        """Times the least common multiple of their denominators, which makes them exact; condition numbers to 10^16."""
        for kind, n in [("f32", 6), ("f32", 8), ("f32", 9), *(("f64", n) for n in range(8, 13))]:
            with self.subTest(kind=kind, n=n):
                exact_matrix = hilbert(n)
                a = Array(kind, np.array(exact_matrix, np.float64).astype(DTYPES[kind]))
                self.assertEqual([[Fraction(float(v)) for v in row] for row in a.values], exact_matrix)
                with mpmath.workdps(200):
                    factor = cholesky_factor(exact_matrix)
                    parts = [rounded(kind, to_fraction(v)) for row in factor for v in row]
                expected = Array(kind, encode(kind, parts).reshape(n, n))
                self.compare(lambda _: Case([a], f"@r = {a.shape} cholesky(@p0), lower=true", expected=[expected]), 1)

    def test_solve_of_hilbert_factors(self):
        """The factor's columns shrink by many orders of magnitude; substitution is exact in rational arithmetic."""
        for kind, n in [("f32", 8), ("f64", 8), ("f64", 10), ("f64", 12)]:
            with self.subTest(kind=kind, n=n):
                factor = np.array([[float(v) for v in row] for row in cholesky_factor(hilbert(n))]).astype(DTYPES[kind])
                l = [[Fraction(float(v)) for v in row] for row in factor]
                b = self.random().numbers(kind, [n, 1])
                b = Array(kind, b.values + 0)  # fractions have no -0
                for transpose, rows in (("NO_TRANSPOSE", range(n)), ("TRANSPOSE", range(n - 1, -1, -1))):
                    x = {}
                    for i in rows:
                        row = l[i] if transpose == "NO_TRANSPOSE" else [l[j][i] for j in range(n)]
                        x[i] = (Fraction(float(b.values[i, 0])) - sum(row[j] * x[j] for j in x)) / row[i]
                    numbers = [round_to(kind, x[i]) for i in range(n)]
                    expected = Array(kind, encode(kind, numbers).reshape(n, 1))
                    text = f"@r = {b.shape} triangular-solve(@p0, @p1), left_side=true, lower=true, "
                    text += f"transpose_a={transpose}"
                    self.compare(lambda _: Case([Array(kind, factor), b], text, expected=[expected]), 1)

    @compares(80)
    def test_triangular_solve(self, rng):
        kind, n, m = rng.choice(REAL + [*COMPLEX]), rng.randint(0, 4), rng.randint(0, 3)
        left, lower, unit = (rng.choice(["true", "false"]) for _ in range(3))
        a = rng.numbers(kind, [n, n], -4, 4)
        for i in range(n):
            a.values[i, i] = rng.choice([-2, -0.5, 1, 3])
        b = rng.numbers(kind, [n, m] if left == "true" else [m, n], -4, 4)
        text = f"@r = {b.shape} triangular-solve(@p0, @p1), left_side={left}, lower={lower}, unit_diagonal={unit}, "
        return Case([a, b], text + f"transpose_a={rng.choice(['NO_TRANSPOSE', 'TRANSPOSE', 'ADJOINT'])}")


class Normalization(OracleTest):
    @compares(60)
    def test_batch_norm(self, rng):
        kind, sizes = rng.choice(REAL), [rng.randint(1, 3) for _ in range(rng.randint(1, 3))]
        feature = rng.randrange(len(sizes))
        row = [sizes[feature]]
        x, gradient = rng.numbers(kind, sizes, -4, 4), rng.numbers(kind, sizes, -4, 4)
        scale, offset, mean = (rng.numbers(kind, row, -4, 4) for _ in range(3))
        variance = Array(kind, np.abs(rng.numbers(kind, row, 0, 4).values))
        triple = f"({x.shape}, {scale.shape}, {scale.shape})"
        op, result, operands = rng.choice([
            ("batch-norm-training", triple, [x, scale, offset]),
            ("batch-norm-inference", x.shape, [x, scale, offset, mean, variance]),
            ("batch-norm-grad", triple, [x, scale, mean, variance, gradient])])  # fmt: skip
        names = ", ".join(f"@p{i}" for i in range(len(operands)))
        attributes = f"epsilon={rng.choice([0.5, 0.25, 0.0625])}, feature_index={feature}"
        return Case(operands, f"@r = {result} {op}({names}), {attributes}")


class RandomBits(OracleTest):
    KINDS = ["u8", "u16", "s16", "u32", "s32", "f32", "u64", "s64", "f64"]

    def case(self, rng, state, algorithm):
        before = Array("u64", np.array(state, np.uint64))
        result = f"({before.shape}, {shape_text(rng.choice(self.KINDS), rng.dimensions())})"
        return Case([before], f"@r = {result} rng-bit-generator(@p0), algorithm={algorithm}")

    @compares(60)
    def test_philox(self, rng):
        state = [rng.choice([rng.getrandbits(64), 2**64 - 1]) for _ in range(rng.choice([2, 3]))]
        return self.case(rng, state, rng.choice(["rng_philox", "rng_default"]))

    @compares(60)
    def test_three_fry(self, rng):
        state = [rng.getrandbits(64), rng.choice([rng.getrandbits(64), 2**64 - 1])]
        return self.case(rng, state, "rng_three_fry")
