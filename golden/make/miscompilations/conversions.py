"""Conversions in sequence: cases in which the intermediate type matters, and cases in which it does not."""

from golden.make.miscompilations.forms import FORMATS, INF, NAN, Program, bits, ends, limits, maximum
from golden.witness.element_types import is_float, is_integer


def row(t, u, **more):
    """Returns a row of kinds."""
    return {"T": t, "U": u, **more}


def chain(name, reason, kinds, values, lines="m = U convert(x)\nr = T convert(m)", **more):
    """Returns a program of one operand of eight numbers of type T, by way of U."""
    return Program(name, reason, kinds, "x:T[8]", lines, lambda *k: [values(*k)], **more)


def next_to_ties(t, u, v=None):
    """Returns numbers of T just above, just below and at ties of the narrowest type, and numbers out of its range."""
    narrow = v or u
    step, least = 2.0 ** -bits(narrow), 2.0 ** (1 - bits(t))
    big = min(maximum(narrow), maximum(t))
    return [1 + step, 1 + step + least, 1 + 3 * step, 1 + 3 * step - 2 * least, -1 - step - least, big, NAN, -0.0]


def numbers_for(t, u):
    """Returns floats at the ends of an integer type and beyond, with fractions, NaN and infinities."""
    low, high = limits(u)
    top = INF if FORMATS[t].has_infinity else maximum(t)
    large = float(1 << high.bit_length())
    return [top, -top, NAN, 2.5, -2.5, -0.0, large if large <= maximum(t) else 4, 1.75]


def integers_for(t, u):
    """Returns integers at the ends of T, and those of U as far as T has them; for a float U the end of its
    precision."""
    low, high = limits(t)
    if is_float(u):
        edge = 1 << bits(u)
        inner = [edge + 1, edge - 1, edge + 3, -edge - 1]
    else:
        inner = [limits(u)[1], limits(u)[1] + 1, limits(u)[0], limits(u)[0] - 1]
    return [low, high, 0, -1 if low else 1, *(n if low <= n <= high else 7 for n in inner)]


def words(t, u):
    """Returns integers whose bits are special floats: NaN with a payload, -0, infinities, a negative NaN."""
    form = FORMATS[u]
    width = form.exponent_bits + form.mantissa_bits + 1
    top = ((1 << form.exponent_bits) - 1) << form.mantissa_bits
    sign = 1 << (width - 1)
    patterns = [top, top | 1 << (form.mantissa_bits - 1) | 1, sign, sign | top,
                sign | top | 3 << (form.mantissa_bits - 2), 0, 1 << form.mantissa_bits,
                sign - 1 - (1 << form.mantissa_bits)]
    low = limits(t)[0]
    return [p - (1 << width) if low and p >= sign else p for p in patterns]


def floats_of(t, _=None):
    """Returns floats with characteristic bits."""
    return [1, -1, 0, -0.0, INF, -INF, 2.5, -maximum(t)]


SAME_WIDTH = [row("f32", "s32"), row("f32", "u32"), row("f64", "s64"), row("bf16", "s16"), row("f16", "u16")]
NARROWER = [row("f64", "f32"), row("f64", "bf16"), row("f32", "bf16"), row("f32", "f16"), row("f32", "f8e5m2"),
            row("f16", "f8e4m3fn"), row("bf16", "f8e5m2"), row("f16", "bf16")]
DECREASING = [row("f64", "f32", V="bf16"), row("f64", "f32", V="f16"), row("f32", "f16", V="f8e4m3fn"),
              row("f32", "f16", V="f8e5m2"), row("f32", "bf16", V="f8e5m2")]
FLOAT_INTEGER = [row(t, u) for t in ("f32", "f64", "bf16") for u in ("s8", "u8", "s32", "u32", "s64")]

