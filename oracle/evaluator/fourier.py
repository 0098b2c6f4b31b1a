"""Fourier transforms, by their definition."""

import mpmath
import numpy as np

from oracle.element_types import COMPLEX, NAN
from oracle.evaluator.exact_numbers import Complex, array_of, precisely
from oracle.evaluator.not_derived import NotDerived


def turn(numerator, denominator):
    """e^(2 pi i numerator / denominator)."""
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


def not_finite(instruction, x):
    """Of one transform: every sum has a term that is not finite."""
    if len(instruction.ints("fft_length")) != x.values.ndim:
        raise NotDerived("one of several transforms that is not finite")
    count = int(np.prod(instruction.dimensions))
    number = Complex(NAN, NAN) if instruction.type in COMPLEX else NAN
    return array_of(instruction.type, [number] * count, instruction.dimensions)


@precisely
def fft(instruction, x):
    """The last axes of a real or complex array; backward transforms are divided by the number of elements."""
    kind = instruction.text("fft_type")
    lengths = instruction.ints("fft_length")
    axes = list(range(x.values.ndim - len(lengths), x.values.ndim))
    values = np.empty(x.values.shape, object)
    for index in np.ndindex(*x.values.shape):
        number = x.values[index]
        if not np.isfinite(number):
            return not_finite(instruction, x)
        values[index] = mpmath.mpc(float(number.real), float(number.imag))
    sign = 1 if kind in ("IFFT", "IRFFT") else -1
    for axis, length in list(zip(axes, lengths))[: -1 if kind == "IRFFT" else None]:
        is_last = axis == axes[-1]
        size = length // 2 + 1 if kind == "RFFT" and is_last else values.shape[axis]
        values = along(values, axis, length, sign, size)
    if kind == "IRFFT":
        values = along(mirrored(values, lengths[-1]), axes[-1], lengths[-1], sign, lengths[-1])
    scale = np.prod(lengths, dtype=object) if sign > 0 else 1
    flat = [v / scale for v in values.reshape(-1)]
    if instruction.type in COMPLEX:
        return array_of(instruction.type, [Complex(v.real, v.imag) for v in flat], instruction.dimensions)
    return array_of(instruction.type, [v.real for v in flat], instruction.dimensions)


def mirrored(values, length):
    """The whole spectrum of a real signal, from its first half."""
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
