"""Functions of complex numbers: both parts of the exact value, with the special values of C17, Annex G."""

import math

import mpmath
import numpy as np

from golden.witness.evaluator import functions
from golden.witness.evaluator.not_derived import NotDerived

UNARY = {
    **{name: function for name, function in functions.MPMATH.items() if name not in ("cbrt", "erf")},
    "sign": lambda v: v / abs(v), "exponential-minus-one": lambda v: mpmath.exp(v) - 1,
    "log-plus-one": lambda v: mpmath.log(1 + v),
}
# Values at numbers that are not finite: the C library's, which has the tables of Annex G.
NOT_FINITE = {
    "exponential": np.exp, "log": np.log, "sqrt": np.sqrt, "tanh": np.tanh, "sine": np.sin, "cosine": np.cos,
    "acos": np.arccos, "acosh": np.arccosh, "asin": np.arcsin, "asinh": np.arcsinh, "atan": np.arctan,
    "atanh": np.arctanh, "cosh": np.cosh, "sinh": np.sinh, "tan": np.tan, "log-plus-one": np.log,
    "exponential-minus-one": lambda v: np.exp(v) - 1,
}
# Replaces a zero, with its sign: so small that it only affects the sign of a zero result.
TINY = mpmath.mpf(2) ** -2300
MOST_BITS = 9000


def unary(op, a, b):
    """Returns both parts of a function at a + bi."""
    if op not in UNARY:
        raise NotDerived(f"complex {op}")
    if not (math.isfinite(a) and math.isfinite(b)):
        return not_finite(op, a, b)
    if (a, b) == (0, 0) and op in ("log", "rsqrt", "sign"):
        return at_zero(op, a, b)
    return parts_of(UNARY[op], (a, b))


def parts_of(function, *numbers):
    """Returns the parts of a function's value, with as many bits as they need to converge."""
    flat = [part for pair in numbers for part in pair]
    # If magnitudes differ much, small parts need many bits: the precision must cover all digits of the parts, and of 1.
    largest = max(abs(math.frexp(part)[1]) for part in flat)
    if 0 in flat:
        return evaluated(function, numbers, 2700 + 4 * largest)
    last, bits = None, 250 + 3 * largest
    for precision in (bits, 2 * bits, MOST_BITS):
        parts = evaluated(function, numbers, precision)
        if last and all(0 < abs(y) and abs(x - y) <= abs(y) * mpmath.mpf(2) ** -180 for x, y in zip(last, parts)):
            return parts
        last = parts
    return tuple(0.0 if abs(part) < mpmath.mpf(2) ** -8000 else part for part in parts)


def evaluated(function, numbers, precision):
    """Returns the parts in this precision. A pole, where they are infinite, is not derived."""
    with mpmath.workprec(precision):
        try:
            value = mpmath.mpmathify(function(*[mpmath.mpc(near(a), near(b)) for a, b in numbers]))
        except ZeroDivisionError as error:
            raise NotDerived("a pole") from error
        return value.real, value.imag


def near(part):
    """Returns the number, with TINY in place of zero."""
    return math.copysign(1, part) * TINY if part == 0 else mpmath.mpf(part)


def at_zero(op, a, b):
    """Returns the value at a zero where a function has no limit, or an infinite one."""
    if op == "sign":
        return a, b
    if op == "rsqrt":
        return math.inf, math.nan
    return -math.inf, math.atan2(b, a) if a > 0 or math.copysign(1, a) > 0 else math.copysign(mpmath.pi, b)


def not_finite(op, a, b):
    """Returns special values."""
    if op == "sign":
        if math.isnan(a) or math.isnan(b):
            return math.nan, math.nan
        return tuple(math.nan if math.isinf(part) else math.copysign(0.0, part) for part in (a, b))
    if op == "rsqrt" and (math.isinf(a) or math.isinf(b)):
        return 0.0, 0.0
    if op not in NOT_FINITE:
        raise NotDerived(f"{op} of a complex special")
    with np.errstate(all="ignore"):
        value = NOT_FINITE[op](np.complex128(complex(a, b)))
    return float(value.real), float(value.imag)


def power(a, b, c, d):
    """Returns e^(w log z); z^0 and 1^w are 1, even of NaN."""
    if (c, d) == (0, 0) or (a, b) == (1, 0):
        return 1.0, 0.0
    if (a, b) == (0, 0):
        return (0.0, 0.0) if c > 0 else (math.nan, math.nan)
    if not all(map(math.isfinite, (a, b, c, d))):
        raise NotDerived("power of a complex special")
    return parts_of(lambda z, w: mpmath.exp(w * mpmath.log(z)), (a, b), (c, d))


def atan2(a, b, c, d):
    """Returns -i log((x + iy) / sqrt(x^2 + y^2)) of y = a + bi and x = c + di; zeros count as +0."""
    if not all(map(math.isfinite, (a, b, c, d))):
        return math.nan, math.nan
    y, x = (abs(a) if a == 0 else a, abs(b) if b == 0 else b), (abs(c) if c == 0 else c, abs(d) if d == 0 else d)
    if is_zero_norm(x, y):
        return math.nan, math.nan
    if y[1] == x[1] == 0:
        return functions.atan2(y[0], x[0]), 0.0
    return parts_of(lambda y, x: -1j * mpmath.log((x + 1j * y) / mpmath.sqrt(x * x + y * y)), y, x)


def is_zero_norm(x, y):
    """True if x^2 + y^2 = 0, that is y = ix or y = -ix."""
    return (y[0], y[1]) in ((-x[1], x[0]), (x[1], -x[0]))


BINARY = {"power": power, "atan2": atan2}
