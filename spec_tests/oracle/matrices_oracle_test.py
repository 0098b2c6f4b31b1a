"""Transforms, factorizations, batch normalization and random bits, against their definitions in ninety digits."""

import math
from fractions import Fraction

import mpmath
import numpy as np
from harness import Case, OracleTest, braces, shape_text

from golden.witness.arrays import Array
from golden.witness.element_types import COMPLEX, DTYPES, component
from golden.witness.evaluator.rounding import encode, rounded, round_to, to_fraction

mpmath.mp.dps = 90
REAL = ["f16", "bf16", "f32", "f64"]


def exact(value):
    """Returns the exact value of a number that ninety digits approximate if it is a short binary fraction; otherwise a
    fraction that is as close."""
    scaled = mpmath.ldexp(value, 80)
    whole = mpmath.nint(scaled)
    is_short = abs(scaled - whole) < mpmath.mpf(10) ** -25
    return Fraction(int(whole), 1 << 80) if is_short else to_fraction(value)


def rounded_array(kind, numbers, shape):
    """Numbers: mpf, or mpc for complex types; each part is rounded once, a zero is positive."""
    part = component(kind)
    parts = [v for z in numbers for v in ((mpmath.re(z), mpmath.im(z)) if kind in COMPLEX else (z,))]
    flat = encode(part, [rounded(part, exact(v)) for v in parts])
    return Array(kind, flat.view(DTYPES[kind]).reshape(shape))


def number(value):
    return mpmath.mpc(complex(value)) if isinstance(value, np.complexfloating) else mpmath.mpf(float(value))


def transform(values, axis, sign):
    """Along one axis: sum over j of x[j] * exp(sign * 2 pi i j k / n)."""
    n = values.shape[axis]
    root = [mpmath.expjpi(mpmath.mpf(2 * sign * k) / n) for k in range(n)]
    moved = np.moveaxis(values, axis, -1)
    out = np.empty(moved.shape, object)
    for index in np.ndindex(*moved.shape):
        line = moved[index[:-1]]
        out[index] = mpmath.fsum(line[j] * root[j * index[-1] % n] for j in range(n))
    return np.moveaxis(out, -1, axis)


def objects(values):
    out = np.empty(values.shape, object)
    for index in np.ndindex(*values.shape):
        out[index] = number(values[index])
    return out


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


class ZerosAreEqual(OracleTest):
    """The definitions say nothing of the sign of a sum that cancels."""

    zeros_are_equal = True


