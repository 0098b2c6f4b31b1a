"""Goldens that kill mutants of operators by rules on attributes, operands, orders and places."""

from corpus.cases.mutant_numbers import GRADUAL, LEAST, NEAR_TIES, SUMMED_ONCE, TO_EVEN
from corpus.modules import OneOp, combiner, numbers

DIGITS = "more digits than a narrower type has"
MOVED = {"f16": [2047, -1025], "f32": [2.0**24 - 1, -(2.0**12) - 1], "c64": [2.0**24 - 1, 4097],
         "c128": [2.0**30 + 1, -(2.0**31) - 1]}


def add_to(corpus):
    """Adds all files of this module."""
    add_moved(corpus)
    add_sizes(corpus)
    add_reshapes(corpus)
    add_loops(corpus)
    add_scans(corpus)
    add_stochastic(corpus)
    add_windows(corpus)
    add_groups(corpus)
    add_branches(corpus)
    add_sums(corpus)
    add_orders(corpus)
    add_states(corpus)


def add_moved(corpus):
    """Ops that move elements keep all digits and all numbers."""
    def file(op, name, kind, reason, values, count):
        roots = {"bitcast": f"{kind}[{count}] bitcast(a)",
                 "custom-call": f'{kind}[{count}] custom-call(a), custom_call_target="Sharding"'}
        OneOp(corpus, op).file(f"{kind}_{name}", [f"{kind}[{count}]"], roots[op], ("numbers", reason, values))

    for kind in ("c64", "c128"):
        file("bitcast", "digits", kind, DIGITS, MOVED[kind], 1)
    for kind in ("bf16", "f32"):
        file("bitcast", "subnormal", kind, GRADUAL, [LEAST[kind], -3 * LEAST[kind]], 2)
    file("custom-call", "digits", "f16", DIGITS, MOVED["f16"], 2)
    file("custom-call", "subnormal", "bf16", GRADUAL, [LEAST["bf16"], -3 * LEAST["bf16"]], 2)
    file("custom-call", "subnormal", "f8e5m2", GRADUAL, [2.0**-16, -3 * 2.0**-16], 2)


def add_sizes(corpus):
    """set-dimension-size keeps the elements inside of the size."""
    rows = {"c128": MOVED["c128"], "f16": [*MOVED["f16"], LEAST["f16"]], "s16": [300, -301], "s32": [2**24 + 1, -70001],
            "u16": [300, 65535], "u64": [2**64 - 1, 2**53 + 1], "f8e5m2": [2.0**-16, -3 * 2.0**-16],
            "f32": [LEAST["f32"], "-0", "nan", "x7f7fffff"]}
    for kind, values in rows.items():
        count = len(values) // (2 if kind == "c128" else 1)
        OneOp(corpus, "set-dimension-size").file(
            f"{kind}_numbers", [f"{kind}[{count}]", "s32[]"],
            f"{kind}[<={count}] set-dimension-size(a, b), dimensions={{0}}",
            ("kept", "elements inside of the size keep their bits", values, [count]))
    OneOp(corpus, "set-dimension-size").file(
        "s32_long", ["s32[63]", "s32[]"], "s32[<=63] set-dimension-size(a, b), dimensions={0}",
        ("all", "a long row, to its last element", numbers(63), [63]))


def add_reshapes(corpus):
    """dynamic-reshape: each dimension has a size of its own."""
    OneOp(corpus, "dynamic-reshape").file(
        "s32_three_sizes", ["s32[64]", "s32[]", "s32[]", "s32[]", "s32[]"],
        "(s32[], s32[], s32[]) tuple(x, y, z)",
        ("sizes", "each operand is the size of its own dimension", numbers(64), [24], [2], [3], [4]),
        body=["v = s32[<=64] set-dimension-size(a, b), dimensions={0}",
              "w = s32[<=4,<=4,<=4] dynamic-reshape(v, c, d, e)",
              *[f"{name} = s32[] get-dimension-size(w), dimensions={{{d}}}" for d, name in enumerate("xyz")]])
    for kind in ("bf16", "f16"):
        OneOp(corpus, "dynamic-reshape").file(
            f"{kind}_subnormal", [f"{kind}[4]", "s32[]", "s32[]"], f"{kind}[2,<=2] dynamic-reshape(a, b, c)",
            ("numbers", GRADUAL, [LEAST[kind], -3 * LEAST[kind], 5 * LEAST[kind], 1], [2], [2]))


