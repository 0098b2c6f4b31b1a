"""Element-wise ops on characteristic numbers: all of a narrow type; specials, ends, ties, one of each magnitude of a
wide one."""

import math
from fractions import Fraction

import numpy as np

from golden.make import matrix
from golden.make.patterns import (
    ODD, digits, every_pattern, exactly, landmarks, numbers_of, pairs, roundings, signed_nans, specials, wide_numbers,
)  # fmt: skip
from golden.make.templates.elementwise import in_domain
from golden.make.values import Sample, repeated, template
from golden.witness.element_types import COMPLEX, FORMATS, component, is_float, width_of

DIRECTIONS = ("EQ", "NE", "LT", "LE", "GT", "GE")
# In each quadrant, with several magnitudes, and away from the axes: real parts, imaginary parts.
QUADRANTS = [1, 2, -3, 0.5, 0.25, -4, -1, -1, 2.0**-10, 2.0**-12, -(2.0**-20), 2, 20, -30, -16, 2.0**-8]
SMALL_QUADRANTS = [2, -3, 0.5, 0.5, 3, 4, 1, -2, -0.25, 1.5, 1.5, -0.5, 0.125, 0.25, -2, -3]
POSITIVE = ("log", "sqrt", "rsqrt", "acosh")
UP_TO_ONE = ("acos", "asin", "atanh")


def half(number):
    """Returns the f16 nearest to a number."""
    return float(np.float16(number))


def next_to(number):
    """Returns the f16 nearest to a number, the one above and the one below."""
    return [half(number), *(float(np.nextafter(np.float16(number), np.float16(end))) for end in (65504, -65504))]


_, ABOVE_ONE, BELOW_ONE = next_to(1)
LEAST_NORMAL = 2.0**-14
AROUND_ONE = [1, -1, BELOW_ONE, ABOVE_ONE, -BELOW_ONE, -ABOVE_ONE, 0.5, -0.5]
ANGLES = [*(n * math.pi / 2 for n in (1, 2, 3, 4, -1, 11)), 65504, -1000]
TINY = 2.0**-5  # the square root of the last place of 1
SMALL_STEPS = [TINY, -TINY, TINY**2, LEAST_NORMAL, -LEAST_NORMAL, TINY / 2, 4 * TINY, -16 * TINY]
SMALL = "near zero, where x and the result differ in the last bits"


def exponents(shift):
    """Returns numbers at which a function that grows like e^x / e^shift overflows, and at which it vanishes."""
    return [*next_to(math.log(65504) + shift), *next_to(math.log(2.0**-24)), 10, -10]


# The numbers of f16 at which a function changes most, with the reason.
EDGES = {
    "acos": ("both ends of the domain and the first numbers outside", AROUND_ONE),
    "acosh": ("the end of the domain from both sides", AROUND_ONE),
    "asin": ("both ends of the domain and the first numbers outside", AROUND_ONE),
    "asinh": (SMALL, SMALL_STEPS), "atan": (SMALL, SMALL_STEPS),
    "atanh": ("both poles and their neighbours", AROUND_ONE),
    "cbrt": ("exact cubes and their neighbours", [8, -27, *next_to(8)[1:], 0.125, 64, -1, 2]),
    "cosh": ("where the result overflows", exponents(math.log(2))),
    "cosine": ("next to multiples of pi/2", ANGLES),
    "erf": ("where the result becomes 1", [0.25, -0.5, 1, 2, -3, 3.75, 4.5, 6]),
    "exponential": ("where the result overflows and where it vanishes", exponents(0)),
    "exponential-minus-one": ("near zero, where e^x - 1 would cancel", SMALL_STEPS),
    "log": ("next to 1, where the result cancels, and powers",
            [LEAST_NORMAL, BELOW_ONE, ABOVE_ONE, 2, math.e, 10, 1024, -1]),
    "log-plus-one": ("near zero, where log(1 + x) would lose x", SMALL_STEPS),
    "logistic": ("where the result becomes 0 and 1", exponents(0)),
    "rsqrt": ("exact squares and their neighbours", [4, 0.25, 2, *next_to(4)[1:], 9, 1, -4]),
    "sine": ("next to multiples of pi/2", ANGLES),
    "sinh": ("where the result overflows", exponents(math.log(2))),
    "sqrt": ("exact squares and their neighbours", [4, 2, *next_to(4)[1:], 9, 0.25, 1, -1]),
    "tan": ("next to multiples of pi/2", ANGLES),
    "tanh": ("near zero, and where the result becomes 1", [*SMALL_STEPS[:5], 3.5, -9, 20]),
}


