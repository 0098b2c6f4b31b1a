"""Every conversion between element types, against numpy and ml_dtypes.

Every bit pattern of every type of up to 16 bits, and edges and random patterns of the wider ones, go through the
program that ASSAY_HELPER names (convert_helper.cc) to every type. The expected value comes from numpy and ml_dtypes, through f32 and with the input
first rounded to odd where it does not fit, so that each expected value has been rounded once. Two NaNs are equal.
"""
import os
import subprocess
import unittest
import warnings

import ml_dtypes
import numpy as np

from spec_tests.nightly import is_nightly

warnings.simplefilter("ignore")

UNSIGNED = {f"u{n}": n for n in (1, 2, 4, 8, 16, 32, 64)}
SIGNED = {f"s{n}": n for n in (1, 2, 4, 8, 16, 32, 64)}
NARROW = {
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "f8e5m2": ml_dtypes.float8_e5m2,
    "f8e4m3": ml_dtypes.float8_e4m3,
    "f8e4m3fn": ml_dtypes.float8_e4m3fn,
    "f8e3m4": ml_dtypes.float8_e3m4,
    "f8e4m3b11fnuz": ml_dtypes.float8_e4m3b11fnuz,
    "f8e5m2fnuz": ml_dtypes.float8_e5m2fnuz,
    "f8e4m3fnuz": ml_dtypes.float8_e4m3fnuz,
    "f8e8m0fnu": ml_dtypes.float8_e8m0fnu,
    "f6e3m2fn": ml_dtypes.float6_e3m2fn,
    "f6e2m3fn": ml_dtypes.float6_e2m3fn,
    "f4e2m1fn": ml_dtypes.float4_e2m1fn,
}
NARROW_BITS = {"f16": 16, "bf16": 16, "f6e3m2fn": 6, "f6e2m3fn": 6, "f4e2m1fn": 4}
FLOATS = {**NARROW, "f32": np.float32, "f64": np.float64}
COMPLEX = {"c64": np.complex64, "c128": np.complex128}
NAMES = ["pred", *UNSIGNED, *SIGNED, *FLOATS, *COMPLEX]


def storage(name):
    """Returns the numpy type of one stored element."""
    if name == "pred":
        return np.dtype(np.uint8)
    if name in FLOATS or name in COMPLEX:
        return np.dtype({**FLOATS, **COMPLEX}[name])
    width = max(8, {**UNSIGNED, **SIGNED}[name])
    return np.dtype(f"{'i' if name in SIGNED else 'u'}{width // 8}")


def all_patterns(name):
    if name == "pred":
        return np.array([0, 1], np.uint8)
    if name in NARROW:
        bits = NARROW_BITS.get(name, 8)
        return np.arange(1 << bits, dtype=np.uint16 if bits == 16 else np.uint8).view(NARROW[name])
    if name in UNSIGNED:
        return np.arange(1 << UNSIGNED[name], dtype=np.uint32).astype(storage(name))
    half = 1 << (SIGNED[name] - 1)
    return np.arange(-half, half, dtype=np.int32).astype(storage(name))


def wide_patterns(name, random):
    """Edges and random patterns of a type too wide to be gone through."""
    if name in UNSIGNED or name in SIGNED:
        width = {**UNSIGNED, **SIGNED}[name]
        edges = [sum(1 << b for b in bits) + d for bits in [(a, b) for a in range(width) for b in range(a)] +
                 [(a,) for a in range(width)] for d in (-1, 0, 1)]
        mask = (1 << width) - 1
        values = [sign * e & mask for e in edges for sign in (1, -1)]
        values += [int(r) >> int(s) & mask for r, s in zip(random.integers(0, 2**64, 20000, np.uint64, False),
                                                           random.integers(0, width, 20000))]
        return np.array(values, np.uint64).astype(f"u{width // 8}").view(storage(name))
    if name in COMPLEX:
        parts = wide_patterns("f64" if name == "c128" else "f32", random)
        component = np.random.default_rng(3).permutation(parts)
        return (np.stack([parts, component], axis=-1)).reshape(-1).view(COMPLEX[name])
    integer = np.uint32 if name == "f32" else np.uint64
    scale = storage(name).itemsize * 8
    patterns = [random.integers(0, 2**scale, 30000, integer, False)]
    special = np.array([0.0, np.inf, np.nan, 2.0**31, 2.0**32, 2.0**63, 2.0**64, 1e-40], storage(name))
    # Every value of the narrow types, the ties between neighbours, and the numbers just beside both.
    for narrow in NARROW:
        values = np.unique(all_patterns(narrow).astype(np.float64))
        values = values[np.isfinite(values)]
        if narrow in ("f16", "bf16"):
            values = values[:: 7]
        step = values[-1] - values[-2] if narrow != "f8e8m0fnu" else values[-1]
        edges = np.concatenate([values, [values[-1] + step], (values[1:] + values[:-1]) / 2, [values[-1] + step / 2]])
        special = np.concatenate([special, edges.astype(storage(name))])
    integers = np.ldexp(1.0, np.arange(0, 65))
    special = np.concatenate([special, integers, integers - 1, integers + 1, integers - 0.5]).astype(storage(name))
    special = np.concatenate([special, np.nextafter(special, storage(name).type(np.inf)),
                              np.nextafter(special, storage(name).type(-np.inf))])
    special = np.concatenate([special, -special])
    return np.concatenate([*patterns, special.view(integer)]).view(storage(name))


