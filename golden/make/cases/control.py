"""Goldens of calls, loops and branches over tuples, of tokens, and of ops that only forward their operand."""

from golden.make.modules import add_family, numbers
from golden.make.values import Sample, called, small
from golden.witness.element_types import COMPLEX, ELEMENT_TYPES

RARE = ("s1", "u1", "f6e3m2fn", "f6e2m3fn")
NAN = float("nan")
PAIR = "(f32[2], s32[])"
PAIRED = ["t = (f32[2], s32[]) tuple(a, b)"]
SWAP = called("swap", "p:(f32[2], s32[])", "x = f32[2] get-tuple-element(p), index=0",
              "n = s32[] get-tuple-element(p), index=1", "ROOT t = (s32[], f32[2]) tuple(n, x)")
GROW = called("grow", "p:(f32[2], s32[])", "x = f32[2] get-tuple-element(p), index=0",
              "n = s32[] get-tuple-element(p), index=1", "y = f32[2] add(x, x)", "m = s32[] add(n, n)",
              "ROOT t = (f32[2], s32[]) tuple(y, m)")
SHRINK = called("shrink", "p:(f32[2], s32[])", "x = f32[2] get-tuple-element(p), index=0",
                "n = s32[] get-tuple-element(p), index=1", "y = f32[2] negate(x)", "m = s32[] not(n)",
                "ROOT t = (f32[2], s32[]) tuple(y, m)")


def add_to(corpus):
    """Adds all files of this module."""
    for path, samples in (
        ("convert/pairs", pair_samples()),
        ("call/shapes", call_samples()), ("fusion/kinds", fusion_samples()), ("conditional/shapes", branch_samples()),
        ("while/shapes", loop_samples()), ("after-all/orders", token_samples()), ("select/shapes", select_samples()),
        ("clamp/shapes", clamp_samples()), ("bitcast/layouts", bitcast_samples()),
        ("get-tuple-element/nested", tuple_samples()), ("get-dimension-size/sizes", size_samples()),
        ("stochastic-convert/ways", stochastic_samples()),
        ("reduce-precision/bits", precision_samples()),
    ):
        add_family(corpus, path, samples)


def pair_samples():
    """Conversions of each type to all: one module for each type, its result a tuple. Most types can represent the
    numbers."""
    samples = {}
    for source in ELEMENT_TYPES:
        # Few peers have these types, which would exclude the rest of their module.
        targets = [k for k in ELEMENT_TYPES if k not in RARE and not (k == "pred" and source in COMPLEX)]
        lines = [f"t{i} = {k}[5] convert(a)" for i, k in enumerate(targets)]
        shape = ", ".join(f"{k}[5]" for k in targets)
        root = f"({shape}) tuple({', '.join(f't{i}' for i in range(len(targets)))})"
        samples[source] = Sample([f"{source}[5]"], root, [small(source, 5)], body=lines,
                                 reason="to every type that peers have")
    return samples


def call_samples():
    """call: tuples, no argument, unused ones."""
    seven = "seven {\n  ROOT c = s32[] constant(7)\n}"
    first = "first {\n  x = f32[2] parameter(0)\n  ROOT y = f32[2] parameter(1)\n}"
    return {
        "none": Sample("-> s32[]", "to_apply=seven", [], computations=[seven], reason="no argument"),
        "tuple": Sample("f32[2] s32[]", "(s32[], f32[2]) call(t), to_apply=swap", [[1, NAN], [7]], body=PAIRED,
                        computations=[SWAP], reason="a tuple in, a tuple out"),
        "unused": Sample("f32[2] f32[2] -> f32[2]", "to_apply=first", [[1, 2], [3, 4]], computations=[first],
                         reason="an argument that nobody reads"),
        "twice": Sample("f32[2] s32[]", f"{PAIR} call(u), to_apply=grow", [[1, -3], [5]],
                        body=[*PAIRED, f"u = {PAIR} call(t), to_apply=grow"], computations=[GROW],
                        reason="the same computation twice"),
    }


