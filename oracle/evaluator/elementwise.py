"""A second reading of the element-wise ops, for the audit of the goldens; no code of the interpreter is in it."""

import functools
import itertools
import math
from fractions import Fraction

from oracle.evaluator import functions as exact_math
import mpmath
import numpy as np
from oracle.arrays import BITS, DTYPES, Array, components, is_float, width_of

COMPLEX_PARTS = {"c64": "f32", "c128": "f64"}


class NotDerived(Exception):
    """No rule here for this instruction."""


def is_integer(kind):
    return kind[0] in "su" and kind[1:].isdigit()


def wrap(kind, value):
    bits = int(kind[1:])
    value &= (1 << bits) - 1
    return value - (1 << bits) if kind[0] == "s" and value >> (bits - 1) else value


def limits(kind):
    bits = int(kind[1:])
    return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if kind[0] == "s" else (0, (1 << bits) - 1)


# --- Elements ---------------------------------------------------------------------------------------------------------


def toward_zero(x, y):
    return abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)


def integer_power(x, y):
    if y < 0:
        return {1: 1, -1: -1 if y % 2 else 1}.get(x, 0)
    return x**y


def shift(op, kind, x, amount):
    bits = int(kind[1:])
    unsigned_amount = amount & ((1 << bits) - 1)
    if op == "shift-left":
        return x << unsigned_amount if unsigned_amount < bits else 0
    if op == "shift-right-logical":
        return (x & ((1 << bits) - 1)) >> unsigned_amount if unsigned_amount < bits else 0
    signed = wrap(f"s{bits}", x)
    return signed >> min(unsigned_amount, bits - 1)


INTEGER_BINARY = {
    "add": lambda x, y: x + y, "subtract": lambda x, y: x - y, "multiply": lambda x, y: x * y,
    "divide": lambda x, y: toward_zero(x, y) if y else -1,
    "remainder": lambda x, y: x - y * toward_zero(x, y) if y else x,
    "maximum": max, "minimum": min, "power": integer_power,
    "and": lambda x, y: x & y, "or": lambda x, y: x | y, "xor": lambda x, y: x ^ y,
}


def integer_unary(op, kind, x):
    bits = int(kind[1:])
    pattern = x & ((1 << bits) - 1)
    return {
        "abs": lambda: abs(x), "negate": lambda: -x, "sign": lambda: (x > 0) - (x < 0), "not": lambda: ~x,
        "popcnt": lambda: pattern.bit_count(), "count-leading-zeros": lambda: bits - pattern.bit_length(),
    }[op]()


def integers(kind, values, shape):
    if kind == "pred":
        return Array(kind, np.array([bool(v) for v in values], np.bool_).reshape(shape))
    return Array(kind, np.array([wrap(kind, v) for v in values], object).astype(DTYPES[kind]).reshape(shape))


def ints_of(array):
    return [int(v) for v in array.values.reshape(-1)]


def unary(op, instruction, x):
    kind, shape = x.type, x.values.shape
    if kind in ("c64", "c128"):
        return complex_unary(op, instruction, x)
    if is_float(kind):
        if op in ("abs", "negate"):
            if kind == "f8e8m0fnu":
                return exact_sign_change(op, x)
            sign_bit = np.array(1 << (width_of(kind) - 1), BITS[x.values.dtype.itemsize])
            bits = exact_math.bits_of(x.values)
            if kind.endswith("fnuz"):  # There is no -0: its pattern is the NaN.
                sign_bit = np.where(bits & ~sign_bit, sign_bit, 0).astype(bits.dtype)
            bits = bits & ~sign_bit if op == "abs" else bits ^ sign_bit
            return Array(kind, bits.view(x.values.dtype).reshape(shape))
        if op in ("real", "imag"):
            return x if op == "real" else Array(kind, exact_math.encode(
                kind, [exact_math.rounded(kind, 0.0)] * x.values.size).reshape(shape))
        if op == "is-finite":
            return Array("pred", np.isfinite(x.values.astype(np.float64)))
        return Array(kind, exact_math.unary(op, kind, x.values))
    if kind == "pred":
        return Array(kind, ~x.values)
    return integers(kind, [integer_unary(op, kind, v) for v in ints_of(x)], shape)


def exact_sign_change(op, x):
    """Of a type without a sign: a number's opposite is no number of it."""
    numbers = [float(v) if op == "abs" else -float(v) for v in x.values.reshape(-1)]
    return Array(x.type, exact_math.encode(x.type, [exact_math.rounded(x.type, v) for v in numbers]).reshape(
        x.values.shape))


