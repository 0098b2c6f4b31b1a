"""The rounding of the second evaluator against the numbers that ml_dtypes lists, and against casts of numpy."""

import itertools
import math
import random
import unittest
from fractions import Fraction


import mpmath
import numpy as np

from golden.witness.element_types import DTYPES, FORMATS, width_of
from golden.witness.evaluator.rounding import encode, exact_sum, floor_log2, round_to, rounded, to_fraction

SMALL = [kind for kind in FORMATS if width_of(kind) <= 8]
INF, NAN = math.inf, math.nan


def cast(kind, number):
    """Converts a double with numpy or ml_dtypes."""
    with np.errstate(all="ignore"):
        return float(np.array(number, np.float64).astype(DTYPES[kind]).astype(np.float64))


def bits(number):
    """Returns the bits of a double. All NaNs are equal."""
    return "nan" if number != number else float(number).hex()


def positive_numbers(kind):
    """Returns all positive finite numbers of a small type in order, by their patterns, with the last bit of each."""
    patterns = np.arange(1 << width_of(kind)).astype(np.uint8)
    with np.errstate(all="ignore"):
        numbers = patterns.view(DTYPES[kind]).astype(np.float64)
    return sorted((float(x), int(p) & 1) for p, x in zip(patterns, numbers) if math.isfinite(x) and x > 0)


class Nearest(unittest.TestCase):
    def test_between_all_neighbours_of_small_types(self):
        """Just below the middle, the middle, just above: the lower one, the even one, the upper one. In f8e8m0fnu
        the even one of the neighbors 1 and 2 times a power is 2, as in ml_dtypes."""
        nudge = Fraction(1, 1 << 400)
        for kind in SMALL:
            numbers = positive_numbers(kind)
            for (low, low_is_odd), (high, _) in itertools.pairwise(numbers):
                middle = (Fraction(low) + Fraction(high)) / 2
                self.assertEqual(round_to(kind, middle - nudge), low, kind)
                self.assertEqual(round_to(kind, middle + nudge), high, kind)
                is_up = low_is_odd or kind == "f8e8m0fnu"
                self.assertEqual(round_to(kind, middle), high if is_up else low, kind)
                self.assertEqual([round_to(kind, Fraction(x)) for x in (low, high)], [low, high], kind)

    def test_negative_numbers_are_rounded_as_positive_ones(self):
        for kind in SMALL:
            if kind != "f8e8m0fnu":
                for low, _ in positive_numbers(kind):
                    for x in (Fraction(low) * Fraction(17, 16), Fraction(low) * Fraction(9, 8)):
                        self.assertEqual(bits(round_to(kind, -x)), bits(-round_to(kind, x)), kind)

    def test_below_the_least_number(self):
        for kind in SMALL:
            least, _ = positive_numbers(kind)[0]
            nudge = Fraction(least) / 1000
            if FORMATS[kind].has_zero:
                below, negative = round_to(kind, Fraction(least) / 2), round_to(kind, -Fraction(least) / 2)
                self.assertEqual((below, math.copysign(1, below), math.copysign(1, negative)), (0, 1, -1), kind)
                self.assertEqual(round_to(kind, Fraction(least) / 2 + nudge), least, kind)
            else:
                self.assertEqual(round_to(kind, nudge), least, kind)

    def test_of_doubles_is_a_cast(self):
        rng = random.Random(2)
        for kind in ("f16", "f32"):
            least = -30 if kind == "f16" else -155
            numbers = [rng.uniform(-2, 2) * 2.0 ** rng.randint(least, 18) for _ in range(20000)]
            for x in [*numbers, 65519.9, 65520.0, 2.0**-25, 3 * 2.0**-26]:
                self.assertEqual(bits(rounded(kind, x)), bits(cast(kind, x)), f"{kind} {x}")

    def test_ties_of_powers_of_two_are_those_of_a_cast(self):
        for exponent in range(-120, 120):
            x = 1.5 * 2.0**exponent
            self.assertEqual(float(rounded("f8e8m0fnu", x)), cast("f8e8m0fnu", x), exponent)

    def test_of_f32_is_a_cast(self):
        """ml_dtypes rounds a float once; a double goes through float first."""
        rng = random.Random(3)
        for kind in ("bf16", *SMALL):
            for _ in range(3000):
                x = float(np.float32(rng.uniform(-2, 2) * 2.0 ** rng.randint(-20, 12)))
                self.assertEqual(bits(encode(kind, [rounded(kind, x)])[0]), bits(cast(kind, x)), f"{kind} {x}")


class Specials(unittest.TestCase):
    def test_are_those_of_a_cast(self):
        for kind in FORMATS:
            for x in (INF, -INF, 0.0, 1e300, -1e300):
                self.assertEqual(bits(encode(kind, [rounded(kind, x)])[0]), bits(cast(kind, x)), f"{kind} {x}")

    def test_zeros_keep_their_sign_where_there_is_one(self):
        self.assertEqual(bits(rounded("f16", -0.0)), bits(-0.0))
        self.assertEqual(bits(encode("f8e4m3fnuz", [rounded("f8e4m3fnuz", -0.0)])[0]), bits(0.0))

    def test_nan(self):
        for kind, form in FORMATS.items():
            result = float(rounded(kind, NAN))
            self.assertEqual(bits(result), "nan" if form.nan != "none" else bits(-0.0), kind)


class Numbers(unittest.TestCase):
    def test_floor_log2(self):
        for exponent in (-1080, -3, 0, 1, 52, 1023):
            power = Fraction(2) ** exponent
            self.assertEqual([floor_log2(power * f) for f in (1, Fraction(3, 2), 2, Fraction(99, 100))],
                             [exponent, exponent, exponent + 1, exponent - 1])

    def test_an_mpf_is_exact(self):
        self.assertEqual(to_fraction(mpmath.mpf(-0.1)), Fraction(-0.1))
        self.assertEqual(to_fraction(mpmath.mpf(0)), 0)
        self.assertEqual(to_fraction(mpmath.ldexp(3, 200)), 3 * 2**200)


class Sums(unittest.TestCase):
    def test_are_rounded_once(self):
        self.assertEqual(exact_sum("f64", [1e300, 1.0, -1e300]), 1)
        self.assertEqual(exact_sum("f32", [16777216.0, 1.0, 1.0]), 16777218)  # 16777216 in f32, step by step
        self.assertEqual(exact_sum("f32", [16777216.0, 1.0]), 16777216)  # a tie goes to even
        self.assertEqual(exact_sum("f16", [65504.0, 65504.0]), INF)

    def test_of_specials(self):
        self.assertEqual(bits(exact_sum("f32", [INF, -INF])), "nan")
        self.assertEqual(exact_sum("f32", [-INF, 1.0]), -INF)
        self.assertEqual(bits(exact_sum("f32", [-0.0, -0.0])), bits(-0.0))
        self.assertEqual(bits(exact_sum("f32", [-0.0, 0.0])), bits(0.0))
        self.assertEqual(bits(exact_sum("f32", [1.0, -1.0])), bits(0.0))
