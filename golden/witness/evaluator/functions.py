"""Functions of real numbers: exact if the result is a fraction, otherwise by mpmath with far more bits than any
type."""

import functools
import math
from fractions import Fraction

import mpmath

from golden.witness.element_types import INF, NAN
from golden.witness.evaluator.rounding import float_array, is_finite

MPMATH = {
    "acos": mpmath.acos, "acosh": mpmath.acosh, "asin": mpmath.asin, "asinh": mpmath.asinh, "atan": mpmath.atan,
    "atanh": mpmath.atanh, "cbrt": lambda x: mpmath.cbrt(x) if x >= 0 else -mpmath.cbrt(-x), "cosh": mpmath.cosh,
    "cosine": mpmath.cos, "erf": mpmath.erf, "exponential": mpmath.exp, "exponential-minus-one": mpmath.expm1,
    "log": mpmath.log, "log-plus-one": mpmath.log1p, "rsqrt": lambda x: 1 / mpmath.sqrt(x), "sine": mpmath.sin,
    "sinh": mpmath.sinh, "sqrt": mpmath.sqrt, "tan": mpmath.tan, "tanh": mpmath.tanh,
    "logistic": lambda x: 1 / (1 + mpmath.exp(-x)),
}
DOMAIN = {
    "acos": (-1, 1), "asin": (-1, 1), "acosh": (1, INF), "atanh": (-1, 1), "log": (0, INF), "log-plus-one": (-1, INF),
    "sqrt": (0, INF), "rsqrt": (0, INF),
}
POLES = {("log", 0.0): -INF, ("log-plus-one", -1.0): -INF, ("atanh", 1.0): INF, ("atanh", -1.0): -INF}
HALF_PI = mpmath.pi / 2
# The limits at -inf and +inf, from the definitions of the functions.
LIMITS = {
    "acos": (NAN, NAN), "acosh": (NAN, INF), "asin": (NAN, NAN), "asinh": (-INF, INF), "atanh": (NAN, NAN),
    "atan": (-HALF_PI, HALF_PI), "cbrt": (-INF, INF), "cosh": (INF, INF), "cosine": (NAN, NAN), "erf": (-1.0, 1.0),
    "exponential": (0.0, INF), "exponential-minus-one": (-1.0, INF), "log": (NAN, INF), "log-plus-one": (NAN, INF),
    "rsqrt": (NAN, 0.0), "sine": (NAN, NAN), "sinh": (-INF, INF), "sqrt": (NAN, INF), "tan": (NAN, NAN),
    "tanh": (-1.0, 1.0), "logistic": (0.0, 1.0),
}
ODD = "asin asinh atan atanh cbrt erf exponential-minus-one log-plus-one sine sinh sqrt tan tanh".split()


def function(name, x):
    """Returns a function of MPMATH at a float; its poles, limits and zeros follow its definition."""
    if x != x:
        return x
    if x in (INF, -INF):
        return LIMITS[name][x > 0]
    if (name, x) in POLES:
        return POLES[name, x]
    if x == 0 and name in ODD:
        return x
    if x == 0 and name == "rsqrt":
        return math.copysign(INF, x)
    low, high = DOMAIN.get(name, (-INF, INF))
    if not low <= x <= high:
        return NAN
    # Beyond these arguments the result has overflowed or reached its limit, and mpmath would need very long.
    if name in ("exponential", "exponential-minus-one", "sinh", "cosh", "tanh", "logistic"):
        x = max(-5000.0, min(5000.0, x))
    if name == "erf":
        x = max(-100.0, min(100.0, x))
    # Near zero the leading term must not absorb the next one.
    with mpmath.workprec(500 if abs(x) > 1e-20 else 8000):
        return MPMATH[name](mpmath.mpf(x))


def whole(name, x):
    """Returns floor, ceil or one of the two roundings; a zero result has the sign of the operand."""
    if not is_finite(x) or x == 0:
        return x
    exact = Fraction(x)
    result = {
        "floor": math.floor, "ceil": math.ceil, "round-nearest-even": round,
        "round-nearest-afz": lambda v: math.floor(abs(v) + Fraction(1, 2)) * (1 if v > 0 else -1),
    }[name](exact)
    return math.copysign(0.0, x) if result == 0 else Fraction(result)


def sign(x):
    """Returns -1, 1, or the operand if it is zero or NaN."""
    return x if x != x or x == 0 else math.copysign(1.0, x)


