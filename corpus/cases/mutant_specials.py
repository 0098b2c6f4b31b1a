"""Goldens that kill mutants of operators by special values: NaN, infinities, zeros with a sign, the ends of formats."""

from corpus.cases.mutant_numbers import GRADUAL, LEAST, NEAR_TIES, SUMMED_ONCE, TIES, TO_EVEN
from corpus.modules import OneOp

LARGEST = "x7f7fffff"  # of f32
INFERENCE = "batch-norm-inference(a, b, c, d, e), epsilon=0, feature_index=1"
GRADIENT = "batch-norm-grad(a, b, c, d, e), epsilon=0, feature_index=1"
SOLVE = "triangular-solve(a, b), left_side=true, lower=true, transpose_a=NO_TRANSPOSE"


def add_to(corpus):
    """Adds all files of this module."""
    add_inference(corpus)
    add_training(corpus)
    add_gradients(corpus)
    add_products(corpus)
    add_systems(corpus)
    add_factors(corpus)
    add_transforms(corpus)


def add_inference(corpus):
    """(x - mean) scale / sqrt(variance) + offset, with operands that are not finite or very small."""
    shapes = ["f32[1,1]"] + ["f32[1]"] * 4
    OneOp(corpus, "batch-norm-inference").file(
        "f32_specials", shapes, f"f32[1,1] {INFERENCE}",
        ("infinite", "an infinite element stays one", ["inf"], [1], [0], [0], [1]),
        ("nan", "NaN stays", ["nan"], [1], [0], [0], [1]),
        ("infinite_mean", "the other way round", [1], [1], [0], ["inf"], [1]),
        ("infinite_variance", "the offset is left", [5], [1], [2], [1], ["inf"]),
        ("negative_variance", "no root: NaN", [5], [1], [2], [1], [-1]),
        ("no_variance", "a division by zero", [5], [1], [2], [1], [0]),
        ("largest", "the largest number is no infinity", [LARGEST], [1], [0], [0], [1]))
    least = LEAST["f64"]
    OneOp(corpus, "batch-norm-inference").file(
        "f64_subnormal_offset", [s.replace("f32", "f64") for s in shapes], f"f64[1,1] {INFERENCE}",
        ("offset", GRADUAL, [1], [1], [3 * least], [1], [1]))


def add_training(corpus):
    """Means and variances that are not finite, halfway, or very small."""
    def file(name, kind, rows, *cases):
        shapes = [f"{kind}[{rows},1]"] + [f"{kind}[1]"] * 2
        result = f"({kind}[{rows},1], {kind}[1], {kind}[1])"
        OneOp(corpus, "batch-norm-training").file(
            name, shapes, f"{result} batch-norm-training(a, b, c), epsilon=1, feature_index=1", *cases)

    file("f32_specials", "f32", 2,
         ("infinite", "an infinite mean, and a variance that is NaN", ["inf", 1], [1], [0]),
         ("nan", "NaN everywhere", ["nan", 1], [1], [0]),
         ("infinite_scale", "of a difference that is not 0", [1, -1], ["inf"], [0]),
         ("infinite_offset", "it is all that is seen", [1, -1], [1], ["-inf"]))
    for kind in ("f16", "f64"):
        least = LEAST[kind]
        file(f"{kind}_subnormal", kind, 2, ("mean", GRADUAL, [4 * least, 2 * least], [1], [5 * least]))
    large, small = TIES["bf16"]
    file("bf16_tie", "bf16", 2, ("mean", TO_EVEN, [2 * large, 2 * small], [0], [0]))
    one, tie, rest = NEAR_TIES["bf16"]
    file("bf16_once", "bf16", 4, ("mean", SUMMED_ONCE, [4 * one, 4 * tie, 4 * rest, 0], [0], [0]))
    OneOp(corpus, "batch-norm-training").file(
        "f32_one_each", ["f32[3]"] * 3,
        "(f32[3], f32[3], f32[3]) batch-norm-training(a, b, c), epsilon=1, feature_index=0",
        ("scale", "the scale is read even where each feature has one element", [1, 2, 3], ["nan", 2, "inf"], [4, 5, 6]))