def add_loops(corpus):
    """A loop that adds to a complex number."""
    add = """more {
  x = c64[] parameter(0)
  one = c64[] constant((1, 1))
  ROOT y = c64[] add(x, one)
}"""
    ends = """goes_on {
  x = c64[] parameter(0)
  r = f32[] real(x)
  end = f32[] constant(16777215)
  ROOT p = pred[] compare(r, end), direction=LT
}"""
    OneOp(corpus, "while").file("c64_digits", ["c64[]"], "c64[] while(a), condition=goes_on, body=more",
                                ("sum", DIGITS, [2.0**24 - 3, 4097]), computations=f"{ends}\n\n{add}")


def add_scans(corpus):
    """Running sums."""
    def step(kind):
        return (f"running {{\n  x = {kind}[] parameter(0)\n  y = {kind}[] parameter(1)\n  z = {kind}[] add(y, x)\n"
                f"  ROOT t = ({kind}[], {kind}[]) tuple(z, z)\n}}")

    for name, is_associative, reason in (("exact_sums", "true", "each sum is exact, and rounded once"),
                                         ("one_by_one", "false", "each step is rounded")):
        OneOp(corpus, "scan").file(
            f"f32_{name}", ["f32[3]", "f32[]"],
            f"(f32[3], f32[]) scan(a, b), dimensions={{0}}, num_carries=1, is_associative={is_associative}, "
            "to_apply=running", ("ones", reason, [1, 1, 1], [2.0**24]), computations=step("f32"))
    OneOp(corpus, "scan").file(
        "c128_digits", ["c128[1]", "c128[]"],
        "(c128[1], c128[]) scan(a, b), dimensions={0}, num_carries=1, is_associative=false, to_apply=running",
        ("sum", DIGITS, MOVED["c128"], [1, 2.0**40 + 1]), computations=step("c128"))


def add_stochastic(corpus):
    """stochastic-convert of numbers that the result's type has, and of numbers that no narrower type distinguishes."""
    def file(name, kind, bits, result, *cases):
        count = len(cases[0][2])
        OneOp(corpus, "stochastic-convert").file(name, [f"{kind}[{count}]", f"u{bits}[{count}]"],
                                                 f"{result}[{count}] stochastic-convert(a, b)", *cases)

    file("bf16_range", "bf16", 16, "f32", ("large", "numbers beyond f16", [2.0**20, 2.0**-30], [0, 0]))
    file("f64_digits", "f64", 64, "f32",
         ("next", "a part cut off that f32 does not see", [1 + 2.0**-50, 1 + 2.0**-24 + 2.0**-50],
          [0, 2**63]))
    file("f32_specials", "f32", 32, "f32",
         ("kept", "NaN and both zeros stay, and so do subnormal numbers", ["nan", "-0", 3 * LEAST["f32"]], [0, 0, 0]))
    file("f32_ends", "f32", 32, "f32",
         ("kept", "infinities and the largest number stay", ["inf", "-inf", "x7f7fffff"], [0, 0, 0]))
    file("f64_subnormal", "f64", 64, "f64", ("kept", GRADUAL, [3 * LEAST["f64"], -LEAST["f64"]], [0, 0]))
    file("bf16_subnormal", "bf16", 16, "f32", ("kept", GRADUAL, [3 * LEAST["bf16"], -LEAST["bf16"]], [0, 0]))


