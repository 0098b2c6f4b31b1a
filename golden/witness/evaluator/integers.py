"""Integers and predicates, as Python's unbounded integers wrapped to their type."""

import numpy as np

from golden.witness.arrays import Array
from golden.witness.element_types import DTYPES, is_signed, width_of


def wrap(kind, value):
    """Returns the number of the type that is congruent to an integer."""
    bits = width_of(kind)
    value &= (1 << bits) - 1
    return value - (1 << bits) if is_signed(kind) and value >> (bits - 1) else value


def integers(kind, values, shape):
    """Returns an array of integers, wrapped, or of predicates."""
    if kind == "pred":
        return Array(kind, np.array([bool(v) for v in values], np.bool_).reshape(shape))
    return Array(kind, np.array([wrap(kind, v) for v in values], object).astype(DTYPES[kind]).reshape(shape))


def ints_of(array):
    """Returns the elements as Python's integers."""
    return [int(v) for v in array.values.reshape(-1)]


def pattern(kind, x):
    """Returns the bits, as an unsigned number."""
    return x & ((1 << width_of(kind)) - 1)


def toward_zero(x, y):
    """Returns the quotient, truncated."""
    return abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)


def integer_power(x, y):
    """Returns x^y modulo 2^64; for a negative exponent 1 / x^-y, truncated, and 0 for x = 0."""
    if y < 0:
        return {1: 1, -1: -1 if y % 2 else 1}.get(x, 0)
    return pow(x, y, 1 << 64)  # Exponents may be as large as the type: modulo 2^64 is enough for all of them.


def shift_left(kind, x, amount):
    """Shifts in zeros. The amount is unsigned; an amount of at least the width returns 0."""
    amount = pattern(kind, amount)
    return x << amount if amount < width_of(kind) else 0


def shift_right_logical(kind, x, amount):
    """Shifts in zeros from the left, with amounts like shift_left."""
    amount = pattern(kind, amount)
    return pattern(kind, x) >> amount if amount < width_of(kind) else 0


def shift_right_arithmetic(kind, x, amount):
    """Shifts in copies of the highest bit, even if the type is unsigned."""
    signed = pattern(kind, x)
    signed -= (signed >> (width_of(kind) - 1)) << width_of(kind)
    return signed >> min(pattern(kind, amount), width_of(kind) - 1)


SHIFTS = {
    "shift-left": shift_left, "shift-right-logical": shift_right_logical,
    "shift-right-arithmetic": shift_right_arithmetic,
}  # fmt: skip
INTEGER_BINARY = {
    "add": lambda x, y: x + y, "subtract": lambda x, y: x - y, "multiply": lambda x, y: x * y,
    "divide": lambda x, y: toward_zero(x, y) if y else -1,
    "remainder": lambda x, y: x - y * toward_zero(x, y) if y else x,
    "maximum": max, "minimum": min, "power": integer_power,
    "and": lambda x, y: x & y, "or": lambda x, y: x | y, "xor": lambda x, y: x ^ y,
}  # fmt: skip
INTEGER_UNARY = {
    "abs": lambda _, x: abs(x), "negate": lambda _, x: -x, "sign": lambda _, x: (x > 0) - (x < 0),
    "not": lambda _, x: ~x, "popcnt": lambda kind, x: pattern(kind, x).bit_count(),
    "count-leading-zeros": lambda kind, x: width_of(kind) - pattern(kind, x).bit_length(),
}  # fmt: skip
