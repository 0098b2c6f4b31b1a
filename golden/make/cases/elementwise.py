"""Goldens of the element-wise ops."""

import math

import ml_dtypes
import numpy as np
from golden.make.patterns import pairs
from golden.make.rules import reason_of
from golden.witness.arrays import Array
from golden.witness.element_types import DTYPES, is_float, limits as limits_of

INF = float("inf")
NAN = float("nan")
EXACT = "exact arithmetic (fractions), XLA:CPU"
FUNCTION = "mpmath, rounded once; XLA:CPU"
INTEGERS = "Python integers, XLA:CPU"


class Limits:
    """The characteristic numbers of a float type."""

    def __init__(self, kind):
        self.dtype = np.dtype(DTYPES[kind])
        info = ml_dtypes.finfo(self.dtype)
        self.maximum = float(info.max)
        self.smallest = float(info.smallest_subnormal)
        self.normal = float(info.smallest_normal)
        self.epsilon = float(info.eps)
        self.has_infinity = not kind.endswith("fn")
        self.fraction_bits = info.nmant

    def infinity(self, negative=False):
        """Returns an infinity, or the largest number of a type without infinities."""
        value = INF if self.has_infinity else self.maximum
        return -value if negative else value

    def nearest(self, value):
        """Returns the number of the type nearest to a double; the largest one beyond the range."""
        with np.errstate(all="ignore"):
            value = float(np.float64(value).astype(self.dtype))
        return value if math.isfinite(value) else math.copysign(self.maximum, value)

    def above(self, value):
        """Returns the next number up."""
        return float(np.nextafter(self.dtype.type(value), self.dtype.type(self.maximum)))

    def below(self, value):
        """Returns the next number down."""
        return float(np.nextafter(self.dtype.type(value), self.dtype.type(-self.maximum)))


def array(kind, values):
    """Returns an array of these numbers; floats are rounded to the type."""
    limits = Limits(kind) if is_float(kind) else None
    with np.errstate(all="ignore"):
        data = [limits.nearest(v) if limits and math.isfinite(v) else v for v in values]
        return Array(kind, np.array(data, np.float64 if limits else object).astype(DTYPES[kind]))


def module(op, kind, result, count, arity, attributes=""):
    """Returns a module of one op, all operands of one shape."""
    names = "xyz"[:arity]
    parameters = "\n".join(f"  {n} = {kind}[{count}] parameter({i})" for i, n in enumerate(names))
    operands = ", ".join(names)
    return (f"HloModule {op.replace('-', '_')}_{kind}\n\nENTRY main {{\n{parameters}\n"
            f"  ROOT r = {result}[{count}] {op}({operands}){attributes}\n}}")


def specials(limits):
    """Returns NaN, infinities, zeros, and the ends of the normal numbers."""
    return [
        NAN, limits.infinity(), limits.infinity(True), 0.0, -0.0, limits.normal, limits.maximum, -limits.maximum,
    ]


def subnormals(limits):
    """Returns subnormal numbers; separate, because a backend may flush them to zero."""
    last = limits.below(limits.normal)
    least = limits.smallest
    return [least, -least, 2 * least, 3 * least, last, -last, limits.normal / 2, -limits.normal / 4]


def exponent_edges(limits, shift):
    """Returns numbers at which a function that grows like e^x / e^shift overflows, and at which it vanishes."""
    top = limits.nearest(math.log(limits.maximum) + shift) if limits.maximum < 1e308 else 709.782712893384 + shift
    least = limits.nearest(math.log(limits.smallest) if limits.smallest > 0 else -744.0)
    return [top, limits.above(top), limits.below(top), least, limits.above(least), limits.below(least), 10.0, -10.0]


def around_one(limits):
    """Returns one and its neighbors, of both signs."""
    return [1.0, -1.0, limits.below(1.0), limits.above(1.0), limits.above(-1.0), limits.below(-1.0), 0.5, -0.5]


def angles(limits):
    """Returns the numbers next to multiples of pi/2, at which the result almost vanishes, and large ones."""
    half = math.pi / 2
    return [half, 2 * half, 3 * half, 4 * half, -half, 11 * half, min(1e5, limits.maximum), -1000.0]


def small_steps(limits):
    """Returns numbers near the square root of the last place of 1, and near zero."""
    tiny = math.sqrt(limits.epsilon)
    return [tiny, -tiny, limits.epsilon, limits.normal, -limits.normal, tiny / 2, 4 * tiny, -16 * tiny]


def logarithm_edges(limits):
    """Returns numbers next to 1, powers, the ends of the domain."""
    return [
        limits.normal, limits.below(1.0), limits.above(1.0), 2.0, math.e, 10.0, 1024.0, -1.0,
    ]