def add(x, y):
    """Returns the exact sum, or the special value of IEEE 754."""
    if not (is_finite(x) and is_finite(y)) or (x == 0 and y == 0):
        return x + y
    return Fraction(x) + Fraction(y)


def subtract(x, y):
    """Returns x + (-y)."""
    return add(x, -y)


def multiply(x, y):
    """Returns the exact product, or the special value."""
    if not (is_finite(x) and is_finite(y)) or x == 0 or y == 0:
        return x * y
    return Fraction(x) * Fraction(y)


def divide(x, y):
    """Returns the exact quotient, or the special value."""
    if x != x or y != y or (x == 0 and y == 0) or not (is_finite(x) or is_finite(y)):
        return NAN
    negative = math.copysign(1, x) * math.copysign(1, y) < 0
    if y == 0 or not is_finite(x):
        return -INF if negative else INF
    if x == 0 or not is_finite(y):
        return -0.0 if negative else 0.0
    return Fraction(x) / Fraction(y)


def remainder(x, y):
    """Returns the remainder of a division toward zero, which has the sign of x."""
    if x != x or y != y or not is_finite(x) or y == 0:
        return NAN
    if not is_finite(y) or x == 0:
        return x
    result = abs(Fraction(x)) % abs(Fraction(y))
    return math.copysign(0.0, x) if result == 0 else result * (1 if x > 0 else -1)


def maximum(x, y):
    """Returns the larger number; NaN if either one is NaN; +0 is larger than -0."""
    if x != x or y != y:
        return NAN
    if x == y == 0:
        return x if math.copysign(1, x) > 0 else y
    return max(x, y)


def minimum(x, y):
    """Returns the smaller number; NaN if either one is NaN; -0 is smaller than +0."""
    return -maximum(-x, -y)


def atan2(y, x):
    """Returns the angle of the point (x, y), as C99 defines it at zeros and infinities."""
    if x != x or y != y:
        return NAN
    if y == 0:
        return y if math.copysign(1, x) > 0 else mpmath.pi * math.copysign(1, y)
    if not is_finite(x) and not is_finite(y):
        x, y = math.copysign(1, x), math.copysign(1, y)
    elif not is_finite(y):
        return HALF_PI * math.copysign(1, y)
    elif not is_finite(x):
        return math.copysign(0.0, y) if x > 0 else mpmath.pi * math.copysign(1, y)
    with mpmath.workprec(8000):
        return mpmath.atan2(mpmath.mpf(y), mpmath.mpf(x))


def power(x, y):
    """Returns pow of C99, Annex F."""
    if y == 0 or x == 1:
        return 1.0
    if x != x or y != y:
        return NAN
    y_is_odd = is_finite(y) and Fraction(y).denominator == 1 and int(y) % 2 == 1
    negative = y_is_odd and math.copysign(1, x) < 0
    if x == 0 or not is_finite(x):
        grows = (y < 0) == (x == 0)
        magnitude = INF if grows else 0.0
        return -magnitude if negative else magnitude
    if not is_finite(y):
        return 1.0 if abs(x) == 1 else INF if (abs(x) > 1) == (y > 0) else 0.0
    if x < 0 and Fraction(y).denominator != 1:
        return NAN
    magnitude = abs(mpmath.mpf(x))
    exponent = max(-5000.0, min(5000.0, float(mpmath.log(magnitude, 2) * mpmath.mpf(y))))
    if abs(exponent) >= 5000:
        result = mpmath.mpf(2) ** exponent
    else:
        result = mpmath.power(magnitude, mpmath.mpf(y))
    return -result if negative else result


BINARY = {
    "add": add, "subtract": subtract, "multiply": multiply, "divide": divide, "remainder": remainder,
    "maximum": maximum, "minimum": minimum, "atan2": atan2, "power": power,
}


WHOLE = ("floor", "ceil", "round-nearest-even", "round-nearest-afz")
UNARY = {
    **{name: functools.partial(function, name) for name in MPMATH},
    **{name: functools.partial(whole, name) for name in WHOLE}, "sign": sign,
}  # fmt: skip


def unary(name, kind, values):
    """Applies a function that returns the operand's type to a float array."""
    return float_array(kind, [UNARY[name](float(v)) for v in values.reshape(-1)], values.shape)


def binary(name, kind, left, right):
    """Applies a function that returns the operands' type to two float arrays."""
    pairs = zip(left.reshape(-1), right.reshape(-1))
    return float_array(kind, [BINARY[name](float(x), float(y)) for x, y in pairs], left.shape)