def binary(op, instruction, x, y):
    kind, shape = x.type, x.values.shape
    if kind in ("c64", "c128"):
        return complex_binary(op, x, y)
    if op == "complex":
        return Array("c64" if kind == "f32" else "c128", np.stack([x.values, y.values], -1).view(
            DTYPES["c64" if kind == "f32" else "c128"]).reshape(shape))
    if is_float(kind):
        return Array(kind, exact_math.binary(op, kind, x.values, y.values))
    if op.startswith("shift"):
        function = functools.partial(shift, op, kind)
    elif op == "mulhi":
        def function(a, b):
            return a * b >> width_of(kind)
    elif kind == "pred":
        function = {"add": INTEGER_BINARY["or"], "multiply": INTEGER_BINARY["and"]}.get(op, INTEGER_BINARY.get(op))
    else:
        function = INTEGER_BINARY[op]
    return integers(kind, [function(a, b) for a, b in zip(ints_of(x), ints_of(y))], shape)


def complex_numbers(array):
    flat = [float(v) for v in components(array)]
    return list(zip(flat[::2], flat[1::2]))


def complex_array(kind, numbers, shape):
    part = {"c64": "f32", "c128": "f64"}[kind]
    flat = [exact_math.rounded(part, v) for number in numbers for v in number]
    return Array(kind, exact_math.encode(part, flat).view(DTYPES[kind]).reshape(shape))


def complex_unary(op, instruction, x):
    shape, part = x.values.shape, {"c64": "f32", "c128": "f64"}[x.type]
    numbers = complex_numbers(x)
    if op in ("real", "imag"):
        return Array(part, components(x)[op == "imag" :: 2].reshape(shape).copy())
    if op == "negate":
        return complex_array(x.type, [(-a, -b) for a, b in numbers], shape)
    if not all(map(math.isfinite, itertools.chain(*numbers))):
        raise NotDerived(f"{op} of a complex special")
    values = [mpmath.mpc(a, b) for a, b in numbers]
    if op == "abs":
        return Array(part, exact_math.encode(part, [exact_math.rounded(part, abs(v)) for v in values]).reshape(shape))
    function = COMPLEX_UNARY.get(op)
    if function is None:
        raise NotDerived(f"complex {op}")
    return complex_array(x.type, [(r.real, r.imag) for r in map(function, values)], shape)


COMPLEX_UNARY = {
    "exponential": mpmath.exp, "log": mpmath.log, "sqrt": mpmath.sqrt, "tanh": mpmath.tanh, "sine": mpmath.sin,
    "cosine": mpmath.cos, "sign": lambda v: v / abs(v), "acos": mpmath.acos, "acosh": mpmath.acosh,
    "asin": mpmath.asin, "asinh": mpmath.asinh, "atan": mpmath.atan, "atanh": mpmath.atanh, "cosh": mpmath.cosh,
    "sinh": mpmath.sinh, "tan": mpmath.tan, "exponential-minus-one": lambda v: mpmath.exp(v) - 1,
    "log-plus-one": lambda v: mpmath.log(1 + v), "logistic": lambda v: 1 / (1 + mpmath.exp(-v)),
    "rsqrt": lambda v: 1 / mpmath.sqrt(v),
}
# Of the first operand to the second, and of y over x.
COMPLEX_FUNCTIONS = {
    "power": lambda z, w: mpmath.exp(w * mpmath.log(z)),
    "atan2": lambda y, x: -1j * mpmath.log((x + 1j * y) / mpmath.sqrt(x * x + y * y)),
}


def complex_binary(op, x, y):
    results = []
    for (a, b), (c, d) in zip(complex_numbers(x), complex_numbers(y)):
        if op in COMPLEX_FUNCTIONS:
            value = COMPLEX_FUNCTIONS[op](mpmath.mpc(a, b), mpmath.mpc(c, d))
            results.append((value.real, value.imag))
            continue
        if op == "divide":
            a, b, c, d = map(Fraction, (a, b, c, d))
            norm = c * c + d * d
            results.append(((a * c + b * d) / norm, (b * c - a * d) / norm))
        elif op == "multiply":
            products = [exact_math.multiply(*pair) for pair in ((a, c), (-b, d), (a, d), (b, c))]
            results.append((exact_math.add(*products[:2]), exact_math.add(*products[2:])))
        else:
            function = {"add": exact_math.add, "subtract": exact_math.subtract}[op]
            results.append((function(a, c), function(b, d)))
    return complex_array(x.type, results, x.values.shape)


def total_order(array):
    bits = [int(b) for b in array.bits().reshape(-1)]
    if array.type == "f8e8m0fnu":
        return bits
    top = 1 << (width_of(array.type) - 1)
    if array.type.endswith("fnuz"):  # The one NaN has the bits of a negative zero: it is -NaN.
        return [-top - 1 if b == top else -(b & (top - 1)) - 1 if b & top else b for b in bits]
    return [-(b & (top - 1)) - 1 if b & top else b for b in bits]


def compare(instruction, x, y):
    direction = {"EQ": "__eq__", "NE": "__ne__", "LT": "__lt__", "LE": "__le__", "GT": "__gt__", "GE": "__ge__"}
    method = direction[instruction.text("direction")]
    if instruction.text("type") == "TOTALORDER" and is_float(x.type):
        left, right = total_order(x), total_order(y)
    else:
        convert = float if is_float(x.type) else complex if x.type in COMPLEX_PARTS else int
        left, right = ([convert(v) for v in a.values.reshape(-1)] for a in (x, y))
    return integers("pred", [getattr(a, method)(b) for a, b in zip(left, right)], x.values.shape)