def halves(limits):
    """Returns ties between integers, and the numbers above which there are none."""
    large = 2.0**limits.fraction_bits
    return [0.5, -0.5, 1.5, 2.5, -2.5, limits.below(0.5), large / 2 + 0.5, large + 1.0]


# op -> (name, reason, values from the limits of the type)
FLOAT_EDGES = {
    "acos": ("domain", "both ends of the domain and the first numbers outside", around_one),
    "acosh": ("domain", "the end of the domain from both sides", around_one),
    "asin": ("domain", "both ends of the domain and the first numbers outside", around_one),
    "asinh": ("small", "near zero, where x and the result differ in the last bits", small_steps),
    "atan": ("small", "near zero, where x and the result differ in the last bits", small_steps),
    "atanh": ("poles", "both poles and their neighbours", around_one),
    "cbrt": ("cubes", "exact cubes and their neighbours", lambda t: [8, -27, t.above(8), t.below(8), 0.125, 64, -1, 2]),
    "cosh": ("overflow", "where the result overflows", lambda t: exponent_edges(t, math.log(2))),
    "cosine": ("angles", "next to multiples of pi/2", angles),
    "erf": ("tails", "where the result becomes 1", lambda t: [0.25, -0.5, 1, 2, -3, 3.75, 4.5, 6]),
    "exponential": ("thresholds", "where the result overflows and where it vanishes", lambda t: exponent_edges(t, 0)),
    "exponential-minus-one": ("small", "near zero, where e^x - 1 would cancel", small_steps),
    "log": ("around-one", "next to 1, where the result cancels, and powers", logarithm_edges),
    "log-plus-one": ("small", "near zero, where log(1 + x) would lose x", small_steps),
    "logistic": ("tails", "where the result becomes 0 and 1", lambda t: exponent_edges(t, 0)),
    "rsqrt": ("squares", "exact squares and their neighbours",
              lambda t: [4, 0.25, 2, t.above(4), t.below(4), 9, 1, -4]),
    "sine": ("angles", "next to multiples of pi/2", angles),
    "sinh": ("overflow", "where the result overflows", lambda t: exponent_edges(t, math.log(2))),
    "sqrt": ("squares", "exact squares and their neighbours", lambda t: [4, 2, t.above(4), t.below(4), 9, 0.25, 1, -1]),
    "tan": ("angles", "next to multiples of pi/2", angles),
    "tanh": ("small", "near zero, and where the result becomes 1", lambda t: small_steps(t)[:5] + [3.5, -9, 20]),
}
WHOLE_EDGES = ("halves", "ties, and the last numbers that have a fraction", halves)
FLOATS = ("f32", "f64", "bf16")


def add_file(corpus, op, kind, count, arity, oracle, result=None, attributes="", name="", tags=""):
    """Adds the file of one op on operands of one shape; returns a function that adds a case of their values."""
    text = module(op, kind, result or kind, count, arity, attributes)
    case = corpus.file(f"{op}/{name or kind}", text, f"{op} {tags or kind} level1", oracle)
    return lambda name, reason, *values: case(name, reason, *[array(kind, row) for row in values])


def add_unary(corpus, op, kind, edges, oracle, result=None):
    """Adds the file of one op of one operand with one float type."""
    limits = Limits(kind)
    case = add_file(corpus, op, kind, 8, 1, oracle, result)
    for name, contents, values in (
            ("specials", "NaN, infinities, zeros, the least and the greatest number", specials(limits)),
            ("subnormal", "the least numbers, a fraction of the normal ones", subnormals(limits)),
            ("ordinary", "numbers of everyday size", [1.0, -1.0, 0.75, -0.375, 2.5, -3.25, 0.1, 7.0])):
        case(name, reason_of(op, (kind, result or kind), contents), values)
    if edges:
        name, reason, values = edges
        case(name, reason, values(limits))


def unary_cases(corpus):
    """Float ops of one operand."""
    for op, edges in FLOAT_EDGES.items():
        for kind in FLOATS:
            add_unary(corpus, op, kind, edges, FUNCTION)
    for op in ("floor", "ceil", "round-nearest-even", "round-nearest-afz"):
        for kind in ("f32", "f16"):
            add_unary(corpus, op, kind, WHOLE_EDGES, EXACT)
    for op in ("abs", "negate", "sign"):
        for kind in ("f32", "f8e4m3fn"):
            add_unary(corpus, op, kind, None, EXACT)
    for kind in ("f32", "f8e4m3fn", "f8e5m2"):
        add_unary(corpus, "is-finite", kind, None, EXACT, result="pred")
    for op in ("exponential", "sqrt", "tanh", "log"):
        for kind in ("f16", "f8e4m3fn", "f8e5m2"):
            add_unary(corpus, op, kind, None, FUNCTION)