def fusion_samples():
    """fusion of every kind."""
    samples = {}
    for kind in ("kLoop", "kInput", "kOutput", "kCustom"):
        name = f"square_{kind}"
        body = f"{name} {{\n  x = f32[3] parameter(0)\n  ROOT y = f32[3] multiply(x, x)\n}}"
        samples[kind] = Sample("f32[3] -> f32[3]", f"kind={kind}, calls={name}", [[1, -2, NAN]], computations=[body],
                               reason="the kind says nothing of the value")
    several = called("several", "x:f32[2] y:f32[2]", "s = f32[2] add(x, y)", "d = f32[2] subtract(x, y)",
                     "ROOT t = (f32[2], f32[2]) tuple(s, d)")
    inner = "inner {\n  x = s32[2] parameter(0)\n  ROOT y = s32[2] negate(x)\n}"
    outer = called("outer", "x:s32[2]", "y = s32[2] fusion(x), kind=kLoop, calls=inner",
                   "ROOT z = s32[2] multiply(y, y)")
    samples["results"] = Sample("f32[2] f32[2] -> (f32[2], f32[2])", "kind=kLoop, calls=several", [[1, 2], [3, -4]],
                                computations=[several], reason="two results")
    samples["nested"] = Sample("s32[2] -> s32[2]", "kind=kLoop, calls=outer", [[-46341, 3]],
                               computations=[inner, outer], reason="a fusion in a fusion")
    return samples


def branch_samples():
    """conditional: tuples, an operand for each branch, a single branch."""
    length = "length {\n  x = f32[3] parameter(0)\n  ROOT c = s32[] constant(3)\n}"
    value = "value {\n  ROOT x = s32[] parameter(0)\n}"
    swapped = "swapped {\n  p = (f32[2], s32[]) parameter(0)\n  ROOT t = (s32[], f32[2]) call(p), to_apply=swap\n}"
    return {
        "tuple": Sample("pred[] f32[2] s32[]",
                        f"{PAIR} conditional(a, t, t), true_computation=grow, false_computation=shrink",
                        [[1], [1.5, -2], [3]], body=["t = (f32[2], s32[]) tuple(b, c)"], computations=[GROW, SHRINK],
                        reason="tuples in and out", more={"_false": [[0], [1.5, -2], [3]]}),
        "operands": Sample("pred[] f32[3] s32[] -> s32[]", "true_computation=length, false_computation=value",
                           [[1], [1, 2, 3], [9]], computations=[length, value],
                           reason="each branch has an operand of its own", more={"_false": [[0], [1, 2, 3], [9]]}),
        "one": Sample("s32[] f32[2] s32[]", "(s32[], f32[2]) conditional(a, t), branch_computations={swapped}",
                      [[5], [1, 2], [3]], body=["t = (f32[2], s32[]) tuple(b, c)"], computations=[SWAP, swapped],
                      reason="a single branch serves every index"),
    }


def loop_samples():
    """while: a loop in a loop, and an array written element by element."""
    state = "(s32[], s32[])"
    parts = ("  i = s32[] get-tuple-element(p), index=0\n  n = s32[] get-tuple-element(p), index=1\n"
             "  one = s32[] constant(1)\n")
    inner_more = (f"inner_more {{\n  p = {state} parameter(0)\n{parts}  five = s32[] constant(5)\n"
                  "  ROOT c = pred[] compare(i, five), direction=LT\n}")
    inner_step = (f"inner_step {{\n  p = {state} parameter(0)\n{parts}  j = s32[] add(i, one)\n"
                  f"  m = s32[] add(n, one)\n  ROOT t = {state} tuple(j, m)\n}}")
    outer_more = (f"outer_more {{\n  p = {state} parameter(0)\n{parts}  four = s32[] constant(4)\n"
                  "  ROOT c = pred[] compare(i, four), direction=LT\n}")
    outer_step = (f"outer_step {{\n  p = {state} parameter(0)\n{parts}  j = s32[] add(i, one)\n"
                  f"  zero = s32[] constant(0)\n  q = {state} tuple(zero, n)\n"
                  f"  w = {state} while(q), condition=inner_more, body=inner_step\n"
                  f"  m = s32[] get-tuple-element(w), index=1\n  ROOT t = {state} tuple(j, m)\n}}")
    buffer = "(s32[], f32[4])"
    fill_more = called("fill_more", f"p:{buffer}", "i = s32[] get-tuple-element(p), index=0",
                       "four = s32[] constant(4)", "ROOT c = pred[] compare(i, four), direction=LT")
    fill_step = called("fill_step", f"p:{buffer}", "i = s32[] get-tuple-element(p), index=0",
                       "v = f32[4] get-tuple-element(p), index=1", "one = s32[] constant(1)", "j = s32[] add(i, one)",
                       "x = f32[] convert(j)", "y = f32[] multiply(x, x)", "u = f32[1] reshape(y)",
                       "w = f32[4] dynamic-update-slice(v, u, i)", f"ROOT t = {buffer} tuple(j, w)")
    return {
        "nested": Sample("s32[] s32[]", f"{state} while(t), condition=outer_more, body=outer_step", [[0], [100]],
                         body=[f"t = {state} tuple(a, b)"],
                         computations=[inner_more, inner_step, outer_more, outer_step], reason="a loop in a loop"),
        "fill": Sample("s32[] f32[4]", f"{buffer} while(t), condition=fill_more, body=fill_step", [[1], [0] * 4],
                       body=[f"t = {buffer} tuple(a, b)"], computations=[fill_more, fill_step],
                       reason="an array written element by element"),
    }