def add_windows(corpus):
    """Reversed windows: a fold that depends on the order, and a choice among equal numbers."""
    OneOp(corpus, "reduce-window").file(
        "s32_reversed_order", ["s32[4]", "s32[]"],
        "s32[3] reduce-window(a, b), window={size=2 rhs_reversal=1}, to_apply=shift_in",
        ("order", "the last cell of a reversed window comes first", [1, 3, 5, 7], [0]),
        computations="shift_in {\n  x = s32[] parameter(0)\n  y = s32[] parameter(1)\n  ten = s32[] constant(10)\n"
                     "  z = s32[] multiply(x, ten)\n  ROOT r = s32[] add(z, y)\n}")
    OneOp(corpus, "select-and-scatter").file(
        "s32_subtracts", ["s32[4]", "s32[2]", "s32[]"],
        "s32[4] select-and-scatter(a, b, c), window={size=2 stride=2}, select=choose, scatter=subtract",
        ("order", "what is there so far comes first, and the source's element second", [1, 3, 5, 4], [10, 20], [7]),
        computations=combiner("compare", "s32", "choose", ", direction=GE") + "\n\n" + combiner("subtract", "s32"))
    OneOp(corpus, "select-and-scatter").file(
        "s32_scalar_subtracts", ["s32[]"] * 3,
        "s32[] select-and-scatter(a, b, c), select=choose, scatter=subtract",
        ("order", "of scalars too", [1], [10], [7]),
        computations=combiner("compare", "s32", "choose", ", direction=GE") + "\n\n" + combiner("subtract", "s32"))
    OneOp(corpus, "select-and-scatter").file(
        "s32_reversed_ties", ["s32[4]", "s32[2]", "s32[]"],
        "s32[4] select-and-scatter(a, b, c), window={size=2 stride=2 rhs_reversal=1}, select=choose, scatter=add",
        ("equal", "of equal numbers the first one of the reversed window is chosen", [3, 3, 5, 5], [10, 20], [0]),
        computations=combiner("compare", "s32", "choose", ", direction=GE") + "\n\n" + combiner("add", "s32"))


def add_groups(corpus):
    """Groups of a convolution: each is a run of the result's features."""
    for name, base, kernel in (("feature", "s32[1,1,2]", "s32[1,1,4]"), ("batch", "s32[2,1,1]", "s32[1,1,4]")):
        OneOp(corpus, "convolution").file(
            f"s32_{name}_groups_of_two", [base, kernel],
            f"s32[1,1,4] convolution(a, b), window={{size=1}}, dim_labels=b0f_0io->b0f, {name}_group_count=2",
            ("runs", "the first group gives the first two features of the result", [3, 10], [1, 2, 3, 4]))


def add_branches(corpus):
    """conditional: each branch has an operand of its own."""
    branches = "\n\n".join(f"{name} {{\n  x = f32[] parameter(0)\n  ROOT y = f32[] {op}(x)\n}}"
                           for name, op in (("same", "copy"), ("opposite", "negate"), ("size", "abs")))
    OneOp(corpus, "conditional").file(
        "f32_middle", ["s32[]"] + ["f32[]"] * 3,
        "f32[] conditional(a, b, c, d), branch_computations={same, opposite, size}",
        ("second", "the second branch has the third operand", [1], [5], [7], [3]), computations=branches)
    of_integers = branches.replace("f32", "s32").replace("copy(x)", "add(x, x)")
    OneOp(corpus, "conditional").file(
        "s32_branches", ["s32[]"] * 4,
        "s32[] conditional(a, b, c, d), branch_computations={same, opposite, size}",
        *[(name, "each branch has an operand of its own", [i], [5], [7], [-3])
          for i, name in enumerate(("first", "second", "third"))], computations=of_integers)
    three = """apart {
  x = s32[] parameter(0)
  y = s32[] parameter(1)
  z = s32[] parameter(2)
  xy = s32[] subtract(x, y)
  ROOT r = s32[] multiply(xy, z)
}"""
    OneOp(corpus, "call").file("s32_three", ["s32[]"] * 3, "s32[] call(a, b, c), to_apply=apart",
                               ("apart", "each operand is another parameter", [2], [3], [7]), computations=three)


def add_sums(corpus):
    """Sums of scattered numbers, and a power near a tie."""
    add = combiner("add", "f32")
    OneOp(corpus, "scatter").file(
        "sum_f32_up", ["f32[1]", "s32[1,1]", "f32[1]"],
        "f32[1] scatter(a, b, c), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
        "index_vector_dim=1, to_apply=add", ("sum", TO_EVEN + ", here away from zero", [2.0**24], [0], [3]),
        computations=add)
    OneOp(corpus, "power").file(
        "bf16_once", ["bf16[2]"] * 2, "bf16[2] power(a, b)",
        ("near_ties", "one rounding: f32 takes the power for a tie", [0.365234375, 3.65625], [0.5078125, 0.109375]))
    choose = combiner("compare", "f16", "choose", ", direction=GE")
    OneOp(corpus, "select-and-scatter").file(
        "f16_once", ["f16[3]", "f16[3]", "f16[]"],
        "f16[3] select-and-scatter(a, b, c), window={size=3 pad=1_1}, select=choose, scatter=add",
        ("sum", SUMMED_ONCE, [1, 2, 1], NEAR_TIES["f16"], [0]), computations=f"{choose}\n\n" + combiner("add", "f16"))