class Transforms(ZerosAreEqual):
    def test_fft(self):
        def make(rng):
            kind = rng.choice(["FFT", "IFFT", "RFFT", "IRFFT"])
            sizes = [rng.randint(1, 2)] + [rng.randint(1, 6) for _ in range(rng.randint(1, 3))]
            while math.prod(sizes) > 40:
                sizes.pop()
            lengths = sizes[1:] or sizes
            axes = range(len(sizes) - len(lengths), len(sizes))
            real, pair = rng.choice([("f32", "c64"), ("f64", "c128")])
            operand = sizes[:-1] + [sizes[-1] // 2 + 1] if kind == "IRFFT" else sizes
            x = rng.numbers(real if kind == "RFFT" else pair, operand, -4, 4)
            values = objects(x.values)
            if kind == "IRFFT":
                # The other half of the last axis mirrors the first.
                for axis in axes[:-1]:
                    values = transform(values, axis, 1) / sizes[axis]
                n = sizes[-1]
                full = np.empty(sizes, object)
                for index in np.ndindex(*sizes):
                    k = index[-1]
                    v = values[index[:-1] + (min(k, n - k),)]
                    v = mpmath.mpc(mpmath.re(v)) if k == 0 or 2 * k == n else v
                    full[index] = mpmath.conj(v) if 2 * k > n else v
                values = transform(full, len(sizes) - 1, 1) / n
                values = np.vectorize(mpmath.re, otypes=[object])(values)
            else:
                for axis in axes:
                    values = transform(values, axis, 1 if kind == "IFFT" else -1)
                    values = values / sizes[axis] if kind == "IFFT" else values
                values = values[..., : sizes[-1] // 2 + 1] if kind == "RFFT" else values
            result = rounded_array(real if kind == "IRFFT" else pair, values.reshape(-1), values.shape)
            text = f"@r = {result.shape} fft(@p0), fft_type={kind}, fft_length={braces(lengths)}"
            return Case([x], text, expected=[result])

        self.compare(make, 40)


class Factorizations(ZerosAreEqual):
    def test_cholesky(self):
        def make(rng):
            kind, n = rng.choice(REAL + [*COMPLEX]), rng.randint(0, 4)
            lower = rng.random() < 0.5
            m = rng.numbers(kind, [n, n], -2, 2).values.astype(np.complex128)
            product = (m @ m.conj().T + np.eye(n)).real if kind not in COMPLEX else m @ m.conj().T + np.eye(n)
            a = Array(kind, product.astype(np.complex128 if kind in COMPLEX else np.float64).astype(DTYPES[kind]))
            # Only the asked triangle is read, and of the diagonal the real part.
            x = objects(a.values if lower else a.values.conj().T)
            factor = [[mpmath.mpf(0)] * n for _ in range(n)]
            for i in range(n):
                for j in range(i + 1):
                    rest = x[i, j] - mpmath.fsum(factor[i][k] * mpmath.conj(factor[j][k]) for k in range(j))
                    factor[i][j] = mpmath.sqrt(mpmath.re(rest)) if i == j else rest / factor[j][j]
            if not lower:
                factor = [[mpmath.conj(factor[j][i]) for j in range(n)] for i in range(n)]
            expected = rounded_array(kind, [v for row in factor for v in row], [n, n])
            return Case([a], f"@r = {a.shape} cholesky(@p0), lower={str(lower).lower()}", expected=[expected])

        self.compare(make, 60)

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

    def test_triangular_solve(self):
        def make(rng):
            kind, n, m = rng.choice(REAL + [*COMPLEX]), rng.randint(0, 4), rng.randint(0, 3)
            left, lower, unit = (rng.random() < 0.5 for _ in range(3))
            transpose = rng.choice(["NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"])
            a = rng.numbers(kind, [n, n], -4, 4)
            for i in range(n):
                a.values[i, i] = rng.choice([-2, -0.5, 1, 3])
            b = rng.numbers(kind, [n, m] if left else [m, n], -4, 4)
            matrix = np.tril(a.values) if lower else np.triu(a.values)
            if unit:
                np.fill_diagonal(matrix, 1)
            matrix = matrix if transpose == "NO_TRANSPOSE" else matrix.T
            matrix = matrix.conj() if transpose == "ADJOINT" else matrix
            # x * A = b is A^T * x^T = b^T.
            matrix, right = (objects(matrix), objects(b.values)) if left else (objects(matrix.T), objects(b.values.T))
            forward = all(matrix[i, j] == 0 for i in range(n) for j in range(i + 1, n))
            x = np.empty([n, m], object)
            for column in range(m):
                for i in range(n) if forward else reversed(range(n)):
                    known = range(i) if forward else range(i + 1, n)
                    rest = right[i, column] - mpmath.fsum(matrix[i, j] * x[j, column] for j in known)
                    x[i, column] = rest / matrix[i, i]
            x = x if left else x.T
            flags = f"left_side={str(left).lower()}, lower={str(lower).lower()}, unit_diagonal={str(unit).lower()}"
            text = f"@r = {b.shape} triangular-solve(@p0, @p1), {flags}, transpose_a={transpose}"
            return Case([a, b], text, expected=[rounded_array(kind, x.reshape(-1), b.values.shape)])

        self.compare(make, 80)


class Normalization(ZerosAreEqual):
    def test_batch_norm(self):
        def make(rng):
            kind, sizes = rng.choice(REAL), [rng.randint(1, 3) for _ in range(rng.randint(1, 3))]
            feature = rng.randrange(len(sizes))
            c, count = sizes[feature], math.prod(sizes) // sizes[feature]
            epsilon = rng.choice([0.5, 0.25, 0.0625])
            x, gradient = rng.numbers(kind, sizes, -4, 4), rng.numbers(kind, sizes, -4, 4)
            scale, offset, mean = (rng.numbers(kind, [c], -4, 4) for _ in range(3))
            variance = Array(kind, np.abs(rng.numbers(kind, [c], 0, 4).values))
            lines = np.moveaxis(objects(x.values), feature, 0).reshape(c, -1)
            grads = np.moveaxis(objects(gradient.values), feature, 0).reshape(c, -1)
            given = [objects(a.values) for a in (scale, offset, mean, variance)]
            op = rng.choice(["training", "inference", "grad"])
            means, variances = given[2], given[3]
            if op == "training":
                means = [mpmath.fsum(line) / count for line in lines]
                variances = [mpmath.fsum((v - means[f]) ** 2 for v in line) / count for f, line in enumerate(lines)]
            roots = [mpmath.sqrt(v + epsilon) for v in variances]
            back = [sizes[feature]] + sizes[:feature] + sizes[feature + 1 :]

            def array_of(rows):
                whole = np.moveaxis(np.array(rows, object).reshape(back), 0, feature)
                return rounded_array(kind, whole.reshape(-1), sizes)

            attributes = f"epsilon={epsilon}, feature_index={feature}"
            triple = f"({x.shape}, {scale.shape}, {scale.shape})"
            if op != "grad":
                out = array_of([[given[0][f] * (v - means[f]) / roots[f] + given[1][f] for v in line]
                                for f, line in enumerate(lines)])  # fmt: skip
            if op == "training":
                expected = [out, rounded_array(kind, means, [c]), rounded_array(kind, variances, [c])]
                text = f"@r = {triple} batch-norm-training(@p0, @p1, @p2), {attributes}"
                return Case([x, scale, offset], text, expected=[expected])
            if op == "inference":
                text = f"@r = {x.shape} batch-norm-inference(@p0, @p1, @p2, @p3, @p4), {attributes}"
                return Case([x, scale, offset, mean, variance], text, expected=[out])
            centered = [[v - means[f] for v in line] for f, line in enumerate(lines)]
            rows, scales, offsets = [], [], []
            for f in range(c):
                weighted = mpmath.fsum(g * v for g, v in zip(grads[f], centered[f]))
                total = mpmath.fsum(grads[f])
                mean_weighted = weighted / roots[f] ** 2 / count
                rows.append([given[0][f] / roots[f] * (g - total / count - mean_weighted * v)
                             for g, v in zip(grads[f], centered[f])])  # fmt: skip
                scales.append(weighted / roots[f])
                offsets.append(total)
            expected = [array_of(rows), rounded_array(kind, scales, [c]), rounded_array(kind, offsets, [c])]
            text = f"@r = {triple} batch-norm-grad(@p0, @p1, @p2, @p3, @p4), {attributes}"
            return Case([x, scale, mean, variance, gradient], text, expected=[expected])

        self.compare(make, 60)


class RandomBits(OracleTest):
    KINDS = ["u8", "u16", "s16", "u32", "s32", "f32", "u64", "s64", "f64"]

    def case(self, rng, state, algorithm):
        before = Array("u64", np.array(state, np.uint64))
        result = f"({before.shape}, {shape_text(rng.choice(self.KINDS), rng.dimensions())})"
        return Case([before], f"@r = {result} rng-bit-generator(@p0), algorithm={algorithm}")

    def test_philox(self):
        def make(rng):
            state = [rng.choice([rng.getrandbits(64), 2**64 - 1]) for _ in range(rng.choice([2, 3]))]
            return self.case(rng, state, rng.choice(["rng_philox", "rng_default"]))

        self.compare(make, 60)

    def test_three_fry(self):
        def make(rng):
            state = [rng.getrandbits(64), rng.choice([rng.getrandbits(64), 2**64 - 1])]
            return self.case(rng, state, "rng_three_fry")

        self.compare(make, 60)
