"""Ops that change the type or the precision of elements."""

import math
from fractions import Fraction

import numpy as np

from golden.witness.arrays import Array
from golden.witness.element_types import BITS, COMPLEX, DTYPES, FORMATS, is_float, is_integer, limits, width_of
from golden.witness.evaluator.complex_numbers import complex_array
from golden.witness.evaluator.integers import integers, ints_of
from golden.witness.evaluator.rounding import beyond, float_array, floor_log2, is_finite, rounded


def convert(instruction, x):
    """Converts to the nearest number of the type; to an integer toward zero, saturating."""
    source, target, shape = x.type, instruction.type, x.values.shape
    values = x.values.reshape(-1)
    if target == "pred":
        return integers("pred", [v != 0 for v in values], shape)
    if source in COMPLEX and target in COMPLEX:
        with np.errstate(over="ignore"):
            return Array(target, x.values.astype(DTYPES[target]))
    if source in COMPLEX:
        source, values = COMPLEX[source], [v.real for v in values]
    if target in COMPLEX:
        real = [rounded(COMPLEX[target], float(v) if is_float(source) else Fraction(int(v))) for v in values]
        return complex_array(target, [(v, 0.0) for v in real], shape)
    if is_float(target):
        exact = [float(v) if is_float(source) else Fraction(int(v)) for v in values]
        if FORMATS[target].nan == "none" and is_float(source):  # A NaN becomes the zero of the other sign.
            # In an fnuz type, NaN has the bits of a negative zero.
            signs = [math.copysign(1, v) < 0 or source.endswith("fnuz") for v in exact]
            exact = [(0.0 if negative else -0.0) if v != v else v for v, negative in zip(exact, signs)]
        return float_array(target, exact, shape)
    if is_float(source):
        low, high = limits(target)
        numbers = [float(v) for v in values]
        whole = [0 if v != v else high if v >= high else low if v <= low else int(v) for v in numbers]
        return integers(target, whole, shape)
    return integers(target, [int(v) for v in values], shape)


def bitcast_convert(instruction, x):
    """Concatenates all bits, the lowest first, and splits them anew."""
    if x.type in COMPLEX:
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


def stochastic_convert_to_float(instruction, x, random):
    """Rounds stochastically at the last place of the result type for the magnitude."""
    kind, results = instruction.type, []
    form = FORMATS[kind]
    for value, number in zip(map(float, x.values.reshape(-1)), ints_of(random)):
        if value != 0 and math.isfinite(value):
            exponent = max(floor_log2(abs(Fraction(value))), form.least_exponent)
            unit = Fraction(2) ** (exponent - form.mantissa_bits)
            whole, part = divmod(abs(Fraction(value)) / unit, 1)
            whole += number < math.floor(part * (1 << width_of(random.type)))
            value = Fraction(whole) * unit * (1 if value > 0 else -1) or math.copysign(0.0, value)
        results.append(value)
    return float_array(kind, results, x.values.shape)


def stochastic_convert(instruction, x, random):
    """Truncates the magnitude to an integer and adds 1 if the random number is below the same number of leading bits of
    the fraction."""
    if not is_integer(instruction.type):
        return stochastic_convert_to_float(instruction, x, random)
    results = []
    low, high = limits(instruction.type)
    for value, number in zip(x.values.reshape(-1), ints_of(random)):
        if not math.isfinite(float(value)):
            results.append(0 if math.isnan(float(value)) else high if float(value) > 0 else low)
            continue
        magnitude = abs(Fraction(float(value)))
        whole = magnitude.numerator // magnitude.denominator
        whole += number < math.floor((magnitude - whole) * (1 << width_of(random.type)))
        results.append(whole if float(value) > 0 else -whole)
    return integers(instruction.type, [min(max(r, low), high) for r in results], x.values.shape)


def off_tie(kind, value):
    """Rounds ties without stored fraction bits: the last bit of a pattern, 0 in the even one, belongs to the
    exponent."""
    if value == 0 or not is_finite(value):
        return value
    exponent = floor_log2(abs(Fraction(value)))
    is_tie = abs(Fraction(value)) == Fraction(3, 2) * Fraction(2) ** exponent
    is_even = (exponent - FORMATS[kind].least_exponent + 1) % 2 == 0
    is_normal = exponent >= FORMATS[kind].least_exponent
    return math.copysign(2.0**exponent, value) if is_tie and is_even and is_normal else value


def reduced(kind, value, exponent_bits, mantissa_bits):
    """Rounds to fewer fraction bits, then maps numbers above the smaller exponent range to infinity and below it to
    zero."""
    if not is_finite(value) or value == 0:
        return value
    form = FORMATS[kind]
    sign, magnitude = math.copysign(1.0, value), Fraction(abs(value))
    place = Fraction(2) ** (max(floor_log2(magnitude), form.least_exponent) - min(mantissa_bits, form.mantissa_bits))
    magnitude = round(magnitude / place) * place
    top = (1 << (exponent_bits - 1)) - 1
    if magnitude > form.max_finite or (exponent_bits < form.exponent_bits and magnitude >= Fraction(2) ** (top + 1)):
        return beyond(kind, sign < 0)
    if exponent_bits < form.exponent_bits and magnitude < Fraction(2) ** (1 - top):
        return sign * 0.0
    return sign * float(magnitude)


def reduce_precision(instruction, x):
    """Reduces the precision of each element."""
    exponent_bits, mantissa_bits = int(instruction.text("exponent_bits")), int(instruction.text("mantissa_bits"))
    numbers = [float(v) for v in x.values.reshape(-1)]
    if mantissa_bits == 0:
        numbers = [off_tie(x.type, v) for v in numbers]
    results = [reduced(x.type, v, exponent_bits, mantissa_bits) for v in numbers]
    return float_array(x.type, results, x.values.shape)


OPS = {
    "convert": convert, "bitcast-convert": bitcast_convert, "stochastic-convert": stochastic_convert,
    "reduce-precision": reduce_precision,
}  # fmt: skip