def f32_rounded_to_odd(source):
    """Returns an f32 that rounds to any narrower format as the source does: inexact results have an odd last bit."""
    if source.dtype.kind in "iu":
        nearest = source.astype(np.float32)
        exact = [int(x) for x in source]
        order = np.array([(int(n) > x) - (int(n) < x) for n, x in zip(nearest, exact)])
    else:
        source = source.astype(np.float64)
        nearest = source.astype(np.float32)
        wide = nearest.astype(np.float64)
        order = np.where(np.isnan(source), 0, (wide > source).astype(int) - (wide < source))
    other = np.where(order > 0, np.nextafter(nearest, np.float32(-np.inf)), np.nextafter(nearest, np.float32(np.inf)))
    even = nearest.view(np.uint32) % 2 == 0
    return np.where((order != 0) & even, other, nearest).astype(np.float32)


def real_value(source):
    """Returns the values as f64 or as they are; only the integers can be too long for f64."""
    if source.dtype.kind == "c":
        source = source.real
    return source if source.dtype.kind in "iu" else source.astype(np.float64)


def wrapped(values, to):
    width = {**UNSIGNED, **SIGNED}[to]
    results = []
    for value in values:
        value &= (1 << width) - 1
        if to in SIGNED and value >> (width - 1):
            value -= 1 << width
        results.append(value)
    return np.array(results, dtype=storage(to))


def truncated(reals, to):
    width = {**UNSIGNED, **SIGNED}[to]
    least, greatest = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if to in SIGNED else (0, (1 << width) - 1)
    results = []
    for value in reals.tolist():
        if value != value:
            results.append(0)
        elif value in (np.inf, -np.inf):
            results.append(greatest if value > 0 else least)
        else:
            results.append(min(max(int(value), least), greatest))
    return np.array(results, dtype=storage(to))


def expected(source, to):
    if to in COMPLEX:
        component = np.float32 if to == "c64" else np.float64
        if source.dtype.kind == "c":
            return source.view(source.real.dtype).astype(component).view(COMPLEX[to])
        return real_value(source).astype(component).astype(COMPLEX[to])
    if to == "pred":
        if source.dtype.kind == "c":
            return ((source.real != 0) | (source.imag != 0)).astype(np.uint8)
        return (real_value(source) != 0).astype(np.uint8)
    reals = real_value(source)
    if to in UNSIGNED or to in SIGNED:
        return wrapped([int(x) for x in reals], to) if reals.dtype.kind in "iu" else truncated(reals, to)
    if to in ("f32", "f64"):
        return reals.astype(storage(to))
    result = f32_rounded_to_odd(reals).astype(storage(to))
    if to == "f8e8m0fnu":
        # ml_dtypes takes every subnormal f32 above 2^-127 up to 2^-126; below 1.5 * 2^-127 the nearest is 2^-127.
        near_least = (reals > 2.0**-127) & (reals < 1.5 * 2.0**-127)
        result = np.where(near_least, np.uint8(0), result.view(np.uint8)).view(storage(to))
    return result


def differing_view(values):
    """Complex numbers as their parts, other numbers as they are."""
    return values.view(values.real.dtype) if values.dtype.kind == "c" else values


def differences(got, want):
    got, want = differing_view(got), differing_view(want)
    as_bits = f"u{want.dtype.itemsize}"
    differ = got.view(as_bits) != want.view(as_bits)
    if want.dtype.kind not in "iub":
        differ &= ~(np.isnan(got.astype(np.float64)) & np.isnan(want.astype(np.float64)))
    return np.nonzero(differ)[0]


def converted(source_name, source):
    """Yields the source converted to every type, in the order of NAMES."""
    command = [os.environ["ASSAY_HELPER"], source_name, str(len(source)), *NAMES]
    output = subprocess.run(command, input=source.tobytes(), stdout=subprocess.PIPE, check=True).stdout
    start = 0
    for to in NAMES:
        size = len(source) * storage(to).itemsize
        yield to, np.frombuffer(output[start:start + size], storage(to))
        start += size
    assert start == len(output)


class ConversionTest(unittest.TestCase):
    def check_source(self, source_name):
        random = np.random.default_rng(20240501)
        wide = storage(source_name).itemsize > 2
        source = wide_patterns(source_name, random) if wide else all_patterns(source_name)
        if wide and source.dtype.kind in "fc" and not is_nightly("ten of eleven values of wide floating types"):
            source = source[::11].copy()
        pairs = 0
        for to, got in converted(source_name, source):
            want = source if to == source_name else expected(source, to)
            wrong = differences(got, want)
            examples = [f"{source[i * len(source) // len(differing_view(want))]!r} gives {differing_view(got)[i]!r}, "
                        f"expected {differing_view(want)[i]!r}" for i in wrong[:3]]
            self.assertEqual(len(wrong), 0, f"{source_name} -> {to}: {examples}")
            pairs += 1
        self.assertEqual(pairs, len(NAMES))


for name in NAMES:
    setattr(ConversionTest, f"test_from_{name}", lambda self, name=name: self.check_source(name))
