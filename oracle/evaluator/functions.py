"""Correctly rounded element-wise operations from exact numbers: fractions, and mpmath at a precision far past the type.

Nothing here shares code with the interpreter: it is what its goldens are audited with.
"""

import math
import re
from fractions import Fraction

import mpmath
import numpy as np
from oracle.arrays import BITS, DTYPES

mpmath.mp.prec = 500
# kind -> stored fraction bits, exponent of the least normal number, of the largest, and what is beyond: infinities,
# NaN, or the largest number itself.
FORMATS = {
    "f64": (52, -1022, 1023, "infinity"), "f32": (23, -126, 127, "infinity"), "f16": (10, -14, 15, "infinity"),
    "bf16": (7, -126, 127, "infinity"), "f8e5m2": (2, -14, 15, "infinity"), "f8e4m3": (3, -6, 7, "infinity"),
    "f8e3m4": (4, -2, 3, "infinity"), "f8e4m3fn": (3, -6, 8, "nan"), "f8e4m3b11fnuz": (3, -10, 4, "nan"),
    "f8e4m3fnuz": (3, -7, 7, "nan"), "f8e5m2fnuz": (2, -15, 15, "nan"), "f8e8m0fnu": (0, -127, 127, "nan"),
    "f6e3m2fn": (2, -2, 4, "largest"), "f6e2m3fn": (3, 0, 2, "largest"), "f4e2m1fn": (1, 0, 2, "largest"),
}
WITHOUT_NAN = {kind for kind, (*_, above) in FORMATS.items() if above == "largest"}
INF = float("inf")
NAN = float("nan")


def max_finite(kind):
    """The largest finite number: f8e4m3fn keeps the pattern of all ones for NaN."""
    fraction_bits, _, top, _ = FORMATS[kind]
    steps = (2 << fraction_bits) - (2 if kind == "f8e4m3fn" else 1)
    return Fraction(steps) * Fraction(2) ** (top - fraction_bits)


def floor_log2(magnitude):
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    return exponent - 1 if magnitude < Fraction(2) ** exponent else exponent


def beyond(kind, negative):
    rule = FORMATS[kind][3]
    magnitude = {"infinity": INF, "nan": NAN, "largest": max_finite(kind)}[rule]
    return -magnitude if negative else magnitude


def round_to(kind, value, negative_zero=False):
    """The number of `kind` nearest to an exact Fraction, ties to even; a Fraction, or -0.0, inf, nan as floats."""
    if kind == "f8e8m0fnu":
        return round_to_power(value)
    fraction_bits, least, _, _ = FORMATS[kind]
    if value == 0:
        return -0.0 if negative_zero else Fraction(0)
    magnitude = abs(value)
    exponent = max(floor_log2(magnitude), least)
    unit = Fraction(2) ** (exponent - fraction_bits)
    rounded = Fraction(round(magnitude / unit)) * unit  # round() of a Fraction goes to even.
    if rounded > max_finite(kind):
        return beyond(kind, value < 0)
    if rounded == 0:
        return -0.0 if value < 0 else Fraction(0)
    return rounded if value > 0 else -rounded


def round_to_power(value):
    """f8e8m0fnu: only powers of two. Halfway is up: of the significands 1 and 2, 2 is even."""
    if value <= 0:
        return NAN
    exponent = floor_log2(value)
    exponent += value >= Fraction(3, 2) * Fraction(2) ** exponent
    return NAN if exponent > 127 else Fraction(2) ** max(exponent, -127)


def encode(kind, values):
    """An array from results of round_to."""
    out = np.zeros(len(values), DTYPES[kind])
    for i, value in enumerate(values):
        out[i] = float(value)
    return out


def rounded(kind, value, negative_zero=False):
    """round_to for what an operation may give: a Fraction, an mpf, or a special float."""
    if isinstance(value, float):
        if value != value:
            # ml_dtypes and XLA: a NaN becomes the zero of the other sign where there is no NaN.
            return -0.0 if FORMATS[kind][3] == "largest" else value
        if value in (INF, -INF):
            return NAN if kind == "f8e8m0fnu" else beyond(kind, value < 0)
        return value if value == 0 and kind != "f8e8m0fnu" else round_to(kind, Fraction(value))
    if isinstance(value, mpmath.mpf):
        return round_to(kind, to_fraction(value), negative_zero)
    return round_to(kind, Fraction(value), negative_zero)


def to_fraction(value):
    sign, mantissa, exponent, _ = value._mpf_
    if mantissa == 0:
        return Fraction(0)
    # Past every format of FORMATS, where the exact power would only cost memory.
    exponent = max(-20000, min(20000, int(exponent)))
    return Fraction(-int(mantissa) if sign else int(mantissa)) * Fraction(2) ** exponent


def is_finite(x):
    return x == x and x not in (INF, -INF)


# --- Functions of one number ------------------------------------------------------------------------------------------

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
    # Past these the result has long overflowed or settled, and mpmath would take for ever.
    if name in ("exponential", "exponential-minus-one", "sinh", "cosh", "tanh", "logistic"):
        x = max(-5000.0, min(5000.0, x))
    if name == "erf":
        x = max(-100.0, min(100.0, x))
    # Near zero the leading term must not swallow the next one.
    with mpmath.workprec(500 if abs(x) > 1e-20 else 8000):
        return MPMATH[name](mpmath.mpf(x))


