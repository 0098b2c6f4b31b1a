"""Exact numbers with the special values of IEEE 754, for ops of several steps (docs/decisions.md): divisions by zero
are infinite, a zero product or quotient has its sign, and a zero sum is +0, whatever its terms."""

import functools
import operator
from fractions import Fraction

import mpmath
import numpy as np

from golden.witness.arrays import components
from golden.witness.element_types import COMPLEX, INF, NAN
from golden.witness.evaluator import functions
from golden.witness.evaluator.complex_numbers import complex_array
from golden.witness.evaluator.exact_numbers import Complex, mp, over_root
from golden.witness.evaluator.not_derived import NotDerived
from golden.witness.evaluator.rounding import float_array


class Number:
    """A real number: a Fraction or an irrational mpf that is not zero, or a float that is 0, -0, inf or nan."""

    def __init__(self, value):
        self.value = value if is_special(value) else exact(value)

    def __add__(self, other):
        a, b = self.value, other.value
        if isinstance(a, mpmath.mpf) or isinstance(b, mpmath.mpf):
            return Number(irrational_sum(a, b))
        if is_special(a) or is_special(b):
            # A zero does not change the sum; beside an infinity or NaN, magnitudes do not matter.
            total = b if a == 0 else a if b == 0 else functions.add(representative(a), representative(b))
        else:
            total = a + b
        return Number(0.0 if total == 0 else total)

    def __neg__(self):
        return Number(-self.value)

    def __sub__(self, other):
        return self + -other

    def __mul__(self, other):
        a, b = self.value, other.value
        if isinstance(a, mpmath.mpf) and isinstance(b, Fraction):
            return Number(a * mp(b))
        if is_special(a) or is_special(b):
            return Number(functions.multiply(representative(a), representative(b)))
        return Number(functions.multiply(a, b))

    def __truediv__(self, other):
        if is_special(self.value) or is_special(other.value):
            return Number(functions.divide(representative(self.value), representative(other.value)))
        return Number(self.value / other.value)

    def over_root_of(self, square):
        """Returns self / sqrt(square)."""
        if isinstance(self.value, Fraction) and isinstance(square.value, Fraction) and square.value > 0:
            return Number(over_root(self.value, square.value))
        root = NAN if square.value < 0 else representative(square.value)  # sqrt(-0) is -0.
        return self / Number(root)


def is_special(value):
    """True if a float is a zero, an infinity or NaN."""
    return isinstance(value, float) and (value == 0 or value != value or value in (INF, -INF))


def representative(value):
    """Returns a float of the same sign and class, for cases in which nothing else matters."""
    return value if is_special(value) else 1.0 if value > 0 else -1.0


def exact(value):
    """Returns the exact value of a number that is not a special float; an exact zero is +0."""
    if isinstance(value, mpmath.mpf):
        return value
    return Fraction(value) if value != 0 else 0.0


def irrational_sum(a, b):
    """Adds an irrational number and a rational or special one."""
    if is_special(a) or is_special(b):
        special, other = (a, b) if is_special(a) else (b, a)
        return other if special == 0 else special
    total = mp(a) + mp(b)
    if abs(total) < abs(mp(a)) * mpmath.mpf(2) ** -400:
        raise NotDerived("a sum that nearly cancels")
    return total


def numbers(array):
    """Returns the elements, an object array of the array's shape; complex ones are pairs of Numbers."""
    parts = [Number(float(v)) for v in components(array)]
    flat = parts if array.type not in COMPLEX else [Complex(*pair) for pair in zip(parts[::2], parts[1::2])]
    out = np.empty(len(flat), object)
    out[:] = flat
    return out.reshape(array.values.shape)


def array_of(kind, values, shape):
    """Returns an array of numbers, each part rounded once."""
    if kind in COMPLEX:
        return complex_array(kind, [(v.real.value, v.imag.value) for v in values], shape)
    return float_array(kind, [v.value for v in values], shape)


def total_of(numbers):
    """Returns the sum; zero for no numbers."""
    return functools.reduce(operator.add, numbers, Number(0.0))
