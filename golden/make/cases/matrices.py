"""Products, factorizations, systems and transforms: digits, special values, and groups."""

from golden.make.modules import add_file
from golden.make.special_numbers import GRADUAL, LARGEST, LEAST, NEAR_TIES, SUMMED_ONCE, TIES, TO_EVEN

# Numbers of 12 bits, whose products are exact in f32; neither bf16 nor f16 can represent all of the numbers.
NARROWER = "operands that no narrower type holds"
TWELVE_BITS = [2049, -3001, 4095, 2731, 3583, -2223]
ORACLE = "exact arithmetic, XLA:CPU"
INF, NAN = float("inf"), float("nan")
SOLVE = "triangular-solve(a, b), left_side=true, lower=true, transpose_a=NO_TRANSPOSE"


def add_to(corpus):
    """Adds all files of this module."""
    add_digits(corpus)
    add_groups(corpus)
    add_kinds(corpus)
    add_products(corpus)
    add_scales(corpus)
    add_small_factors(corpus)
    add_factors(corpus)
    add_systems(corpus)
    add_signs(corpus)
    add_transforms(corpus)


def add_digits(corpus):
    """dot and convolution."""
    add_file(corpus, "dot/f32_digits", "f32[2,3] f32[3,2] -> f32[2,2]",
             "lhs_contracting_dims={1}, rhs_contracting_dims={0}",
             ("twelve_bits", NARROWER, TWELVE_BITS, TWELVE_BITS[::-1]),
             ("large", "operands beyond f16", [70000, 1, 80001, -90003, 2, 3], [1, 2, 3, 4, 5, 7]),
             header="dot_f32_digits", oracle=ORACLE)
    add_file(corpus, "convolution/f32_digits", "f32[1,4,1] f32[2,1,1] -> f32[1,3,1]",
             "window={size=2}, dim_labels=b0f_0io->b0f", ("twelve_bits", NARROWER, TWELVE_BITS[:4], TWELVE_BITS[4:]),
             header="convolution_f32_digits", oracle=ORACLE)


def add_groups(corpus):
    """Groups of a convolution: each is a run of the result's features."""
    for name, base, kernel in (("feature", "s32[1,1,2]", "s32[1,1,4]"), ("batch", "s32[2,1,1]", "s32[1,1,4]")):
        add_file(corpus, f"convolution/s32_{name}_groups_of_two", [base, kernel],
                 f"s32[1,1,4] convolution(a, b), window={{size=1}}, dim_labels=b0f_0io->b0f, {name}_group_count=2",
                 ("runs", "the first group gives the first two features of the result", [3, 10], [1, 2, 3, 4]))


def add_kinds(corpus):
    """The kinds of a convolution: the kernel of dgrad is reversed, once more if the window reverses it."""
    line, image = "dim_labels=b0f_0io->b0f", "dim_labels=b01f_01oi->b01f"
    for name, signature, rest, reason, *arguments in (
            ("fprop", "s32[1,5,1] s32[2,1,1] -> s32[1,4,1]", f"window={{size=2}}, {line}", "the kernel as it is",
             [1, 2, 3, 4, 5], [1, 10]),
            ("wgrad", "s32[1,5,1] s32[2,1,1] -> s32[1,2,1]", f"window={{size=2 rhs_dilate=3}}, {line}",
             "the kernel as it is", [1, 2, 3, 4, 5], [1, 10]),
            ("dgrad", "s32[1,5,1] s32[2,1,1] -> s32[1,4,1]", f"window={{size=2}}, {line}", "the kernel mirrored",
             [1, 2, 3, 4, 5], [1, 10]),
            ("dgrad_reversed", "s32[1,5,1] s32[2,1,1] -> s32[1,4,1]", f"window={{size=2 rhs_reversal=1}}, {line}",
             "mirrored twice", [1, 2, 3, 4, 5], [1, 10]),
            ("dgrad_groups", "s32[1,2,2] s32[2,1,2] -> s32[1,3,2]",
             f"window={{size=2 pad=1_1}}, {line}, feature_group_count=2", "each group's kernel is mirrored",
             [1, 2, 3, 4], [1, 10, 100, 1000]),
            ("dgrad_image", "f32[1,2,2,2] f32[2,3,1,2] -> f32[1,2,3,1]",
             f"window={{size=2x3 pad=0_1x1_1 lhs_dilate=1x2}}, {image}", "both dimensions, in a dilated image",
             [1, -2, 3, 0.5, -1, 4, 2, -0.5], [1, 10, -100, 2, 20, 200, -3, 30, 300, 0.25, -40, 400])):
        add_file(corpus, f"convolution/kind_{name}", signature, f"{rest}, convolution_kind={name.split('_')[0]}",
                 ("line" if line in rest else "image", reason, *arguments), oracle="a second evaluator in Python")


