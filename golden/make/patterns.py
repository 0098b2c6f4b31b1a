"""Numbers of an element type that distinguish one meaning from another: all of them, special ones, ties, distinct
ones."""

from fractions import Fraction

from golden.make.values import repeated
from golden.witness.element_types import COMPLEX, ELEMENT_TYPES, FORMATS, component, is_float, is_integer, limits, width_of
from golden.witness.evaluator.rounding import floor_log2

ODD = 0x9E3779B97F4A7C15  # 2^64 over the golden ratio: its multiples modulo a power of two are far apart.


def every_pattern(kind):
    """Returns all numbers of a type of at most eight bits."""
    if is_float(kind):
        return [f"x{bits:x}" for bits in range(1 << width_of(kind))]
    low, high = (0, 1) if kind == "pred" else limits(kind)
    return list(range(low, high + 1))


def landmarks(kind):
    """Returns the numbers of a float type at which something changes, by name."""
    form = FORMATS[kind]
    eps = Fraction(1, 1 << form.mantissa_bits)
    normal = Fraction(2) ** form.least_exponent
    least = normal * eps if form.has_zero else normal
    top = Fraction(2) ** (form.greatest_exponent - form.mantissa_bits)
    return {"eps": eps, "least": least, "normal": normal, "top": top, "max": form.max_finite}


def exactly(kind, numbers):
    """Returns those of the numbers that the type can represent, each once, as words."""
    form = FORMATS[kind]
    found = []
    for number in numbers:
        number = Fraction(number)
        unit = landmarks(kind)["least"]
        if number:
            unit = max(unit, Fraction(2) ** (floor_log2(abs(number)) - form.mantissa_bits))
        fits = number % unit == 0 and abs(number) <= form.max_finite
        if form.has_zero and fits or not form.has_zero and number >= unit and fits:
            found.append(float(number))
    return list(dict.fromkeys(found))


def specials(kind):
    """Returns NaN, infinities, zeros, the least and greatest numbers, and 1, of a float type."""
    form, mark = FORMATS[kind], landmarks(kind)
    words = [] if form.nan == "none" else ["nan"]
    words += ["inf", "-inf"] if form.has_infinity else []
    words += [0] if form.has_zero else []
    words += ["-0"] if form.has_signed_zero else []
    return words + exactly(kind, [1, -1, mark["least"], -mark["least"], mark["normal"] - mark["least"], mark["normal"],
                                  mark["max"], -mark["max"]])


def signed_nans(kind):
    """Returns NaN of either sign, if the type has them, as bits."""
    form = FORMATS[kind]
    sign = 1 << (width_of(kind) - 1)
    digits = 2 if width_of(kind) <= 8 else width_of(kind) // 4
    if form.nan == "ieee":
        quiet = ((1 << form.exponent_bits) - 1) << form.mantissa_bits | 1 << (form.mantissa_bits - 1)
        return [f"x{bits:0{digits}x}" for bits in (quiet, quiet | sign)]
    if form.nan == "all ones" and form.has_zero:
        return [f"x{bits:0{digits}x}" for bits in (sign - 1, 2 * sign - 1)]
    return ["nan"] if form.nan != "none" else []


def roundings(kind):
    """Returns operands whose sums, products and quotients are ties, next to ties, or beyond the range of the type."""
    mark = landmarks(kind)
    eps, least, normal, top, most = (mark[name] for name in ("eps", "least", "normal", "top", "max"))
    return exactly(kind, [1, 1 + eps, 1 + 3 * eps, -(1 + eps), eps / 2, eps / 2 * (1 + eps), -eps / 4, 3, -7, 2,
                          Fraction(1, 2), most, -most + top, top / 2, normal, 3 * least, -least, 1 - eps / 2])