def add_orders(corpus):
    """Folds and fusions with asymmetric parameters: 10 x + y, two at a time."""
    step = """shift_in_both {
  x = s32[] parameter(0)
  v = s32[] parameter(1)
  y = s32[] parameter(2)
  w = s32[] parameter(3)
  ten = s32[] constant(10)
  xt = s32[] multiply(x, ten)
  vt = s32[] multiply(v, ten)
  xy = s32[] add(xt, y)
  vw = s32[] add(vt, w)
  ROOT r = (s32[], s32[]) tuple(xy, vw)
}"""
    apart, scalars = "what is there so far comes before the next element", [[3], [4], [1], [2]]
    two, pair = ["s32[2]", "s32[2]", "s32[]", "s32[]"], "(s32[], s32[])"
    for op, window in (("reduce", "dimensions={}"), ("reduce-window", "window={}")):
        rest = "dimensions={0}" if op == "reduce" else "window={size=2}"
        result = pair if op == "reduce" else "(s32[1], s32[1])"
        OneOp(corpus, op).file("s32_scalars_in_order", ["s32[]"] * 4,
                               f"{pair} {op}(a, b, c, d), {window}, to_apply=shift_in_both",
                               ("order", apart, *scalars), computations=step)
        OneOp(corpus, op).file("s32_pairs_in_order", two, f"{result} {op}(a, b, c, d), {rest}, to_apply=shift_in_both",
                               ("order", apart, [3, 5], [4, 6], [1], [2]), computations=step)
    OneOp(corpus, "scatter").file(
        "s32_pairs_in_order", ["s32[2]", "s32[2]", "s32[1,1]", "s32[1]", "s32[1]"],
        "(s32[2], s32[2]) scatter(a, b, c, d, e), update_window_dims={}, inserted_window_dims={0}, "
        "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=shift_in_both",
        ("order", apart, [1, 2], [3, 4], [1], [5], [6]), computations=step)
    fused = """weighted {
  x = s32[] parameter(0)
  y = s32[] parameter(1)
  v = s32[] parameter(2)
  w = s32[] parameter(3)
  two = s32[] constant(2)
  y2 = s32[] multiply(y, two)
  v3 = s32[] shift-left(v, two)
  s = s32[] subtract(x, y2)
  t = s32[] subtract(v3, w)
  ROOT r = s32[] multiply(s, t)
}"""
    OneOp(corpus, "fusion").file("s32_four_scalars", ["s32[]"] * 4,
                                 "s32[] fusion(a, b, c, d), kind=kLoop, calls=weighted",
                                 ("weights", "each operand is another parameter", [1], [2], [3], [5]),
                                 computations=fused)
    OneOp(corpus, "logistic").file(
        "f32_next_to_ties", ["f32[3]"], "f32[3] logistic(a)",
        ("half", "1/2 + x/4 is halfway, and the value is nearer to 0 by less than f64 tells",
         [2.0**-23, 3 * 2.0**-23, -(2.0**-24)]))


def add_states(corpus):
    """rng-get-and-update-state in a loop: the state increases by delta each time."""
    text = """goes_on {
  p = (s32[], u64[2], s32[]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] get-tuple-element(p), index=2
  ROOT c = pred[] compare(i, n), direction=LT
}

draw {
  p = (s32[], u64[2], s32[]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  k = s32[] constant(1)
  n = s32[] get-tuple-element(p), index=2
  j = s32[] add(i, k)
  s = u64[2] rng-get-and-update-state(), delta=9223372036854775807
  ROOT t = (s32[], u64[2], s32[]) tuple(j, s, n)
}"""
    # One case: XLA:CPU keeps its state from one run to the next.
    OneOp(corpus, "rng-get-and-update-state").file(
        "u64_fourth", ["s32[]", "u64[]", "s32[]"], "u64[2] get-tuple-element(w), index=1",
        ("fourth", "the start and three times delta: the second word counts what the first one carries", [0], [0], [4]),
        computations=text, oracle="XLA:CPU",
        body=["z = u64[2] broadcast(b), dimensions={}", "t = (s32[], u64[2], s32[]) tuple(a, z, c)",
              "w = (s32[], u64[2], s32[]) while(t), condition=goes_on, body=draw"])
