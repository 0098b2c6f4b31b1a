"""A second reading of the ops of linear algebra, transforms and normalization, in exact arithmetic."""

import itertools
from fractions import Fraction

from oracle.evaluator import functions as exact_math
import mpmath
import numpy as np
from oracle.arrays import DTYPES, Array, components, is_float
from oracle.evaluator.elementwise import COMPLEX_PARTS, NotDerived, complex_array, integers, is_integer

ZERO = Fraction(0)


class Complex:
    """A complex number of two exact parts: Fractions or mpf."""

    def __init__(self, real, imag=ZERO):
        self.real, self.imag = real, imag

    def __add__(self, other):
        return Complex(self.real + other.real, self.imag + other.imag)

    def __sub__(self, other):
        return Complex(self.real - other.real, self.imag - other.imag)

    def __mul__(self, other):
        return Complex(self.real * other.real - self.imag * other.imag, self.real * other.imag + self.imag * other.real)

    def __truediv__(self, other):
        norm = other.real * other.real + other.imag * other.imag
        up = self * other.conjugate()
        return Complex(up.real / norm, up.imag / norm)

    def conjugate(self):
        return Complex(self.real, -self.imag)


def exact_number(kind, flat):
    """The finite number of one or two components."""
    parts = [float(v) for v in flat]
    if not all(map(exact_math.is_finite, parts)):
        raise NotDerived("a number that is not finite")
    return Complex(*map(Fraction, parts)) if kind in COMPLEX_PARTS else Fraction(parts[0])


def numbers(array):
    """The elements as exact numbers, an object array of the array's shape."""
    if is_integer(array.type) or array.type == "pred":
        flat = [Fraction(int(v)) for v in array.values.reshape(-1)]
    else:
        parts = components(array).reshape(-1, 2 if array.type in COMPLEX_PARTS else 1)
        flat = [exact_number(array.type, part) for part in parts]
    out = np.empty(len(flat), object)
    out[:] = flat
    return out.reshape(array.values.shape)


def settled(value):
    """What a computation with 500 bits leaves of an exact zero is zero: operands here are of everyday size."""
    if isinstance(value, mpmath.mpf):
        return ZERO if abs(value) < mpmath.mpf(2) ** -400 else value
    return value


def array_of(kind, values, shape):
    """Exact numbers, each rounded once."""
    values = list(values)
    if kind == "pred":
        return integers(kind, [v != 0 for v in values], shape)
    if is_integer(kind):
        return integers(kind, [int(v) for v in values], shape)
    if kind in COMPLEX_PARTS:
        return complex_array(kind, [(settled(v.real), settled(v.imag)) for v in values], shape)
    return Array(kind, exact_math.encode(kind, [exact_math.rounded(kind, settled(v)) for v in values]).reshape(shape))


# --- Products ---------------------------------------------------------------------------------------------------------


class DotDimensions:
    def __init__(self, instruction, x, y):
        self.batch = list(zip(instruction.ints("lhs_batch_dims"), instruction.ints("rhs_batch_dims")))
        self.contracted = list(zip(instruction.ints("lhs_contracting_dims"), instruction.ints("rhs_contracting_dims")))
        paired = self.batch + self.contracted
        self.left = [d for d in range(x.values.ndim) if d not in [a for a, _ in paired]]
        self.right = [d for d in range(y.values.ndim) if d not in [b for _, b in paired]]


def group_of(instruction, dims, sizes, at):
    """The group that an index of lhs belongs to, or None past the last one. sizes may have a row for each prefix."""
    ragged = instruction.ints("lhs_ragged_dims")[0]
    row = sizes.values
    if row.ndim > 1:
        batch, inner = [a for a, _ in dims.batch], [a for a, _ in dims.contracted]
        role = batch if ragged in batch else batch + inner if ragged in inner else batch + dims.left
        row = row[tuple(at[d] for d in role[: role.index(ragged)])]
    for group, end in enumerate(itertools.accumulate(int(n) for n in row)):
        if at[ragged] < end:
            return group
    return None