def add_gradients(corpus):
    """The gradient of the offset is a sum, that of the operand is proportional to the scale."""
    def file(name, kind, rows, *cases):
        shapes = [f"{kind}[{rows},1]"] + [f"{kind}[1]"] * 3 + [f"{kind}[{rows},1]"]
        OneOp(corpus, "batch-norm-grad").file(
            name, shapes, f"({kind}[{rows},1], {kind}[1], {kind}[1]) {GRADIENT}", *cases)

    file("f32_specials", "f32", 2,
         ("infinite", "an infinite gradient", [1, 2], [1], [0], [1], ["inf", 1]),
         ("infinite_scale", "of a gradient that is not 0", [1, 2], ["inf"], [0], [1], [1, 1]),
         ("infinite_variance", "no gradient is left", [1, 2], [1], [0], ["inf"], [1, 1]),
         ("nan", "NaN everywhere it is summed", [1, 2], [1], [0], [1], ["nan", 1]),
         ("nan_element", "the gradient of the offset does not see the operand", ["nan", 2], [1], [0], [1], [1, 3]),
         ("negative_scale", "-0 times a positive number is -0", [0, 0], ["-0"], [0], [1], [1, 0]),
         ("largest", "the largest number is no infinity", [1, 2], [1], [0], [1], [LARGEST, 0]))
    for kind, least in LEAST.items():
        if kind != "bf16":
            file(f"{kind}_subnormal", kind, 2, ("sum", GRADUAL, [1, -1], [0], [0], [1], [2 * least, 3 * least]))
    for kind in ("f32", "bf16"):
        file(f"{kind}_tie", kind, 2, ("sum", TO_EVEN, [0, 0], [0], [0], [1], TIES[kind]))
    for kind in ("f16", "bf16"):
        file(f"{kind}_once", kind, 3, ("sum", SUMMED_ONCE, [0, 0, 0], [0], [0], [1], NEAR_TIES[kind]))


def add_products(corpus):
    """ragged-dot of one group, and scaled-dot with scales of 1."""
    def ragged(name, kind, count, *cases):
        OneOp(corpus, "ragged-dot").file(
            name, [f"{kind}[1,{count}]", f"{kind}[1,{count},1]", "s32[1]"],
            f"{kind}[1,1] ragged-dot(a, b, c), lhs_contracting_dims={{1}}, rhs_contracting_dims={{1}}, "
            "lhs_ragged_dims={0}, rhs_group_dims={0}", *[(*case, [1]) for case in cases])

    def scaled(name, kind, count, *cases, scales=None):
        OneOp(corpus, "scaled-dot").file(
            name, [f"{kind}[1,{count}]", f"{kind}[{count},1]", f"{kind}[1,1]", f"{kind}[1,1]"],
            f"{kind}[1,1] scaled-dot(a, b, c, d), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}",
            *[(*case, *(scales or ([1], [1]))) for case in cases])

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
    OneOp(corpus, "scaled-dot").file(
        "f32_batch_between", ["f32[2,1,2]", "f32[2,2,2]", "f32[1,1,1]", "f32[1,1,1]"],
        "f32[2,1,2] scaled-dot(a, b, c, d), lhs_batch_dims={0}, rhs_batch_dims={1}, lhs_contracting_dims={2}, "
        "rhs_contracting_dims={2}",
        ("turned", "the batch is the second dimension of rhs", [1, 2, 3, 4], [5, 6, 7, 8, 9, 10, 11, 12], [1], [1]))


