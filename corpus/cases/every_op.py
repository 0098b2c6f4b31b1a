"""Goldens for the mutants (backends/mutant) of every op: calls, constants, starts and ends, state, parts, roundings."""

from corpus.modules import OneOp, combiner, entry

PYTHON = "a second evaluator in Python"
DIFFERENCE = """difference {
  x = s32[3] parameter(0)
  y = s32[3] parameter(1)
  ROOT z = s32[3] subtract(x, y)
}"""
BETWEEN = """between {
  x = s32[3] parameter(0)
  y = s32[3] parameter(1)
  z = s32[3] parameter(2)
  ROOT r = s32[3] clamp(x, y, z)
}"""
OPPOSITE = """opposite {
  x = s32[3] parameter(0)
  ROOT y = s32[3] negate(x)
}"""


def add_to(corpus):
    """Adds all files of this module."""
    add_calls(corpus)
    add_asynchronous(corpus)
    add_constants(corpus)
    add_sizes(corpus)
    add_random_numbers(corpus)
    add_groups(corpus)
    add_parts(corpus)
    add_roundings(corpus)


def add_calls(corpus):
    """Adds calls whose result depends on the operands' order."""
    three = ["s32[3]", "s32[3]"]
    OneOp(corpus, "call").file("s32_order", three, "s32[3] call(a, b), to_apply=difference",
                               ("difference", "operand i is parameter i", [1, 2, 3], [5, -7, 11]),
                               computations=DIFFERENCE)
    steps = """step {
  x = s32[] parameter(0)
  y = s32[] parameter(1)
  z = s32[] add(x, x)
  ROOT s = s32[] subtract(z, y)
}

called {
  x = s32[] parameter(0)
  y = s32[] parameter(1)
  ROOT s = s32[] call(x, y), to_apply=step
}"""
    OneOp(corpus, "reduce").file("s32_called", ["s32[3]", "s32[]"],
                                 "s32[] reduce(a, b), dimensions={0}, to_apply=called",
                                 ("steps", "the computation calls another one", [1, 10, 100], [7]), computations=steps)
    window = """window {
  x = s32[3,3,3] parameter(0)
  i = s32[] parameter(1)
  j = s32[] parameter(2)
  k = s32[] parameter(3)
  y = s32[1,2,2] dynamic-slice(x, i, j, k), dynamic_slice_sizes={1,2,2}
  ij = s32[] add(i, j)
  ijk = s32[] add(ij, k)
  all = s32[1,2,2] broadcast(ijk), dimensions={}
  ROOT z = s32[1,2,2] add(y, all)
}"""
    OneOp(corpus, "fusion").file("s32_starts", ["s32[3,3,3]", "s32[]", "s32[]", "s32[]"],
                                 "s32[1,2,2] fusion(a, b, c, d), kind=kLoop, calls=window",
                                 ("starts", "each start is that of its dimension", list(range(27)), [2], [0], [1]),
                                 computations=window)
    text = """HloModule parameter_s32_order

ENTRY main {
  b = s32[2] parameter(1)
  a = s32[2] parameter(0)
  ROOT r = s32[2] subtract(a, b)
}"""
    case = corpus.file("parameter/s32_order", text, "parameter s32 level1", "a second evaluator in Python, XLA:CPU")
    case("numbers", "the number counts, not the place in the text", ("s32[2]", [1, 2]), ("s32[2]", [10, 30]))


def add_asynchronous(corpus):
    """A computation whose result differs from its operands."""
    whole = "((s32[3]), s32[3], u32[])"
    steps = [f"s = {whole} async-start(a), calls=opposite", f"u = {whole} async-update(s)"]
    for op in ("async-done", "async-update"):
        OneOp(corpus, op).file("s32_opposite", ["s32[3]"], "s32[3] async-done(u)",
                               ("result", "what was computed, not what it was computed of", [1, -2, 3]),
                               computations=OPPOSITE, body=steps, oracle=PYTHON)
    pair = "(f32[2], bf16[2])"
    steps = [f"t = {pair} tuple(a, b)", f"s = ({pair}, {pair}, u32[]) copy-start(t)"]
    OneOp(corpus, "copy-done").file("types_side_by_side", ["f32[2]", "bf16[2]"], f"{pair} copy-done(s)",
                                    ("pair", "a tuple of two float types", [1, -2.5], [0.25, 3]), body=steps,
                                    oracle=PYTHON)
    start = "s = ((s32[3], s32[3]), s32[3], u32[]) async-start(a, b), calls=difference"
    OneOp(corpus, "async-start").file("s32_order", ["s32[3]", "s32[3]"], "s32[3] async-done(s)",
                                      ("difference", "operand i is parameter i", [1, 2, 3], [5, -7, 11]),
                                      computations=DIFFERENCE, body=[start], oracle=PYTHON)
    steps = ["s = ((s32[3]), s32[3], u32[]) async-start(a), calls=between",
             "t = ((s32[3], s32[3]), s32[3], u32[]) async-update(s, b)",
             "u = ((s32[3], s32[3], s32[3]), s32[3], u32[]) async-update(t, c)"]
    OneOp(corpus, "async-update").file("s32_late", ["s32[3]"] * 3, "s32[3] async-done(u)",
                                       ("steps", "operands of updates follow those of the start",
                                        [0, 20, 40], [5, 15, 45], [10, 30, 41]),
                                       computations=BETWEEN, body=steps, oracle=PYTHON)