def ragged_dot(instruction, x, y, sizes):
    dims = DotDimensions(instruction, x, y)
    ragged = instruction.ints("lhs_ragged_dims")[0]
    group_dims = instruction.ints("rhs_group_dims")
    is_contracting = ragged in [a for a, _ in dims.contracted]
    is_batch = ragged in [a for a, _ in dims.batch]
    right_free = [d for d in dims.right if d not in group_dims]
    left, right = numbers(x), numbers(y)
    results = []
    for index in np.ndindex(*instruction.dimensions):
        wanted, index = (index[0], index[1:]) if is_contracting else (None, index)
        at, to = [0] * x.values.ndim, [0] * y.values.ndim
        places = iter(index)
        for a, b in dims.batch:
            at[a] = to[b] = next(places)
        for a in dims.left:
            at[a] = next(places)
        for b in right_free:
            to[b] = next(places)
        total = None
        for inner in np.ndindex(*[x.values.shape[a] for a, _ in dims.contracted]):
            for i, (a, b) in zip(inner, dims.contracted):
                at[a] = to[b] = i
            group = None if is_batch else group_of(instruction, dims, sizes, at)
            if not is_batch and (group is None or wanted not in (None, group)):
                continue
            if group_dims:
                to[group_dims[0]] = group
            term = left[tuple(at)] * right[tuple(to)]
            total = term if total is None else total + term
        results.append(total if total is not None else Complex(ZERO) if x.type in COMPLEX_PARTS else ZERO)
    return array_of(instruction.type, results, instruction.dimensions)