def add_systems(corpus):
    """triangular-solve of one equation, and of three whose last solution is a sum."""
    OneOp(corpus, "triangular-solve").file(
        "f32_specials", ["f32[1,1]"] * 2, f"f32[1,1] {SOLVE}",
        ("infinite", "an infinite right side", [1], ["inf"]),
        ("infinite_divisor", "a division by infinity", ["-inf"], [1]),
        ("largest", "the largest number is no infinity", [1], [LARGEST]),
        ("nan", "NaN stays", [1], ["nan"]),
        ("zero", "the sign of a zero stays", [1], ["-0"]),
        ("singular", "a division by -0", ["-0"], [1]))
    for kind, numbers in NEAR_TIES.items():
        OneOp(corpus, "triangular-solve").file(
            f"{kind}_once", [f"{kind}[3,3]", f"{kind}[3,1]"], f"{kind}[3,1] {SOLVE}",
            ("sum", SUMMED_ONCE, [1, 0, 0, 0, 1, 0, -1, -1, 1], [*numbers[1:], numbers[0]]))


def add_factors(corpus):
    """cholesky of four rows: the first elements of the factor's row 2 are 1, row 3 begins with the numbers that are
    subtracted twice."""
    for kind, (one, tie, rest) in NEAR_TIES.items():
        OneOp(corpus, "cholesky").file(
            f"{kind}_once", [f"{kind}[4,4]"], f"{kind}[4,4] cholesky(a), lower=true",
            ("element", SUMMED_ONCE, [1, 0, 0, 0, 0, 1, 0, 0, 1, 1, 3, 0, -tie, -rest, one, 4]))
    OneOp(corpus, "cholesky").file(
        "f32_specials", ["f32[1,1]"], "f32[1,1] cholesky(a), lower=true",
        ("infinite", "a matrix that is not finite has no factor", ["inf"]),
        ("nan", "nor has one with NaN", ["nan"]),
        ("largest", "the largest number has a root", [LARGEST]))
    least = LEAST["f64"]
    OneOp(corpus, "cholesky").file(
        "f64_subnormal_parts", ["f64[2,2]"], "f64[2,2] cholesky(a), lower=true",
        ("root", GRADUAL, [4 * least, 0, 0, 1]),
        ("row", "a subnormal number divided by one", [1, 0, 3 * least, 1]),
        ("digits", "more digits than f32 has", [1, 0, 1 + 2.0**-50, 4]))
    OneOp(corpus, "cholesky").file(
        "f32_zeros_of_three", ["f32[3,3]"], "f32[3,3] cholesky(a), lower=true",
        ("zeros", "-0 over a positive root is -0", [1, 0, 0, "-0", 1, 0, "-0", 0, 1]),
        ("underflow", "what is rounded to zero keeps its sign", [16, 0, 0, -LEAST["f32"], 1, 0, 0, 0, 1]))


def add_transforms(corpus):
    """fft of one number, which is its own transform; numbers that are not finite propagate to all elements."""
    OneOp(corpus, "fft").file(
        "f32_specials", ["f32[2]"], "c64[2] fft(a), fft_type=RFFT, fft_length={2}",
        ("infinite", "every sum has a term that is not finite", ["inf", 1]),
        ("nan", "the same of NaN", [1, "nan"]),
        ("largest", "a sum is the largest number", [LARGEST, 0]))
    OneOp(corpus, "fft").file(
        "f32_results", ["c64[2]"], "f32[3] fft(a), fft_type=IRFFT, fft_length={3}",
        ("nan", "every sum has a term that is not finite", [1, 0, "nan", 0]),
        ("overflow", "a sum of three numbers, divided by three, is larger than each",
         [LARGEST, 0, "xff7fffff", "xff7fffff"]))
    OneOp(corpus, "fft").file("f32_largest", ["c64[1]"], "f32[1] fft(a), fft_type=IRFFT, fft_length={1}",
                              ("kept", "the largest number is no infinity", [LARGEST, 0]))
    least = LEAST["f64"]
    OneOp(corpus, "fft").file("f64_subnormal_number", ["f64[1]"], "c128[1] fft(a), fft_type=RFFT, fft_length={1}",
                              ("number", GRADUAL, [5 * least]))
    OneOp(corpus, "fft").file("c128_subnormal", ["c128[1]"], "f64[1] fft(a), fft_type=IRFFT, fft_length={1}",
                              ("number", GRADUAL, [5 * least, 0]))
