"""Goldens of tuples, calls and control flow."""

from golden.make.modules import add_file, combiner
from golden.make.values import called

NAN = float("nan")
SQUARE = "square {\n  x = f32[3] parameter(0)\n  ROOT y = f32[3] multiply(x, x)\n}"


def add_to(corpus):
    """Adds all files of this module."""
    tuple_cases(corpus)
    call_cases(corpus)
    loop_cases(corpus)
    add_file(corpus, "rng-bit-generator/u32_threefry", "u64[2] -> (u64[2], u32[4])", "algorithm=rng_three_fry",
             ("zero", "key and counter zero", [0, 0]),
             ("carry", "the counter wraps", [1, 2**64 - 1]), oracle="XLA:CPU")
    add_file(corpus, "rng-bit-generator/u32_philox", "u64[3] -> (u64[3], u32[8])", "algorithm=rng_philox",
             ("zero", "key and counter zero", [0, 0, 0]),
             ("carry", "the counter wraps", [1, 2**64 - 1, 0]), oracle="XLA:CPU")


def tuple_cases(corpus):
    """tuple, get-tuple-element, copy and opt-barrier."""
    add_file(corpus, "tuple/mixed", "f32[2] s8[] pred[1] -> (f32[2], s8[], pred[1])", "",
             ("mixed", "types and shapes differ", [NAN, -0.0], [-128], [1]))
    add_file(corpus, "tuple/nested", "f32[] s32[]", "((f32[], s32[]), s32[]) tuple(t, b)",
             ("nested", "a tuple in a tuple", [1.5], [7]), body=["t = (f32[], s32[]) tuple(a, b)"])
    add_file(corpus, "get-tuple-element/mixed", "f32[2] s8[]", "s8[] get-tuple-element(t), index=1",
             ("second", "counted from 0", [1, 2], [-3]), body=["t = (f32[2], s8[]) tuple(a, b)"])
    for kind in ("f32", "s4", "pred", "c64"):
        values = {"f32": [NAN, -0.0], "s4": [-8, 7], "pred": [1, 0], "c64": [1, -0.0, NAN, 2]}[kind]
        add_file(corpus, f"copy/{kind}", f"{kind}[2] -> {kind}[2]", "", ("same", "nothing changes", values))
        add_file(corpus, f"opt-barrier/{kind}", f"{kind}[2] -> {kind}[2]", "", ("same", "nothing changes", values))
    add_file(corpus, "opt-barrier/tuple", "f32[] s32[]", "(f32[], s32[]) opt-barrier(t)",
             ("tuple", "each element passes", [1.5], [7]), body=["t = (f32[], s32[]) tuple(a, b)"])


def call_cases(corpus):
    """call, fusion and map."""
    add_file(corpus, "call/f32", "f32[3] -> f32[3]", "to_apply=square", ("square", "one call", [1, -2, 3]),
             computations=SQUARE)
    twice = SQUARE + "\n\ntwice {\n  x = f32[3] parameter(0)\n  s = f32[3] call(x), to_apply=square\n" \
        "  ROOT y = f32[3] call(s), to_apply=square\n}"
    add_file(corpus, "call/f32_nested", "f32[3] -> f32[3]", "to_apply=twice",
             ("nested", "a call in a call", [1, -2, 3]), computations=twice)
    add_file(corpus, "fusion/f32_loop", "f32[3] -> f32[3]", "kind=kLoop, calls=square",
             ("square", "a fusion is a call", [1, -2, 3]), computations=SQUARE)
    add_file(corpus, "map/f32_multiply", "f32[2,2] f32[2,2] -> f32[2,2]", "dimensions={0,1}, to_apply=multiply",
             ("pairs", "element by element", [1, 2, 3, NAN], [5, -0.0, 7, 8]), computations=combiner("multiply", "f32"))
    compare = combiner("compare", "s32", "less", ", direction=LT")
    add_file(corpus, "map/s32_pred", "s32[3] s32[3] -> pred[3]", "dimensions={0}, to_apply=less",
             ("other-type", "the result has another type", [1, 2, 3], [2, 2, 2]), computations=compare)