def scaled_dot(instruction, x, y, x_scale, y_scale):
    dims = DotDimensions(instruction, x, y)

    if not all(np.all(np.isfinite(a.values.astype(np.complex128))) for a in (x, y, x_scale, y_scale)):
        if instruction.dimensions != (1, 1):
            raise NotDerived("a NaN among several dots")
        return array_of(instruction.type, [exact_math.NAN], instruction.dimensions)

    def scaled(array, scale):
        values, factors = numbers(array), numbers(scale)
        if scale.values.ndim == array.values.ndim:
            blocks = [n // max(1, k) for n, k in zip(array.values.shape, scale.values.shape)]
            factors = factors.repeat(blocks[0], 0)
            for d, block in enumerate(blocks[1:], 1):
                factors = factors.repeat(block, d)
        return values * factors

    left, right = scaled(x, x_scale), scaled(y, y_scale)
    axes = [a for a, _ in dims.contracted], [b for _, b in dims.contracted]
    if dims.batch:
        raise NotDerived("scaled-dot with batch dimensions")
    product = np.tensordot(left, right, axes)
    return array_of(instruction.type, np.asarray(product, object).reshape(-1), instruction.dimensions)


# --- Decompositions ---------------------------------------------------------------------------------------------------


def matrices(array):
    values = numbers(array)
    for index in np.ndindex(*values.shape[:-2]):
        yield values[index]


def conjugate(value):
    return value.conjugate() if isinstance(value, Complex) else value


def mp(value):
    if isinstance(value, Complex):
        return Complex(mp(value.real), mp(value.imag))
    return mpmath.mpf(value.numerator) / value.denominator if isinstance(value, Fraction) else value


def triangle_is_finite(matrix, lower):
    n = len(matrix)
    inside = [matrix[i][j] for i in range(n) for j in range(n) if (j <= i if lower else i <= j)]
    return bool(np.all(np.isfinite(np.array(inside, matrix.dtype).astype(np.complex128))))


def lower_factor(source, is_complex):
    """L of L L^H = source, in mpf; None where a root is not of a positive number."""
    n, zero = len(source), mpmath.mpf(0)
    factor = [[Complex(zero, zero) if is_complex else zero] * n for _ in range(n)]
    for j in range(n):
        rest = source[j][j].real if is_complex else source[j][j]
        for entry in factor[j][:j]:
            rest -= entry.real**2 + entry.imag**2 if is_complex else entry**2
        if rest <= 0:
            return None
        root = mpmath.sqrt(rest)
        factor[j][j] = Complex(root, zero) if is_complex else root
        for i in range(j + 1, n):
            value = source[i][j]
            for k in range(j):
                value = value - factor[i][k] * conjugate(factor[j][k])
            factor[i][j] = value / factor[j][j]
    return factor


def cholesky(instruction, a):
    lower, is_complex = instruction.flag("lower"), a.type in COMPLEX_PARTS
    n = a.values.shape[-1]
    out = np.empty(a.values.shape, a.values.dtype)
    for index in np.ndindex(*a.values.shape[:-2]):
        block = a.values[index]
        factor = None
        if triangle_is_finite(block, lower):
            kept = np.tril(block.astype(np.complex128 if is_complex else np.float64)) if lower else \
                np.triu(block.astype(np.complex128 if is_complex else np.float64))
            exact = numbers(Array(a.type, kept.astype(a.values.dtype)))
            source = [[mp(exact[i][j] if lower else conjugate(exact[j][i])) for j in range(n)] for i in range(n)]
            factor = lower_factor(source, is_complex)
        if factor is None:
            out[index] = np.full((n, n), np.nan * (1 + 1j) if is_complex else np.nan)
            continue
        flat = [factor[i][j] if lower else conjugate(factor[j][i]) for i in range(n) for j in range(n)]
        out[index] = array_of(a.type, flat, (n, n)).values
    return Array(a.type, out)


def triangular_solve(instruction, a, b):
    lower, unit = instruction.flag("lower"), instruction.flag("unit_diagonal")
    way = instruction.text("transpose_a", "NO_TRANSPOSE")
    left = instruction.flag("left_side")
    one = Complex(Fraction(1)) if a.type in COMPLEX_PARTS else Fraction(1)
    solved = []
    for matrix, right in zip(matrices(a), matrices(b)):
        n = len(matrix)
        keep = [[matrix[i][j] if i != j or not unit else one for j in range(n)] for i in range(n)]
        if way != "NO_TRANSPOSE":
            keep = [[conjugate(keep[j][i]) if way == "ADJOINT" else keep[j][i] for j in range(n)] for i in range(n)]
        is_lower = lower == (way == "NO_TRANSPOSE")
        if not left:  # x A = b is A^T x^T = b^T.
            keep, is_lower = [list(row) for row in zip(*keep)], not is_lower
        columns = right if left else right.T
        x = np.empty(columns.shape, object)
        for column in range(columns.shape[1]):
            for i in range(n) if is_lower else reversed(range(n)):
                value = columns[i][column]
                for k in range(i) if is_lower else range(i + 1, n):
                    value = value - keep[i][k] * x[k][column]
                if not isinstance(keep[i][i], Complex) and keep[i][i] == 0:
                    raise NotDerived("a singular matrix")
                x[i][column] = value / keep[i][i]
        solved += list((x if left else x.T).reshape(-1))
    return array_of(b.type, solved, b.values.shape)


# --- Fourier transforms -----------------------------------------------------------------------------------------------


def turn(numerator, denominator):
    """e^(2 pi i numerator / denominator)."""
    return mpmath.mpc(mpmath.cospi(mpmath.mpf(2 * numerator) / denominator),
                      mpmath.sinpi(mpmath.mpf(2 * numerator) / denominator))


def along(values, axis, length, sign, size):
    """Transforms one axis; elements past its end are zero."""
    out_shape = list(values.shape)
    out_shape[axis] = size
    out = np.empty(out_shape, object)
    for index in np.ndindex(*out_shape):
        total = mpmath.mpc(0)
        for n in range(min(length, values.shape[axis])):
            at = list(index)
            at[axis] = n
            total += values[tuple(at)] * turn(sign * n * index[axis] % length, length)
        out[index] = total
    return out


def fft(instruction, x):
    kind = instruction.text("fft_type")
    lengths = instruction.ints("fft_length")
    axes = list(range(x.values.ndim - len(lengths), x.values.ndim))
    values = np.empty(x.values.shape, object)
    for index in np.ndindex(*x.values.shape):
        number = x.values[index]
        if not np.isfinite(number):
            raise NotDerived("a transform that is not finite")
        values[index] = mpmath.mpc(float(number.real), float(number.imag))
    sign = 1 if kind in ("IFFT", "IRFFT") else -1
    for axis, length in list(zip(axes, lengths))[: -1 if kind == "IRFFT" else None]:
        is_last = axis == axes[-1]
        size = length // 2 + 1 if kind == "RFFT" and is_last else values.shape[axis]
        values = along(values, axis, length, sign, size)
    if kind == "IRFFT":
        values = along(mirrored(values, lengths[-1]), axes[-1], lengths[-1], sign, lengths[-1])
    scale = np.prod(lengths, dtype=object) if sign > 0 else 1
    flat = [v / scale for v in values.reshape(-1)]
    if instruction.type in COMPLEX_PARTS:
        return array_of(instruction.type, [Complex(v.real, v.imag) for v in flat], instruction.dimensions)
    return array_of(instruction.type, [v.real for v in flat], instruction.dimensions)


def mirrored(values, length):
    """The whole spectrum of a real signal, from its first half."""
    out = np.empty(values.shape[:-1] + (length,), object)
    for k in range(length):
        half = min(k, length - k)
        part = values[..., half] if half < values.shape[-1] else values[..., 0] * 0
        for index in np.ndindex(*out.shape[:-1]):
            v = part[index]
            is_own_mirror = k == length - k or k == 0
            out[index + (k,)] = mpmath.mpc(v.real) if is_own_mirror else v if k <= length // 2 else mpmath.conj(v)
    return out


# --- Batch normalization ----------------------------------------------------------------------------------------------


def epsilon_of(instruction):
    return Fraction(float(np.float32(float(instruction.text("epsilon", "0")))))


def by_feature(instruction, array):
    """For each feature, its elements in order."""
    axis = instruction.ints("feature_index")[0]
    values = np.moveaxis(numbers(array), axis, 0)
    return values.reshape(values.shape[0], -1)


def elements(instruction, kind, rows, shape):
    """The inverse of by_feature, rounded."""
    axis = instruction.ints("feature_index")[0]
    moved = [shape[axis], *shape[:axis], *shape[axis + 1 :]]
    whole = np.empty(int(np.prod(shape)), object)
    whole[:] = [v for row in rows for v in row]
    return array_of(kind, np.moveaxis(whole.reshape(moved), 0, axis).reshape(-1), shape)


def inverse_root(variance):
    return 1 / mpmath.sqrt(mp(variance))


def normalized(x, scale, offset, mean, variance, epsilon):
    """scale (x - mean) / sqrt(variance + epsilon) + offset."""
    factor = inverse_root(variance + epsilon)
    return [mp(scale * (v - mean)) * factor + mp(offset) for v in x]


def batch_norm_training(instruction, x, scale, offset):
    epsilon, features, results = epsilon_of(instruction), by_feature(instruction, x), []
    means = [sum(row, ZERO) / len(row) for row in features]
    variances = [sum(((v - mean) ** 2 for v in row), ZERO) / len(row) for row, mean in zip(features, means)]
    for i, row in enumerate(features):
        results.append(normalized(row, numbers(scale)[i], numbers(offset)[i], means[i], variances[i], epsilon))
    return [elements(instruction, x.type, results, x.values.shape), array_of(x.type, means, scale.values.shape),
            array_of(x.type, variances, scale.values.shape)]


def batch_norm_inference(instruction, x, scale, offset, mean, variance):
    epsilon, parameters = epsilon_of(instruction), [numbers(a) for a in (scale, offset, mean, variance)]
    rows = [normalized(row, *[p[i] for p in parameters], epsilon) for i, row in
            enumerate(by_feature(instruction, x))]
    return elements(instruction, x.type, rows, x.values.shape)


def batch_norm_grad(instruction, x, scale, mean, variance, gradient):
    epsilon, to_x, to_scale, to_offset = epsilon_of(instruction), [], [], []
    for i, (row, dy) in enumerate(zip(by_feature(instruction, x), by_feature(instruction, gradient))):
        spread = numbers(variance)[i] + epsilon
        away = [v - numbers(mean)[i] for v in row]
        together = sum((g * a for g, a in zip(dy, away)), ZERO)
        c, d = together / spread / len(row), sum(dy, ZERO) / len(row)
        factor = inverse_root(spread)
        to_x.append([mp(numbers(scale)[i] * (g - d - c * a)) * factor for g, a in zip(dy, away)])
        to_scale.append(mp(together) * factor)
        to_offset.append(sum(dy, ZERO))
    shape = scale.values.shape
    return [elements(instruction, x.type, to_x, x.values.shape), array_of(x.type, to_scale, shape),
            array_of(x.type, to_offset, shape)]


OPS = {
    "ragged-dot": ragged_dot, "scaled-dot": scaled_dot, "cholesky": cholesky, "triangular-solve": triangular_solve,
    "fft": fft, "batch-norm-training": batch_norm_training, "batch-norm-inference": batch_norm_inference,
    "batch-norm-grad": batch_norm_grad,
}