def add_constants(corpus):
    """Constants whose layout is not the order of their text."""
    body = ["k = s32[2,3]{0,1} constant({{1, 2, 3}, {4, 5, 6}})"]
    OneOp(corpus, "constant").file("s32_column_major", [], "s32[2,3]{1,0} copy(k)",
                                   ("rows", "a literal is written row by row, whatever its layout"), body=body)


def add_sizes(corpus):
    """Four elements of an array of six, as two by two of an array of two by three."""
    sized = ["v = f32[<=6] set-dimension-size(a, b), dimensions={0}",
             "w = f32[2,<=3] dynamic-reshape(v, c, d)"]
    parameters = ["f32[6]", "s32[]", "s32[]", "s32[]"]
    op = OneOp(corpus, "dynamic-reshape")
    op.file("f32_run_time_sizes", parameters, "s32[] get-dimension-size(w), dimensions={1}",
            ("size", "the size is the operand's, not the bound", [1, 2, 3, 4, 5, 6], [4], [2], [2]), body=sized,
            oracle=PYTHON)
    op.file("f32_run_time_products", parameters, "f32[2] reduce(w, z), dimensions={1}, to_apply=multiply",
            ("products", "rows of two elements, and of no padding", [1, 2, 3, 4, 5, 6], [4], [2], [2]),
            computations=combiner("multiply", "f32"), body=[*sized, "z = f32[] constant(1)"], oracle=PYTHON)


def add_random_numbers(corpus):
    """Adds ranges of one number, and the state that advances."""
    OneOp(corpus, "rng").file("s32_one_value", ["s32[]", "s32[]"], "s32[32] rng(a, b), distribution=rng_uniform",
                              ("below", "the range ends before its upper bound: one value is left", [5], [6]),
                              oracle="XLA:CPU")
    # A loop: XLA:CPU has a separate state for each of two instructions.
    state = "(s32[], u64[2], u64[2])"
    loop = f"""twice {{
  p = {state} parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant(2)
  ROOT c = pred[] compare(i, n), direction=LT
}}

draw {{
  p = {state} parameter(0)
  i = s32[] get-tuple-element(p), index=0
  k = s32[] constant(1)
  j = s32[] add(i, k)
  last = u64[2] get-tuple-element(p), index=2
  s = u64[2] rng-get-and-update-state(), delta=3
  ROOT t = {state} tuple(j, last, s)
}}"""
    body = ["z = u64[2] broadcast(b), dimensions={}", f"t = {state} tuple(a, z, z)",
            f"w = {state} while(t), condition=twice, body=draw", "first = u64[2] get-tuple-element(w), index=1",
            "second = u64[2] get-tuple-element(w), index=2", "d = pred[2] compare(first, second), direction=NE",
            "f = pred[] constant(false)"]
    OneOp(corpus, "rng-get-and-update-state").file(
        "u64_advances", ["s32[]", "u64[]"], "pred[] reduce(d, f), dimensions={0}, to_apply=or",
        ("twice", "the state has moved on", [0], [0]), computations=f"{combiner('or', 'pred')}\n\n{loop}", body=body,
        oracle="XLA:CPU")


def add_groups(corpus):
    """Starts of collectives in groups."""
    text = "\n\n".join(["HloModule all_reduce_start_groups, replica_count=4", combiner("add", "s32", "sum"),
                         entry(["s32[2]"], "s32[2] all-reduce-done(s)", body=[
                             "s = s32[2] all-reduce-start(a), replica_groups={{0,2},{1,3}}, to_apply=sum"])])
    case = corpus.file("all-reduce-start/s32_groups", text, "all-reduce-start s32 level2", "exact arithmetic, XLA:CPU")
    case("pairs", "only the devices of a group are added", *[("s32[2]", [10**d, -d]) for d in range(4)])


def add_parts(corpus):
    """Parts of complex numbers, in order and with all digits."""
    OneOp(corpus, "complex").file("f32_order", ["f32[2]", "f32[2]"], "c64[2] complex(a, b)",
                                  ("order", "the real part comes first", [1, 2], [3, -4]))
    digits = [1 + 2.0**-40, 3 - 2.0**-45, -2 - 2.0**-44, 5 + 2.0**-41]
    for op in ("real", "imag"):
        OneOp(corpus, op).file("c128_digits", ["c128[2]"], f"f64[2] {op}(a)",
                               ("digits", "more of them than f32 has", digits))


def add_roundings(corpus):
    """Numbers next to the ties of narrow types."""
    for kind, fraction in (("f8e4m3fn", 3), ("f8e5m2", 2), ("f8e4m3", 3), ("f8e3m4", 4)):
        tie = 2.0 ** -(fraction + 1)
        OneOp(corpus, "convert").file(f"f32_{kind}_twice", ["f32[4]"], f"{kind}[4] convert(a)",
                                      ("next_to_ties", "a little off a tie, by less than f16 resolves: one rounding",
                                       [1 + tie + 2.0**-20, 1 + 3 * tie - 2.0**-20, -1 - tie - 2.0**-20, 1 + tie]))
