"""Literals, and iota."""

import math
import re
from fractions import Fraction

import numpy as np

from golden.witness.arrays import Array, parse_shape
from golden.witness.element_types import COMPLEX, DTYPES, is_float
from golden.witness.evaluator.complex_numbers import complex_array
from golden.witness.evaluator.integers import integers
from golden.witness.evaluator.rounding import encode, float_array, rounded


def constant(instruction):
    """Returns a literal: an array or a flat tuple of arrays."""
    words = re.sub(r"[{}(),]", " ", instruction.operands).split()
    if not instruction.shape.startswith("("):
        return array_of_words(instruction.type, instruction.dimensions, words)
    leaves = []
    for shape in re.findall(r"\w+\[[\d,]*\]", instruction.shape):
        kind, dimensions = parse_shape(shape)
        count = math.prod(dimensions) * (2 if kind in COMPLEX else 1)
        leaves.append(array_of_words(kind, dimensions, words[:count]))
        words = words[count:]
    return leaves


def array_of_words(kind, dimensions, words):
    """Returns the array of a literal's numbers, in order."""
    if is_float(kind) or kind in COMPLEX:
        part = COMPLEX.get(kind, kind)
        values = encode(part, [rounded(part, number_of(w)) for w in words]).view(DTYPES[kind])
    else:
        return integers(kind, [int({"true": 1, "false": 0}.get(w, w)) for w in words], dimensions)
    return Array(kind, values.reshape(dimensions))


def number_of(word):
    """Returns the exact number of a decimal word, or a special float."""
    number = float(word)
    return number if number == 0 or not math.isfinite(number) else Fraction(word)


def iota(instruction):
    """Returns the numbers from 0 on along one dimension."""
    shape, dimension = instruction.dimensions, instruction.ints("iota_dimension")[0]
    numbers = [index[dimension] for index in np.ndindex(*shape)]
    if instruction.type in COMPLEX:
        return complex_array(instruction.type, [(Fraction(n), Fraction(0)) for n in numbers], shape)
    if is_float(instruction.type):
        return float_array(instruction.type, map(Fraction, numbers), shape)
    return integers(instruction.type, numbers, shape)


OPS = {"constant": constant, "iota": iota}