def loop_cases(corpus):
    """while and conditional."""
    double = "double {\n  x = f32[] parameter(0)\n  ROOT y = f32[] add(x, x)\n}"
    opposite = "opposite {\n  x = f32[] parameter(0)\n  ROOT y = f32[] negate(x)\n}"
    square = "square {\n  x = f32[] parameter(0)\n  ROOT y = f32[] multiply(x, x)\n}"
    add_file(corpus, "conditional/pred", "pred[] f32[] f32[] -> f32[]",
             "true_computation=double, false_computation=opposite",
             ("true", "the first branch", [1], [5], [7]),
             ("false", "the second branch", [0], [5], [7]), computations=f"{double}\n\n{opposite}")
    add_file(corpus, "conditional/index", "s32[] f32[] f32[] f32[] -> f32[]",
             "branch_computations={double, opposite, square}",
             ("first", "branch 0", [0], [5], [7], [3]),
             ("last", "branch 2", [2], [5], [7], [3]),
             ("past", "out of range: the last branch", [3], [5], [7], [3]),
             ("negative", "out of range: the last branch", [-1], [5], [7], [3]),
             computations=f"{double}\n\n{opposite}\n\n{square}")
    condition = called("below", "s:(s32[], f32[2], s32[])", "i = s32[] get-tuple-element(s), index=0",
                       "n = s32[] get-tuple-element(s), index=2", "ROOT p = pred[] compare(i, n), direction=LT")
    body = called("step", "s:(s32[], f32[2], s32[])", "i = s32[] get-tuple-element(s), index=0",
                  "v = f32[2] get-tuple-element(s), index=1", "n = s32[] get-tuple-element(s), index=2",
                  "two = s32[] constant(2)", "j = s32[] add(i, two)", "w = f32[2] add(v, v)",
                  "ROOT t = (s32[], f32[2], s32[]) tuple(j, w, n)")
    add_file(corpus, "while/counter", "s32[] f32[2] s32[]",
             "(s32[], f32[2], s32[]) while(t), condition=below, body=step",
             ("five", "a step of 2 that does not divide the bound", [0], [1, -3], [9]),
             ("never", "the condition is asked first", [4], [1, -3], [4]), computations=f"{condition}\n\n{body}",
             body=["t = (s32[], f32[2], s32[]) tuple(a, b, c)"])
    condition = called("small", "x:s32[]", "c = s32[] constant(1000)", "ROOT p = pred[] compare(x, c), direction=LT")
    body = called("triple", "x:s32[]", "c = s32[] constant(3)", "ROOT y = s32[] multiply(x, c)")
    add_file(corpus, "while/scalar", "s32[] -> s32[]", "condition=small, body=triple",
             ("powers", "the state is an array", [1]),
             ("negative", "runs until the product wraps", [-1]), computations=f"{condition}\n\n{body}")
    state = "  s = (s32[2], s32[2,3], s32[2,3]) parameter(0)\n  i = s32[2] get-tuple-element(s), index=0\n"
    condition = (f"inside {{\n{state}  v = s32[1] slice(i), slice={{[0:1]}}\n  n = s32[] reshape(v)\n"
                 "  two = s32[] constant(2)\n  ROOT p = pred[] compare(n, two), direction=LT\n}")
    body = (f"copy_one {{\n{state}  x = s32[2,3] get-tuple-element(s), index=1\n"
            f"  y = s32[2,3] get-tuple-element(s), index=2\n"
            "  e = s32[1,1] dynamic-slice(x, i), dynamic_slice_sizes={1,1}\n"
            "  z = s32[2,3] dynamic-update-slice(y, e, i)\n  one = s32[] constant(1)\n"
            "  ones = s32[2] broadcast(one), dimensions={}\n  j = s32[2] add(i, ones)\n"
            "  ROOT t = (s32[2], s32[2,3], s32[2,3]) tuple(j, x, z)\n}")
    add_file(corpus, "while/vector_of_starts", "s32[2] s32[2,3] s32[2,3]",
             "(s32[2], s32[2,3], s32[2,3]) while(t), condition=inside, body=copy_one",
             ("diagonal", "the starts of each turn as one vector", [0, 1], [1, 2, 3, 4, 5, 6], [0] * 6),
             computations=f"{condition}\n\n{body}", body=["t = (s32[2], s32[2,3], s32[2,3]) tuple(a, b, c)"])