def add_products(corpus):
    """ragged-dot of one group, and scaled-dot with scales of 1."""
    def ragged(name, kind, count, *cases):
        add_file(corpus, f"ragged-dot/{name}", f"{kind}[1,{count}] {kind}[1,{count},1] s32[1] -> {kind}[1,1]",
                 "lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={0}",
                 *[(*case, [1]) for case in cases])

    def scaled(name, kind, count, *cases, scales=None):
        add_file(
            corpus, f"scaled-dot/{name}", f"{kind}[1,{count}] {kind}[{count},1] {kind}[1,1] {kind}[1,1] -> {kind}[1,1]",
            "lhs_contracting_dims={1}, rhs_contracting_dims={0}", *[(*case, *(scales or ([1], [1]))) for case in cases])

    for add in (ragged, scaled):
        add("f32_specials", "f32", 2,
            ("infinite", "an infinite element", ["inf", 1], [1, 1]),
            ("nan", "NaN stays", ["nan", 1], [1, 1]),
            ("nothing", "infinity times 0", ["inf", 1], [0, 1]),
            ("opposite", "infinity minus infinity", ["inf", "-inf"], [1, 1]),
            ("largest", "the largest number is no infinity", [LARGEST, 0], [1, 1]))
        # 1 + 2^-4 is halfway between 1 and 1 + 2^-3; neither bf16 nor f16 can represent the rest.
        add("f8e4m3fn_once", "f8e4m3fn", 3,
            ("sum", "one rounding: bf16 and f16 would lose what lifts the sum above the tie",
             [1, 2.0**-4, 2.0**-9], [1, 1, 2.0**-9]))
        add("f8e4m3fn_tie", "f8e4m3fn", 2, ("sum", TO_EVEN, [1, 2.0**-4], [1, 1]))
    least = LEAST["f32"]
    ragged("f32_small", "f32", 2, ("sum", GRADUAL, [least, 2 * least], [1, 1]))
    for kind in ("f16", "bf16"):
        scaled(f"{kind}_once", kind, 3, ("sum", SUMMED_ONCE, NEAR_TIES[kind], [1, 1, 1]))
    for kind in ("f16", "f32"):
        scaled(f"{kind}_tie", kind, 2, ("sum", TO_EVEN, TIES[kind], [1, 1]))
    for kind in ("bf16", "f64"):
        least = LEAST[kind]
        scaled(f"{kind}_subnormal", kind, 2, ("sum", GRADUAL, [least, 2 * least], [1, 1]))
    scaled("bf16_range", "bf16", 2, ("sum", "numbers and a result beyond f16", [2.0**20, 2.0**-30], [1, 2.0**30]))
    scaled("c128_digits", "c128", 1, ("product", "more digits than f32 has", [2.0**30 + 1, 2.0**31 + 1], [1, 2]),
           scales=([1, 0], [1, 0]))
    add_file(corpus, "scaled-dot/f32_batch_between", "f32[2,1,2] f32[2,2,2] f32[1,1,1] f32[1,1,1] -> f32[2,1,2]",
             "lhs_batch_dims={0}, rhs_batch_dims={1}, lhs_contracting_dims={2}, rhs_contracting_dims={2}",
             ("turned", "the batch is the second dimension of rhs", [1, 2, 3, 4], [5, 6, 7, 8, 9, 10, 11, 12], [1],
              [1]))


