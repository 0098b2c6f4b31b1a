"""Arrays of exact numbers, for what takes many steps from its operands to its result."""

from fractions import Fraction

import mpmath
import numpy as np

from oracle.arrays import Array, components
from oracle.element_types import COMPLEX, is_integer
from oracle.evaluator.complex_numbers import complex_array
from oracle.evaluator.integers import integers
from oracle.evaluator.not_derived import NotDerived
from oracle.evaluator.rounding import encode, is_finite, rounded

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
        """The complex conjugate."""
        return Complex(self.real, -self.imag)


def exact_number(kind, flat):
    """The finite number of one or two components."""
    parts = [float(v) for v in flat]
    if not all(map(is_finite, parts)):
        raise NotDerived("a number that is not finite")
    return Complex(*map(Fraction, parts)) if kind in COMPLEX else Fraction(parts[0])


def numbers(array):
    """The elements as exact numbers, an object array of the array's shape."""
    if is_integer(array.type) or array.type == "pred":
        flat = [Fraction(int(v)) for v in array.values.reshape(-1)]
    else:
        parts = components(array).reshape(-1, 2 if array.type in COMPLEX else 1)
        flat = [exact_number(array.type, part) for part in parts]
    out = np.empty(len(flat), object)
    out[:] = flat
    return out.reshape(array.values.shape)


def precision_for(*arrays):
    """The bits of mpf for operands of these arrays: 500, or more where one has a very small number."""
    reals = [np.abs(components(a).astype(np.float64)) for a in arrays if not is_integer(a.type) and a.type != "pred"]
    is_small = any(np.any((r > 0) & (r < 2.0**-300)) for r in reals)
    return 2000 if is_small else 500


def precisely(rule):
    """A rule that computes with as many bits as its operands ask for."""
    def with_precision(instruction, *operands):
        with mpmath.workprec(precision_for(*operands)):
            return rule(instruction, *operands)

    return with_precision


def settled(value):
    """What a computation of so many bits leaves of an exact zero is zero: operands are no smaller than it can tell."""
    if isinstance(value, mpmath.mpf):
        return ZERO if abs(value) < mpmath.mpf(2) ** -(mpmath.mp.prec * 4 // 5) else value
    return value


def array_of(kind, values, shape):
    """Exact numbers, each rounded once."""
    values = list(values)
    if kind == "pred":
        return integers(kind, [v != 0 for v in values], shape)
    if is_integer(kind):
        return integers(kind, [int(v) for v in values], shape)
    if kind in COMPLEX:
        return complex_array(kind, [(settled(v.real), settled(v.imag)) for v in values], shape)
    return Array(kind, encode(kind, [rounded(kind, settled(v)) for v in values]).reshape(shape))


def conjugate(value):
    """That of a complex number; a real one itself."""
    return value.conjugate() if isinstance(value, Complex) else value


def mp(value):
    """The same number as mpf."""
    if isinstance(value, Complex):
        return Complex(mp(value.real), mp(value.imag))
    return mpmath.mpf(value.numerator) / value.denominator if isinstance(value, Fraction) else value
