"""rng: properties of every lawful generator."""

import math

from golden.make.modules import add_family
from golden.make.values import Sample, called
from golden.witness.element_types import FORMATS, is_integer, limits
from golden.witness.program import op_table

ORACLE = "a second generator, XLA:CPU"
COUNT = 4096
MANY = 65536
# Types in which comparisons of sums, or of means, are of numbers that they can represent.
WIDE = ("f64", "f32", "f16", "bf16")


def add_to(corpus):
    """Adds all files of this module."""
    types = next(op["types"] for op in op_table() if op["name"] == "rng")
    uniform = [kind for kind in types if kind in FORMATS or is_integer(kind) or kind == "pred"]
    normal = [kind for kind in uniform if kind in FORMATS]
    add_family(corpus, "rng/one_value", {kind: one_value(kind) for kind in uniform}, oracle=ORACLE)
    add_family(corpus, "rng/no_deviation", {kind: no_deviation(kind) for kind in normal if FORMATS[kind].has_zero},
               oracle=ORACLE)
    add_family(corpus, "rng/bounds", {kind: bounds(kind) for kind in uniform}, oracle=ORACLE)
    add_family(corpus, "rng/mean", {kind: mean(kind) for kind in WIDE} | {"f64_long": long_interval()}, oracle=ORACLE)
    add_family(corpus, "rng/deviation", {kind: deviation(kind) for kind in WIDE}, oracle=ORACLE)
    add_family(corpus, "rng/values", {kind: both_ends(kind) for kind in uniform if kind not in FORMATS}, oracle=ORACLE)


def neighbours(kind):
    """Returns two numbers with none between them."""
    if kind == "pred":
        return [0], [1]
    if is_integer(kind):
        low, _ = limits(kind)
        return [low], [low + 1]
    # 1 and the next larger number.
    return [1], [1 + 2.0 ** -FORMATS[kind].mantissa_bits if FORMATS[kind].mantissa_bits else 2]


def one_value(kind):
    """Returns a Sample of a range that holds one number."""
    return Sample(f"{kind}[] {kind}[] -> {kind}[5,13]", "distribution=rng_uniform", list(neighbours(kind)),
                  reason="b is the number behind a: all elements are a")


def no_deviation(kind):
    """Returns a Sample of a normal distribution without a deviation."""
    return Sample(f"{kind}[] {kind}[] -> {kind}[65]", "distribution=rng_normal", [[1.5], [0]],
                  reason="the deviation is 0: all elements are the mean")


ALL = called("all", "x:pred[] y:pred[]", "ROOT z = pred[] and(x, y)")
ANY = called("any", "x:pred[] y:pred[]", "ROOT z = pred[] or(x, y)")
REDUCED = "pred[] reduce({}, {}), dimensions={{0}}, to_apply={}"