def select(_, p, x, y):
    return Array(x.type, np.where(p.values, x.values, y.values))


def complex_clamp(low, x, high):
    """Of pairs (real, imaginary), which Python compares by their first different parts."""
    for number in (low, x, high):
        if any(map(math.isnan, number)):
            return number
    # Equal ones differ at most in the signs of zeros: +0 is the larger.
    larger = max(x, low) if x != low else tuple(a + b if a == 0 else a for a, b in zip(x, low))
    return min(larger, high) if larger != high else tuple(-(-a - b) if a == 0 else a for a, b in zip(larger, high))


def clamp(instruction, low, x, high):
    low, high = (Array(a.type, np.broadcast_to(a.values, x.values.shape)) for a in (low, high))
    if x.type in COMPLEX_PARTS:
        numbers = zip(*map(complex_numbers, (low, x, high)))
        return complex_array(x.type, [complex_clamp(*n) for n in numbers], x.values.shape)
    return binary("minimum", instruction, binary("maximum", instruction, x, low), high)


def convert(instruction, x):
    source, target, shape = x.type, instruction.type, x.values.shape
    values = x.values.reshape(-1)
    if target == "pred":
        return integers("pred", [v != 0 for v in values], shape)
    if source in COMPLEX_PARTS and target in COMPLEX_PARTS:
        return Array(target, x.values.astype(DTYPES[target]))
    if source in COMPLEX_PARTS:
        source, values = COMPLEX_PARTS[source], [v.real for v in values]
    if target in COMPLEX_PARTS:
        real = [exact_math.rounded(COMPLEX_PARTS[target], float(v) if is_float(source) else Fraction(int(v)))
                for v in values]
        return complex_array(target, [(v, 0.0) for v in real], shape)
    if is_float(target):
        exact = [float(v) if is_float(source) else Fraction(int(v)) for v in values]
        if target in exact_math.WITHOUT_NAN and is_float(source):  # A NaN becomes the zero of the other sign.
            # That of the fnuz types has the bits of a negative zero.
            signs = [math.copysign(1, v) < 0 or source.endswith("fnuz") for v in exact]
            exact = [(0.0 if negative else -0.0) if v != v else v for v, negative in zip(exact, signs)]
        return Array(target, exact_math.encode(target, [exact_math.rounded(target, v) for v in exact]).reshape(shape))
    if is_float(source):
        low, high = limits(target)
        numbers = [float(v) for v in values]
        whole = [0 if v != v else high if v >= high else low if v <= low else int(v) for v in numbers]
        return integers(target, whole, shape)
    return integers(target, [int(v) for v in values], shape)


def bitcast_convert(instruction, x):
    """All the bits in a row, the lowest first, cut anew."""
    if x.type in COMPLEX_PARTS:
        flat = np.ascontiguousarray(x.values).reshape(-1)
        return Array(instruction.type, flat.view(DTYPES[instruction.type]).reshape(instruction.dimensions))
    source, target = (8 if kind == "pred" else width_of(kind) for kind in (x.type, instruction.type))
    row = 0
    for place, bits in enumerate(x.bits().reshape(-1)):
        row |= (int(bits) & ((1 << source) - 1)) << (place * source)
    count = int(np.prod(instruction.dimensions))
    words = [row >> (i * target) & ((1 << target) - 1) for i in range(count)]
    dtype = np.dtype(DTYPES[instruction.type])
    if instruction.type == "pred" or instruction.type[0] in "su":
        return integers(instruction.type, words, instruction.dimensions)
    bits = np.array(words, BITS[dtype.itemsize])
    return Array(instruction.type, bits.view(dtype).reshape(instruction.dimensions))


def stochastic_convert(instruction, x, random):
    """The magnitude cut to an integer, one more where the random number is below the part cut off."""
    if not is_integer(instruction.type):
        raise NotDerived("stochastic-convert to a float")
    results = []
    low, high = limits(instruction.type)
    for value, number in zip(x.values.reshape(-1), ints_of(random)):
        if not math.isfinite(float(value)):
            results.append(0 if math.isnan(float(value)) else high if float(value) > 0 else low)
            continue
        magnitude = abs(Fraction(float(value)))
        whole = magnitude.numerator // magnitude.denominator
        whole += Fraction(number, 1 << width_of(random.type)) < magnitude - whole
        results.append(whole if float(value) > 0 else -whole)
    return integers(instruction.type, [min(max(r, low), high) for r in results], x.values.shape)


def reduce_precision(instruction, x):
    bits = int(instruction.text("exponent_bits")), int(instruction.text("mantissa_bits"))
    return Array(x.type, exact_math.reduce_precision(x.type, x.values, *bits))
