"""Cholesky factors and triangular systems."""

import numpy as np

from golden.witness.arrays import Array
from golden.witness.element_types import COMPLEX
from golden.witness.evaluator.exact_numbers import Complex, conjugate
from golden.witness.evaluator.ieee import Number, array_of, numbers


def matrices(array):
    """Yields the matrices of the last two dimensions, as exact numbers."""
    values = numbers(array)
    for index in np.ndindex(*values.shape[:-2]):
        yield values[index]


def lower_factor(source, is_complex):
    """Returns L of L L^H = source, from the factors of L' D L'^H, which are fractions; None if an element of D is not
    positive."""
    n, zero = len(source), Number(0.0)
    rest, pivots = [[Complex(zero, zero) if is_complex else zero] * n for _ in range(n)], []
    for j in range(n):
        for i in range(j, n):
            value = source[i][j]
            for k in range(j):
                taken = rest[i][k] * conjugate(rest[j][k])
                value = value - (Complex(taken.real / pivots[k], taken.imag / pivots[k]) if is_complex
                                 else taken / pivots[k])
            rest[i][j] = value
        pivots.append(rest[j][j].real if is_complex else rest[j][j])
        if not pivots[j].value > 0:
            return None
    for i, j in ((i, j) for i in range(n) for j in range(i + 1)):
        number = rest[i][j]
        if is_complex:
            imaginary = number.imag.over_root_of(pivots[j]) if i > j else zero
            rest[i][j] = Complex(number.real.over_root_of(pivots[j]), imaginary)
        else:
            rest[i][j] = number.over_root_of(pivots[j])
    return rest


def triangle(a, index, lower):
    """Returns the lower triangle of a Hermitian matrix from its `lower` or its upper one; None if it is not finite."""
    n = a.values.shape[-1]
    source = [[None] * n for _ in range(n)]
    for i, j in ((i, j) for i in range(n) for j in range(i + 1)):
        part = Array(a.type, a.values[index + ((i, j) if lower else (j, i))].reshape(1))
        if not np.isfinite(part.values.astype(np.complex128)).all():
            return None
        (number,) = numbers(part)
        source[i][j] = number if lower else conjugate(number)
    return source


def cholesky(instruction, a):
    """Factors each matrix; a matrix without a factor returns NaN everywhere."""
    lower, is_complex = instruction.flag("lower"), a.type in COMPLEX
    n = a.values.shape[-1]
    out = np.empty(a.values.shape, a.values.dtype)
    for index in np.ndindex(*a.values.shape[:-2]):
        source = triangle(a, index, lower)
        factor = None if source is None else lower_factor(source, is_complex)
        if factor is None:
            out[index] = np.full((n, n), np.nan * (1 + 1j) if is_complex else np.nan)
            continue
        if not lower and is_complex:  # No part of it is -0.
            zero = Complex(Number(0.0), Number(0.0))
            factor = [[conjugate(factor[j][i]) + zero for j in range(n)] for i in range(n)]
        elif not lower:
            factor = [list(column) for column in zip(*factor)]
        flat = [number for row in factor for number in row]
        out[index] = array_of(a.type, flat, (n, n)).values
    return Array(a.type, out)


def quotient(a, b):
    """Returns a / b; a real b divides part by part."""
    if isinstance(b, Complex) and b.imag.value == 0:
        return Complex(a.real / b.real, a.imag / b.real)
    return a / b


def triangular_solve(instruction, a, b):
    """Solves by substitution, in exact numbers; the result of a zero on the diagonal propagates to the later rows."""
    lower, unit = instruction.flag("lower"), instruction.flag("unit_diagonal")
    way = instruction.text("transpose_a", "NO_TRANSPOSE")
    left = instruction.flag("left_side")
    one = Complex(Number(1.0), Number(0.0)) if a.type in COMPLEX else Number(1.0)
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
                x[i][column] = value if unit else quotient(value, keep[i][i])
        solved += list((x if left else x.T).reshape(-1))
    return array_of(b.type, solved, b.values.shape)


OPS = {"cholesky": cholesky, "triangular-solve": triangular_solve}
