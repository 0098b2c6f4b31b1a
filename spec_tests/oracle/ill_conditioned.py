"""Vectors whose dot product nearly cancels: GenDot of T. Ogita, S. M. Rump and S. Oishi, Accurate sum and dot product,
SIAM J. Sci. Comput. 26 (2005), algorithm 6.1, with the sum so far taken from exact rational arithmetic."""

import math
from fractions import Fraction

import numpy as np

from golden.witness.element_types import FORMATS
from golden.witness.evaluator.rounding import floor_log2, round_to


def rounded(kind, value):
    """Returns a finite number of the type near to an exact one: beyond the largest, the largest."""
    most = FORMATS[kind].max_finite
    result = round_to(kind, max(-most, min(most, Fraction(value))))
    return Fraction(result)


def exponents_of(kind):
    """Returns the least and the greatest exponent of a number with a few bits to spare on either side."""
    form = FORMATS[kind]
    return form.least_exponent - form.mantissa_bits, form.greatest_exponent - 1


def gen_dot(rng, kind, terms, condition):
    """Returns pairs of numbers x, y: the magnitudes of their products add up to more than condition / 2 times their
    sum. The first half has products of any size. Each pair of the second half cancels the sum so far, down to an ever
    smaller rest."""
    low, high = exponents_of(kind)
    # Half of the exponent of the greatest product; the second factor has the other half.
    reach = math.log2(condition) / 2
    top = min(reach, high - 2)
    scales = [top] + [rng.uniform(max(top - reach, low), top) for _ in range(terms // 2 - 2)] + [max(top - reach, low)]
    pairs = [(rounded(kind, rng.uniform(-1, 1) * 2.0**e), rounded(kind, rng.uniform(-1, 1) * 2.0**e)) for e in scales]
    total = sum(x * y for x, y in pairs)
    # From as much as there is to as little as there may be: exponents of the sum after each step.
    rest = terms - len(pairs)
    start, end = 2 * top, 2 * top - math.log2(condition)
    for step in range(rest):
        goal = Fraction(rng.uniform(-1, 1)) * Fraction(2) ** math.floor(start + (end - start) * (step + 1) / rest)
        # The smaller x, the finer the places of x * y: its last one must not hide the goal.
        significand = Fraction(rng.choice([-1, 1]) * rng.uniform(1, 2))
        x = rounded(kind, significand * Fraction(2) ** scale_for(total, goal, kind))
        if x == 0:
            continue
        y = rounded(kind, (goal - total) / x)
        pairs.append((x, y))
        total += x * y
    rng.shuffle(pairs)
    return pairs


def scale_for(total, goal, kind):
    """Returns an exponent for x such that y, about (goal - total) / x, is as large as x."""
    low, high = exponents_of(kind)
    size = floor_log2(abs(goal - total)) if goal != total else low + high
    return max(low + 2, min(high - 1, size // 2))


def condition_of(pairs):
    """2 sum |x y| / |sum x y|, infinite for a sum of zero."""
    total = sum(x * y for x, y in pairs)
    return math.inf if total == 0 else 2 * sum(abs(x * y) for x, y in pairs) / abs(total)


def columns(pairs):
    """Returns the two vectors, in double, which holds every number of the narrower types."""
    return [np.array([float(pair[i]) for pair in pairs]) for i in (0, 1)]
