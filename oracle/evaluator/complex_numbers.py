"""Complex numbers as pairs of real parts, each part rounded once."""

import itertools
import math
from fractions import Fraction

import mpmath

from oracle.arrays import Array, components
from oracle.element_types import COMPLEX, DTYPES
from oracle.evaluator import functions
from oracle.evaluator.not_derived import NotDerived
from oracle.evaluator.rounding import encode, rounded

COMPLEX_UNARY = {
    "exponential": mpmath.exp, "log": mpmath.log, "sqrt": mpmath.sqrt, "tanh": mpmath.tanh, "sine": mpmath.sin,
    "cosine": mpmath.cos, "sign": lambda v: v / abs(v), "acos": mpmath.acos, "acosh": mpmath.acosh,
    "asin": mpmath.asin, "asinh": mpmath.asinh, "atan": mpmath.atan, "atanh": mpmath.atanh, "cosh": mpmath.cosh,
    "sinh": mpmath.sinh, "tan": mpmath.tan, "exponential-minus-one": lambda v: mpmath.exp(v) - 1,
    "log-plus-one": lambda v: mpmath.log(1 + v), "logistic": lambda v: 1 / (1 + mpmath.exp(-v)),
    "rsqrt": lambda v: 1 / mpmath.sqrt(v),
}
# Of the first operand to the second, and of y over x.
COMPLEX_FUNCTIONS = {
    "power": lambda z, w: mpmath.exp(w * mpmath.log(z)),
    "atan2": lambda y, x: -1j * mpmath.log((x + 1j * y) / mpmath.sqrt(x * x + y * y)),
}


def complex_numbers(array):
    """The elements as pairs of floats."""
    flat = [float(v) for v in components(array)]
    return list(zip(flat[::2], flat[1::2]))


def complex_array(kind, numbers, shape):
    """An array of pairs of exact numbers, each part rounded once."""
    part = COMPLEX[kind]
    flat = [rounded(part, v) for number in numbers for v in number]
    return Array(kind, encode(part, flat).view(DTYPES[kind]).reshape(shape))


def complex_unary(op, x):
    """An op of one operand, on every element; functions only of finite numbers."""
    shape, part = x.values.shape, COMPLEX[x.type]
    numbers = complex_numbers(x)
    if op in ("real", "imag"):
        return Array(part, components(x)[op == "imag" :: 2].reshape(shape).copy())
    if op == "negate":
        return complex_array(x.type, [(-a, -b) for a, b in numbers], shape)
    if op == "abs":
        return Array(part, encode(part, [rounded(part, magnitude(*n)) for n in numbers]).reshape(shape))
    if not all(map(math.isfinite, itertools.chain(*numbers))):
        raise NotDerived(f"{op} of a complex special")
    values = [mpmath.mpc(a, b) for a, b in numbers]
    if op not in COMPLEX_UNARY:
        raise NotDerived(f"complex {op}")
    return complex_array(x.type, [(r.real, r.imag) for r in map(COMPLEX_UNARY[op], values)], shape)


def magnitude(a, b):
    """|a + bi|: of an infinite part infinite, whatever the other one (C99, Annex G)."""
    if math.isinf(a) or math.isinf(b):
        return math.inf
    return math.nan if a != a or b != b else abs(mpmath.mpc(a, b))


def divide(a, b, c, d):
    """(a + bi) / (c + di), of finite numbers."""
    a, b, c, d = map(Fraction, (a, b, c, d))
    norm = c * c + d * d
    if norm == 0:
        raise NotDerived("a complex number divided by zero")
    return (a * c + b * d) / norm, (b * c - a * d) / norm


def multiply(a, b, c, d):
    """(a + bi)(c + di), each part rounded after its sum only."""
    products = [functions.multiply(*pair) for pair in ((a, c), (-b, d), (a, d), (b, c))]
    return functions.add(*products[:2]), functions.add(*products[2:])


COMPLEX_ARITHMETIC = {
    "add": lambda a, b, c, d: (functions.add(a, c), functions.add(b, d)),
    "subtract": lambda a, b, c, d: (functions.subtract(a, c), functions.subtract(b, d)),
    "multiply": multiply, "divide": divide,
}  # fmt: skip


def complex_binary(op, x, y):
    """An op of two operands, on every pair of elements."""
    results = []
    for z, w in zip(complex_numbers(x), complex_numbers(y)):
        if op in COMPLEX_FUNCTIONS:
            value = COMPLEX_FUNCTIONS[op](mpmath.mpc(*z), mpmath.mpc(*w))
            results.append((value.real, value.imag))
        elif op in COMPLEX_ARITHMETIC:
            results.append(COMPLEX_ARITHMETIC[op](*z, *w))
        else:
            raise NotDerived(f"complex {op}")
    return complex_array(x.type, results, x.values.shape)


def complex_clamp(low, x, high):
    """Of pairs (real, imaginary), which Python compares by their first different parts."""
    for number in (low, x, high):
        if any(map(math.isnan, number)):
            return number
    # Equal ones differ at most in the signs of zeros: +0 is the larger.
    larger = max(x, low) if x != low else tuple(a + b if a == 0 else a for a, b in zip(x, low))
    return min(larger, high) if larger != high else tuple(-(-a - b) if a == 0 else a for a, b in zip(larger, high))