def interval(kind):
    """Returns bounds that exclude some numbers of the type on either side."""
    if kind == "pred":
        return [0], [1]
    if is_integer(kind):
        low, high = limits(kind)
        return [low + (high - low) // 4], [high - (high - low) // 4]
    return [1], [4]


def bounds(kind):
    """Returns a Sample that is true if every element is in [a, b)."""
    # A generator that rounds to b does so for one f16 in 3,072: 4096 elements would miss it in one of four runs.
    count = 16 * COUNT if kind == "f16" else COUNT
    return Sample(
        [f"{kind}[]"] * 2, REDUCED.format("w", "t", "all"), list(interval(kind)),
        body=[f"v = {kind}[{count}] rng(a, b), distribution=rng_uniform",
              f"l = {kind}[{count}] broadcast(a), dimensions={{}}",
              f"h = {kind}[{count}] broadcast(b), dimensions={{}}", f"p = pred[{count}] compare(v, l), direction=GE",
              f"q = pred[{count}] compare(v, h), direction=LT", f"w = pred[{count}] and(p, q)",
              "t = pred[] constant(true)"], computations=[ALL], reason=f"a <= x < b for each of {count} elements")


def both_ends(kind):
    """Returns a Sample that is true if the first and the last number of a range of four, or of all, occur."""
    low, high = (0, 1) if kind == "pred" else limits(kind)
    last = min(low + 4, high) - 1
    body = [f"v = {kind}[{COUNT}] rng(a, b), distribution=rng_uniform", "f = pred[] constant(false)"]
    for name, number in (("c", low), ("d", last)):
        body += [f"n{name} = {kind}[] constant({number if kind != 'pred' else 'false'})",
                 f"m{name} = {kind}[{COUNT}] broadcast(n{name}), dimensions={{}}",
                 f"e{name} = pred[{COUNT}] compare(v, m{name}), direction=EQ",
                 f"{name} = " + REDUCED.format(f"e{name}", "f", "any")]
    return Sample(f"{kind}[] {kind}[]", "pred[] and(c, d)", [[low], [last + 1]], body=body, computations=[ANY],
                  reason="the first and the last number of the range are among 4096 elements")


def far_from(value, expected, margin):
    """Returns instructions that compute |value - expected| and the margin, for an f64; the root compares them."""
    return [f"e = f64[] constant({expected!r})", f"o = f64[] subtract({value}, e)", "g = f64[] abs(o)",
            f"m = f64[] constant({margin!r})"]


def summed(kind, distribution, count, of="w"):
    """Returns instructions that draw, and compute the mean of their f64 values, or of their squares."""
    body = [f"v = {kind}[{count}] rng(a, b), distribution={distribution}", f"w = f64[{count}] convert(v)"]
    if of != "w":
        body.append(f"{of} = f64[{count}] multiply(w, w)")
    return [*body, "z = f64[] constant(0)", f"s = f64[] reduce({of}, z), dimensions={{0}}, to_apply=add",
            f"c = f64[] constant({count})", "y = f64[] divide(s, c)"]


ADD = called("add", "x:f64[] y:f64[]", "ROOT z = f64[] add(x, y)")


def mean(kind):
    """Returns a Sample that is true if the mean of uniform numbers of [1, 4) is near that of the interval."""
    count = MANY if kind == "f32" else COUNT
    # The deviation of one element is 3 / sqrt(12), and rounding to bf16 shifts by less than 2^-7.
    margin = 8 * math.sqrt(9 / 12 / count)
    return Sample(f"{kind}[] {kind}[]", "pred[] compare(g, m), direction=LT", [[1], [4]],
                  body=summed(kind, "rng_uniform", count) + far_from("y", 2.5, margin), computations=[ADD],
                  reason=f"the mean of {count} uniform elements of [1, 4) is nearer than 8 deviations to 2.5")


def long_interval():
    """Returns the same for an interval longer than the largest number."""
    low, high = -1.5 * 2.0**1023, 1.5 * 2.0**1023
    body = ["v = f64[4096] rng(a, b), distribution=rng_uniform", "n = f64[] constant(0)",
            "k = f64[4096] broadcast(n), dimensions={}", "p = pred[4096] compare(v, k), direction=LT",
            "w = f64[4096] convert(p)", "s = f64[] reduce(w, n), dimensions={0}, to_apply=add",
            "c = f64[] constant(4096)", "y = f64[] divide(s, c)"]
    return Sample("f64[] f64[]", "pred[] compare(g, m), direction=LT", [[low], [high]],
                  body=body + far_from("y", 0.5, 8 * 0.5 / 64), computations=[ADD],
                  reason="b - a is beyond f64: half of the elements are negative, within 8 deviations")


def deviation(kind):
    """Returns a Sample that is true if the mean square of normal numbers is near that of their distribution."""
    # The deviation of x^2 is sqrt(2) * 4.
    return Sample(f"{kind}[] {kind}[]", "pred[] compare(g, m), direction=LT", [[0], [2]],
                  body=summed(kind, "rng_normal", COUNT, "q") + far_from("y", 4.0, 8 * 4 * math.sqrt(2) / 64),
                  computations=[ADD],
                  reason="the mean square of 4096 normal elements of deviation 2 is nearer than 8 deviations to 4")
