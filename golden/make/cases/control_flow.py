"""Calls, branches, loops and asynchronous computations: which operand is which parameter, and digits in a state."""

from golden.make.modules import add_file
from golden.make.special_numbers import DIGITS
from golden.make.values import called

ORACLE = "exact arithmetic, XLA:CPU"
DIFFERENCE = called("difference", "x:s32[3] y:s32[3]", "ROOT z = s32[3] subtract(x, y)")
PYTHON = "a second evaluator in Python"
BETWEEN = called("between", "x:s32[3] y:s32[3] z:s32[3]", "ROOT r = s32[3] clamp(x, y, z)")
OPPOSITE = """opposite {
  x = s32[3] parameter(0)
  ROOT y = s32[3] negate(x)
}"""


def add_to(corpus):
    """Adds all files of this module."""
    add_choices(corpus)
    add_branches(corpus)
    add_loops(corpus)
    add_complex_states(corpus)
    add_calls(corpus)
    add_asynchronous(corpus)


def add_choices(corpus):
    """conditional."""
    branches = "\n\n".join(f"{name} {{\n  x = s32[] parameter(0)\n  ROOT r = s32[] {op}(x)\n}}" for name, op in
                           [("first", "negate"), ("second", "not"), ("third", "abs")])
    add_file(corpus, "conditional/s32_index", "s32[] s32[]",
             "s32[] conditional(a, b, b, b), branch_computations={first, second, third}",
             ("first", "the first branch", [0], [5]), ("last", "the last branch", [2], [5]),
             ("negative", "a negative index takes the last branch", [-1], [5]),
             ("beyond", "so does one beyond the branches", [3], [5]), header="conditional_s32_index",
             computations=branches, oracle=ORACLE)


def add_branches(corpus):
    """conditional: each branch has an operand of its own."""
    branches = "\n\n".join(f"{name} {{\n  x = f32[] parameter(0)\n  ROOT y = f32[] {op}(x)\n}}" for name, op in
                           (("same", "copy"), ("opposite", "negate"), ("size", "abs")))
    add_file(corpus, "conditional/f32_middle", "s32[] f32[] f32[] f32[] -> f32[]",
             "branch_computations={same, opposite, size}",
             ("second", "the second branch has the third operand", [1], [5], [7], [3]), computations=branches)
    of_integers = branches.replace("f32", "s32").replace("copy(x)", "add(x, x)")
    add_file(corpus, "conditional/s32_branches", "s32[] s32[] s32[] s32[] -> s32[]",
             "branch_computations={same, opposite, size}",
             *[(name, "each branch has an operand of its own", [i], [5], [7], [-3]) for i, name in
               enumerate(("first", "second", "third"))], computations=of_integers)
    three = called("apart", "x:s32[] y:s32[] z:s32[]", "xy = s32[] subtract(x, y)", "ROOT r = s32[] multiply(xy, z)")
    add_file(corpus, "call/s32_three", "s32[] s32[] s32[] -> s32[]", "to_apply=apart",
             ("apart", "each operand is another parameter", [2], [3], [7]), computations=three)


def add_loops(corpus):
    """A loop that adds to a complex number."""
    add = called("more", "x:c64[]", "one = c64[] constant((1, 1))", "ROOT y = c64[] add(x, one)")
    ends = called("goes_on", "x:c64[]", "r = f32[] real(x)", "end = f32[] constant(16777215)",
                  "ROOT p = pred[] compare(r, end), direction=LT")
    add_file(corpus, "while/c64_digits", "c64[] -> c64[]", "condition=goes_on, body=more",
             ("sum", DIGITS, [2.0**24 - 3, 4097]), computations=f"{ends}\n\n{add}")


def add_complex_states(corpus):
    """A complex number in the state of a loop."""
    text = ("more {{\n  s = (s32[], {0}[2]) parameter(0)\n  i = s32[] get-tuple-element(s), index=0\n"
            "  n = s32[] constant(3)\n  ROOT p = pred[] compare(i, n), direction=LT\n}}\n\nnext {{\n"
            "  s = (s32[], {0}[2]) parameter(0)\n  i = s32[] get-tuple-element(s), index=0\n"
            "  z = {0}[2] get-tuple-element(s), index=1\n  one = s32[] constant(1)\n  j = s32[] add(i, one)\n"
            "  q = {0}[2] multiply(z, z)\n  w = {0}[2] {1}(q)\n  ROOT t = (s32[], {0}[2]) tuple(j, w)\n}}")
    for kind in ("c64", "c128"):
        for op in ("sine", "logistic"):
            add_file(corpus, f"while/{kind}_{op}", f"s32[] {kind}[2]",
                     f"(s32[], {kind}[2]) while(t), condition=more, body=next",
                     ("squares", f"the {op} of a square, three times: each step rounds both parts once", [0],
                      [0.5, 0.25, -1, 0]), computations=text.format(kind, op),
                     body=[f"t = (s32[], {kind}[2]) tuple(a, b)"])