def add_scales(corpus):
    """scaled-dot."""
    attributes = "lhs_contracting_dims={1}, rhs_contracting_dims={0}"
    tiny = 2.0**-30
    add_file(corpus, "scaled-dot/c128_cancels", "c128[1,1] c128[1,1] c128[1,1] c128[1,1] -> c128[1,1]", attributes,
             ("cancels", "a scaled element is the exact product: its real part is 2^-60, not 0", [1 + tiny, 1], [1, 0],
              [1 + tiny, 1 + 2 * tiny], [1, 0]),
             ("infinite", "infinity times a number is an infinity, not NaN + NaN i", [INF, INF], [1, 0], [1, 1],
              [1, 0]))
    add_file(corpus, "scaled-dot/f64_rounds", "f64[1,2] f64[2,1] f64[1,1] f64[1,1] -> f64[1,1]", attributes,
             ("rounds", "a scaled f64 is rounded: (1 + 2^-30)^2 loses 2^-60 before the sum", [1 + tiny, 1],
              [1, -1 - 2 * tiny], [1 + tiny], [1]))
    add_file(corpus, "scaled-dot/bf16_not_scaled", "bf16[1,2] bf16[2,1] bf16[1,1] bf16[] -> f32[1,1]", attributes,
             ("unread", "a bf16 scale of one element is not read", [1, 2], [3, 4], [64], [NAN]))
    add_file(corpus, "scaled-dot/f8e4m3fn_nan", "f8e4m3fn[2,1] f8e4m3fn[1,2] f8e8m0fnu[2,1] f8e8m0fnu[1,1] -> f32[2,2]",
             attributes, ("one", "a scale that is NaN concerns its own rows alone", [1, 2], [3, 4], [1, NAN], [2]))


def add_small_factors(corpus):
    """Factors of matrices of one or two rows."""
    for kind, least in LEAST.items():
        add_file(corpus, f"cholesky/{kind}_subnormal", f"{kind}[1,1] -> {kind}[1,1]", "lower=true",
                 ("root", GRADUAL, [4 * least]))
        add_file(corpus, f"cholesky/{kind}_subnormal_row", f"{kind}[2,2] -> {kind}[2,2]", "lower=true",
                 ("row", "a subnormal number divided by one", [1, 0, 3 * least, 1]))
        add_file(corpus, f"triangular-solve/{kind}_tie", f"{kind}[1,1] {kind}[1,1] -> {kind}[1,1]",
                 "left_side=true, lower=true, transpose_a=NO_TRANSPOSE", ("half", TO_EVEN, [2], [5 * least]))
        add_file(corpus, f"cholesky/{kind}_tie", f"{kind}[2,2] -> {kind}[2,2]", "lower=true",
                 ("row", TO_EVEN, [4, 0, 5 * least, 1]))


def add_factors(corpus):
    """cholesky of four rows: the first elements of the factor's row 2 are 1, row 3 begins with the numbers that are
    subtracted twice."""
    for kind, (one, tie, rest) in NEAR_TIES.items():
        add_file(corpus, f"cholesky/{kind}_once", f"{kind}[4,4] -> {kind}[4,4]", "lower=true",
                 ("element", SUMMED_ONCE, [1, 0, 0, 0, 0, 1, 0, 0, 1, 1, 3, 0, -tie, -rest, one, 4]))
    add_file(corpus, "cholesky/f32_specials", "f32[1,1] -> f32[1,1]", "lower=true",
             ("infinite", "a matrix that is not finite has no factor", ["inf"]),
             ("nan", "nor has one with NaN", ["nan"]),
             ("largest", "the largest number has a root", [LARGEST]))
    least = LEAST["f64"]
    add_file(corpus, "cholesky/f64_subnormal_parts", "f64[2,2] -> f64[2,2]", "lower=true",
             ("root", GRADUAL, [4 * least, 0, 0, 1]),
             ("row", "a subnormal number divided by one", [1, 0, 3 * least, 1]),
             ("digits", "more digits than f32 has", [1, 0, 1 + 2.0**-50, 4]))
    add_file(corpus, "cholesky/f32_zeros_of_three", "f32[3,3] -> f32[3,3]", "lower=true",
             ("zeros", "-0 over a positive root is -0", [1, 0, 0, "-0", 1, 0, "-0", 0, 1]),
             ("underflow", "what is rounded to zero keeps its sign", [16, 0, 0, -LEAST["f32"], 1, 0, 0, 0, 1]))