def wide_numbers(kind):
    """Returns both ends of an integer type and their neighbors, small numbers, and patterns of alternating bits."""
    low, high = limits(kind)
    bits = width_of(kind)
    fives = int("01" * 32, 2) & ((1 << bits) - 1)
    tens = fives << 1 if not low else -fives - 1
    found = [low, low + 1, -1, 0, 1, 2, 3, high // 2 + 1, high - 1, high, fives if fives <= high else 1, tens]
    return [n for n in dict.fromkeys(found) if low <= n <= high]


def numbers_of(kind, count):
    """Returns numbers of a type with all of its digits, all different as far as the type allows."""
    if kind in COMPLEX:
        return numbers_of(component(kind), 2 * count)
    if kind == "pred" or width_of(kind) == 1:
        low = -1 if kind == "s1" else 1
        return [low if (ODD >> (i * 7 % 61)) & 1 else 0 for i in range(count)]
    if width_of(kind) == 2:
        return few(kind, count)
    if is_integer(kind):
        low, _ = limits(kind)
        return [(ODD * (i + 1) >> 3) % (1 << width_of(kind)) + low for i in range(count)]
    form = FORMATS[kind]
    if width_of(kind) <= 8:
        finite = [b for b in range(1 << width_of(kind)) if not isinstance(form.value_of(b), float)]
        step = next(s for s in (37, 29, 11, 3) if len(finite) % s)
        return [f"x{finite[(i * step + 5) % len(finite)]:02x}" for i in range(count)]
    unused = form.mantissa_bits - count.bit_length()
    last = Fraction(1, 1 << unused) if unused > 0 else 0
    return [float((i + 1 + last) * (-1) ** i) for i in range(count)]


def with_specials(kind, count):
    """Returns the same, the first of them NaN, an infinity and -0 if the type has them: ops that move elements must
    keep them."""
    numbers = numbers_of(kind, count)
    if not is_float(component(kind)):
        return numbers
    words = [w for w in specials(component(kind))[:5] if w != 0][: max(1, len(numbers) // 4)] if count else []
    return (words + numbers[len(words):])[: len(numbers)]


def ascending(kind):
    """Returns four numbers, the least first; of complex ones the real parts."""
    if kind in COMPLEX:
        return [-2, 1, -1, 5, 0.5, -3, 2, 0]
    if kind == "pred" or width_of(kind) == 1:
        return [-1, 0, 0, 0] if kind == "s1" else [0, 0, 0, 1]
    if is_float(kind):
        return [0.25, 0.5, 1, 2] if kind == "f8e8m0fnu" else [-2, -1, 0.5, 2]
    low, high = limits(kind)
    return [low, (low + 1) // 2 + 1, high - 1, high] if width_of(kind) > 2 else list(range(low, high + 1))


def digits(kind, count):
    """Returns numbers of about 1 with all digits of the type, and integers of all sizes. Their sums and products show
    narrower intermediate types and missing wrapping."""
    if kind in COMPLEX:
        return digits(component(kind), 2 * count)
    if not is_float(kind):
        return numbers_of(kind, count)
    if kind in ("f8e8m0fnu", "f4e2m1fn"):
        return few(kind, count)
    eps = landmarks(kind)["eps"]
    odd = [2 * ((ODD >> (3 * i % 17)) % (1 << FORMATS[kind].mantissa_bits - 1)) + 1 for i in range(count)]
    return [float((-1) ** (i // 3) * (1 + n * eps)) for i, n in enumerate(odd)]


# A prime number of them: rows of an array do not repeat.
FEW = {
    "pred": [0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0], "u1": [0, 1, 0, 0, 1, 0, 0], "s1": [0, -1, 0, 0, -1, 0, 0],
    "u2": [1, 3, 0, 2, 1, 0, 3], "s2": [1, -2, 0, -1, 1, 0, -2], "f8e8m0fnu": [1, 2, 0.5, 4, 1, 0.25, 2],
    "f4e2m1fn": [1, -1, 0.5, 0, 0.5, -1, 1, -0.5, 0, -1, 0.5],  # Its greatest number is 6.
    "signed": [1, 3, -2, 0, 2, -1, 1, 0, -3, 2, -1], "unsigned": [1, 3, 0, 2, 5, 0, 4, 1, 2, 0, 3],
    "float": [1, -1, 2, 0, 0.5, -2, 1, -0.5, 0, -1, 0.5], "complex": [1, 0, 0, 1, -1, 0, 2, 1, 0, -1, 1, -1, 0, 0],
}
FACTORS = {
    "pred": [1, 1, 1, 0, 1], "u1": [1, 1, 1, 0, 1], "s1": [-1, -1, -1, 0, -1], "u2": [1, 2, 3, 1, 1],
    "s2": [-1, 1, -2, -1, 1], "f8e8m0fnu": [2, 0.5, 4, 1, 0.5], "signed": [2, 3, -1, 1, -3, 5, -2],
    "unsigned": [2, 3, 1, 5, 7, 1, 4], "float": [2, -1, 0.5, -2, 1.5, 1, -0.5],
    "complex": [1, 1, 0, 2, -1, 0, 0.5, -1, 2, 1],
}


def of_kind(table, kind):
    """Returns the entry of a table for a type, or for its family."""
    return table.get(kind) or table[ELEMENT_TYPES[kind].family]


def few(kind, count):
    """Returns numbers so small that their sums and products are exact in the type, in any order, and different."""
    return repeated(of_kind(FEW, kind), count * (2 if kind in COMPLEX else 1))


def factors(kind, count):
    """Returns numbers few of which are lost in a product, and whose products the type can represent."""
    return repeated(of_kind(FACTORS, kind), count * (2 if kind in COMPLEX else 1))


def pairs(values, others=None):
    """Returns every number with every other."""
    others = values if others is None else others
    return [x for x in values for _ in others], [y for _ in values for y in others]
