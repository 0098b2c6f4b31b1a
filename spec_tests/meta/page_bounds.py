"""The allowed error of a page's result against a golden: none, or the error that rounding in float64 can cause.

The pages compute exactly, or in float64, and round once. Results of operations that are exact or rounded once must
have the golden's bits. A function of float64 is off by up to a unit of its own last place or two. A result of f64 or
c128 may be off by as much: UNITS. A result of a narrower type may be a neighbor of the right number: one unit.
"""

import ml_dtypes
import numpy as np

UNITS = 2
UNITS_OF_NARROW_TYPES = 1
PARTS = {"complex64": np.float32, "complex128": np.float64}


def is_float(dtype):
    return dtype.kind == "f" or dtype.kind == "V" and "float" in dtype.name or dtype.name == "bfloat16"


def parts(array):
    """Returns the components of an array, in a row: two for a complex number."""
    flat = np.ascontiguousarray(array).reshape(-1)
    return flat.view(PARTS[flat.dtype.name]) if flat.dtype.name in PARTS else flat


def patterns(flat):
    if "int" in flat.dtype.name:  # Narrow ones have bits to spare in their bytes.
        return flat.astype(np.uint64 if flat.dtype == np.uint64 else np.int64)
    return flat.view(f"u{flat.dtype.itemsize}")


def same(got, want):
    """For each component, whether the bits are equal, or both are NaN."""
    got, want = parts(got), parts(want)
    equal = patterns(got) == patterns(want)
    if is_float(want.dtype):
        with np.errstate(invalid="ignore"):  # from casts of NaN
            equal |= np.isnan(got.astype(np.float64)) & np.isnan(want.astype(np.float64))
    return equal


def unit(magnitudes, dtype):
    """Returns a unit in the last place of each number, in a float type."""
    info = ml_dtypes.finfo(dtype)
    _, exponents = np.frexp(magnitudes)
    return np.ldexp(1.0, np.maximum(exponents - 1, info.minexp) - info.nmant)


def near(got, want, unit_of):
    """For each component, whether it is within the bound; `unit_of`: 'element', or 'result' for that of the largest."""
    flat_got, flat_want = parts(got), parts(want)
    if not is_float(flat_want.dtype):
        return same(got, want)
    with np.errstate(invalid="ignore"):
        x, y = flat_got.astype(np.float64), flat_want.astype(np.float64)
    magnitudes = np.where(np.isfinite(y), np.abs(y), 0)
    if unit_of == "result" and magnitudes.size:
        magnitudes = np.full_like(magnitudes, magnitudes.max())
    elif want.dtype.name in PARTS:  # Both parts in units of the larger one.
        magnitudes = np.repeat(np.maximum(magnitudes[::2], magnitudes[1::2]), 2)
    units = UNITS if flat_want.dtype == np.float64 else UNITS_OF_NARROW_TYPES
    with np.errstate(invalid="ignore"):
        close = np.isfinite(x) & np.isfinite(y) & (np.abs(x - y) <= units * unit(magnitudes, flat_want.dtype))
    if unit_of == "element":
        close &= np.signbit(x) == np.signbit(y)
    return same(got, want) | close


def differences(got, want, unit_of):
    """Returns the components that are not what they should be; `unit_of` None: bit for bit."""
    if got.dtype != want.dtype or got.shape != want.shape:
        raise TypeError(f"{got.dtype}{got.shape}, want {want.dtype}{want.shape}")
    right = same(got, want) if unit_of is None else near(got, want, unit_of)
    return np.flatnonzero(~right)
