"""Products, decompositions, transforms and normalizations, with every element type."""

from golden.make.values import NORMALIZED, Sample, batch_norm, small, template
from golden.witness.element_types import COMPLEX, is_float


def scaled_dot(op, kind):
    """A scale for each row and column."""
    scale = "f8e8m0fnu" if is_float(kind) else kind
    return Sample([f"{kind}[2,2]", f"{kind}[2,2]", f"{scale}[2,1]", f"{scale}[1,2]"],
                  f"{kind}[2,2] {op}(a, b, c, d), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}",
                  [small(kind, 4), small(kind, 4), small(scale, 2), small(scale, 2)])


def factored(kind, _):
    """Returns a matrix whose factor is exact."""
    return [4, 0, 2, -2, 2, 2, 3, 0] if kind in COMPLEX else [4, 2, 2, 2]


def lower(kind, _):
    """Returns the matrix of a system whose solution is exact."""
    return [2, 0, 9, 9, 1, 1, 0, 1] if kind in COMPLEX else [2, 4, 1, 1]


def right(kind, _):
    """Returns the right side of the system."""
    return [2, 4, 3, 1] if kind in COMPLEX else [2, 2]


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


def normalized(op, kind):
    """Two features, each with two numbers."""
    is_power = kind == "f8e8m0fnu"
    numbers = {"data": [1, 2, 4 if is_power else 3, 1], "scale": [2, 1], "offset": [4, 2],
               "mean": [2, 1 if is_power else 1.5], "variance": [1, 4], "gradient": [1, 2, 0.5, 1]}
    return batch_norm(op, f"{kind}[2,2]", f"{kind}[2]", "epsilon=0, feature_index=1", numbers)


def templates():
    """Returns the templates by op."""
    return {
        "dot": template("{k}[2,2] {k}[2,2]", "{k}[2,2] {op}(a, b), lhs_contracting_dims={1},"
                        " rhs_contracting_dims={0}", small, small),
        "convolution": template("{k}[1,4,1] {k}[2,1,1]", "{k}[1,3,1] {op}(a, b), window={size=2},"
                                " dim_labels=b0f_0io->b0f", small, small),
        "ragged-dot": template(
            "{k}[2,2] {k}[2,2,2] s32[2]", "{k}[2,2] {op}(a, b, c), lhs_contracting_dims={1},"
            " rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={0}", small, small, [1, 1]),
        "scaled-dot": scaled_dot, "cholesky": template("{k}[2,2]", "{k}[2,2] {op}(a), lower=true", factored),
        "triangular-solve": template("{k}[2,2] {k}[2,1]", "{k}[2,1] {op}(a, b), left_side=true, lower=true,"
                                     " transpose_a=NO_TRANSPOSE", lower, right),
        "fft": fft, **{op: normalized for op in NORMALIZED},
    }