def token_samples():
    """after-all: no token, and tokens of tokens."""
    return {
        "none": Sample("f32[]", "f32[] add-dependency(a, q)", [[1.5]], body=["q = token[] after-all()"],
                       reason="no operand"),
        "joined": Sample("s32[2]", "s32[2] add-dependency(a, q)", [[1, -2]],
                         body=["u = token[] after-all()", "v = token[] after-all()", "w = token[] after-all(u, v)",
                               "q = token[] after-all(w, u, v)"], reason="tokens of tokens"),
    }


def select_samples():
    """select by one predicate, and of no element."""
    choices = [f"{name} = {shape} select({predicate}, {x}, {y})" for name, shape, predicate, x, y in
               (("f", "f32[2]", "a", "b", "d"), ("n", "s32[]", "a", "c", "e"))]
    return {
        "scalar": Sample("pred[] f32[3] f32[3] -> f32[3]", "", [[1], [1, NAN, 3], [4, 5, 6]],
                         reason="one predicate for all", more={"_false": [[0], [1, NAN, 3], [4, 5, -0.0]]}),
        "tuple": Sample("pred[] f32[2] s32[] f32[2] s32[]", f"{PAIR} tuple(f, n)", [[1], [1, 2], [3], [4, 5], [6]],
                        body=choices, reason="Select of tuples: each element by the one predicate",
                        more={"_false": [[0], [1, 2], [3], [4, 5], [6]]}),
        "empty": Sample("pred[0] s8[0] s8[0] -> s8[0]", "", [[], [], []], reason="no element"),
    }


def clamp_samples():
    """clamp by scalars, and of complex numbers."""
    return {
        "scalars": Sample("s32[] s32[3] s32[] -> s32[3]", "", [[0], [-1, 5, 9], [6]], reason="both bounds scalars"),
        "low": Sample("f32[] f32[3] f32[3] -> f32[3]", "", [[0], [-1, NAN, 9], [1, 2, 3]], reason="one bound a scalar"),
        "scalar": Sample("u8[] u8[] u8[] -> u8[]", "", [[3], [200], [100]], reason="all scalars"),
        "real": Sample("c64[] c64[4] c64[] -> c64[4]", "", [[0, 5], [-1, 9, 3, -9, 1, 7, 0, 5], [2, 0]],
                       reason="complex numbers are ordered by their real parts"),
        "imaginary": Sample("c64[] c64[4] c64[] -> c64[4]", "", [[0, 5], [0, 4, 0, 6, 2, 1, 2, -1], [2, 0]],
                            reason="where the real parts are equal, by the imaginary ones"),
        "crossed": Sample("c64[] c64[3] c64[] -> c64[3]", "", [[2, 0], [0, 0, 1, 1, 9, 9], [1, 5]],
                          reason="the upper bound wins"),
        "nan": Sample("c64[5] c64[5] c64[5] -> c64[5]", "",
                      [[NAN, 1, 1, 2, 1, 2, 1, NAN, 5, NAN], [2, 3, NAN, 3, 2, 3, 3, NAN, 1, 3],
                       [4, 5, 4, 5, 4, NAN, 4, 5, 2, 1]],
                      reason="the first operand with a NaN part; which one is open"),
    }