PROGRAMS = [
    chain("narrowed_and_widened", "a number that is rounded to a narrower type and back is no longer itself", NARROWER,
          next_to_ties),
    chain("widened_and_narrowed", "sound: a number that is widened and brought back is itself",
          [row("f32", "f64"), row("bf16", "f32"), row("f16", "f32"), row("f8e5m2", "f32"), row("f8e4m3fn", "bf16")],
          lambda t, _: [1, -1, 0, -0.0, NAN, maximum(t), -maximum(t), 1 + 2.0 ** (1 - bits(t))]),
    chain("rounded_twice",
          "rounded to V by way of U: a tie of V arises where there was none, and is not what one rounding gives",
          DECREASING, next_to_ties, "m = U convert(x)\nr = V convert(m)"),
    chain("rounded_once", "rounded to V at once: double rounding by way of U is wrong beside a tie", DECREASING,
          next_to_ties, "r = V convert(x)"),
    chain("float_integer_float", "a float to an integer and back truncates, and saturates", FLOAT_INTEGER, numbers_for),
    chain("integer_float_integer", "an integer to a float and back loses what the float does not hold, and saturates",
          [row(t, u) for t, u in (("s32", "f32"), ("u32", "f32"), ("s64", "f64"), ("u64", "f64"), ("s16", "bf16"),
                                  ("s32", "f64"), ("s8", "bf16"), ("u16", "f16"), ("s64", "f32"))], integers_for),
    chain("narrow_integer_and_back", "an integer to a narrower one and back loses its upper bits",
          [row(t, u) for t, u in (("s32", "s8"), ("s32", "u8"), ("u32", "s8"), ("s64", "s32"), ("u64", "s32"),
                                  ("u16", "u8"), ("s16", "u8"), ("s64", "u32"))], integers_for),
    chain("other_sign_and_back", "sound: an integer to the other signedness and back is itself",
          [row(t, u) for t, u in (("s8", "u8"), ("u8", "s8"), ("s32", "u32"), ("u64", "s64"))], lambda t, _: ends(t)),
    chain("widened_by_other_sign", "the sign of the type on the way decides whether the sign is extended",
          [row("s8", "u8", V="s32"), row("u8", "s8", V="u32"), row("s8", "u8", V="u64"), row("s16", "u16", V="s64"),
           row("u32", "s32", V="s64")], lambda *k: ends(k[0]), "m = U convert(x)\nr = V convert(m)"),
    chain("widened_with_sign", "a negative integer widened to an unsigned one extends its sign",
          [row("s8", "u32"), row("s16", "u64"), row("s8", "u16"), row("s32", "u64")], lambda t, _: ends(t),
          "r = U convert(x)"),
    chain("four_bits", "jax#17672: four bits widened extend their sign, and none of the byte that holds them",
          [row("s4", "s8"), row("s4", "s32"), row("s4", "u8"), row("u4", "s8"), row("u4", "u32"), row("s4", "f32")],
          lambda t, _: ends(t), "m = T add(x, x)\nr = U convert(m)"),
    chain("to_four_bits_and_back", "the lower four bits, with their sign",
          [row("s8", "s4"), row("u8", "u4"), row("s32", "s4"), row("s8", "u4")], lambda t, _: [*ends(t)[:5], 7, 8, 9]),
    chain("float_by_wide_integer", "a float to a narrow integer by way of a wide one wraps, at once it saturates",
          [row("f32", "s32", V="s8"), row("f32", "s32", V="u8"), row("f64", "s64", V="s32"),
           row("bf16", "s32", V="s8")], lambda *k: [300, -300, 128, -129, 255, 2.5, -2.5, NAN] if k[0] != "bf16" else
          [304, -304, 128, -132, 254, 2.5, -2.5, NAN], "m = U convert(x)\nr = V convert(m)"),
    chain("float_to_narrow_integer", "jax#5082: a float to a narrow integer at once saturates; NaN is 0",
          [row("f32", "s8"), row("f32", "u8"), row("f64", "s16"), row("f32", "u16"), row("bf16", "s8"),
           row("f64", "u32")], lambda t, u: [-1, -300 if t != "bf16" else -304, 65536, -65536, 2.5, -2.5, NAN, INF],
          "r = U convert(x)"),
    chain("by_predicate", "by way of a predicate whatever is not zero is 1, NaN too",
          [row("f32", "pred"), row("f64", "pred"), row("bf16", "pred"), row("s8", "pred"), row("u64", "pred")],
          lambda t, _: [NAN, 0, -0.0, 0.5, -3, INF, 256, 1] if is_float(t) else ends(t)),
    chain("truncated_float", "by way of an integer is no truncation of large numbers, infinities, NaN and -0",
          [row("f32", "s32"), row("f64", "s64")], lambda *_: [1e10, -1e10, INF, NAN, -0.5, 0.5, -2.75, 16777216]),
    chain("reduced_and_converted", "sound: reduce-precision to the bits of bf16, then to bf16", [row("f32", "bf16")],
          next_to_ties, "m = T reduce-precision(x), exponent_bits=8, mantissa_bits=7\nr = U convert(m)"),
    chain("converted_and_reduced", "sound: of what has been bf16 reduce-precision to its bits changes nothing",
          [row("f32", "bf16")], next_to_ties,
          "m = U convert(x)\nn = T convert(m)\nr = T reduce-precision(n), exponent_bits=8, mantissa_bits=7"),
    chain("reduced_twice", "jax#23007: reduce-precision of reduce-precision rounds twice",
          [row("f32", "bf16"), row("f64", "bf16")], next_to_ties,
          "m = T reduce-precision(x), exponent_bits=8, mantissa_bits=9\n"
          "r = T reduce-precision(m), exponent_bits=8, mantissa_bits=7"),
    chain("reduced_sum", "jax#23007: reduce-precision after each sum is not dropped: 1 + 2^-9 twice",
          [row("f32", "bf16")], lambda *_: [1, 1, -1, 3, INF, NAN, 0, -0.0],
          "c = T splat 0.001953125\na = T add(x, c)\nb = T reduce-precision(a), exponent_bits=8, mantissa_bits=7\n"
          "d = T add(b, c)\nr = T reduce-precision(d), exponent_bits=8, mantissa_bits=7"),
    chain("sums_in_the_narrow_type", "jax#23007: each sum of bf16 is rounded, none is kept in f32",
          [row("bf16", "f32"), row("f16", "f32"), row("f8e5m2", "f32")], lambda t, _: [1, -1, 2, 0.5, 4, -0.5, 0, -2],
          "c = T splat 0.125\na = T multiply(c, c)\nb = T multiply(a, c)\ne = T add(x, b)\nf = T add(e, b)\n"
          "g = T add(f, b)\nr = T add(g, b)"),
    chain("sum_in_the_wide_type", "widened, summed and narrowed: rounded once at the end",
          [row("bf16", "f32"), row("f16", "f32"), row("f32", "f64")], lambda t, _: [1, -1, 2, 0.5, 4, -0.5, 0, -2],
          "c = U splat 0.001953125\na = U convert(x)\nb = U add(a, c)\nd = U add(b, c)\ne = U subtract(d, a)\n"
          "r = T convert(e)"),
    chain("square_in_the_wide_type", "the square of the widened is not the widened square",
          [row("bf16", "f32"), row("f16", "f32"), row("f32", "f64")],
          lambda t, _: [1 + 2.0 ** (1 - bits(t)), maximum(t), 3, -0.0, 0.5, NAN, -1 - 2.0 ** (1 - bits(t)), INF],
          "a = U convert(x)\np = U multiply(a, a)\nq = T multiply(x, x)\nw = U convert(q)\nr = U subtract(p, w)"),
    chain("bits_and_back", "sound: the bits of a float and back are the float", SAME_WIDTH, floats_of,
          "m = U bitcast-convert(x)\nr = T bitcast-convert(m)"),
    chain("float_of_bits_and_back", "sound: integers that are read as floats and back keep every bit, payloads too",
          [row(u, t) for row_ in SAME_WIDTH for t, u in [list(row_.values())]], words,
          "m = U bitcast-convert(x)\nr = T bitcast-convert(m)"),
    chain("sign_by_bits", "the sign bit flipped is a negation, of zeros and NaN too",
          [row("f32", "s32", L="-2147483648"), row("f16", "u16", L="32768"), row("bf16", "s16", L="-32768")], floats_of,
          "m = U bitcast-convert(x)\nc = U splat L\nn = U xor(m, c)\nr = T bitcast-convert(n)"),
    chain("abs_by_bits", "the sign bit cleared is |x|",
          [row("f32", "s32", L="2147483647"), row("f16", "u16", L="32767")], floats_of,
          "m = U bitcast-convert(x)\nc = U splat L\nn = U and(m, c)\nr = T bitcast-convert(n)"),
    chain("next_after", "one more in the bits is the next number, and of the largest one infinity",
          [row("f32", "s32"), row("f64", "s64"), row("bf16", "u16"), row("f16", "u16")],
          lambda t, _: [1, 2, maximum(t), -1, -maximum(t), 0.5, 4, 1.5],
          "m = U bitcast-convert(x)\nc = U splat 1\nn = U add(m, c)\nr = T bitcast-convert(n)"),
    chain("bits_compared", "the bits of zeros of both signs differ, the zeros do not",
          [row("f32", "s32"), row("f64", "u64")], lambda t, _: floats_of(t),
          "n = T negate(x)\na = U bitcast-convert(x)\nb = U bitcast-convert(n)\nc = pred compare(a, b), direction=EQ\n"
          "d = pred compare(x, n), direction=EQ\nr = (pred[8], pred[8]) tuple(c, d)"),
    Program("bytes_of_words", "the bytes of words, turned round, and words of them",
            [row("u32", "u8"), row("s32", "s8")], "x:T[3]",
            "m = U[3,4] bitcast-convert(x)\nn = U[3,4] reverse(m), dimensions={1}\nr = T bitcast-convert(n)",
            lambda t, _: [[0x01020304, 0x7F00FF80, 5]]),
    Program("words_of_halves", "pairs of halves as words, the lower one first",
            [row("u16", "u32"), row("f16", "f32"), row("u32", "u64"), row("s8", "s16")], "x:T[3,2]",
            "m = U[3] bitcast-convert(x)\nr = T bitcast-convert(m)", [[1, 2, 0, 3, 4, 0]]),
    chain("converted_minimum", "sound: the minimum of the widened, narrowed",
          [row("s8", "s32"), row("bf16", "f32"), row("u8", "s32")],
          lambda t, _: [1, 2, 3, 0, 5, 7, 8, 100] if is_integer(t) else [NAN, 0, -0.0, 1, -1, INF, -INF, 2],
          "a = U convert(x)\nc = U splat 2\nm = U minimum(a, c)\nr = T convert(m)"),
    chain("predicate_sum", "a sum of converted predicates counts; in s8 128 of them are -128",
          [row("f32", "s8"), row("bf16", "s32")], lambda *_: [1, 0, 2, -1, 0, 3, 0, NAN],
          "z = T splat 0\np = pred compare(x, z), direction=NE\nk = U convert(p)\nc = U splat 64\n"
          "d = U multiply(k, c)\nr = U add(d, d)"),
    chain("constant_converted", "a constant is rounded to the type in which it is used",
          [row("f32", "bf16"), row("f64", "f16"), row("f64", "f32")], next_to_ties,
          "c = T splat 0.1\nm = U convert(c)\nn = T convert(m)\nr = T multiply(x, n)", folds=False),
    chain("float_parity", "rem 2 of a converted integer past the precision is 0",
          [row("s32", "f32"), row("s64", "f64")], integers_for,
          "m = U convert(x)\nc = U splat 2\nr = U remainder(m, c)"),
    chain("integer_mean", "a sum in s32 wraps where the converted one does not", [row("s32", "f32"), row("s32", "f64")],
          lambda t, _: ends(t), "s = T add(x, x)\nm = U convert(s)\nn = U convert(x)\nr = U subtract(m, n)"),
]