def result_of(op, kind):
    """Returns the element type of the result."""
    if op in ("is-finite", "compare"):
        return "pred"
    if op == "complex":
        return next(name for name, part in COMPLEX.items() if part == kind)
    return component(kind) if op in ("abs", "real", "imag") else kind


def elementwise(op, kind, *operands, reason, attributes=""):
    """Returns a Sample of an op on operands of one shape."""
    size = len(operands[0]) // (2 if kind in COMPLEX else 1)
    names = ", ".join("abc"[: len(operands)])
    return Sample([f"{kind}[{size}]"] * len(operands), f"{result_of(op, kind)}[{size}] {op}({names}){attributes}",
                  list(operands), reason=reason)


def all_patterns(op, kind):
    """One operand."""
    return elementwise(op, kind, every_pattern(kind), reason="every number of the type")


def all_pairs(op, kind):
    """Two operands."""
    return elementwise(op, kind, *pairs(every_pattern(kind)), reason="every number with every other")


def special_operands(op, kind):
    """One or two operands: NaN, infinities, zeros, both ends."""
    words = specials(kind)
    if op == "clamp":
        words = [w for w in words if not isinstance(w, float) or abs(w) == 1]
        low, rest = pairs(words, range(len(words) ** 2))
        value, high = pairs(words)
        return elementwise(op, kind, low, [value[i] for i in rest], [high[i] for i in rest],
                           reason="NaN, infinities, zeros and 1 as bound and between bounds")
    if (op, kind) == ("power", "f8e8m0fnu"):  # With exponents of 2^127 no result differs from that of the least number.
        return elementwise(op, kind, *pairs(words, ["nan", 0.5, 1, 2]), reason="NaN, 1 and both ends to small powers")
    if op in f"{matrix.PAIRS} complex".split():
        return elementwise(op, kind, *pairs(words), reason="every pair of NaN, infinities, zeros, both ends and 1")
    words = words + [w for w in roundings(kind) + exactly(kind, [10, Fraction(5, 2), Fraction(-3, 2), Fraction(3, 8)])
                     if w not in words]
    samples = {"": elementwise(op, kind, words, reason="NaN, infinities, zeros, subnormal numbers, both ends")}
    if kind == "f16" and op in EDGES:
        reason, values = EDGES[op]
        samples["edges"] = elementwise(op, kind, list(map(half, values)), reason=reason)
    return samples


