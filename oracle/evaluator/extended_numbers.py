"""Exact real numbers with what IEEE 754 adds to them: infinities, NaN and the sign of zero."""

import math
from fractions import Fraction

import mpmath
import numpy as np

from oracle.arrays import components
from oracle.element_types import NAN, is_integer
from oracle.evaluator.exact_numbers import mp


class Extended:
    """A Fraction or mpf other than zero, or one of the floats 0.0, -0.0, inf, -inf and nan."""

    def __init__(self, value):
        self.value = 0.0 if not isinstance(value, float) and value == 0 else value

    def special(self):
        """The float that the number is for the rules of special values: of a finite one its sign counts."""
        return self.value if isinstance(self.value, float) else math.copysign(1.0, self.value)

    def __add__(self, other):
        a, b = self.value, other.value
        if not isinstance(a, float) and not isinstance(b, float):
            are_mixed = isinstance(a, Fraction) != isinstance(b, Fraction)
            return Extended(mp(a) + mp(b) if are_mixed else a + b)
        if 0 in (a, b) and not (isinstance(a, float) and isinstance(b, float)):
            return other if a == 0 else self
        return Extended(self.special() + other.special())

    def __neg__(self):
        return Extended(-self.value)

    def __sub__(self, other):
        return self + -other

    def __mul__(self, other):
        a, b = self.value, other.value
        if isinstance(a, float) or isinstance(b, float):
            return Extended(self.special() * other.special())
        are_mixed = isinstance(a, Fraction) != isinstance(b, Fraction)
        return Extended(mp(a) * mp(b) if are_mixed else a * b)

    def inverse(self):
        """1 over the number."""
        if not isinstance(self.value, float):
            return Extended(1 / self.value)
        return Extended(math.copysign(math.inf, self.value) if self.value == 0 else 1 / self.value)

    def __truediv__(self, other):
        return self * other.inverse()

    def root(self):
        """The square root."""
        if isinstance(self.value, float):
            return Extended(NAN if self.value < 0 else self.value)
        return Extended(mpmath.sqrt(mp(self.value)) if self.value > 0 else NAN)


PLUS_ZERO = Extended(0.0)


def total(terms):
    """The sum; of nothing it is 0."""
    terms = list(terms)
    exact = [t.value for t in terms if not isinstance(t.value, float)]
    rest = [t for t in terms if isinstance(t.value, float)]
    if exact:
        # The order of exact terms does not matter, and neither do zeros beside them.
        rest = [t for t in rest if t.value != 0] + [Extended(sum(exact, Fraction(0)))]
    result = rest[0] if rest else PLUS_ZERO
    for term in rest[1:]:
        result = result + term
    return result


def extended(array):
    """The elements of an array of real numbers, an object array of its shape."""
    if is_integer(array.type) or array.type == "pred":
        flat = [Extended(Fraction(int(v))) for v in array.values.reshape(-1)]
    else:
        reals = [float(v) for v in components(array)]
        flat = [Extended(v if v == 0 or not math.isfinite(v) else Fraction(v)) for v in reals]
    out = np.empty(len(flat), object)
    out[:] = flat
    return out.reshape(array.values.shape)
