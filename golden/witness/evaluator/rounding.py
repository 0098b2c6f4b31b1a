"""The single rounding of the second evaluator: from an exact number to the nearest of a float type, ties to even."""

import math
from fractions import Fraction

import mpmath
import numpy as np

from golden.witness.arrays import Array
from golden.witness.element_types import BITS, DTYPES, FORMATS, INF, NAN

# Far more than any type; functions that need more digits set a higher precision.
mpmath.mp.prec = 500


def floor_log2(magnitude):
    """Returns the exponent of a positive Fraction."""
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    return exponent - 1 if magnitude < Fraction(2) ** exponent else exponent


def beyond(kind, negative):
    """Returns the result for a number beyond the largest one of the type."""
    magnitude = FORMATS[kind].beyond
    return -magnitude if negative else magnitude


def round_to(kind, value, negative_zero=False):
    """Returns the number of `kind` nearest to an exact Fraction, ties to even: a Fraction, or -0.0, inf, nan as
    floats."""
    if kind == "f8e8m0fnu":
        return round_to_power(value)
    form = FORMATS[kind]
    if value == 0:
        return -0.0 if negative_zero else Fraction(0)
    magnitude = abs(value)
    exponent = max(floor_log2(magnitude), form.least_exponent)
    unit = Fraction(2) ** (exponent - form.mantissa_bits)
    nearest = Fraction(round(magnitude / unit)) * unit  # round() of a Fraction rounds ties to even.
    if nearest > form.max_finite:
        return beyond(kind, value < 0)
    if nearest == 0:
        return -0.0 if value < 0 else Fraction(0)
    return nearest if value > 0 else -nearest


def round_to_power(value):
    """Rounds to f8e8m0fnu, which only has powers of two. Ties round up: of the significands 1 and 2, 2 is even."""
    if value <= 0:
        return NAN
    exponent = floor_log2(value)
    exponent += value >= Fraction(3, 2) * Fraction(2) ** exponent
    return NAN if exponent > 127 else Fraction(2) ** max(exponent, -127)


def encode(kind, values):
    """Returns an array from results of round_to."""
    out = np.zeros(len(values), DTYPES[kind])
    for i, value in enumerate(values):
        out[i] = float(value)
    return out


def rounded(kind, value, negative_zero=False):
    """Rounds a result of an operation: a Fraction, an mpf, or a special float."""
    if isinstance(value, float):
        if value != value:
            # ml_dtypes and XLA: in a type without NaN, a NaN becomes the zero of the opposite sign.
            return -0.0 if FORMATS[kind].nan == "none" else value
        if value in (INF, -INF):
            return NAN if kind == "f8e8m0fnu" else beyond(kind, value < 0)
        return value if value == 0 and kind != "f8e8m0fnu" else round_to(kind, Fraction(value))
    if isinstance(value, mpmath.mpf):
        return round_to(kind, to_fraction(value), negative_zero)
    return round_to(kind, Fraction(value), negative_zero)


def float_array(kind, values, shape):
    """Returns an array of results of an operation, each rounded once."""
    return Array(kind, encode(kind, [rounded(kind, value) for value in values]).reshape(shape))


def to_fraction(value):
    """Returns the exact value of an mpf."""
    sign, mantissa, exponent, _ = value._mpf_
    if mantissa == 0:
        return Fraction(0)
    # Clamps beyond every float type: the exact power would only use memory.
    exponent = max(-20000, min(20000, int(exponent)))
    return Fraction(-int(mantissa) if sign else int(mantissa)) * Fraction(2) ** exponent


def is_finite(x):
    """True if a float is neither NaN nor infinite."""
    return x == x and x not in (INF, -INF)


def bits_of(values):
    """Returns the bits of an array of numpy values, as unsigned integers."""
    return np.ascontiguousarray(values).view(BITS[values.dtype.itemsize])


def exact_sum(kind, terms):
    """Returns the sum of Fractions and special floats, rounded once."""
    special = [t for t in terms if isinstance(t, float) and not math.isfinite(t)]
    if special:
        return rounded(kind, sum(special))
    only_negative_zeros = all(isinstance(t, float) and t == 0 and math.copysign(1, t) < 0 for t in terms)
    return rounded(kind, sum(map(Fraction, terms), Fraction(0)), only_negative_zeros)
