"""The table of element types against ml_dtypes and numpy, and against what assay makes of every bit pattern."""

import math
import random
import unittest
from fractions import Fraction

import ml_dtypes
import numpy as np

from backends.adapters.xla_peers import values
from golden.witness import program
from golden.witness.arrays import Array
from golden.witness.element_types import BITS, COMPLEX, DTYPES, ELEMENT_TYPES, FORMATS, limits, width_of

NARROW = [kind for kind in FORMATS if width_of(kind) <= 16]
NOT_ARRAYS = {"token", "tuple", "opaque", "buffer"}


def patterns(kind):
    """Returns all of a narrow type, else those around the ends of each exponent and random ones."""
    bits = width_of(kind)
    if bits <= 16:
        return list(range(1 << bits))
    chosen = random.Random(1)
    mantissa = FORMATS[kind].mantissa_bits
    edges = [(e << mantissa) + step for e in range(1 << FORMATS[kind].exponent_bits) for step in (-1, 0, 1)]
    magnitudes = [e for e in edges if e >= 0] + [chosen.getrandbits(bits - 1) for _ in range(10000)]
    return [m | sign << (bits - 1) for m in magnitudes for sign in (0, 1)]


def held(kind, bits):
    """Returns the numbers with these bits as numpy and ml_dtypes have them."""
    dtype = np.dtype(DTYPES[kind])
    return np.array(bits, BITS[dtype.itemsize]).view(dtype)


def doubles(kind, bits):
    """Returns the same numbers in double, which has all of them."""
    with np.errstate(invalid="ignore"):  # of signaling NaN
        return held(kind, bits).astype(np.float64)


def same(a, b):
    """As numbers; zeros by their signs, NaN as NaN."""
    a, b = float(a), float(b)
    return (a != a and b != b) or (a == b and math.copysign(1, a) == math.copysign(1, b))


class Floats(unittest.TestCase):
    def test_the_value_of_a_pattern_is_that_of_ml_dtypes(self):
        for kind, form in FORMATS.items():
            bits = patterns(kind)
            for pattern, number in zip(bits, doubles(kind, bits)):
                self.assertTrue(same(form.value_of(pattern), number), f"{kind} {pattern:x}: {number}")

    def test_the_ends_of_the_range_are_those_of_finfo(self):
        for kind, form in FORMATS.items():
            info = ml_dtypes.finfo(DTYPES[kind])
            self.assertEqual(form.max_finite, Fraction(float(info.max)), kind)
            self.assertEqual(Fraction(2) ** form.least_exponent, Fraction(float(info.smallest_normal)), kind)
            self.assertEqual(form.mantissa_bits, info.nmant, kind)

    def test_numbers_past_the_largest_one(self):
        """1e308 is past all of them."""
        for kind in NARROW:
            with np.errstate(over="ignore"):
                (number,) = np.array([1e308]).astype(DTYPES[kind]).astype(np.float64)
            self.assertTrue(same(FORMATS[kind].beyond, number), kind)

    def test_zeros(self):
        for kind, form in FORMATS.items():
            signs = {math.copysign(1, x) for x in doubles(kind, patterns(kind)) if x == 0}
            self.assertEqual((form.has_zero, form.has_signed_zero), (bool(signs), len(signs) == 2), kind)


class Integers(unittest.TestCase):
    def test_limits(self):
        for kind in ("s2", "s4", "u2", "u4"):
            info = ml_dtypes.iinfo(DTYPES[kind])
            self.assertEqual(limits(kind), (info.min, info.max), kind)
        for kind in ("s8", "s16", "s32", "s64", "u8", "u16", "u32", "u64"):
            info = np.iinfo(DTYPES[kind])
            self.assertEqual(limits(kind), (info.min, info.max), kind)
        self.assertEqual((limits("s1"), limits("u1")), ((-1, 0), (0, 1)))


class Program(unittest.TestCase):
    def test_the_table_has_the_types_that_ops_have(self):
        types = {kind for op in program.op_table() for kind in op["types"]}
        self.assertEqual(types - NOT_ARRAYS, set(ELEMENT_TYPES))
        self.assertLessEqual(NOT_ARRAYS, types)

    def test_assay_reads_every_pattern_in_the_same_way(self):
        kinds = [kind for kind in FORMATS if kind not in ("f32", "f64")]
        arguments = [Array(kind, held(kind, patterns(kind))) for kind in kinds]
        lines = [f"p{i} = {a.shape} parameter({i})" for i, a in enumerate(arguments)]
        lines += [f"r{i} = f64[{a.values.size}] convert(p{i})" for i, a in enumerate(arguments)]
        shapes = ", ".join(f"f64[{a.values.size}]" for a in arguments)
        lines.append(f"ROOT t = ({shapes}) tuple({', '.join(f'r{i}' for i in range(len(kinds)))})")
        (results,) = program.evaluate("HloModule m\nENTRY e {\n" + "\n".join(lines) + "\n}", [arguments])
        for kind, result in zip(kinds, results):
            for pattern, number in zip(patterns(kind), result.values):
                self.assertTrue(same(FORMATS[kind].value_of(pattern), number), f"{kind} {pattern:x}: {number}")

    def test_assay_has_the_same_limits_of_integers(self):
        """The complement of the least number is the greatest one."""
        kinds = [kind for kind, row in ELEMENT_TYPES.items() if row.family in ("signed", "unsigned")]
        arguments = [Array(kind, np.array(limits(kind)[0], DTYPES[kind])) for kind in kinds]
        lines = [f"p{i} = {kind}[] parameter({i})\nr{i} = {kind}[] not(p{i})" for i, kind in enumerate(kinds)]
        shapes, names = ", ".join(f"{kind}[]" for kind in kinds), ", ".join(f"r{i}" for i in range(len(kinds)))
        text = "HloModule m\nENTRY e {\n" + "\n".join(lines) + f"\nROOT t = ({shapes}) tuple({names})\n}}"
        (results,) = program.evaluate(text, [arguments])
        self.assertEqual([int(r.values) for r in results], [limits(kind)[1] for kind in kinds])


class Peers(unittest.TestCase):
    def test_the_adapters_types_are_these(self):
        lacking = {"s1", "u1", "f6e3m2fn", "f6e2m3fn"}
        self.assertEqual(values.DTYPES, {kind: dtype for kind, dtype in DTYPES.items() if kind not in lacking})

    def test_complex_types(self):
        for kind, part in COMPLEX.items():
            self.assertEqual(np.dtype(DTYPES[kind]).itemsize, 2 * np.dtype(DTYPES[part]).itemsize)
            self.assertEqual(width_of(kind), 2 * width_of(part))
