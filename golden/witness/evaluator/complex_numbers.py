"""Complex numbers as pairs of real parts, each part rounded once."""

import functools
import math
from fractions import Fraction

import mpmath

from golden.witness.arrays import Array, components
from golden.witness.element_types import COMPLEX, DTYPES
from golden.witness.evaluator import complex_functions, functions
from golden.witness.evaluator.not_derived import NotDerived
from golden.witness.evaluator.rounding import encode, float_array, rounded


def complex_numbers(array):
    """Returns the elements as pairs of floats."""
    flat = [float(v) for v in components(array)]
    return list(zip(flat[::2], flat[1::2]))


def complex_array(kind, numbers, shape):
    """Returns an array of pairs of exact numbers, each part rounded once."""
    part = COMPLEX[kind]
    flat = [rounded(part, v) for number in numbers for v in number]
    return Array(kind, encode(part, flat).view(DTYPES[kind]).reshape(shape))


def complex_unary(op, x):
    """Applies an op of one operand to every element; functions only to finite numbers."""
    shape, part = x.values.shape, COMPLEX[x.type]
    numbers = complex_numbers(x)
    if op in ("real", "imag"):
        return Array(part, components(x)[op == "imag" :: 2].reshape(shape).copy())
    if op == "negate":
        return complex_array(x.type, [(-a, -b) for a, b in numbers], shape)
    if op == "abs":
        return float_array(part, [magnitude(*n) for n in numbers], shape)
    return complex_array(x.type, [complex_functions.unary(op, *n) for n in numbers], shape)


def magnitude(a, b):
    """Returns |a + bi|: infinite if either part is, whatever the other one (C99, Annex G)."""
    if math.isinf(a) or math.isinf(b):
        return math.inf
    return math.nan if a != a or b != b else abs(mpmath.mpc(a, b))


def multiply(a, b, c, d):
    """Returns (a + bi)(c + di), each part rounded once, after its sum; an infinity remains one (C17, G.5.1)."""
    products = [functions.multiply(*pair) for pair in ((a, c), (-b, d), (a, d), (b, c))]
    result = functions.add(*products[:2]), functions.add(*products[2:])
    infinite = [any(map(math.isinf, pair)) for pair in ((a, b), (c, d))]
    if not all(part != part for part in result) or not any(infinite):
        return result
    (a, b), (c, d) = (boxed(pair) if own else without_nan(pair) for pair, own in zip(((a, b), (c, d)), infinite))
    return math.inf * (a * c - b * d), math.inf * (a * d + b * c)


def boxed(pair):
    """Replaces infinite parts by ones and the others by zeros."""
    return tuple(math.copysign(1.0 if math.isinf(part) else 0.0, part) for part in pair)


def without_nan(pair):
    """Replaces NaNs by zeros and other nonzero numbers by ones: multiplied by an infinity, only their sign matters."""
    return tuple(math.copysign(0.0, part) if part != part or part == 0 else math.copysign(1.0, part) for part in pair)


def divide(a, b, c, d):
    """Returns (a + bi) / (c + di): x / 0 is infinite, and so is an infinity by a finite number (C17, G.5.1)."""
    dividend_is_finite, divisor_is_finite = (all(map(math.isfinite, pair)) for pair in ((a, b), (c, d)))
    if dividend_is_finite and divisor_is_finite and (c, d) != (0, 0):
        x, y, u, v = map(Fraction, (a, b, c, d))
        norm = u * u + v * v
        return tuple(map(functools.partial(with_zero_sign, (a, b, c, d)), ("real", "imaginary"),
                         ((x * u + y * v) / norm, (y * u - x * v) / norm)))
    if (c, d) == (0, 0) and not (a != a and b != b):
        return math.copysign(math.inf, c) * a, math.copysign(math.inf, c) * b
    if (math.isinf(a) or math.isinf(b)) and divisor_is_finite:
        products = [functions.multiply(*pair) for pair in ((a, c), (b, d), (b, c), (-a, d))]
        result = functions.add(*products[:2]), functions.add(*products[2:])
        if not all(part != part for part in result):
            return result
        a, b = boxed((a, b))
        u, v = without_nan((c, d))
        if u and v:  # The larger part decides the sign of a part that does not vanish.
            return infinite_quotient(a, b, c, d)
        return math.inf * (a * u + b * v), math.inf * (b * u - a * v)
    if (math.isinf(c) or math.isinf(d)) and dividend_is_finite:
        c, d = boxed((c, d))
        return zero_of(a * c, b * d), zero_of(b * c, -a * d)
    return math.nan, math.nan


def infinite_quotient(a, b, c, d):
    """Divides an infinity with one or two infinite parts by a number with two nonzero parts."""
    real, imaginary = (Fraction(a) * Fraction(c) + Fraction(b) * Fraction(d),
                       Fraction(b) * Fraction(c) - Fraction(a) * Fraction(d))
    return tuple(math.nan if part == 0 else math.copysign(math.inf, part) for part in (real, imaginary))


def zero_of(first, second):
    """Returns zero times a sum of finite numbers."""
    total = functions.add(first, second)
    return math.copysign(0.0, total) if total != 0 or isinstance(total, float) else 0.0


def with_zero_sign(operands, part, value):
    """Returns a part of a quotient; a zero has the sign of the sum of products in the numerator."""
    if value != 0:
        return value
    a, b, c, d = operands
    terms = (a, c, b, d) if part == "real" else (b, c, -a, d)
    signs = [math.copysign(1, terms[i]) * math.copysign(1, terms[i + 1]) for i in (0, 2)]
    both_vanish = all(terms[i] == 0 or terms[i + 1] == 0 for i in (0, 2))
    return -0.0 if both_vanish and signs == [-1, -1] else 0.0


COMPLEX_ARITHMETIC = {
    "add": lambda a, b, c, d: (functions.add(a, c), functions.add(b, d)),
    "subtract": lambda a, b, c, d: (functions.subtract(a, c), functions.subtract(b, d)),
    "multiply": multiply, "divide": divide,
}  # fmt: skip


def complex_binary(op, x, y):
    """Applies an op of two operands to every pair of elements."""
    results = []
    for z, w in zip(complex_numbers(x), complex_numbers(y)):
        if op in complex_functions.BINARY:
            results.append(complex_functions.BINARY[op](*z, *w))
        elif op in COMPLEX_ARITHMETIC:
            results.append(COMPLEX_ARITHMETIC[op](*z, *w))
        else:
            raise NotDerived(f"complex {op}")
    return complex_array(x.type, results, x.values.shape)


def complex_clamp(low, x, high):
    """Clamps pairs (real, imaginary), which Python compares by their first different parts."""
    for number in (low, x, high):
        if any(map(math.isnan, number)):
            return number
    # Equal pairs differ at most in the signs of zeros: +0 is the larger.
    larger = max(x, low) if x != low else tuple(a + b if a == 0 else a for a, b in zip(x, low))
    return min(larger, high) if larger != high else tuple(-(-a - b) if a == 0 else a for a, b in zip(larger, high))
