"""Element-wise ops with every element type."""

from golden.make import matrix
from golden.make.values import Sample, behind, edges, repeated, small, template
from golden.witness.element_types import COMPLEX, ELEMENT_TYPES, is_float, width_of

ANGLES = [0.5, -0.25, 0.75, -0.5, 1, -1, 0.125, -0.75]
ABOVE_ONE = [1, 2, 1.5, 3, 4, 6, 1.5, 2]
POSITIVE = [1, 2, 0.5, 4, 3, 6, 1.5, 0.5]
DOMAINS = {"acos": ANGLES, "asin": ANGLES, "atanh": ANGLES, "acosh": ABOVE_ONE, "log": POSITIVE,
           "log-plus-one": POSITIVE, "sqrt": POSITIVE, "rsqrt": POSITIVE}


def in_domain(op, kind, count):
    """Returns numbers at which the function is defined."""
    if op not in DOMAINS or kind in COMPLEX or kind == "f8e8m0fnu":
        return small(kind, count)
    form = ELEMENT_TYPES[kind].format  # multiples of its least number
    step = max(2.0 ** (form.least_exponent - form.mantissa_bits), 2.0**-9)
    return repeated([v for v in DOMAINS[op] if v % step == 0], count)


def function(op, kind):
    """A function of one operand."""
    return Sample([f"{kind}[8]"], f"{kind}[8] {op}(a)", [in_domain(op, kind, 8)])


def parts(kind, words, count):
    """Returns the words again and again: two for each complex number."""
    return repeated(words, count * (2 if kind in COMPLEX else 1))


def divisors(kind, count):
    """Returns numbers without zero, and no infinity: those have cases of their own."""
    return parts(kind, small(kind, 9)[2:] if kind in COMPLEX else [v for v in small(kind, 8) if v], count)


def bases(kind, count):
    """Returns bases of powers, positive ones of floats."""
    return parts(kind, [v for v in small(kind, 8) if v > 0] if is_float(kind) else small(kind, 8), count)


def exponents(kind, count):
    """Returns small powers."""
    if is_float(kind):
        return parts(kind, [2, 1, 0.5, 2], count)
    if kind in COMPLEX:
        return parts(kind, small(kind, 8)[2:] + [1, 1], count)
    return parts(kind, [min(2, 2 ** (width_of(kind) - 1) - 1), 0], count)


def amounts(kind, count):
    """Returns amounts of shifts below the width."""
    amounts = [n for n in (0, 1, 2, 3, 5, 7) if n < width_of(kind)]
    return repeated([0] if kind == "s1" else [n for n in amounts if n < 2 ** (width_of(kind) - 1) or kind[0] == "u"],
                    count)


def compare(op, kind):
    """Numbers that are equal and others."""
    direction = "EQ" if kind in COMPLEX else "LT"
    return Sample([f"{kind}[8]"] * 2, f"pred[8] {op}(a, b), direction={direction}",
                  [edges(kind, 8), parts(kind, [*small(kind, 2), *edges(kind, 6)], 8)])


def clamp(op, kind):
    """Numbers below, between and above two bounds."""
    low, high = ([-1, -1.5], [1, 2]) if kind in COMPLEX else ([n] for n in sorted(small(kind, 2)))
    return Sample([f"{kind}[8]"] * 3, f"{kind}[8] {op}(a, b, c)", [[*low] * 8, edges(kind, 8), [*high] * 8])


def select(op, kind):
    """Numbers of the type, selected by a pred."""
    return {k: Sample(["pred[4]", f"{k}[4]", f"{k}[4]"], f"{k}[4] {op}(a, b, c)",
                      [[1, 0, 0, 1], edges(k, 4), small(k, 4)]) for k in ELEMENT_TYPES}


def complex_(op, kind):
    """Complex numbers from two parts."""
    return Sample([f"{kind}[8]"] * 2, f"{'c64' if kind == 'f32' else 'c128'}[8] {op}(a, b)",
                  [edges(kind, 8), small(kind, 8)])


def convert(op, kind):
    """Conversions from the type to f32, and from f32 to the type."""
    floats = [1, 0.5, 3, 2, 1.25, 4, 0.75, 6]
    return {f"{kind}_to_f32": Sample([f"{kind}[8]"], f"f32[8] {op}(a)", [edges(kind, 8)]),
            f"f32_to_{kind}": Sample(["f32[8]"], f"{kind}[8] {op}(a)", [floats])}


def bitcast_convert(op, kind):
    """A conversion to another type of the same width."""
    if kind in COMPLEX:
        return Sample([f"{kind}[4]"], f"{kind}[4] {op}(a)", [small(kind, 4)])
    target = {"pred": "u8", "f6e3m2fn": "f6e2m3fn", "f6e2m3fn": "f6e3m2fn"}.get(kind)
    if target is None:
        target = f"u{width_of(kind)}" if kind[0] != "u" else {"u64": "f64", "u32": "f32", "u16": "bf16", "u8": "f8e5m2",
                                                           "u4": "f4e2m1fn", "u2": "s2", "u1": "s1"}[kind]
    return Sample([f"{kind}[8]"], f"{target}[8] {op}(a)", [edges(kind, 8)])


def reduce_precision(op, kind):
    """A reduction to three bits of exponent and two of fraction."""
    bits = "exponent_bits=3, mantissa_bits=2" if kind != "f4e2m1fn" else "exponent_bits=2, mantissa_bits=1"
    return Sample([f"{kind}[8]"], f"{kind}[8] {op}(a), {bits}", [edges(kind, 8)])


def stochastic_convert(op, kind):
    """The random numbers 0 and the greatest: an inexact number is always rounded away from zero, and never."""
    if width_of(kind) not in (4, 8, 16, 32, 64):
        return None
    values = [1, 0.5, 2, 4, 1, 0.5, 2, 4] if kind == "f8e8m0fnu" else [1.5, 0.5, -1.5, 3, 1.5, 0.5, -1.5, 3]
    random = [0] * 4 + [2 ** width_of(kind) - 1] * 4
    return Sample([f"{kind}[8]", f"u{width_of(kind)}[8]"], f"s8[8] {op}(a, b)", [values, random])


def templates():
    """Returns the templates by op. Ops of one and of two operands come from the matrix; later entries override them."""
    def of_two(values):
        return template("{k}[8] {k}[8]", "{k}[8] {op}(a, b)", edges, values)

    to_part = template("{k}[8]", "{p}[8] {op}(a)", edges)
    return {
        **dict.fromkeys(matrix.SINGLES.split(), template("{k}[8]", "{k}[8] {op}(a)", edges)),
        **dict.fromkeys([*matrix.FUNCTIONS.split(), "sqrt"], function),
        **dict.fromkeys(matrix.PAIRS.split(), of_two(behind(small, 1))),
        **dict.fromkeys(("abs", "real", "imag"), to_part),
        "is-finite": template("{k}[8]", "pred[8] {op}(a)", edges),
        **dict.fromkeys(("divide", "remainder"), of_two(divisors)),
        "power": template("{k}[8] {k}[8]", "{k}[8] {op}(a, b)", bases, exponents),
        "compare": compare, "clamp": clamp, "select": select,
        **dict.fromkeys(("shift-left", "shift-right-arithmetic", "shift-right-logical"), of_two(amounts)),
        "complex": complex_, "convert": convert, "bitcast-convert": bitcast_convert,
        "reduce-precision": reduce_precision, "stochastic-convert": stochastic_convert,
    }