def integer_unary_cases(corpus):
    """Integer ops of one operand."""
    for op in ("abs", "negate", "sign", "not", "popcnt", "count-leading-zeros"):
        for kind in ("s8", "s32", "s64") if op in ("abs", "sign") else ("s4", "s8", "s32", "u8", "u32"):
            if kind == "s4" and op in ("popcnt", "count-leading-zeros"):
                continue
            low, high = limits_of(kind)
            add_file(corpus, op, kind, 6, 1, INTEGERS)("limits",
                                                       "both ends of the range; the least number has no opposite",
                                                       [low, high, 0, 1, high - 1, low + 1 if low else 6])
    add_file(corpus, "not", "pred", 2, 1, INTEGERS)("both", "logical, not bitwise", [0, 1])


def binary_cases(corpus):
    """Float ops of two operands."""
    for op in ("add", "subtract", "multiply", "divide", "remainder", "maximum", "minimum", "power", "atan2"):
        for kind in ("f32", "bf16") + (("f64",) if op in ("power", "atan2", "divide") else ()):
            add_binary(corpus, op, kind)
    for op in ("add", "multiply", "maximum"):
        for kind in ("f8e4m3fn", "f8e5m2"):
            add_binary(corpus, op, kind)


def add_binary(corpus, op, kind):
    """Adds the file of one op of two operands with one float type."""
    limits = Limits(kind)
    values = [NAN, limits.infinity(), limits.infinity(True), 0.0, -0.0, 1.0, -2.0]
    case = add_file(corpus, op, kind, 49, 2, FUNCTION if op in ("power", "atan2") else EXACT)
    case("specials", "every pair of NaN, infinities, zeros and two numbers", *pairs(values))
    eps = limits.epsilon
    case("rounding", "ties, gradual underflow, overflow",
         *pairs([1 + eps, eps / 2, -1.5, limits.normal, limits.maximum, 3.0, -0.5]))
    least, last = limits.smallest, limits.below(limits.normal)
    case("subnormal", "subnormal operands and results",
         *pairs([least, -3 * least, last, -limits.normal / 2, limits.normal, 1.0, -0.5]))


def integer_binary_cases(corpus):
    """Integer ops of two operands."""
    arithmetic = ("add", "subtract", "multiply", "divide", "remainder", "maximum", "minimum")
    logical = ("and", "or", "xor")
    shifts = ("shift-left", "shift-right-logical", "shift-right-arithmetic")
    for op in arithmetic + logical + shifts + ("power",):
        for kind in ("s4", "s8", "s32", "u8", "u32") if op in arithmetic else ("s8", "s32", "u32"):
            add_integer_binary(corpus, op, kind, op in shifts)
    for op in logical + ("maximum", "minimum", "add", "multiply"):
        add_file(corpus, op, "pred", 4, 2, INTEGERS)("all", "the whole table", [0, 0, 1, 1], [0, 1, 0, 1])


def add_integer_binary(corpus, op, kind, is_shift):
    """Adds the file of one op of two operands with one integer type."""
    low, high = limits_of(kind)
    bits = int(kind[1:])
    values = [low, high, 0, 1, -1 if low else 2, 3]
    right = [0, 1, bits - 1, bits, -1, high] if is_shift and low else [0, 1, bits - 1, bits, bits + 1, high]
    if not is_shift:
        right = values
    if op == "power":
        values, right = [low, high, 0, 1, -1 if low else 5, 3], [0, 1, 2, 3, -1 if low else 31, -2 if low else 7]
    reason = ("amounts up to the width, at it and past it" if is_shift else
              "every pair of the range's ends and small numbers: wrap, division by zero, MIN / -1")
    add_file(corpus, op, kind, 36, 2, INTEGERS)("limits", reason, *pairs(values, right))


def compare_cases(corpus):
    """compare, by value and in the total order."""
    values = [NAN, INF, -INF, 0.0, -0.0, 1.0, -1.0]

    def add(kind, direction, numbers, reason, oracle, order="", suffix=""):
        attributes, name = f", direction={direction}{order}", f"{kind}_{direction.lower()}{suffix}"
        case = add_file(corpus, "compare", kind, len(numbers) ** 2, 2, oracle, "pred", attributes, name,
                        f"{kind} {direction}")
        case("limits" if oracle == INTEGERS else "specials", reason, *pairs(numbers))

    for direction in ("EQ", "NE", "LT", "LE", "GT", "GE"):
        for kind in ("f32", "bf16") if direction in ("LT", "GE") else ("f32",):
            for order, suffix in (("", ""), (", type=TOTALORDER", "_total")):
                add(kind, direction, values, "every pair, NaN on either side", "Python comparison, XLA:CPU", order,
                    suffix)
        for kind in ("s32", "u32", "pred") if direction in ("EQ", "LT", "GE") else ("s32",):
            numbers = [0, 1] if kind == "pred" else [*limits_of(kind), 1]
            add(kind, direction, numbers, "signed and unsigned order differ at the ends", INTEGERS)


