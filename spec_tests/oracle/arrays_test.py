"""Arrays as words of golden files and as bytes, and back."""

import unittest


import numpy as np

from golden.witness.arrays import Array, array_of, line_of, seeded
from golden.witness.element_types import DTYPES, ELEMENT_TYPES, FORMATS, is_integer, limits, width_of


def every_narrow_array():
    """Yields all values of each type of up to 16 bits."""
    for kind in ELEMENT_TYPES:
        bits = width_of(kind)
        if kind == "pred":
            yield Array(kind, np.array([False, True]))
        elif is_integer(kind) and bits <= 16:
            low, high = limits(kind)
            yield Array(kind, np.arange(low, high + 1).astype(DTYPES[kind]))
        elif kind in FORMATS and bits <= 16:
            stored = np.uint8 if bits <= 8 else np.uint16
            yield Array(kind, np.arange(1 << bits).astype(stored).view(DTYPES[kind]))


class RoundTrips(unittest.TestCase):
    def test_words_keep_every_bit(self):
        for array in every_narrow_array():
            again = array_of(line_of(array))
            self.assertEqual((again.shape, again.bits().tolist()), (array.shape, array.bits().tolist()))

    def test_bytes_keep_every_bit(self):
        for array in every_narrow_array():
            again = Array.from_bytes(array.shape, array.bytes())
            self.assertEqual(again.bits().tolist(), array.bits().tolist(), array.type)

    def test_the_bytes_of_narrow_integers_have_their_sign(self):
        self.assertEqual(array_of("s4[3] -8 -1 7").bytes().hex(), "f8ff07")
        self.assertEqual(array_of("u4[2] 15 8").bytes().hex(), "0f08")
        self.assertEqual(array_of("s1[2] -1 0").bytes().hex(), "ff00")


class Words(unittest.TestCase):
    def test_lines(self):
        for line in ("f32[3] 1.5 -0 nan", "f32[2] x7fc00001 x00000001", "f64[] 0.25", "c64[1] 1 -2", "f8e4m3fn[1] 448",
                     "s32[12] 12*7", "pred[2] 0 1", "u64[1] 18446744073709551615", "s8[0]"):  # fmt: skip
            with self.subTest(line):
                self.assertEqual(line_of(array_of(line)), line)

    def test_bits(self):
        self.assertEqual(line_of(array_of("f8e4m3fn[2] x7e x7f")), "f8e4m3fn[2] 448 nan")
        self.assertEqual(line_of(array_of("s8[2] xff x80")), "s8[2] -1 -128")

    def test_words_that_are_no_values(self):
        for line in ("f32[1] 0.1", "f8e4m3fn[1] 449", "f16[1] 65520", "f4e2m1fn[1] inf", "u8[1] 256", "s4[1] 8",
                     "s2[1] -3", "pred[1] 2", "u1[1] 2", "s32[2] 1", "s32[1] 1 2", "c64[1] 1", "s7[1] 1", "f32 1",
                     "f32[1] one", "f32[1] x1ffffffff"):  # fmt: skip
            with self.subTest(line), self.assertRaises(ValueError):
                array_of(line)


class Comparison(unittest.TestCase):
    def test_bits_count_and_any_nan_is_nan(self):
        self.assertTrue(array_of("f32[1] nan").same(array_of("f32[1] xffc00001")))
        self.assertTrue(array_of("c64[1] 1 nan").same(array_of("c64[1] 1 xffc00001")))
        self.assertFalse(array_of("f32[1] 0").same(array_of("f32[1] -0")))
        self.assertFalse(array_of("f32[1] 1").same(array_of("f32[1] x3f800001")))
        self.assertFalse(array_of("f32[1] 1").same(array_of("f32[] 1")))
        self.assertFalse(array_of("s8[1] 1").same(array_of("u8[1] 1")))


class Seeded(unittest.TestCase):
    def test_the_numbers_of_the_format(self):
        """SplitMix64 on Python's integers, as docs/golden_format.md defines the values."""

        def word(seed, i):
            z = (seed + (i + 1) * 0x9E3779B97F4A7C15) % 2**64
            z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
            z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
            return z ^ z >> 31

        words = [word(7, i) for i in range(6)]
        self.assertEqual(seeded("s32[6]", 7).values.tolist(), [w % 17 - 8 for w in words])
        self.assertEqual(seeded("u8[2,3]", 7).values.reshape(-1).tolist(), [w % 17 for w in words])
        self.assertEqual(seeded("pred[6]", 7).values.tolist(), [w >> 63 == 1 for w in words])
        self.assertEqual(seeded("f64[6]", 7).values.tolist(), [(w >> 11) * 2.0**-52 - 1 for w in words])
        floats = [(w >> 11) * 2.0**-52 - 1 for w in words]
        self.assertEqual(seeded("c128[3]", 7).values.tolist(), [complex(*floats[i : i + 2]) for i in (0, 2, 4)])
