"""Goldens of convert, bitcast-convert and reduce-precision."""

from golden.witness.arrays import words
from golden.make.cases.elementwise import EXACT, INF, NAN, Limits, add_file, array, specials
from golden.make.modules import add_family
from golden.make.values import Sample
from golden.witness.element_types import is_float, limits


def add_to(corpus):
    """Adds all files of this module."""
    convert_cases(corpus)
    bit_cases(corpus)
    stochastic_cases(corpus)


def midpoints(target):
    """Returns numbers halfway between neighbors of the target type, to an even one below and above, and beyond its
    range."""
    t = Limits(target)
    eps, tiny = t.epsilon, t.smallest
    half_step = t.maximum - t.below(t.maximum)
    return [1 + eps / 2, 1 + 1.5 * eps, -1 - eps / 2, tiny / 2, 1.5 * tiny, -tiny / 2, t.maximum + half_step / 2,
            t.maximum + half_step / 2 * 0.9375]


def convert_cases(corpus):
    """convert."""
    for source, target in (("f64", "f32"), ("f32", "f16"), ("f32", "bf16"), ("f32", "f8e4m3fn"), ("f32", "f8e5m2"),
                           ("f16", "f8e5m2"), ("bf16", "f8e4m3fn"), ("f16", "bf16"), ("bf16", "f32")):
        case = add_file(corpus, "convert", source, 8, 1, EXACT, target, "", f"{source}_{target}", f"{source} {target}")
        case("specials", "NaN, infinities, zeros, the ends of the source", specials(Limits(source)))
        case("midpoints", "halfway between neighbours of the target", midpoints(target))
    for source, target in (("f32", "s32"), ("f32", "u8"), ("f32", "s8"), ("f64", "s32"), ("bf16", "u32"),
                           ("f32", "pred"), ("f32", "s4")):
        case = add_file(corpus, "convert", source, 8, 1, EXACT, target, "", f"{source}_{target}", f"{source} {target}")
        case("toward-zero", "fractions are cut off", [0.5, -0.5, 1.75, -0.75, 2.5, 6.99, 0.0, -0.0])
        if target != "pred":
            low, high = limits(target)
            t = Limits(source)
            last = high if t.nearest(high) == high else t.below(high + 1)
            case("range", "the ends of the range, outside it, infinite, NaN",
                 [low, t.below(low - 0.5), last, high + 1, INF, -INF, NAN, 1e30])
    for source, target in (("s32", "f32"), ("s32", "f16"), ("u32", "f32"), ("s64", "bf16"), ("s32", "s8"),
                           ("s8", "u32"), ("u32", "s4"), ("s32", "pred"), ("pred", "f32"), ("pred", "s8")):
        case = add_file(corpus, "convert", source, 8, 1, EXACT, target, "", f"{source}_{target}", f"{source} {target}")
        if source == "pred":
            case("both", "true is 1", [0, 1, 1, 0, 1, 0, 0, 1])
            continue
        low, high = limits(source)
        values = [low, high, 0, 1, high - 1, high // 2 + 1, 2**24 + 1 if high > 2**24 else 3, -1 if low else 65519]
        case("limits", "ends of the source, ties in the target", values)


def bit_cases(corpus):
    """bitcast-convert and reduce-precision."""
    for source, target, count, result in (
            ("f32", "s32", 4, "4"), ("s32", "f32", 4, "4"), ("f32", "f16", 2, "2,2"), ("f32", "u8", 2, "2,4"),
            ("bf16", "u16", 4, "4"), ("u8", "f32", "2,4", "2")):
        text = (f"HloModule bitcast_convert\n\nENTRY main {{\n  x = {source}[{count}] parameter(0)\n"
                f"  ROOT r = {target}[{result}] bitcast-convert(x)\n}}")
        case = corpus.file(f"bitcast-convert/{source}_{target}", text, f"bitcast-convert {source} {target} level1",
                           "numpy view, XLA:CPU")
        if source == "u8":
            case("joined", "the first byte is the lowest", ("u8[2,4]", [0, 0, 128, 63, 1, 2, 3, 64]))
        else:
            values = [1.5, -0.0, 3.140625, 1e10] if is_float(source) else [1, -1, 1 << 30, 0x7F800000]
            case("bits", "the bits stay", array(source, values[:count]))
    for kind, exponent, mantissa in (("f32", 5, 10), ("f32", 8, 7), ("f32", 4, 3), ("f32", 8, 23), ("f16", 5, 2),
                                     ("bf16", 5, 7)):
        case = add_file(corpus, "reduce-precision", kind, 8, 1, EXACT, kind,
                        f", exponent_bits={exponent}, mantissa_bits={mantissa}", f"{kind}_e{exponent}m{mantissa}")
        case("specials", "NaN, infinities, zeros, the ends of the type", specials(Limits(kind)))
        step, top = 2.0**-mantissa, 2.0 ** ((1 << (exponent - 1)) - 1)
        case("ties", "halfway between neighbours, and past the greatest",
             [1 + step / 2, 1 + 1.5 * step, -1 - step / 2, 1 + step / 4, 1 + step * 0.75, top * (2 - step / 2),
              top * (2 - step), 3.0])


def stochastic_cases(corpus):
    """stochastic-convert: special values, one case each, with the least and the greatest random number."""
    samples = {}
    for source, bits, targets in (("f32", 32, ("bf16", "f16", "f8e5m2", "f8e4m3fn", "s8", "u32")),
                                  ("f64", 64, ("f32", "s64")), ("bf16", 16, ("f8e5m2", "s4")),
                                  ("f16", 16, ("bf16", "u8"))):
        form = Limits(source)
        values = {"nan": NAN, "infinity": INF, "negative_infinity": -INF, "zero": 0.0, "negative_zero": -0.0,
                  "largest": form.maximum, "lowest": -form.maximum, "subnormal": form.smallest,
                  "negative_subnormal": -form.smallest, "below_one": form.below(1.0),
                  "above_minus_one": -form.below(1.0)}
        cases = {f"_{name}": [list(words(array(source, [value] * 2))), [0, 2**bits - 1]] for name, value in
                 values.items()}
        for target in targets:
            samples[f"{source}_{target}"] = Sample(
                f"{source}[2] u{bits}[2] -> {target}[2]", "", [[1, 1], [0, 2**bits - 1]],
                reason="the least random number rounds down, the greatest up", more=cases)
    add_family(corpus, "stochastic-convert/special_values", samples, level=2)
