"""cholesky, triangular-solve, fft and batch normalization: each attribute, with every type."""

from golden.make.patterns import few
from golden.make.values import NORMALIZED, Sample, batch_norm, several
from golden.witness.element_types import COMPLEX

# Products of a triangle whose entries have few digits with its conjugate transpose.
HERMITIAN, HERMITIAN_OTHER = [4, 0, 2, -2, 2, 2, 3, 0], [1, 0, 1, 1, 1, -1, 3, 0]


def cholesky(op, kind, lower="false", batch=False):
    """The upper triangle; several matrices."""
    first, other = (HERMITIAN, HERMITIAN_OTHER) if kind in COMPLEX else ([4, 2, 2, 2], [1, 0.5, 0.5, 0.5])
    if kind == "f4e2m1fn":
        other = [1, 1, 1, 2]
    words, shape = (first + other, f"{kind}[2,2,2]") if batch else (first, f"{kind}[2,2]")
    return Sample([shape], f"{shape} {op}(a), lower={lower}", [words],
                  reason="two matrices" if batch else "the upper triangle")


def solve(side="true", lower="true", unit="false", transpose="NO_TRANSPOSE", batch="", reason=""):
    """Returns a template of triangular-solve, with exact solutions and an unread triangle that would change them."""

    def template(op, kind):
        if kind in COMPLEX:
            matrix, right = [2, 0, 1, 1, 0, 1, 0, 2], [2, 4, 4, -2, 2, 2, 0, 4]
        elif kind == "f8e8m0fnu":
            matrix, right = [2, 1, 1, 4], [2, 2, 4, 8]
        else:
            matrix, right = [2, -1, 1, -2], [2, -4, 4, 2]
        shape = f"{kind}[{batch}2,2]"
        attributes = f"left_side={side}, lower={lower}, transpose_a={transpose}"
        if unit == "true":
            attributes += ", unit_diagonal=true"
        if batch:
            matrix = matrix + [v * 2 for v in matrix]
            right = right + (right if kind in COMPLEX else [4, 8, 4, 8] if kind == "f8e8m0fnu" else [4, 2, 6, -1])
        return Sample([shape] * 2, f"{shape} {op}(a, b), {attributes}", [matrix, right], reason=reason)

    return template


def fourier(op, kind):
    """Two dimensions, an odd length, a length of one."""
    real = COMPLEX.get(kind, kind)
    whole = kind if kind in COMPLEX else {"f32": "c64", "f64": "c128"}[kind]
    samples = {}
    names = {"FFT": "2,4", "IFFT": "4,2"} if kind in COMPLEX else {"RFFT": "2,4"}
    for name, shape in names.items():
        result = shape if name != "RFFT" else "2,3"
        samples[f"{name.lower()}_two"] = Sample(
            [f"{kind}[{shape}]"], f"{whole}[{result}] {op}(a), fft_type={name}, fft_length={{{shape}}}",
            [few(kind, 8)], reason="two dimensions")
        samples[f"{name.lower()}_one"] = Sample(
            [f"{kind}[3,1]"], f"{whole}[3,1] {op}(a), fft_type={name}, fft_length={{1}}", [few(kind, 3)],
            reason="a length of one, three times")
    if kind in COMPLEX:
        samples["irfft_two"] = Sample([f"{kind}[2,3]"], f"{real}[2,4] {op}(a), fft_type=IRFFT, fft_length={{2,4}}",
                                      [few(kind, 6)], reason="two dimensions")
    return samples


def normalized(epsilon, feature, reason):
    """Returns a template of the three ops."""

    def template(op, kind):
        shape, count = ("2,2", 4) if epsilon else ("2,3", 6)
        data = [1, 2, 4, 1, 2, 4] if kind == "f8e8m0fnu" else [1, 2, 3, 1, 4, 1]
        variance = [1, 4]
        if epsilon:  # With epsilon the root is exact.
            variance = [0.5, 0.5 if kind in ("f8e8m0fnu", "f4e2m1fn") else 3.5]
        numbers = {"data": data[:count], "scale": [2, 1], "offset": [4, 2], "mean": [2, 1], "variance": variance,
                   "gradient": [1, 2, 0.5, 1, 2, 1][:count]}
        return batch_norm(op, f"{kind}[{shape}]", f"{kind}[2]", f"epsilon={epsilon:g}, feature_index={feature}",
                          numbers, reason)

    return template


def classes():
    """Returns the templates by (op, class)."""
    return {
        ("cholesky", "lower"): cholesky, ("cholesky", "batches"): lambda op, kind: cholesky(op, kind, "true", True),
        ("triangular-solve", "left_side"): solve(side="false", reason="the unknown stands left of the matrix"),
        ("triangular-solve", "lower"): solve(lower="false", reason="the upper triangle"),
        ("triangular-solve", "unit_diagonal"): solve(unit="true", reason="the diagonal is not read"),
        ("triangular-solve", "transpose_a"): several(transpose=solve(transpose="TRANSPOSE", reason="the transpose"),
                                                     adjoint=solve(transpose="ADJOINT", reason="the adjoint")),
        ("triangular-solve", "batches"): solve(batch="2,", reason="two systems"),
        ("fft", "fft_length"): fourier,
        **{(op, "epsilon"): normalized(0.5, 1, "a large epsilon shows") for op in NORMALIZED},
        **{(op, "feature_index"): normalized(0, 0, "features are rows") for op in NORMALIZED},
    }
