"""Sums of arrays, rounded once, and the text of the ops that add."""

import numpy as np

from golden.witness.arrays import Array
from golden.witness.element_types import COMPLEX, DTYPES
from golden.witness.evaluator.rounding import exact_sum

TYPES = ["f64", "f32", "bf16", "f16", "f8e5m2", "f8e4m3fn"]

def adder(kind):
    return f"@f {{\n@a = {kind}[] parameter(0)\n@b = {kind}[] parameter(1)\nROOT @c = {kind}[] add(@a, @b)\n}}"


def zero(kind):
    return f"@z = {kind}[] constant({'(0, 0)' if kind in COMPLEX else '0'})\n"


def array(kind, numbers, shape):
    return Array(kind, np.asarray(numbers).astype(DTYPES[kind]).reshape(shape))


def summed(kind, terms):
    """Returns the sum of an array's elements, rounded once; of complex ones, of their parts."""
    if kind in COMPLEX:
        return tuple(exact_sum(COMPLEX[kind], [float(part) for part in parts]) for parts in (terms.real, terms.imag))
    return exact_sum(kind, [float(term) for term in terms])
