"""Cholesky factors and triangular systems."""

from fractions import Fraction

import mpmath
import numpy as np

from oracle.arrays import Array
from oracle.element_types import COMPLEX
from oracle.evaluator.exact_numbers import Complex, array_of, conjugate, mp, numbers, precisely
from oracle.evaluator.extended_numbers import Extended, extended


def matrices(array, read):
    """The matrices of the last two dimensions, as the numbers that `read` makes of them."""
    values = read(array)
    for index in np.ndindex(*values.shape[:-2]):
        yield values[index]


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


def triangle(a, index, lower):
    """The lower triangle of a Hermitian matrix, in mpf, whose `lower` or upper one is given; None if not finite."""
    n = a.values.shape[-1]
    source = [[None] * n for _ in range(n)]
    for i, j in ((i, j) for i in range(n) for j in range(i + 1)):
        part = Array(a.type, a.values[index + ((i, j) if lower else (j, i))].reshape(1))
        if not np.isfinite(part.values.astype(np.complex128)).all():
            return None
        (number,) = numbers(part)
        source[i][j] = mp(number if lower else conjugate(number))
    return source


@precisely
def cholesky(instruction, a):
    """Of each matrix; NaN everywhere where it has no factor."""
    lower, is_complex = instruction.flag("lower"), a.type in COMPLEX
    n = a.values.shape[-1]
    out = np.empty(a.values.shape, a.values.dtype)
    for index in np.ndindex(*a.values.shape[:-2]):
        source = triangle(a, index, lower)
        factor = None if source is None else lower_factor(source, is_complex)
        if factor is None:
            out[index] = np.full((n, n), np.nan * (1 + 1j) if is_complex else np.nan)
            continue
        flat = [factor[i][j] if lower else conjugate(factor[j][i]) for i in range(n) for j in range(n)]
        out[index] = array_of(a.type, flat, (n, n)).values
    return Array(a.type, out)


def triangular_solve(instruction, a, b):
    """By substitution, in exact numbers."""
    lower, unit = instruction.flag("lower"), instruction.flag("unit_diagonal")
    way = instruction.text("transpose_a", "NO_TRANSPOSE")
    left = instruction.flag("left_side")
    is_complex = a.type in COMPLEX
    one = Complex(Fraction(1)) if is_complex else Extended(Fraction(1))
    read, solved = numbers if is_complex else extended, []
    for matrix, right in zip(matrices(a, read), matrices(b, read)):
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
                x[i][column] = value / keep[i][i]
        solved += list((x if left else x.T).reshape(-1))
    return array_of(b.type, solved if is_complex else [v.value for v in solved], b.values.shape)


OPS = {"cholesky": cholesky, "triangular-solve": triangular_solve}
