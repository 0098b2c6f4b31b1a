"""Functions of elements and conversions: grids, ties, subnormal numbers and small parts of complex numbers."""

from golden.make.modules import add_file
from golden.make.values import combiner

ORACLE = "exact arithmetic, XLA:CPU"
LEAST = {"f64": 2.0**-1074, "f32": 2.0**-149, "f16": 2.0**-24, "bf16": 2.0**-133}
GRADUAL = "subnormal numbers count"


def add_to(corpus):
    """Adds all files of this module."""
    add_grids(corpus)
    add_near_ties(corpus)
    add_narrow_ties(corpus)
    add_subnormals(corpus)
    add_angles(corpus)


def add_grids(corpus):
    """Functions of one float, in the range of piecewise approximations: steps of 1/64."""
    grid = [i / 64 for i in range(32, 80)]
    for op in ("tanh", "logistic", "erf", "exponential", "log", "sine", "cosine", "tan", "exponential-minus-one",
               "log-plus-one", "cbrt", "rsqrt"):
        for kind in ("f32", "bf16"):
            add_file(corpus, f"{op}/{kind}_grid", f"{kind}[48] -> {kind}[48]", "",
                     ("half_to_five_quarters", "no piece of an approximation is left out", grid),
                     header=f"{op.replace('-', '_')}_{kind}_grid", oracle=ORACLE)


def add_near_ties(corpus):
    """convert."""
    for kind, fraction in (("bf16", 7), ("f16", 10)):
        tie = 2.0 ** -(fraction + 1)
        add_file(corpus, f"convert/f64_{kind}_twice", f"f64[4] -> {kind}[4]", "",
                 ("next_to_ties", "a little off a tie, by less than f32 resolves: one rounding, not two",
                  [1 + tie + 2.0**-40, 1 + 3 * tie - 2.0**-40, -1 - tie - 2.0**-40, 1 + tie]),
                 header=f"convert_f64_{kind}_twice", tags=f"{kind} level1", oracle="exact arithmetic")


def add_narrow_ties(corpus):
    """Numbers next to the ties of narrow types."""
    for kind, fraction in (("f8e4m3fn", 3), ("f8e5m2", 2), ("f8e4m3", 3), ("f8e3m4", 4)):
        tie = 2.0 ** -(fraction + 1)
        add_file(corpus, f"convert/f32_{kind}_twice", f"f32[4] -> {kind}[4]", "",
                 ("next_to_ties", "a little off a tie, by less than f16 resolves: one rounding",
                  [1 + tie + 2.0**-20, 1 + 3 * tie - 2.0**-20, -1 - tie - 2.0**-20, 1 + tie]))


def add_subnormals(corpus):
    """Subnormal numbers through ops that add, choose or move."""
    for kind, least in LEAST.items():
        values = [least, 2 * least, 5 * least]
        add = combiner("add", kind, "add")

        def file(op, parameters, root, *arguments, computations=""):
            add_file(corpus, f"{op}/{kind}_subnormal", parameters, root, ("numbers", GRADUAL, *arguments),
                     computations=computations)

        vector, scalar = f"{kind}[3]", f"{kind}[]"
        file("reduce", f"{vector} {scalar} -> {scalar}", "dimensions={0}, to_apply=add", values, [0], computations=add)
        file("reduce-window", f"{vector} {scalar} -> {kind}[2]", "window={size=2}, to_apply=add", values, [0],
             computations=add)
        file("map", f"{vector} {vector} -> {vector}", "dimensions={0}, to_apply=add", values, values, computations=add)
        file("slice", f"{vector} -> {kind}[2]", "slice={[1:3]}", values)
        file("dynamic-slice", f"{vector} s32[] -> {kind}[2]", "dynamic_slice_sizes={2}", values, [1])
        file("gather", f"{vector} s32[2,1] -> {kind}[2]",
             "offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1}",
             values, [2, 0])
        file("dot", f"{vector} {vector} -> {scalar}", "lhs_contracting_dims={0}, rhs_contracting_dims={0}", values,
             [1, 1, 1])
        file("convolution", f"{kind}[1,3,1] {kind}[2,1,1] -> {kind}[1,2,1]", "window={size=2}, dim_labels=b0f_0io->b0f",
             values, [1, 1])
        choose = combiner("compare", kind, "choose", ", direction=GE")
        file("select-and-scatter", f"{vector} {kind}[1] {scalar} -> {vector}",
             "window={size=3}, select=choose, scatter=add", values, [3 * least], [0], computations=f"{choose}\n\n{add}")
    for wide, narrow in (("f64", "f32"), ("f32", "f16"), ("f32", "bf16"), ("f64", "f64"), ("f32", "f64")):
        add_file(corpus, f"convert/{wide}_{narrow}_subnormal", f"{wide}[2] -> {narrow}[2]", "",
                 ("numbers", GRADUAL, [3 * LEAST[wide], 3 * LEAST[narrow]]
                                       if LEAST[narrow] >= LEAST[wide] else [3 * LEAST[wide], -LEAST[wide]]))


def add_angles(corpus):
    """Complex functions whose small part is lost if the large one has few bits."""
    for op, cases in {
        "atan2": [[1.5, 2.0**-900, -2, 2.0**-800], [3, 2.0**-1000, 2, 0], [2.0**-700, 1, 2.0**800, 2.0**180],
                  [0.5, 0, 0.5, 0]],
        "power": [[1.5, 2.0**-900, 3, 0], [1, 1, 3, 0.5], [2, 2.0**-1000, 0.5, 2.0**-1000], [-2, 0, 0.25, 0]],
    }.items():
        add_file(corpus, f"{op}/c128_small_parts", "c128[4] c128[4] -> c128[4]", "",
                 ("parts", "both parts have all of their digits, whatever their sizes",
                  [n for case in cases for n in case[:2]], [n for case in cases for n in case[2:]]))
    numbers = [0.5, 2.0**-900, 2.0**-900, 0.5, 2.0**900, 2.0**-60, -0.0, 2.0**-1074]
    for op in ("acos", "asin", "atan", "atanh", "asinh", "acosh", "tan", "tanh", "log-plus-one",
               "exponential-minus-one", "logistic", "rsqrt", "log"):
        add_file(corpus, f"{op}/c128_small_parts", "c128[4] -> c128[4]", "",
                 ("parts", "both parts have all of their digits, whatever their sizes", numbers))
