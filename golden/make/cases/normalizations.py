"""Batch normalizations: special values, subnormal numbers and roundings."""

from golden.make.modules import add_file
from golden.make.special_numbers import GRADUAL, LARGEST, LEAST, NEAR_TIES, SUMMED_ONCE, TIES, TO_EVEN

INFERENCE = "batch-norm-inference(a, b, c, d, e), epsilon=0, feature_index=1"
GRADIENT = "batch-norm-grad(a, b, c, d, e), epsilon=0, feature_index=1"
INF, NAN = float("inf"), float("nan")


def add_to(corpus):
    """Adds all files of this module."""
    add_sums(corpus)
    add_inference(corpus)
    add_training(corpus)
    add_gradients(corpus)
    add_rootless(corpus)


def add_sums(corpus):
    """batch-norm-inference with a variance of 1: (x - mean) scale + offset."""
    for kind in ("f32", "f16", "bf16"):
        shapes = [f"{kind}[1,1]"] + [f"{kind}[1]"] * 4
        root = f"{kind}[1,1] batch-norm-inference(a, b, c, d, e), epsilon=0, feature_index=1"
        large, small = TIES[kind]
        add_file(corpus, f"batch-norm-inference/{kind}_tie", shapes, root,
                 ("sum", TO_EVEN, [large], [1], [small], [0], [1]))
        if kind in NEAR_TIES:
            one, tie, rest = NEAR_TIES[kind]
            add_file(corpus, f"batch-norm-inference/{kind}_once", shapes, root,
                     ("sum", SUMMED_ONCE, [one], [1], [rest], [-tie], [1]))
    for kind, least in LEAST.items():
        shapes = [f"{kind}[1,1]"] + [f"{kind}[1]"] * 4
        add_file(corpus, f"batch-norm-inference/{kind}_subnormal", shapes,
                 f"{kind}[1,1] batch-norm-inference(a, b, c, d, e), epsilon=0, feature_index=1",
                 ("offset", GRADUAL, [1], [1], [3 * least], [1], [1]))


def add_inference(corpus):
    """(x - mean) scale / sqrt(variance) + offset, with operands that are not finite or very small."""
    shapes = ["f32[1,1]"] + ["f32[1]"] * 4
    add_file(corpus, "batch-norm-inference/f32_specials", shapes, f"f32[1,1] {INFERENCE}",
             ("infinite", "an infinite element stays one", ["inf"], [1], [0], [0], [1]),
             ("nan", "NaN stays", ["nan"], [1], [0], [0], [1]),
             ("infinite_mean", "the other way round", [1], [1], [0], ["inf"], [1]),
             ("infinite_variance", "the offset is left", [5], [1], [2], [1], ["inf"]),
             ("negative_variance", "no root: NaN", [5], [1], [2], [1], [-1]),
             ("no_variance", "a division by zero", [5], [1], [2], [1], [0]),
             ("largest", "the largest number is no infinity", [LARGEST], [1], [0], [0], [1]))
    least = LEAST["f64"]
    add_file(corpus, "batch-norm-inference/f64_subnormal_offset", [s.replace("f32", "f64") for s in shapes],
             f"f64[1,1] {INFERENCE}", ("offset", GRADUAL, [1], [1], [3 * least], [1], [1]))


def add_training(corpus):
    """Means and variances that are not finite, halfway, or very small."""
    def file(name, kind, rows, *cases):
        shapes = [f"{kind}[{rows},1]"] + [f"{kind}[1]"] * 2
        result = f"({kind}[{rows},1], {kind}[1], {kind}[1])"
        add_file(corpus, f"batch-norm-training/{name}", shapes,
                 f"{result} batch-norm-training(a, b, c), epsilon=1, feature_index=1", *cases)

    file("f32_specials", "f32", 2,
         ("infinite", "an infinite mean, and a variance that is NaN", ["inf", 1], [1], [0]),
         ("nan", "NaN everywhere", ["nan", 1], [1], [0]),
         ("infinite_scale", "of a difference that is not 0", [1, -1], ["inf"], [0]),
         ("infinite_offset", "it is all that is seen", [1, -1], [1], ["-inf"]),
         ("zero", "a sum that is zero is +0, whatever the signs of its terms", [3, 3], [-1], ["-0"]))
    for kind in ("f16", "f64"):
        least = LEAST[kind]
        file(f"{kind}_subnormal", kind, 2, ("mean", GRADUAL, [4 * least, 2 * least], [1], [5 * least]))
    large, small = TIES["bf16"]
    file("bf16_tie", "bf16", 2, ("mean", TO_EVEN, [2 * large, 2 * small], [0], [0]))
    one, tie, rest = NEAR_TIES["bf16"]
    file("bf16_once", "bf16", 4, ("mean", SUMMED_ONCE, [4 * one, 4 * tie, 4 * rest, 0], [0], [0]))
    add_file(corpus, "batch-norm-training/f32_one_each", "f32[3] f32[3] f32[3] -> (f32[3], f32[3], f32[3])",
             "epsilon=1, feature_index=0",
             ("scale", "the scale is read even where each feature has one element", [1, 2, 3], ["nan", 2, "inf"],
              [4, 5, 6]))


def add_gradients(corpus):
    """The gradient of the offset is a sum, that of the operand is proportional to the scale."""
    def file(name, kind, rows, *cases):
        shapes = [f"{kind}[{rows},1]"] + [f"{kind}[1]"] * 3 + [f"{kind}[{rows},1]"]
        add_file(corpus, f"batch-norm-grad/{name}", shapes, f"({kind}[{rows},1], {kind}[1], {kind}[1]) {GRADIENT}",
                 *cases)

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


def add_rootless(corpus):
    """Batch norms of numbers that have no root."""
    shapes = ["f32[1,4]"] + ["f32[4]"] * 4
    add_file(corpus, "batch-norm-inference/f32_no_root", shapes,
             "f32[1,4] batch-norm-inference(a, b, c, d, e), epsilon=0.5, feature_index=1",
             ("roots", "variance + epsilon: 0 divides, below it is no root, infinity gives a zero", [2, 2, 2, -2],
              [1] * 4,
              [0] * 4, [1, 1, 1, -1], [-0.5, -1, INF, INF]),
             ("zeros", "a zero product has its sign, a zero sum is +0", [1, 1, 3, 3], [-0.0, 0, -0.0, 1],
              [-0.0, -0.0, 0, -0.0], [1, 1, 1, 3], [0.5] * 4))
    add_file(corpus, "batch-norm-training/f32_no_elements", "f32[0,2] f32[2] f32[2] -> (f32[0,2], f32[2], f32[2])",
             "epsilon=0, feature_index=1", ("none", "mean and variance of no elements are NaN", [], [1, 1], [0, 0]))
    add_file(corpus, "batch-norm-training/f32_constant", "f32[2,2] f32[2] f32[2] -> (f32[2,2], f32[2], f32[2])",
             "epsilon=0, feature_index=1",
             ("equal", "equal elements over a variance of 0, and an infinity among them", [5, INF, 5, 1], [1, 1],
              [0, 0]))
    add_file(corpus, "batch-norm-grad/f32_no_root",
             "f32[2,2] f32[2] f32[2] f32[2] f32[2,2] -> (f32[2,2], f32[2], f32[2])", "epsilon=0, feature_index=1",
             ("roots", "a variance of 0, and one below it", [1, 2, 3, 4], [1, 1], [2, 3], [0, -1], [1, -1, 2, 1]))