def choice_cases(corpus):
    """select and clamp."""
    for kind in ("f32", "s32", "f8e4m3fn", "pred"):
        text = (f"HloModule select_{kind}\n\nENTRY main {{\n  p = pred[4] parameter(0)\n  x = {kind}[4] parameter(1)\n"
                f"  y = {kind}[4] parameter(2)\n  ROOT r = {kind}[4] select(p, x, y)\n}}")
        case = corpus.file(f"select/{kind}", text, f"select {kind} level1", "Python, XLA:CPU")
        x, y = ([NAN, 1, -0.0, 3], [5, NAN, 0.0, 8]) if is_float(kind) else ([1, 0, 1, 1], [0, 1, 1, 0])
        case("mixed", "each side chosen, NaN not taken does not leak", *[array("pred", [1, 0, 1, 0])], array(kind, x),
             array(kind, y))
    for kind in ("f32", "bf16", "s32", "u8"):
        case = add_file(corpus, "clamp", kind, 7, 3, "Python, XLA:CPU")
        if is_float(kind):
            case("between", "below, at and above the bounds", [-1.0] * 7, [-2, -1, 0, 1, 2, INF, -INF], [1.0] * 7)
            case("nan", "NaN in each operand", [NAN, 0, 0, NAN, 0, 0, 0], [1, NAN, 1, NAN, 1, 2, -1],
                 [2, 2, NAN, NAN, 2, 2, 2])
        else:
            case("between", "below, at and above the bounds", [2] * 7, [0, 1, 2, 3, 4, 5, 100], [4] * 7)
        case("crossed", "the upper bound wins where the bounds cross", [4] * 7, [0, 1, 2, 3, 4, 5, 6], [2] * 7)


def complex_cases(corpus):
    """Complex ops."""
    def parameters(kind, arity):
        return "\n".join(f"  {n} = {kind}[4] parameter({i})" for i, n in enumerate("xy"[:arity]))

    values = [1, 2, -3, 0.5, 0.25, -4, -1, -1]
    others = [2, -1, 0.5, 0.5, 3, 4, 1, -2]
    for op in ("abs", "negate", "real", "imag", "exponential", "log", "sqrt", "tanh", "sine", "cosine", "sign"):
        result = "f32" if op in ("abs", "real", "imag") else "c64"
        text = f"HloModule complex_{op}\n\nENTRY main {{\n{parameters('c64', 1)}\n  ROOT r = {result}[4] {op}(x)\n}}"
        case = corpus.file(f"{op}/c64", text, f"{op} c64 level1", FUNCTION)
        case("ordinary", reason_of(op, ("c64", result), "numbers in each quadrant"), ("c64[4]", values))
        if op == "sign":
            case("zero", "zero stays zero; numbers on the axes", ("c64[4]", [0, 0, 0, -2, 4, 0, -0.5, 0]))
    for op in ("add", "subtract", "multiply", "divide"):
        text = f"HloModule complex_{op}\n\nENTRY main {{\n{parameters('c64', 2)}\n  ROOT r = c64[4] {op}(x, y)\n}}"
        case = corpus.file(f"{op}/c64", text, f"{op} c64 level1", EXACT)
        case("ordinary", reason_of(op, ("c64", "c64"), "numbers in each quadrant"), ("c64[4]", values),
             ("c64[4]", others))
    text = f"HloModule complex_parts\n\nENTRY main {{\n{parameters('f32', 2)}\n  ROOT r = c64[4] complex(x, y)\n}}"
    case = corpus.file("complex/f32", text, "complex f32 level1", "Python, XLA:CPU")
    case("parts", "NaN and signs of zero stay where they are", array("f32", [1, NAN, -0.0, 0]),
         array("f32", [INF, 2, 0.0, -0.0]))


def add_to(corpus):
    """Adds all files of this module."""
    unary_cases(corpus)
    integer_unary_cases(corpus)
    binary_cases(corpus)
    integer_binary_cases(corpus)
    compare_cases(corpus)
    choice_cases(corpus)
    complex_cases(corpus)