def add_calls(corpus):
    """Adds calls whose result depends on the operands' order."""
    three = ["s32[3]", "s32[3]"]
    add_file(corpus, "call/s32_order", three, "s32[3] call(a, b), to_apply=difference",
             ("difference", "operand i is parameter i", [1, 2, 3], [5, -7, 11]), computations=DIFFERENCE)
    steps = called("step", "x:s32[] y:s32[]", "z = s32[] add(x, x)", "ROOT s = s32[] subtract(z, y)") + "\n\n" + called(
        "called", "x:s32[] y:s32[]", "ROOT s = s32[] call(x, y), to_apply=step")
    add_file(corpus, "reduce/s32_called", "s32[3] s32[] -> s32[]", "dimensions={0}, to_apply=called",
             ("steps", "the computation calls another one", [1, 10, 100], [7]), computations=steps)
    window = called("window", "x:s32[3,3,3] i:s32[] j:s32[] k:s32[]",
                    "y = s32[1,2,2] dynamic-slice(x, i, j, k), dynamic_slice_sizes={1,2,2}", "ij = s32[] add(i, j)",
                    "ijk = s32[] add(ij, k)", "all = s32[1,2,2] broadcast(ijk), dimensions={}",
                    "ROOT z = s32[1,2,2] add(y, all)")
    add_file(corpus, "fusion/s32_starts", "s32[3,3,3] s32[] s32[] s32[] -> s32[1,2,2]", "kind=kLoop, calls=window",
             ("starts", "each start is that of its dimension", list(range(27)), [2], [0], [1]), computations=window)
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
        add_file(corpus, f"{op}/s32_opposite", "s32[3]", "s32[3] async-done(u)",
                 ("result", "what was computed, not what it was computed of", [1, -2, 3]), computations=OPPOSITE,
                 body=steps, oracle=PYTHON)
    pair = "(f32[2], bf16[2])"
    steps = [f"t = {pair} tuple(a, b)", f"s = ({pair}, {pair}, u32[]) copy-start(t)"]
    add_file(corpus, "copy-done/types_side_by_side", "f32[2] bf16[2]", f"{pair} copy-done(s)",
             ("pair", "a tuple of two float types", [1, -2.5], [0.25, 3]), body=steps, oracle=PYTHON)
    steps = ["n = s32[3] negate(a)", "s = (s32[3], s32[3], u32[]) copy-start(n)", "c = s32[3] copy-done(s)"]
    add_file(corpus, "copy-done/s32_between_others", "s32[3]", "s32[3] add(c, a)",
             ("zero", "what a backend has computed, for what it computes next", [1, -2, 3]), body=steps, oracle=PYTHON)
    start = "s = ((s32[3], s32[3]), s32[3], u32[]) async-start(a, b), calls=difference"
    add_file(corpus, "async-start/s32_order", "s32[3] s32[3]", "s32[3] async-done(s)",
             ("difference", "operand i is parameter i", [1, 2, 3], [5, -7, 11]), computations=DIFFERENCE, body=[start],
             oracle=PYTHON)
    start = "s = ((s32[3], s32[3], s32[3]), s32[3], u32[]) async-start(a, b, c), calls=between"
    add_file(corpus, "async-start/s32_three", "s32[3] s32[3] s32[3]", "s32[3] async-done(s)",
             ("between", "operand i of three is parameter i", [0, 20, 40], [5, 15, 45], [10, 30, 41]),
             computations=BETWEEN, body=[start], oracle=PYTHON)
    steps = ["s = ((s32[3]), s32[3], u32[]) async-start(a), calls=between",
             "t = ((s32[3], s32[3]), s32[3], u32[]) async-update(s, b)",
             "u = ((s32[3], s32[3], s32[3]), s32[3], u32[]) async-update(t, c)"]
    add_file(corpus, "async-update/s32_late", "s32[3] s32[3] s32[3]", "s32[3] async-done(u)",
             ("steps", "operands of updates follow those of the start", [0, 20, 40], [5, 15, 45], [10, 30, 41]),
             computations=BETWEEN, body=steps, oracle=PYTHON)