def whole(name, x):
    """floor, ceil and the two roundings; the sign of a zero result is that of the operand."""
    if not is_finite(x) or x == 0:
        return x
    exact = Fraction(x)
    result = {
        "floor": math.floor, "ceil": math.ceil, "round-nearest-even": round,
        "round-nearest-afz": lambda v: math.floor(abs(v) + Fraction(1, 2)) * (1 if v > 0 else -1),
    }[name](exact)
    return math.copysign(0.0, x) if result == 0 else Fraction(result)


def sign(x):
    return x if x != x or x == 0 else math.copysign(1.0, x)


# --- Functions of two numbers -----------------------------------------------------------------------------------------


def add(x, y):
    if not (is_finite(x) and is_finite(y)) or (x == 0 and y == 0):
        return x + y
    return Fraction(x) + Fraction(y)


def subtract(x, y):
    return add(x, -y)


def multiply(x, y):
    if not (is_finite(x) and is_finite(y)) or x == 0 or y == 0:
        return x * y
    return Fraction(x) * Fraction(y)


def divide(x, y):
    if x != x or y != y or (x == 0 and y == 0) or not (is_finite(x) or is_finite(y)):
        return NAN
    negative = math.copysign(1, x) * math.copysign(1, y) < 0
    if y == 0 or not is_finite(x):
        return -INF if negative else INF
    if x == 0 or not is_finite(y):
        return -0.0 if negative else 0.0
    return Fraction(x) / Fraction(y)


def remainder(x, y):
    if x != x or y != y or not is_finite(x) or y == 0:
        return NAN
    if not is_finite(y) or x == 0:
        return x
    result = abs(Fraction(x)) % abs(Fraction(y))
    return math.copysign(0.0, x) if result == 0 else result * (1 if x > 0 else -1)


def maximum(x, y):
    if x != x or y != y:
        return NAN
    if x == y == 0:
        return x if math.copysign(1, x) > 0 else y
    return max(x, y)


def minimum(x, y):
    return -maximum(-x, -y)


def atan2(y, x):
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
    """As pow of C99, Annex F."""
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


def unary(name, kind, values):
    """A float array through a function that returns the same type."""
    numbers = [float(v) for v in values.reshape(-1)]
    if name in ("floor", "ceil", "round-nearest-even", "round-nearest-afz"):
        results = [whole(name, x) for x in numbers]
    elif name == "sign":
        results = [sign(x) for x in numbers]
    else:
        results = [function(name, x) for x in numbers]
    return encode(kind, [rounded(kind, r) for r in results]).reshape(values.shape)


def binary(name, kind, left, right):
    pairs = zip(left.reshape(-1), right.reshape(-1))
    results = [rounded(kind, BINARY[name](float(x), float(y))) for x, y in pairs]
    return encode(kind, results).reshape(left.shape)


def as_float(value):
    return value if isinstance(value, float) else float(value)


def off_tie(kind, value):
    """Without stored fraction bits the last bit of a pattern, 0 in the even one, is the exponent's."""
    if value == 0 or not is_finite(value):
        return value
    exponent = floor_log2(abs(Fraction(value)))
    is_tie = abs(Fraction(value)) == Fraction(3, 2) * Fraction(2) ** exponent
    is_even = (exponent - FORMATS[kind][1] + 1) % 2 == 0
    is_normal = exponent >= FORMATS[kind][1]
    return math.copysign(2.0**exponent, value) if is_tie and is_even and is_normal else value


def reduced(kind, value, exponent_bits, mantissa_bits):
    """Fewer bits of the fraction first; then infinity above the smaller range of exponents and zero below it."""
    if not is_finite(value) or value == 0:
        return value
    fraction_bits, least, _, _ = FORMATS[kind]
    sign, magnitude = math.copysign(1.0, value), Fraction(abs(value))
    place = Fraction(2) ** (max(floor_log2(magnitude), least) - min(mantissa_bits, fraction_bits))
    magnitude = round(magnitude / place) * place
    own_bits = {"f16": 5, "bf16": 8, "f32": 8, "f64": 11}.get(kind) or int(re.search(r"e(\d)", kind).group(1))
    top = (1 << (exponent_bits - 1)) - 1
    if magnitude > max_finite(kind) or (exponent_bits < own_bits and magnitude >= Fraction(2) ** (top + 1)):
        return beyond(kind, sign < 0)
    if exponent_bits < own_bits and magnitude < Fraction(2) ** (1 - top):
        return sign * 0.0
    return sign * float(magnitude)


def reduce_precision(kind, values, exponent_bits, mantissa_bits):
    numbers = [float(v) for v in values.reshape(-1)]
    if mantissa_bits == 0:
        numbers = [off_tie(kind, v) for v in numbers]
    results = [rounded(kind, reduced(kind, v, exponent_bits, mantissa_bits)) for v in numbers]
    return encode(kind, results).reshape(values.shape)


def bits_of(values):
    return np.ascontiguousarray(values).view(BITS[values.dtype.itemsize])