def integer_ends(op, kind):
    """One or two operands: both ends, small numbers, alternating bits; amounts of shifts about the width."""
    values = wide_numbers(kind)
    if op not in matrix.PAIRS.split():
        return elementwise(op, kind, values, reason="both ends of the range, small numbers, alternating bits")
    bits, others = width_of(kind), values
    if op.startswith("shift"):
        others = [n for n in (0, 1, bits // 2, bits - 1, bits, bits + 1, values[-1], -1, values[0]) if n <= max(values)]
        others = [n for n in dict.fromkeys(others) if n >= min(values)]
    if op == "power":
        others = [n for n in (0, 1, 2, 3, bits - 1, bits, -1, -2, max(values), min(values)) if n >= min(values)]
    return elementwise(op, kind, *pairs(values, list(dict.fromkeys(others))),
                       reason="both ends of the range with each other, with small numbers and with alternating bits")


def rounded(op, kind):
    """Two operands whose results are between numbers of the type."""
    values = roundings(kind)
    if op in ("atan2", "power"):
        values = values[:6] + values[-6:]
    if (op, kind) == ("power", "f8e8m0fnu"):
        return elementwise(op, kind, *pairs(values, [0.5, 1, 2, 4]), reason="powers that the type does not have")
    return elementwise(op, kind, *pairs(values), reason="ties, what is next to them, and results past both ends")


def sweep(op, kind):
    """A number for each power of two, or for every fifth, every 37th."""
    form = FORMATS[kind]
    low = form.least_exponent - form.mantissa_bits
    values = []
    for i, exponent in enumerate(range(low, form.greatest_exponent + 1, {"f16": 1, "f64": 37}.get(kind, 5))):
        places = min(form.mantissa_bits, exponent - low)
        fraction = Fraction((ODD >> (i % 7)) % (1 << places), 1 << places)
        value = Fraction(2) ** exponent * (1 + fraction)
        if op in UP_TO_ONE and value > 1:
            break
        is_negative = i % 2 and op not in POSITIVE and not (op == "log-plus-one" and value >= 1)
        values.append(-value if is_negative else value)
    words = exactly(kind, values)
    assert len(words) == len(values)
    return elementwise(op, kind, words, reason="from the least number to the greatest where the function is defined")


def quadrants(op, kind):
    """Complex operands."""
    values = [QUADRANTS] if op not in matrix.PAIRS.split() else [QUADRANTS, SMALL_QUADRANTS]
    samples = {"": elementwise(op, kind, *values, reason="numbers in each quadrant, large and small, none on an axis")}
    if op in ("add", "subtract", "multiply", "divide"):
        words = digits(kind, 8)
        samples["digits"] = elementwise(op, kind, words, words[5:] + [v / 2 for v in words[:5]],
                                        reason="all digits of the type: each part is rounded once")
    return samples


def sizes(op, kind):
    """A scalar, no element, one, and four dimensions."""
    samples = {}
    arity = 2 if op in f"{matrix.PAIRS} compare complex".split() else 1
    result = "s32" if op == "convert" else result_of(op, kind)
    attributes = ", direction=LT" if op == "compare" else ""
    for name, shape, count in (("scalar", "", 1), ("none", "0,3", 0), ("one", "1", 1), ("cube", "2,1,3,2", 12)):
        operands = [in_domain(op, kind, count), in_domain(op, kind, count + 3)[-count or 99:]][:arity]
        if kind in COMPLEX:
            operands = [words[: 2 * count] for words in operands]
        if op.startswith("shift"):
            operands[1] = repeated([1, 2, 0], count)
        names = ", ".join("ab"[:arity])
        samples[name] = Sample([f"{kind}[{shape}]"] * arity, f"{result}[{shape}] {op}({names}){attributes}", operands,
                               reason={"none": "no element", "cube": "four dimensions"}.get(name, f"a shape of {name}"))
    return samples


def compared(op, kind, order=""):
    """Each direction, one case each."""
    if is_float(kind):
        words = specials(kind)
        if order:
            words = signed_nans(kind) + [w for w in words if w != "nan"]
        reason = "every pair of NaN, infinities, zeros, both ends and 1"
    elif kind in COMPLEX:
        left, right = pairs([(1, 2), (1, -2), (-1, 2), ("nan", 0), (0, "nan"), (0, 0), ("-0", 0), (0, "-0")])
        values = [[word for number in side for word in number] for side in (left, right)]
        return {d: elementwise(op, kind, *values, attributes=f", direction={d}",
                               reason="numbers that differ in one part, in a sign of zero, NaN in a part")
                for d in ("EQ", "NE")}
    else:
        words = [0, 1] if kind == "pred" else every_pattern(kind) if width_of(kind) <= 4 else wide_numbers(kind)
        reason = "signed and unsigned order differ at the ends"
    return {d: elementwise(op, kind, *pairs(words), attributes=f", direction={d}{order}", reason=reason)
            for d in DIRECTIONS}


def total_order(op, kind):
    """NaN and zeros of either sign."""
    return compared(op, kind, ", type=TOTALORDER")


def bounds(kind):
    """Returns two numbers, the lower one first, and numbers near them."""
    if kind in COMPLEX:
        return [-1, 0.5], [1, -2], [-2, 0, -1, 0, -1, 2, 0, 0, 1, -3, 1, 1, 2, 0, 0, "nan"]
    if kind == "pred":
        return [0], [1], repeated([0, 1], 8)
    if is_float(kind):
        low, high = (0.5, 2) if kind == "f8e8m0fnu" else (-1, 2)
        return [low], [high], repeated([w for w in specials(kind) if w != "nan"] + [low, high], 8)
    values = every_pattern(kind) if width_of(kind) <= 2 else wide_numbers(kind)
    low, high = (values[0], values[-1]) if width_of(kind) <= 2 else (1, 3)
    return [low], [high], repeated(values, 8)


def clamp_crossed(op, kind):
    """The upper bound is the result wherever it is below the lower one."""
    low, high, values = bounds(kind)
    return elementwise(op, kind, high * 8, values, low * 8, reason="the upper bound wins where the bounds cross")


def clamp_scalar(op, kind):
    """Bounds that are scalars, and all three."""
    low, high, values = bounds(kind)
    part = 2 if kind in COMPLEX else 1
    return {"bounds": Sample([f"{kind}[]", f"{kind}[8]", f"{kind}[]"], f"{kind}[8] {op}(a, b, c)", [low, values, high],
                             reason="one pair of bounds for all"),
            "all": Sample([f"{kind}[]"] * 3, f"{kind}[] {op}(a, b, c)", [low, values[:part], high],
                          reason="three scalars")}


def select_scalar(op, kind):
    """One predicate for all elements."""
    one, other = numbers_of(kind, 3), numbers_of(kind, 7)[-3 * (2 if kind in COMPLEX else 1):]
    return Sample(["pred[]", f"{kind}[3]", f"{kind}[3]"], f"{kind}[3] {op}(a, b, c)", [[1], one, other],
                  reason="one choice for all elements", more={"_false": [[0], one, other]})


def precision(op, kind, cuts):
    """Returns reduce-precision to each of several widths."""
    words = every_pattern(kind) if width_of(kind) <= 8 else None
    samples = {}
    for exponent, mantissa in cuts:
        form, eps = FORMATS[kind], Fraction(1, 1 << mantissa)
        top = Fraction(2) ** ((1 << (exponent - 1)) - 1)
        least = Fraction(2) ** (2 - (1 << (exponent - 1)))
        some = words or specials(kind) + exactly(kind, [
            sign * v for v in (1 + eps / 2, 1 + 3 * eps / 2, 1 + eps / 2 + landmarks(kind)["eps"], 1 + eps / 4,
                               top * (2 - eps / 2), top * (2 - eps), top * 2, least, least * (1 - eps / 4),
                               least * (1 - eps / 2), least / 2) for sign in (1, -1)])
        if exponent <= form.exponent_bits or mantissa <= form.mantissa_bits:
            samples[f"e{exponent}m{mantissa}"] = elementwise(
                op, kind, some, attributes=f", exponent_bits={exponent}, mantissa_bits={mantissa}",
                reason=f"{exponent} bits of exponent, {mantissa} of mantissa: ties, overflow, what becomes zero")
    return samples


def fewer_exponents(op, kind):
    """Fewer bits of exponent, all of the mantissa."""
    form = FORMATS[kind]
    return precision(op, kind, [(e, form.mantissa_bits) for e in sorted({1, 2, 4, 5, form.exponent_bits - 1})
                                if 1 <= e < form.exponent_bits] or [(form.exponent_bits, form.mantissa_bits)])


def fewer_digits(op, kind):
    """Fewer bits of mantissa, all of the exponent."""
    form = FORMATS[kind]
    return precision(op, kind, [(form.exponent_bits, m) for m in sorted({0, 1, 3, 7, 10, form.mantissa_bits - 1})
                                if 0 <= m < form.mantissa_bits] or [(form.exponent_bits, form.mantissa_bits)])


def classes():
    """Returns the templates by (op, class)."""
    by_class = {"every_pattern": all_patterns, "every_pair": all_pairs, "specials": special_operands,
                "limits": integer_ends, "roundings": rounded, "sweep": sweep, "quadrants": quadrants}
    made = {(op, name): make for name, make in by_class.items() for op in matrix.VALUES[name][1].split()}
    made |= {(op, "sizes"): sizes for op in matrix.SHAPES["sizes"][1].split()}
    return made | {
        ("compare", "direction"): compared, ("compare", "type"): total_order, ("clamp", "crossed"): clamp_crossed,
        ("clamp", "scalar"): clamp_scalar, ("select", "scalar"): select_scalar,
        ("select", "zero_sized"): template("pred[0,2] {k}[0,2] {k}[0,2]", "{k}[0,2] {op}(a, b, c)", [], [], [],
                                           reason="no element"),
        ("reduce-precision", "exponent_bits"): fewer_exponents, ("reduce-precision", "mantissa_bits"): fewer_digits,
    }
