"""Element-wise ops of one, two and three operands."""

import numpy as np

from golden.witness.arrays import Array, is_nan
from golden.witness.element_types import BITS, COMPLEX, DTYPES, FORMATS, is_float, width_of
from golden.witness.evaluator import functions
from golden.witness.evaluator.complex_numbers import (
    complex_array, complex_binary, complex_clamp, complex_numbers, complex_unary,
)  # fmt: skip
from golden.witness.evaluator.integers import INTEGER_BINARY, INTEGER_UNARY, SHIFTS, integers, ints_of
from golden.witness.evaluator.not_derived import NotDerived
from golden.witness.evaluator.rounding import bits_of, float_array

UNARY = {*functions.UNARY, *INTEGER_UNARY, "abs", "negate", "real", "imag", "is-finite"}
BINARY = {*functions.BINARY, *INTEGER_BINARY, *SHIFTS, "complex", "mulhi"}
DIRECTIONS = {"EQ": "__eq__", "NE": "__ne__", "LT": "__lt__", "LE": "__le__", "GT": "__gt__", "GE": "__ge__"}


def unary(op, x):
    """Applies an op of one operand to every element."""
    kind, shape = x.type, x.values.shape
    if kind in COMPLEX:
        return complex_unary(op, x)
    if is_float(kind):
        return float_unary(op, x)
    if kind == "pred":
        return Array(kind, ~x.values)
    if op not in INTEGER_UNARY:
        raise NotDerived(f"{op} of {kind}")
    return integers(kind, [INTEGER_UNARY[op](kind, v) for v in ints_of(x)], shape)


def float_unary(op, x):
    """Computes signs and parts from bits, functions from values."""
    kind, shape = x.type, x.values.shape
    if op in ("abs", "negate"):
        return value_of_sign_change(op, x) if kind == "f8e8m0fnu" else bits_of_sign_change(op, x)
    if op == "real":
        return x
    if op == "imag":
        return float_array(kind, [0.0] * x.values.size, shape)
    if op == "is-finite":
        return Array("pred", np.isfinite(x.values.astype(np.float64)))
    if op not in functions.UNARY:
        raise NotDerived(f"{op} of {kind}")
    return functions.unary(op, kind, x.values)


def bits_of_sign_change(op, x):
    """Changes the sign bit for abs and negate, even that of a NaN, which becomes quiet (docs/decisions.md#nan)."""
    sign_bit = np.array(1 << (width_of(x.type) - 1), BITS[x.values.dtype.itemsize])
    bits = bits_of(x.values)
    if x.type.endswith("fnuz"):  # The type has no -0: its pattern is the NaN.
        sign_bit = np.where(bits & ~sign_bit, sign_bit, 0).astype(bits.dtype)
    bits = bits & ~sign_bit if op == "abs" else bits ^ sign_bit
    form = FORMATS[x.type]
    if form.nan == "ieee":
        quiet_bit = np.array(1 << (form.mantissa_bits - 1), bits.dtype)
        bits = np.where(is_nan(x.values).reshape(bits.shape), bits | quiet_bit, bits)
    return Array(x.type, bits.view(x.values.dtype).reshape(x.values.shape))


def value_of_sign_change(op, x):
    """Changes the sign in a type without one: the negative of a number is not representable."""
    numbers = [float(v) if op == "abs" else -float(v) for v in x.values.reshape(-1)]
    return float_array(x.type, numbers, x.values.shape)


def binary(op, x, y):
    """Applies an op of two operands to every pair of elements."""
    kind, shape = x.type, x.values.shape
    if kind in COMPLEX:
        return complex_binary(op, x, y)
    if op == "complex":
        result = next(name for name, part in COMPLEX.items() if part == kind)
        return Array(result, np.stack([x.values, y.values], -1).view(DTYPES[result]).reshape(shape))
    if is_float(kind):
        if op not in functions.BINARY:
            raise NotDerived(f"{op} of {kind}")
        return functions.binary(op, kind, x.values, y.values)
    function = integer_function(op, kind)
    return integers(kind, [function(a, b) for a, b in zip(ints_of(x), ints_of(y))], shape)


def integer_function(op, kind):
    """Returns the function of two integers; its result is not yet wrapped."""
    if op in SHIFTS:
        return lambda a, b: SHIFTS[op](kind, a, b)
    if op == "mulhi":
        return lambda a, b: a * b >> width_of(kind)
    if kind == "pred":
        op = {"add": "or", "multiply": "and"}.get(op, op)
    if op not in INTEGER_BINARY:
        raise NotDerived(f"{op} of {kind}")
    return INTEGER_BINARY[op]


def total_order(array):
    """Returns numbers in the same order as the elements in IEEE's total order."""
    bits = [int(b) for b in array.bits().reshape(-1)]
    if array.type == "f8e8m0fnu":
        return bits
    top = 1 << (width_of(array.type) - 1)
    if array.type.endswith("fnuz"):  # The only NaN has the bits of a negative zero: it is -NaN.
        return [-top - 1 if b == top else -(b & (top - 1)) - 1 if b & top else b for b in bits]
    return [-(b & (top - 1)) - 1 if b & top else b for b in bits]


def compare(instruction, x, y):
    """Compares by value, or in the total order."""
    method = DIRECTIONS[instruction.text("direction")]
    if instruction.text("type") == "TOTALORDER" and is_float(x.type):
        left, right = total_order(x), total_order(y)
    else:
        convert = float if is_float(x.type) else complex if x.type in COMPLEX else int
        left, right = ([convert(v) for v in a.values.reshape(-1)] for a in (x, y))
    return integers("pred", [getattr(a, method)(b) for a, b in zip(left, right)], x.values.shape)


def select(_, p, x, y):
    """Returns x where p is true, y elsewhere; a scalar p applies to all elements."""
    return Array(x.type, np.where(p.values, x.values, y.values))


def clamp(_, low, x, high):
    """Returns the minimum of high and the maximum of low and x."""
    low, high = (Array(a.type, np.broadcast_to(a.values, x.values.shape)) for a in (low, high))
    if x.type in COMPLEX:
        numbers = zip(*map(complex_numbers, (low, x, high)))
        return complex_array(x.type, [complex_clamp(*n) for n in numbers], x.values.shape)
    return binary("minimum", binary("maximum", x, low), high)


OPS = {
    **dict.fromkeys(UNARY, lambda instruction, x: unary(instruction.opcode, x)),
    **dict.fromkeys(BINARY, lambda instruction, x, y: binary(instruction.opcode, x, y)),
    "compare": compare, "select": select, "clamp": clamp,
}  # fmt: skip