def add_systems(corpus):
    """triangular-solve of one equation, and of three whose last solution is a sum."""
    add_file(corpus, "triangular-solve/f32_specials", "f32[1,1] f32[1,1]", f"f32[1,1] {SOLVE}",
             ("infinite", "an infinite right side", [1], ["inf"]),
             ("infinite_divisor", "a division by infinity", ["-inf"], [1]),
             ("largest", "the largest number is no infinity", [1], [LARGEST]),
             ("nan", "NaN stays", [1], ["nan"]),
             ("zero", "the sign of a zero stays", [1], ["-0"]),
             ("singular", "a division by -0", ["-0"], [1]))
    for kind, numbers in NEAR_TIES.items():
        add_file(corpus, f"triangular-solve/{kind}_once", f"{kind}[3,3] {kind}[3,1]", f"{kind}[3,1] {SOLVE}",
                 ("sum", SUMMED_ONCE, [1, 0, 0, 0, 1, 0, -1, -1, 1], [*numbers[1:], numbers[0]]))


def add_signs(corpus):
    """Signs of zeros, and divisions by them."""
    add_file(corpus, "cholesky/f32_zeros", "f32[2,2] -> f32[2,2]", "lower=true",
             ("negative", "-0 over a positive root is -0; the other triangle is +0", [4, 0, -0.0, 9]))
    root = "triangular-solve(a, b), left_side=true, lower=true, transpose_a=NO_TRANSPOSE"
    add_file(corpus, "triangular-solve/f32_singular", "f32[2,2] f32[2,3]", f"f32[2,3] {root}",
             ("zero", "a zero on the diagonal: infinities, NaN, and what comes of them in the next row",
              [0, 0, 1, 2], [1, -1, 0, 4, 4, 4]))
    add_file(corpus, "triangular-solve/f32_not_finite", "f32[2,2] f32[2,2]", f"f32[2,2] {root}",
             ("numbers", "an infinite coefficient, and a NaN in one column alone", [2, 0, INF, 1], [2, 0, 1, NAN]))
    add_file(corpus, "triangular-solve/f32_zeros", "f32[2,2] f32[2,2]", f"f32[2,2] {root}",
             ("signs", "a zero quotient has its sign, a zero difference is +0", [-1, 0, 1, 1], [0, -0.0, 0, 1]))


def add_transforms(corpus):
    """fft of one number, which is its own transform; numbers that are not finite propagate to all elements."""
    add_file(corpus, "fft/f32_specials", "f32[2] -> c64[2]", "fft_type=RFFT, fft_length={2}",
             ("infinite", "every sum has a term that is not finite", ["inf", 1]),
             ("nan", "the same of NaN", [1, "nan"]),
             ("largest", "a sum is the largest number", [LARGEST, 0]))
    add_file(corpus, "fft/f32_results", "c64[2] -> f32[3]", "fft_type=IRFFT, fft_length={3}",
             ("nan", "every sum has a term that is not finite", [1, 0, "nan", 0]),
             ("overflow", "a sum of three numbers, divided by three, is larger than each",
              [LARGEST, 0, "xff7fffff", "xff7fffff"]))
    add_file(corpus, "fft/f32_largest", "c64[1] -> f32[1]", "fft_type=IRFFT, fft_length={1}",
             ("kept", "the largest number is no infinity", [LARGEST, 0]))
    least = LEAST["f64"]
    add_file(corpus, "fft/f64_subnormal_number", "f64[1] -> c128[1]", "fft_type=RFFT, fft_length={1}",
             ("number", GRADUAL, [5 * least]))
    add_file(corpus, "fft/c128_subnormal", "c128[1] -> f64[1]", "fft_type=IRFFT, fft_length={1}",
             ("number", GRADUAL, [5 * least, 0]))
