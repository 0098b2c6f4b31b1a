"""Goldens of Fourier transforms, decompositions, normalizations and the dots of groups and blocks."""

import itertools

from golden.make.modules import add_family, numbers
from golden.make.values import NORMALIZED, Sample, batch_norm
from golden.witness.element_types import COMPLEX

NAN, INF = float("nan"), float("inf")


def add_to(corpus):
    """Adds all files of this module."""
    for op, families in (("fft", fft_families()), ("cholesky", cholesky_families()),
                         ("triangular-solve", solve_families()), ("ragged-dot", ragged_families()),
                         ("scaled-dot", scaled_families())):
        for name, samples in families.items():
            add_family(corpus, f"{op}/{name}", samples)
    for op in NORMALIZED:
        add_family(corpus, f"{op}/layouts", batch_norm_samples(op))


# --- fft --------------------------------------------------------------------------------------------------------------


def transform(kind, fft_type, lengths, batch=(), seed=1):
    """Returns a Sample of a transform. `kind`: the element type of the real side, or for FFT and IFFT of both."""
    is_real_in, is_real_out = fft_type == "RFFT", fft_type == "IRFFT"
    real = COMPLEX.get(kind, kind)
    whole = {"f32": "c64", "f64": "c128"}[real]
    half = [*lengths[:-1], lengths[-1] // 2 + 1]

    def shape(is_real, is_half):
        sizes = ",".join(map(str, [*batch, *(half if is_half else lengths)]))
        return f"{real if is_real else whole}[{sizes}]"

    operand, result = shape(is_real_in, is_real_out), shape(is_real_out, is_real_in)
    root = f"{result} fft(a), fft_type={fft_type}, fft_length={{{','.join(map(str, lengths))}}}"
    return Sample([operand], root, [f"{operand} seeded {seed}"], reason=f"{fft_type} of {lengths}")


def fft_families():
    """fft: kinds, lengths and axes."""
    families = {"lengths": {}, "axes": {}}
    for fft_type in ("FFT", "IFFT", "RFFT", "IRFFT"):
        kind = "f32" if fft_type[-4:] in ("RFFT", "IRFFT") and "R" in fft_type else "c64"
        name = fft_type.lower()
        for length in (1, 2, 3, 5, 6, 7, 8, 12, 17):
            families["lengths"][f"{name}_{length}"] = transform(kind, fft_type, [length])
        families["lengths"][f"{name}_f64_9"] = transform({"c64": "c128"}.get(kind, "f64"), fft_type, [9])
        for lengths in ([3, 4], [4, 3], [5, 1], [2, 3, 5], [1, 2, 6]):
            families["axes"][f"{name}_{'x'.join(map(str, lengths))}"] = transform(kind, fft_type, lengths, seed=2)
        families["axes"][f"{name}_batch"] = transform(kind, fft_type, [3, 2], batch=(2,), seed=3)
    # The specification: the transforms of 16 and of 17 real numbers have the same shape, so the inverse needs a length.
    families["lengths"]["rfft_16"] = transform("f32", "RFFT", [16])
    families["lengths"]["irfft_16"] = transform("f32", "IRFFT", [16])
    impulse = Sample("c64[5] -> c64[5]", "fft_type=FFT, fft_length={5}", [[0, 0, 1, 0] + [0] * 6],
                     reason="one number: roots of unity", more={"_constant": [[3, -1] * 5], "_zero": [[0.0] * 10]})
    families["lengths"]["impulse"] = impulse
    families["symmetry"] = symmetric_transforms()
    return families


def symmetric_transforms():
    """fft: arrays whose elements j and -j are conjugates, so that the transform is real, and arrays that are nearly so.

    The first element is far above the others, so that the small parts of the result are uncertain until they are
    exact.
    """
    arrays = {
        "conjugates": ("4", "4", [0, 1, 2, 5, 0, 1, -2], "conjugates: a real transform"),
        "real_parts": ("4", "4", [0, 1, 2, 5, 0, 1, 3], "equal real parts, but no conjugates"),
        "imaginary_parts": ("4", "4", [0, 1, 2, 5, 0, 3, -2], "opposite imaginary parts, but no conjugates"),
        "not_real": ("4", "4", [3, 1, 2, 5, 0, 1, -2], "an element that is its own mirror image, and not real"),
        "plane": ("2,3", "2,3", [0, 1, 2, 1, -2, 5, 0, 3, 4, 3, -4], "conjugates in two dimensions"),
        "row_of_plane": ("2,3", "2,3", [0, 1, 2, 3, 4, 5, 0, 3, -4, 1, -2], "conjugates in a row of the six elements"),
        "next": ("2,2", "2", [1, -1, -0.75, 0.75, 0, 0, 0], "imaginary parts opposite to the next real parts"),
    }
    return {f"{name}_{kind}": Sample(f"{kind}[{shape}] -> {kind}[{shape}]", f"fft_type=FFT, fft_length={{{lengths}}}",
                                     [[first, *others]], reason=reason) for kind, first in
            (("c64", 2.0**100), ("c128", 2.0**300)) for name, (shape, lengths, others, reason) in arrays.items()}


# --- Decompositions ---------------------------------------------------------------------------------------------------


def cholesky_families():
    """cholesky: sizes, triangles and matrices without a factor."""
    table = [4, 12, -16, 12, 37, -43, -16, -43, 98]
    junk = [4, NAN, 77, 12, 37, INF, -16, -43, 98]
    upper_junk = [4, 12, -16, NAN, 37, -43, 9, -9, 98]
    hermitian = [2, 0, 1, 1, 0, -1, 1, -1, 3, 0, 0.5, 0, 0, 1, 0.5, 0, 4, 0]

    def sample(kind, shape, words, lower="true", reason="", **more):
        return Sample(f"{kind}[{shape}] -> {kind}[{shape}]", f"lower={lower}", [words], reason=reason,
                      more={f"_{name}": [value] for name, value in more.items()})

    samples = {
        "f32": sample("f32", "3,3", table, reason="integers", other_triangle=junk),
        "f32_upper": sample("f32", "3,3", table, "false", "the upper triangle", other_triangle=upper_junk),
        "f32_not_definite": sample("f32", "2,2", [1, 2, 2, 1], reason="no factor exists: all NaN", zero=[0] * 4,
                                   nan=[1, NAN, NAN, 1], negative=[-1, 0, 0, 1]),
        "f64": sample("f64", "3,3", [2, 1, 0.5, 1, 3, 0.75, 0.5, 0.75, 1], reason="roots that are not exact"),
        "bf16": sample("bf16", "2,2", [2, 1, 1, 2], reason="roots that are not exact"),
        "f16": sample("f16", "2,2", [2, 1, 1, 2], "false", reason="roots that are not exact"),
        "f32_batch": sample("f32", "2,2,2", [4, 2, 2, 2, 9, 3, 3, 5], reason="two matrices"),
        "f32_one": sample("f32", "1,1", [2], reason="a root"),
        "f32_empty": sample("f32", "2,0,0", [], reason="no element"),
        "c64": sample("c64", "3,3", hermitian, reason="Hermitian"),
        "c64_upper": sample("c64", "3,3", hermitian, "false", "Hermitian"),
        "c128": sample("c128", "2,2", [2, 0, 0.5, -1, 0.5, 1, 3, 0], reason="Hermitian"),
    }
    return {"matrices": samples}


def solve_families():
    """triangular-solve: sides, triangles and transposes."""
    ways = {}
    matrix = [2, 1, -9, 7, 5, -5, 1, -1, 4, 0.5, 8, -8, 0.25, 3, -2, 1, 1, -2]
    right = numbers(12, -5)
    transposes = ("NO_TRANSPOSE", "TRANSPOSE", "ADJOINT")
    for left, lower, unit, transpose in itertools.product((1, 0), (1, 0), (1, 0), transposes):
        name = "_".join([("right", "left")[left], ("upper", "lower")[lower], transpose.lower(),
                         ("diagonal", "unit")[unit]])
        shape = "c64[3,2]" if left else "c64[2,3]"
        flags = [f"{flag}=true" for flag, is_set in (("left_side", left), ("lower", lower), ("unit_diagonal", unit)) if
                 is_set]
        ways[name] = Sample(["c64[3,3]", shape],
                            f"{shape} triangular-solve(a, b), " + ", ".join([*flags, f"transpose_a={transpose}"]),
                            [matrix, right], reason="one of the 24 ways, the other triangle not read")
    plain = "left_side=true, lower=true, transpose_a=NO_TRANSPOSE"

    def sample(kind, n, k, a, b, reason, batch=""):
        return Sample(f"{kind}[{batch}{n},{n}] {kind}[{batch}{n},{k}] -> {kind}[{batch}{n},{k}]", plain, [a, b],
                      reason=reason)

    kinds = {
        "f64": sample("f64", 3, 1, [3, 0, 0, 1, 7, 0, 2, -1, 9], [1, 2, 3], "quotients that are not exact"),
        "f32": sample("f32", 2, 2, [3, 0, 1, 7], [1, 2, 3, 4], "quotients that are not exact"),
        "bf16": sample("bf16", 2, 1, [3, 0, 1, 7], [1, 2], "quotients that are not exact"),
        "f32_batch": sample("f32", 2, 1, [2, 0, 1, 4, 4, 0, 2, 8], [2, 9, 4, 18], "two systems", batch="2,"),
        "f32_empty": sample("f32", 0, 3, [], [], "no unknown"),
        "f32_none": sample("f32", 2, 0, [2, 0, 1, 4], [], "no right side"),
        "f32_nothing": sample("f32", 0, 0, [], [], "no unknown, and no right side"),
    }
    return {"ways": ways, "systems": kinds}


# --- Dots -------------------------------------------------------------------------------------------------------------


def ragged_families():
    """ragged-dot: each role of the ragged dimension."""
    def sample(signature, dims, *arguments, reason, **more):
        return Sample(signature, dims, list(arguments), reason=reason,
                      more={f"_{name}": [*arguments[:2], sizes] for name, sizes in more.items()})

    rows = "lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={0}"
    terms = "lhs_contracting_dims={1}, rhs_contracting_dims={0}, lhs_ragged_dims={1}"
    batch = ("lhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_batch_dims={0}, rhs_contracting_dims={1}, "
             "lhs_ragged_dims={0}")
    samples = {
        "rows": sample("f32[5,2] f32[3,2,2] s32[3] -> f32[5,2]", rows, numbers(10), numbers(12, -3), [2, 0, 3],
                       reason="each group of rows has its own matrix", past=[1, 1, 1], none=[0, 0, 0], all=[5, 0, 0]),
        "rows_s64": sample("bf16[3,2] bf16[2,2,1] s64[2] -> f32[3,1]", rows, numbers(6), numbers(4), [1, 2],
                           reason="wider sums, wider sizes"),
        "terms": sample("f32[2,5] f32[5,2] s32[3] -> f32[3,2,2]", terms, numbers(10), numbers(10, -4), [2, 0, 3],
                        reason="each group of terms has its own result", past=[1, 1, 1]),
        "batch": sample("f32[3,2,2] f32[3,2,1] s32[2] -> f32[3,2,1]", batch, numbers(12), numbers(6, -2), [1, 2],
                        reason="groups of batches: a dot"),
        "rows_batch": sample("f32[2,3,2] f32[2,2,2,1] s32[2,2] -> f32[2,3,1]", "lhs_batch_dims={0}, "
                             "lhs_contracting_dims={2}, rhs_batch_dims={1}, rhs_contracting_dims={2}, "
                             "lhs_ragged_dims={1}, rhs_group_dims={0}", numbers(12), numbers(8, -2), [1, 2, 2, 1],
                             reason="sizes for each batch"),
        "rows_s8": sample("s8[3,2] s8[2,2,1] s32[2] -> s32[3,1]", rows, [127, -128] * 3, [127, -128, 1, 2], [2, 1],
                          reason="products past the range of s8"),
    }
    return {"modes": samples}


def scaled_families():
    """scaled-dot: blocks and scales."""
    matrix = "lhs_contracting_dims={1}, rhs_contracting_dims={0}"

    def sample(signature, *arguments, reason, dims=matrix):
        return Sample(signature, dims, list(arguments), reason=reason)

    samples = {
        "blocks": sample("f8e4m3fn[2,4] f8e5m2[4,2] f8e8m0fnu[2,2] f8e8m0fnu[2,2] -> f32[2,2]", numbers(8),
                         [1, -2, 3, 4, 0.5, 1, 2, -1], [1, 2, 4, 0.5], [1, 8, 0.25, 2],
                         reason="blocks of two along the contracting dimension"),
        "whole": sample("f4e2m1fn[2,4] f4e2m1fn[4,1] f8e8m0fnu[1,1] f8e8m0fnu[1,1] -> bf16[2,1]",
                        [1, 2, 3, 4, 6, -6, 0.5, 1.5], [1, -2, 4, 0.5], [2.0**-10], [2.0**20],
                        reason="one scale for the operand"),
        "dummy": sample("f8e4m3fn[1,2] bf16[2,1] f8e8m0fnu[1,2] bf16[] -> f32[1,1]", [3, 5], [1, 2], [2, 4], [1],
                        reason="an operand of bf16 without a scale"),
        "dummy_first": sample("bf16[1,2] f8e4m3fn[2,1] bf16[] f8e8m0fnu[2,1] -> f32[1,1]", [1, 2], [3, 5], [1], [2, 4],
                              reason="the first operand is the one without a scale"),
        "far": sample("f8e4m3fn[1,3] f8e4m3fn[3,1] f8e8m0fnu[1,3] f8e8m0fnu[1,1] -> f32[1,1]", [1, 1, 1], [1, 1, -1],
                      [2.0**100, 1, 2.0**100], [1], reason="the sum is exact: scales far apart cancel"),
        "nan": sample("f8e4m3fn[1,2] f8e4m3fn[2,1] f8e8m0fnu[1,2] f8e8m0fnu[1,1] -> f32[1,1]", [1, 1], [1, 1], [NAN, 1],
                      [1], reason="a NaN scale"),
    }
    batched = ("lhs_batch_dims={0}, rhs_batch_dims={1}, lhs_contracting_dims={2}, rhs_contracting_dims={0}")
    scales = {
        "rows": sample("f8e4m3fn[6,4] f8e4m3fn[4,6] f8e8m0fnu[3,4] f8e8m0fnu[4,2] -> f32[6,6]", numbers(24, -12),
                       numbers(24, -7), [2.0**(i % 5) for i in range(12)], [2.0**(i % 7 - 3) for i in range(8)],
                       reason="blocks of rows of one operand and of columns of the other"),
        "both": sample("f8e4m3fn[6,4] f8e4m3fn[4,6] f8e8m0fnu[2,2] f8e8m0fnu[2,3] -> f32[6,6]", numbers(24, -12),
                       numbers(24, -7), [1, 2, 8, 64], [1, 2, 4, 16, 64, 1024], reason="blocks in both dimensions"),
        "one_row": sample("f8e4m3fn[4,4] f8e4m3fn[4,2] f8e8m0fnu[1,4] f8e8m0fnu[4,1] -> f32[4,2]", numbers(16, -8),
                          numbers(8, -3), [1, 2, 8, 64], [4, 1, 16, 2],
                          reason="a scale for each column of one operand and each row of the other"),
        "one_column": sample("f8e4m3fn[4,4] f8e4m3fn[4,2] f8e8m0fnu[4,1] f8e8m0fnu[1,2] -> f32[4,2]", numbers(16, -8),
                             numbers(8, -3), [1, 2, 8, 64], [4, 1],
                             reason="a scale for each row of one operand and each column of the other"),
        "batch": sample("s8[4,3,2] s8[2,4,3] s8[2,3,1] s8[2,2,1] -> s32[4,3,3]", numbers(24, -12), numbers(24, -7),
                        numbers(6), [1, -2, 3, 5], dims=batched,
                        reason="blocks of batches, which are another dimension in each operand"),
        "rows_c64": sample("c64[4,2] c64[2,2] c64[2,1] c64[2,2] -> c64[4,2]", numbers(16, -8), numbers(8, -3),
                           [1, 1, 2, -1], [1, 0, 0, 1, -1, 0, 0, -1], reason="complex scales of blocks of rows"),
        "none": sample("f8e4m3fn[0,2] f8e4m3fn[2,3] f8e8m0fnu[0,1] f8e8m0fnu[1,3] -> f32[0,3]", [], numbers(6), [],
                       [1, 2, 4], reason="no row, and no scale for it"),
    }
    return {"blocks": samples, "scales": scales}


# --- Batch normalization ----------------------------------------------------------------------------------------------


def batch_norm_samples(op):
    """One batch-norm op with the feature in each dimension."""
    samples = {}
    for name, kind, shape, feature, epsilon in (
        ("f32_images", "f32", [2, 3, 3, 2], 1, 0.001), ("f32_last", "f32", [5, 3], 1, 1e-05),
        ("f32_first", "f32", [3, 4], 0, 0), ("f64", "f64", [4, 2], 1, 0.001), ("bf16", "bf16", [4, 2], 1, 0.001),
        ("f16", "f16", [4, 2], 1, 0.125), ("f32_one_element", "f32", [1, 2], 1, 0.5),
    ):
        operand = f"{kind}[{','.join(map(str, shape))}]"
        row = f"{kind}[{shape[feature]}]"
        attributes = f"epsilon={epsilon:g}, feature_index={feature}"
        reason = f"feature_index {feature}, epsilon {epsilon:g}"
        values = {
            "data": f"{operand} seeded 11", "scale": f"{row} seeded 12", "mean": f"{row} seeded 14",
            # Offsets so large that they do not cancel: the allowance applies to such operands.
            "offset": numbers(shape[feature], 5), "variance": numbers(shape[feature], 0.25, 0.5),
            "gradient": f"{operand} seeded 15",
        }
        if op == "batch-norm-grad":
            values["mean"] = f"{row} seeded 13"
        samples[name] = batch_norm(op, operand, row, attributes, values, reason)
    return samples
