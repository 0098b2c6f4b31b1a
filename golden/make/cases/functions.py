"""Functions of elements and conversions: grids, ties, subnormal numbers and parts of complex numbers."""

from golden.make.modules import add_file, combiner
from golden.make.special_numbers import GRADUAL, LEAST, TO_EVEN

ORACLE = "exact arithmetic, XLA:CPU"
INF, NAN = float("inf"), float("nan")


def add_to(corpus):
    """Adds all files of this module."""
    add_grids(corpus)
    add_near_ties(corpus)
    add_narrow_ties(corpus)
    add_quotients(corpus)
    add_subnormals(corpus)
    add_stochastic(corpus)
    add_angles(corpus)
    add_literals_and_conversions(corpus)
    add_parts(corpus)


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


def add_quotients(corpus):
    """Results that are halfway between two subnormal numbers."""
    least = LEAST["f32"]
    add_file(corpus, "divide/f32_subnormal_ties", "f32[3] f32[3] -> f32[3]", "",
             ("halves", TO_EVEN, [least, 3 * least, -5 * least], [2, 2, 2]))
    add_file(corpus, "power/f32_subnormal_tie", "f32[2] f32[2] -> f32[2]", "",
             ("half", TO_EVEN, [2.0**-75, 2.0**-50], [2, 3]))
    add_file(corpus, "count-leading-zeros/s64_digits", "s64[2] -> s64[2]", "",
             ("ones", "more digits than f64 has", [2**62 - 1, 2**60 - 1]))
    add_file(corpus, "convert/s64_digits", "s64[2] -> s64[2]", "",
             ("odd", "more digits than f64 has", [2**53 + 1, -(2**62) - 1]))
    add_file(corpus, "compare/c64_digits", "c64[2] c64[2] -> pred[2]", "direction=EQ",
             ("digits", "numbers that differ in their last digits", [4097, 1, 2, 8193], [4096, 1, 2, 8192]))


def add_subnormals(corpus):
    """Subnormal numbers through ops that add, choose or move."""
    for kind, least in LEAST.items():
        values = [least, 2 * least, 5 * least]
        add = combiner("add", kind)

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


def add_stochastic(corpus):
    """stochastic-convert of numbers that the result's type has, and of numbers that no narrower type distinguishes."""
    def file(name, kind, bits, result, *cases):
        count = len(cases[0][2])
        add_file(corpus, f"stochastic-convert/{name}", f"{kind}[{count}] u{bits}[{count}] -> {result}[{count}]", "",
                 *cases)

    file("bf16_range", "bf16", 16, "f32", ("large", "numbers beyond f16", [2.0**20, 2.0**-30], [0, 0]))
    file("f64_digits", "f64", 64, "f32",
         ("next", "a part cut off that f32 does not see", [1 + 2.0**-50, 1 + 2.0**-24 + 2.0**-50], [0, 2**63]))
    file("f32_specials", "f32", 32, "f32",
         ("kept", "NaN and both zeros stay, and so do subnormal numbers", ["nan", "-0", 3 * LEAST["f32"]], [0, 0, 0]))
    file("f32_ends", "f32", 32, "f32",
         ("kept", "infinities and the largest number stay", ["inf", "-inf", "x7f7fffff"], [0, 0, 0]))
    file("f64_subnormal", "f64", 64, "f64", ("kept", GRADUAL, [3 * LEAST["f64"], -LEAST["f64"]], [0, 0]))
    file("bf16_subnormal", "bf16", 16, "f32", ("kept", GRADUAL, [3 * LEAST["bf16"], -LEAST["bf16"]], [0, 0]))


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


def add_literals_and_conversions(corpus):
    """Transforms, literals, and conversions."""
    add_file(corpus, "fft/c64_not_finite", "c64[2,2] -> c64[2,2]", "fft_type=FFT, fft_length={2}",
             ("rows", "a row with an infinity is NaN throughout, the other is not concerned",
              [1, 0, INF, 0, 1, 2, 3, 4]))
    add_file(corpus, "fft/f64_subnormal", "f64[4] -> c128[3]", "fft_type=RFFT, fft_length={4}",
             ("small", "subnormal numbers count, also beside what cancels", [2.0**-1074, 2.0**100, 0, -(2.0**100)]))
    kinds = (("bf16", 1 + 2.0**-10, 2.0**-133, 2.0**100), ("f8e5m2", 1.125, 2.0**-16, 1.25),
             ("f16", 2.0**-25, 2.0**-24, 1 + 2.0**-10))  # fmt: skip
    for kind, low, least, wide in kinds:
        bits = [0, 2**15, 2**16 + 5, 2**32 - 1]
        add_file(corpus, f"stochastic-convert/f32_{kind}", f"f32[4] u32[4] -> {kind}[4]", "",
                 ("ways", "up where the random number is below the part that is cut off", [low, -low, low, -low], bits),
                 ("kept", "what the type has stays, subnormal numbers too", [least, -3 * least, wide, -wide], bits))
    text = "HloModule constant\n\nENTRY main {\n  ROOT r = f8e8m0fnu[3] constant({5.9e-39, 8.7e-39, 8.9e-39})\n}"
    case = corpus.file("constant/f8e8m0fnu_least", text, "constant f8e8m0fnu level1", "exact arithmetic")
    case("least", "to the nearest of 2^-127 and 2^-126, which numpy's type misses")
    add_file(corpus, "dynamic-slice/vector_of_starts", "s32[2,4] s32[2] -> s32[1,2]", "dynamic_slice_sizes={1,2}",
             ("vector", "the starts as one vector, clamped", list(range(8)), [1, 9]))
    add_file(corpus, "power/c64_of_zero", "c64[4] c64[4] -> c64[4]", "",
             ("powers", "NaN unless the real part of the exponent is above zero",
              [0] * 8, [0.5, 0, -0.5, 0, 0, 1, -0.25, 2]))
    add_file(corpus, "multiply/c64_infinities", "c64[4] c64[4] -> c64[4]", "",
             ("infinities", "an infinity times anything but zero is infinite, though its parts are NaN",
              [INF, INF, INF, NAN, INF, 0, 1, NAN], [1, 1, 2, 3, 0, 0, INF, -INF]))
    add_file(corpus, "divide/c64_infinities", "c64[5] c64[5] -> c64[5]", "",
             ("infinities", "by zero, of an infinity, by one, and zero by zero",
              [1, -2, INF, 1, 3, 4, 0, 0, INF, NAN], [0, 0, 1, 1, INF, -INF, 0, 0, 2, 0]))


def add_parts(corpus):
    """Parts of complex numbers, in order and with all digits."""
    add_file(corpus, "complex/f32_order", "f32[2] f32[2] -> c64[2]", "",
             ("order", "the real part comes first", [1, 2], [3, -4]))
    digits = [1 + 2.0**-40, 3 - 2.0**-45, -2 - 2.0**-44, 5 + 2.0**-41]
    for op in ("real", "imag"):
        add_file(corpus, f"{op}/c128_digits", "c128[2] -> f64[2]", "", ("digits", "more of them than f32 has", digits))
