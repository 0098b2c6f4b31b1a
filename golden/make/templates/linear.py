"""Products, decompositions, transforms and normalizations, with every element type."""

from golden.make.values import Sample, small
from golden.witness.element_types import COMPLEX, is_float

MATRIX = "lhs_contracting_dims={1}, rhs_contracting_dims={0}"


def dot(op, kind):
    """A product of two matrices of two by two."""
    return Sample([f"{kind}[2,2]"] * 2, f"{kind}[2,2] {op}(a, b), {MATRIX}", [small(kind, 4), small(kind, 4)])


def convolution(op, kind):
    """One feature, a window of two."""
    return Sample([f"{kind}[1,4,1]", f"{kind}[2,1,1]"],
                  f"{kind}[1,3,1] {op}(a, b), window={{size=2}}, dim_labels=b0f_0io->b0f",
                  [small(kind, 4), small(kind, 2)])


def ragged_dot(op, kind):
    """Two groups of one row."""
    return Sample([f"{kind}[2,2]", f"{kind}[2,2,2]", "s32[2]"],
                  f"{kind}[2,2] {op}(a, b, c), lhs_contracting_dims={{1}}, rhs_contracting_dims={{1}},"
                  " lhs_ragged_dims={0}, rhs_group_dims={0}", [small(kind, 4), small(kind, 8), [1, 1]])


def scaled_dot(op, kind):
    """A scale for each row and column."""
    scale = "f8e8m0fnu" if is_float(kind) else kind
    return Sample([f"{kind}[2,2]", f"{kind}[2,2]", f"{scale}[2,1]", f"{scale}[1,2]"],
                  f"{kind}[2,2] {op}(a, b, c, d), {MATRIX}",
                  [small(kind, 4), small(kind, 4), small(scale, 2), small(scale, 2)])


def cholesky(op, kind):
    """A matrix whose factor is exact."""
    matrix = [4, 0, 2, -2, 2, 2, 3, 0] if kind in COMPLEX else [4, 2, 2, 2]
    return Sample([f"{kind}[2,2]"], f"{kind}[2,2] {op}(a), lower=true", [matrix])


def triangular_solve(op, kind):
    """A system whose solution is exact."""
    lower, right = ([2, 0, 9, 9, 1, 1, 0, 1], [2, 4, 3, 1]) if kind in COMPLEX else ([2, 4, 1, 1], [2, 2])
    return Sample([f"{kind}[2,2]", f"{kind}[2,1]"],
                  f"{kind}[2,1] {op}(a, b), left_side=true, lower=true, transpose_a=NO_TRANSPOSE", [lower, right])


def fft(op, kind):
    """Four elements, each kind of transform that the type allows."""
    if kind not in COMPLEX:
        result = "c64" if kind == "f32" else "c128"
        return {f"{kind}_rfft": Sample([f"{kind}[4]"], f"{result}[3] {op}(a), fft_type=RFFT, fft_length={{4}}",
                                       [small(kind, 4)])}
    samples = {f"{kind}_{name.lower()}": Sample([f"{kind}[4]"], f"{kind}[4] {op}(a), fft_type={name}, fft_length={{4}}",
                                                [small(kind, 4)]) for name in ("FFT", "IFFT")}
    real = COMPLEX[kind]
    samples[f"{kind}_irfft"] = Sample([f"{kind}[3]"], f"{real}[4] {op}(a), fft_type=IRFFT, fft_length={{4}}",
                                      [small(kind, 3)])
    return samples


def batch_norm(op, kind):
    """Two features, each with two numbers."""
    operand, feature = f"{kind}[2,2]", f"{kind}[2]"
    data = [1, 2, 3, 1] if kind != "f8e8m0fnu" else [1, 2, 4, 1]
    scale, offset, mean, variance, gradient = [2, 1], [4, 2], [2, 1.5], [1, 4], [1, 2, 0.5, 1]
    if kind == "f8e8m0fnu":
        mean = [2, 1]
    attributes = "epsilon=0, feature_index=1"
    if op == "batch-norm-training":
        return Sample([operand, feature, feature], f"({operand}, {feature}, {feature}) {op}(a, b, c), {attributes}",
                      [data, scale, offset])
    if op == "batch-norm-inference":
        return Sample([operand] + [feature] * 4, f"{operand} {op}(a, b, c, d, e), {attributes}",
                      [data, scale, offset, mean, variance])
    return Sample([operand] + [feature] * 3 + [operand],
                  f"({operand}, {feature}, {feature}) {op}(a, b, c, d, e), {attributes}",
                  [data, scale, mean, variance, gradient])


def templates():
    """Returns the templates by op."""
    return {
        "dot": dot, "convolution": convolution, "ragged-dot": ragged_dot, "scaled-dot": scaled_dot,
        "cholesky": cholesky, "triangular-solve": triangular_solve, "fft": fft,
        **{f"batch-norm-{name}": batch_norm for name in ("training", "inference", "grad")},
    }
