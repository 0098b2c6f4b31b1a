"""Arrays of exact numbers, for ops that need many steps from their operands to their result."""

import math
from fractions import Fraction

import mpmath

from golden.witness.element_types import COMPLEX
from golden.witness.evaluator.complex_numbers import complex_array
from golden.witness.evaluator.rounding import float_array

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
        """Returns the complex conjugate."""
        return Complex(self.real, -self.imag)


def over_root(number, square):
    """Returns number / sqrt(square) of Fractions: a Fraction if the root is one, otherwise an mpf that is not zero."""
    above, below = math.isqrt(square.numerator), math.isqrt(square.denominator)
    if above * above == square.numerator and below * below == square.denominator:
        return number * below / above
    return ZERO if number == 0 else mp(number) / mpmath.sqrt(mp(square))


def array_of(kind, values, shape):
    """Rounds exact numbers once."""
    if kind in COMPLEX:
        return complex_array(kind, [(v.real, v.imag) for v in values], shape)
    return float_array(kind, values, shape)


def conjugate(value):
    """Returns the conjugate of a complex number; a real number itself."""
    return value.conjugate() if isinstance(value, Complex) else value


def mp(value):
    """Returns the number as mpf."""
    if isinstance(value, Complex):
        return Complex(mp(value.real), mp(value.imag))
    return mpmath.mpf(value.numerator) / value.denominator if isinstance(value, Fraction) else value
