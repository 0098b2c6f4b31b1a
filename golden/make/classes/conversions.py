"""convert, bitcast-convert, stochastic-convert: pairs of types, on numbers that the target rounds, truncates or
wraps."""

from fractions import Fraction

from golden.make.patterns import every_pattern, exactly, landmarks, numbers_of, specials, wide_numbers
from golden.make.values import Sample, repeated
from golden.witness.element_types import COMPLEX, ELEMENT_TYPES, FORMATS, component, is_float, limits, width_of

SIGNED = ("s1", "s2", "s4", "s8", "s16", "s32", "s64")
# Distances from 1 that f32, and f64, cannot resolve.
BESIDE = [Fraction(1, 1 << 40), Fraction(1, 1 << 20), Fraction(1, 1 << 12)]


def beside_ties(target):
    """Returns numbers between neighbors of a float type: halfway, and off by less than wider types resolve."""
    mark = landmarks(target)
    eps, least, normal, most = (mark[name] for name in ("eps", "least", "normal", "max"))
    ties = [1 + eps / 2, 1 + 3 * eps / 2, Fraction(3, 2), 3, normal - least / 2, normal + least / 2, least / 2,
            3 * least / 2, most + mark["top"] / 2, most + mark["top"], most]
    for tie in ties:
        yield tie
        for step in BESIDE:
            yield tie * (1 - step)
            yield tie * (1 + step)
        yield -tie
    yield from (least / 4, 3 * least / 4, 2 * most, -2 * most)


def about_ends(target):
    """Returns numbers near both ends of an integer type, and fractions."""
    low, high = limits(target)
    for number in (low, high, high + 1, low - 1, 0, 1, -1, 2):
        yield from (number + Fraction(n, 4) for n in (-3, -2, -1, 0, 1, 2, 3))
    yield from (2 * high, 4 * low, 3 * high + 7)


def next_to(source, number):
    """Returns the numbers of a float type nearest to a number from below and above."""
    form, number = FORMATS[source], Fraction(number)
    exponent = max((abs(number).numerator.bit_length() - abs(number).denominator.bit_length()), form.least_exponent)
    unit = Fraction(2) ** (exponent - form.mantissa_bits)
    below = number // unit * unit
    return below, below + unit


def floats_for(source, target):
    """Returns words of a float type for a target."""
    if width_of(source) <= 8:
        return every_pattern(source)
    part = component(target)
    if part == "pred":
        return specials(source) + exactly(source, [Fraction(1, 2), Fraction(-1, 4)])
    wanted = beside_ties(part) if is_float(part) else about_ends(part)
    found = exactly(source, [n for number in wanted for n in (number, *next_to(source, number))])
    # Omits one in three numbers: their neighbors cover them.
    return specials(source) + [word for i, word in enumerate(found) if len(found) < 60 or i % 3 != 1]


def integers_for(source, target):
    """Returns words of an integer type for a target."""
    if source == "pred" or width_of(source) <= 8:
        return every_pattern(source)
    low, high = limits(source)
    part, found = component(target), wide_numbers(source)
    if is_float(part):
        form = FORMATS[part]
        for bits in range(form.mantissa_bits + 1, width_of(source), 1 if width_of(source) < 64 else 3):
            half = 1 << (bits - form.mantissa_bits - 1)
            found += [(1 << bits) + half, (1 << bits) + 3 * half, (1 << bits) + half + 1, -(1 << bits) - half - 1]
        most, step = int(form.max_finite), int(max(landmarks(part)["top"], 2)) // 2
        found += [most, most + step - 1, most + step, most + step + 1, -most - step]
    elif part != "pred":
        ends = limits(part)
        found += [n + d for n in (*ends, 2 * ends[1]) for d in (-1, 0, 1, 2)]
    return [n for n in dict.fromkeys(found) if low <= n <= high]


def convert_from(source):
    """Returns the template of the conversions from a type; the op's type is the target."""

    def template(op, target):
        if source in COMPLEX:
            words = floats_for(component(source), target)
            words = [w for i, word in enumerate(words) for w in (word, (0, 1, "nan", -2)[i % 4])]
            words += [0, "-0", "-0", 0, 0, 1, 0, "nan"]
            count = len(words) // 2
        else:
            words = floats_for(source, target) if is_float(source) else integers_for(source, target)
            count = len(words)
        reason = ("every number of the source" if not is_float(source) and source == "pred" or width_of(source) <= 8
                  else f"ties and ends of {target}, and what is beside them; specials")
        return Sample([f"{source}[{count}]"], f"{target}[{count}] {op}(a)", [words], reason=reason)

    return template


def narrower(op, kind):
    """Conversions to narrower types."""
    if kind == "c128":
        return {"to_c64": Sample(["c128[3]"], f"c64[3,2] {op}(a)", [numbers_of(kind, 3)], reason="2 elements of each")}
    samples = {}
    bits = 8 if kind == "pred" else width_of(kind)
    for to in ("u1", "u2", "u4", "u8", "u16", "u32", "f16", "f32"):
        if width_of(to) < bits and (width_of(to) >= bits // 4 or to == "u8"):
            times = bits // width_of(to)
            samples[f"to_{to}"] = Sample([f"{kind}[3]"], f"{to}[3,{times}] {op}(a)", [numbers_of(kind, 3)],
                                         reason=f"{times} elements of each, the lowest bits first")
    return samples


def wider(op, kind):
    """Conversions to wider types."""
    if kind == "c64":
        return {"to_c128": Sample(["c64[3,2]"], f"c128[3] {op}(a)", [numbers_of(kind, 6)],
                                  reason="2 elements make one")}
    samples = {}
    for to in ("u8", "s16", "u32", "u64", "f16", "f32", "f64"):
        times = width_of(to) // width_of(kind)
        if times in (2, 4, 8):
            words = numbers_of(kind, 3 * times)
            samples[f"to_{to}"] = Sample([f"{kind}[3,{times}]"], f"{to}[3] {op}(a)", [words],
                                         reason=f"{times} elements make one, the lowest bits first")
    return samples


def stochastic(op, kind):
    """Random numbers just below, at and above the fraction, to each signed type."""
    width = width_of(kind)
    words = exactly(kind, [Fraction(n, 4) for n in (1, 2, 3, 5, -1, -2, -3, -7, 6, -6)]) or [1]
    words = repeated(words + specials(kind), 24)
    unit = 1 << width
    random = repeated([0, unit // 4 - 1, unit // 4, unit // 2 - 1, unit // 2, 3 * unit // 4 - 1, 3 * unit // 4,
                       unit - 1], 24)
    random = random[5:] + random[:5]
    return {f"to_{to}": Sample([f"{kind}[24]", f"u{width}[24]"], f"{to}[24] {op}(a, b)", [words, random],
                               reason="up where the random number is below the part cut off; past the range, NaN")
            for to in SIGNED[1:]}


def classes():
    """Returns the templates by (op, class)."""
    return {**{("convert", f"from_{kind}"): convert_from(kind) for kind in ELEMENT_TYPES},
            ("bitcast-convert", "narrower"): narrower, ("bitcast-convert", "wider"): wider,
            ("stochastic-convert", "targets"): stochastic}
