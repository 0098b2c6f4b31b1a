"""Fourier transforms, by their definition."""

import dataclasses
import math

import mpmath
import numpy as np

from golden.witness.arrays import Array, components
from golden.witness.element_types import COMPLEX, DTYPES
from golden.witness.evaluator.exact_numbers import Complex, array_of


def turn(numerator, denominator):
    """Returns e^(2 pi i numerator / denominator)."""
    return mpmath.mpc(mpmath.cospi(mpmath.mpf(2 * numerator) / denominator),
                      mpmath.sinpi(mpmath.mpf(2 * numerator) / denominator))


def along(values, axis, length, sign, size):
    """Transforms one axis; elements past its end are zero."""
    out_shape = list(values.shape)
    out_shape[axis] = size
    out = np.empty(out_shape, object)
    for index in np.ndindex(*out_shape):
        total = mpmath.mpc(0)
        for n in range(min(length, values.shape[axis])):
            at = list(index)
            at[axis] = n
            total += values[tuple(at)] * turn(sign * n * index[axis] % length, length)
        out[index] = total
    return out


def fft(instruction, x):
    """Transforms the last axes of a real or complex array; inverse transforms are divided by the number of elements."""
    if not np.all(np.isfinite(components(x).astype(np.float64))):
        return nan_in_each_transform(instruction, x)
    parts = [abs(float(v)) for v in components(x) if v != 0]
    # All digits of the operand matter, even if the large elements cancel.
    digits = math.frexp(max(parts))[1] - math.frexp(min(parts))[1] if parts else 0
    with mpmath.workprec(500 + 2 * digits):
        negligible = mpmath.fsum(parts) * mpmath.mpf(2) ** (-400 - 2 * digits)
        # The elements are multiples of the last place of the least one. A rational part of a root of unity is 0, 1/2 or 1.
        axes = len(instruction.ints("fft_length"))
        unit = mpmath.ldexp(1, math.frexp(min(parts))[1] - 53 - axes) if parts else 1
        return transformed(instruction, x, negligible, unit)


def nan_in_each_transform(instruction, x):
    """Transforms one by one: a transform of numbers that are not finite is NaN throughout."""
    count = len(instruction.ints("fft_length"))
    out = np.zeros(instruction.dimensions, DTYPES[instruction.type])
    for index in np.ndindex(*x.values.shape[: x.values.ndim - count]):
        part = Array(x.type, np.ascontiguousarray(x.values[index]))
        if np.all(np.isfinite(components(part).astype(np.float64))):
            one = dataclasses.replace(instruction, shape=f"{instruction.type}[{','.join(map(str, out[index].shape))}]")
            out[index] = fft(one, part).values
        else:
            out[index] = complex(np.nan, np.nan) if instruction.type in COMPLEX else np.nan
    return Array(instruction.type, out)


def settled(value, negligible, unit):
    """Returns a part of a result; a part at the rounding error of a rational number, a multiple of `unit`, is that."""
    multiple = mpmath.nint(value / unit) * unit
    return multiple if abs(value - multiple) <= negligible else value


def transformed(instruction, x, negligible, unit):
    """Transforms in the precision of the context."""
    kind = instruction.text("fft_type")
    lengths = instruction.ints("fft_length")
    axes = list(range(x.values.ndim - len(lengths), x.values.ndim))
    values = np.empty(x.values.shape, object)
    for index in np.ndindex(*x.values.shape):
        number = x.values[index]
        values[index] = mpmath.mpc(float(number.real), float(number.imag))
    sign = 1 if kind in ("IFFT", "IRFFT") else -1
    for axis, length in list(zip(axes, lengths))[: -1 if kind == "IRFFT" else None]:
        is_last = axis == axes[-1]
        size = length // 2 + 1 if kind == "RFFT" and is_last else values.shape[axis]
        values = along(values, axis, length, sign, size)
    if kind == "IRFFT":
        values = along(mirrored(values, lengths[-1]), axes[-1], lengths[-1], sign, lengths[-1])
    scale = np.prod(lengths, dtype=object) if sign > 0 else 1
    flat = [Complex(*(settled(part, negligible, unit) / scale for part in (v.real, v.imag))) for v in values.reshape(-1)]
    if instruction.type in COMPLEX:
        return array_of(instruction.type, flat, instruction.dimensions)
    return array_of(instruction.type, [v.real for v in flat], instruction.dimensions)


def mirrored(values, length):
    """Returns the whole spectrum of a real signal, from its first half."""
    out = np.empty(values.shape[:-1] + (length,), object)
    for k in range(length):
        half = min(k, length - k)
        part = values[..., half] if half < values.shape[-1] else values[..., 0] * 0
        for index in np.ndindex(*out.shape[:-1]):
            v = part[index]
            is_own_mirror = k == length - k or k == 0
            out[index + (k,)] = mpmath.mpc(v.real) if is_own_mirror else v if k <= length // 2 else mpmath.conj(v)
    return out


OPS = {"fft": fft}
