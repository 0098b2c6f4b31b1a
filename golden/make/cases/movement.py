"""Ops that move elements: digits, sizes, layouts and counting."""

from golden.make.modules import add_file, combiner, numbers
from golden.make.special_numbers import DIGITS, GRADUAL, LEAST, MOVED

ORACLE = "exact arithmetic, XLA:CPU"
PYTHON = "a second evaluator in Python"


def add_to(corpus):
    """Adds all files of this module."""
    add_permutations(corpus)
    add_moved(corpus)
    add_sizes(corpus)
    add_reshapes(corpus)
    add_constants(corpus)
    add_dense_parts(corpus)
    add_counts(corpus)


def add_permutations(corpus):
    """transpose and iota."""
    add_file(corpus, "transpose/s32_cube", "s32[2,2,2] -> s32[2,2,2]", "dimensions={1,2,0}",
             ("turned", "a permutation that is not its own inverse, of equal sizes", list(range(8))),
             header="transpose_cube", oracle=ORACLE)
    for kind, count in (("s8", 130), ("u8", 258)):
        add_file(corpus, f"iota/{kind}_wrap", f"-> {kind}[{count}]", "iota_dimension=0",
                 ("wrap", "counting past the range wraps"), header=f"iota_{kind}_wrap", oracle=ORACLE)


def add_moved(corpus):
    """Ops that move elements keep all digits and all numbers."""
    def file(op, name, kind, reason, values, count):
        roots = {"bitcast": f"{kind}[{count}] bitcast(a)",
                 "custom-call": f'{kind}[{count}] custom-call(a), custom_call_target="Sharding"'}
        add_file(corpus, f"{op}/{kind}_{name}", f"{kind}[{count}]", roots[op], ("numbers", reason, values))

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
        add_file(corpus, f"set-dimension-size/{kind}_numbers", f"{kind}[{count}] s32[] -> {kind}[<={count}]",
                 "dimensions={0}", ("kept", "elements inside of the size keep their bits", values, [count]))
    add_file(corpus, "set-dimension-size/s32_long", "s32[63] s32[] -> s32[<=63]", "dimensions={0}",
             ("all", "a long row, to its last element", numbers(63), [63]))


def add_reshapes(corpus):
    """dynamic-reshape: each dimension has a size of its own."""
    add_file(corpus, "dynamic-reshape/s32_three_sizes", "s32[64] s32[] s32[] s32[] s32[]",
             "(s32[], s32[], s32[]) tuple(x, y, z)",
             ("sizes", "each operand is the size of its own dimension", numbers(64), [24], [2], [3], [4]),
             body=["v = s32[<=64] set-dimension-size(a, b), dimensions={0}",
                   "w = s32[<=4,<=4,<=4] dynamic-reshape(v, c, d, e)",
                   *[f"{name} = s32[] get-dimension-size(w), dimensions={{{d}}}" for d, name in enumerate("xyz")]])
    for kind in ("bf16", "f16"):
        add_file(corpus, f"dynamic-reshape/{kind}_subnormal", f"{kind}[4] s32[] s32[] -> {kind}[2,<=2]", "",
                 ("numbers", GRADUAL, [LEAST[kind], -3 * LEAST[kind], 5 * LEAST[kind], 1], [2], [2]))


def add_constants(corpus):
    """Constants whose layout is not the order of their text."""
    body = ["k = s32[2,3]{0,1} constant({{1, 2, 3}, {4, 5, 6}})"]
    add_file(corpus, "constant/s32_column_major", "", "s32[2,3]{1,0} copy(k)",
             ("rows", "a literal is written row by row, whatever its layout"), body=body)


def add_dense_parts(corpus):
    """Four elements of an array of six, as two by two of an array of two by three."""
    sized = ["v = f32[<=6] set-dimension-size(a, b), dimensions={0}", "w = f32[2,<=3] dynamic-reshape(v, c, d)"]
    parameters = ["f32[6]", "s32[]", "s32[]", "s32[]"]
    add_file(corpus, "dynamic-reshape/f32_run_time_sizes", parameters, "s32[] get-dimension-size(w), dimensions={1}",
             ("size", "the size is the operand's, not the bound", [1, 2, 3, 4, 5, 6], [4], [2], [2]), body=sized,
             oracle=PYTHON)
    add_file(corpus, "dynamic-reshape/f32_run_time_products", parameters,
             "f32[2] reduce(w, z), dimensions={1}, to_apply=multiply",
             ("products", "rows of two elements, and of no padding", [1, 2, 3, 4, 5, 6], [4], [2], [2]),
             computations=combiner("multiply", "f32"), body=[*sized, "z = f32[] constant(1)"], oracle=PYTHON)


def add_counts(corpus):
    """Adds iota beyond the range of a narrower type."""
    for kind, count in (("s16", 300), ("u16", 300), ("f16", 300), ("f32", 2100), ("c64", 2100), ("s32", 33000),
                        ("u32", 65600), ("bf16", 66000)):
        text = f"HloModule iota\n\nENTRY main {{\n  ROOT r = {kind}[{count}] iota(), iota_dimension=0\n}}"
        case = corpus.file(f"iota/{kind}_far", text, f"iota {kind} level2", "exact arithmetic, XLA:CPU", digests=True)
        case("far", "counts past the range, or the digits, of the next narrower type")