def bitcast_samples():
    """bitcast to another layout, another shape, another type."""
    return {
        "transposed": Sample("s8[2,3]", "s8[3,2]{1,0} bitcast(c)", [numbers(6)], body=["c = s8[2,3]{0,1} copy(a)"],
                             reason="the same memory, the other order: a transpose"),
        "cube": Sample("f32[2,3,4]", "f32[24]{0} bitcast(c)", ["f32[2,3,4] seeded 5"],
                       body=["c = f32[2,3,4]{1,2,0} copy(a)"], reason="three dimensions, dimension 1 minor"),
        "back": Sample("f32[6] -> f32[2,3]{0,1}", "", [numbers(6)], reason="into a column-major array"),
        "bits": Sample("f32[3] -> s32[3]{0}", "", [[1, -0.0, NAN]], reason="another type of the same width"),
    }


def tuple_samples():
    """get-tuple-element of nested tuples."""
    inner = "(f32[2], s32[])"
    outer = f"({inner}, pred[])"
    return {
        "inner": Sample("f32[2] s32[] pred[]", "s32[] get-tuple-element(p), index=1", [[1, 2], [3], [1]],
                        body=[f"t = {inner} tuple(a, b)", f"o = {outer} tuple(t, c)",
                              f"p = {inner} get-tuple-element(o), index=0"], reason="out of a tuple in a tuple"),
        "whole": Sample("f32[2] s32[] pred[]", f"{inner} get-tuple-element(o), index=0", [[1, 2], [3], [1]],
                        body=[f"t = {inner} tuple(a, b)", f"o = {outer} tuple(t, c)"], reason="a tuple as a whole"),
    }


def size_samples():
    """get-dimension-size."""
    return {
        "static": Sample("f32[2,0,5] -> s32[]", "dimensions={2}", [[]], reason="a static size"),
        "zero": Sample("f32[2,0,5] -> s32[]", "dimensions={1}", [[]], reason="no element"),
        "clamped": Sample("f32[3] s32[]", "s32[] get-dimension-size(d), dimensions={0}", [[1, 2, 3], [2]],
                          body=["d = f32[<=3] set-dimension-size(a, b), dimensions={0}"],
                          reason="the size that was set", more={"_zero": [[1, 2, 3], [0]], "_all": [[1, 2, 3], [3]]}),
    }


def stochastic_samples():
    """stochastic-convert: at the fraction's value, and beyond the range."""
    half = 1 << 31
    samples = {
        "f32_s32": Sample("f32[8] u32[8] -> s32[8]", "",
                          [[1.5, 1.5, -1.5, -1.5, 2, 0.25, -0.0, 7.75],
                           [half - 1, half, half - 1, half, 0, (1 << 30) - 1, 0, 3 << 30]],
                          reason="just below the part cut off, and at it"),
        "f32_s8": Sample("f32[6] u32[6] -> s8[6]", "", [[127.5, 200, -128.5, -300, float("inf"), NAN], [0] * 6],
                         reason="past the range: its end; NaN is 0"),
        "f64_s64": Sample("f64[3] u64[3] -> s64[3]", "", [[2.0**52 + 0.5, -0.5, 1e300], [1 << 62, 1 << 62, 0]],
                          reason="64 random bits"),
        "f16_u8": Sample("f16[4] u16[4] -> u8[4]", "", [[1.5, 254.5, 300, 0.5], [0, 0xFFFF, 0, 0x7FFF]],
                         reason="unsigned"),
    }
    return samples


def precision_samples():
    """reduce-precision without fraction bits: a tie goes to the pattern whose last bit, one of the exponent, is 0."""
    values = [1.5, 3, 6, -1.5, -3, 1, 5, 0.75]
    return {
        "f32_e8m0": Sample("f32[8] -> f32[8]", "exponent_bits=8, mantissa_bits=0", [values], reason="powers of two"),
        "f16_e5m0": Sample("f16[8] -> f16[8]", "exponent_bits=5, mantissa_bits=0", [values], reason="powers of two"),
        "f32_e1m2": Sample("f32[8] -> f32[8]", "exponent_bits=1, mantissa_bits=2", [values],
                           reason="one bit of exponent: zero and infinity"),
        "f64_e30m60": Sample("f64[3] -> f64[3]", "exponent_bits=30, mantissa_bits=60",
                             [["x0000000000000001", "x7fefffffffffffff", NAN]], reason="more bits than there are"),
    }
