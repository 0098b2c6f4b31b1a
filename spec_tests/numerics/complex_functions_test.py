"""The complex functions against mpmath, part by part, each rounded once with integers.

Random numbers go through each function of the program that ASSAY_HELPER names (complex_helper.cc), by both of its
phases and by the exact one alone: ASSAY_COUNT of c64 (24, nightly 60), a third as many of c128. Half are of moderate
size, half from the whole range; parts are never zero (signs of zeros are the business of complex_test.cc).
"""
import os
import random
import struct
import subprocess
import unittest
from fractions import Fraction

from mpmath import mp

from spec_tests.nightly import is_nightly

COUNT = int(os.environ.get("ASSAY_COUNT", "60" if is_nightly("complex functions of 60 numbers") else "24"))

# Bits of the fraction, least exponent, format character.
FORMATS = {"c64": (23, -126, "f"), "c128": (52, -1022, "d")}


def logistic(z):
    return 1 / (1 + mp.exp(-z))


def atan2(y, x):
    return -1j * mp.log((x + 1j * y) / mp.sqrt(x * x + y * y))


UNARY = {
    "exp": mp.exp, "expm1": lambda z: mp.exp(z) - 1, "log": mp.log, "log1p": lambda z: mp.log(1 + z),
    "logistic": logistic, "sqrt": mp.sqrt, "rsqrt": lambda z: 1 / mp.sqrt(z),
    "cbrt": lambda z: mp.exp(mp.log(z) / 3), "sign": lambda z: z / mp.sqrt(z.real**2 + z.imag**2),
    "abs": lambda z: mp.mpc(mp.sqrt(z.real**2 + z.imag**2)),
    "sin": mp.sin, "cos": mp.cos, "tan": mp.tan, "sinh": mp.sinh, "cosh": mp.cosh, "tanh": mp.tanh,
    "asin": mp.asin, "acos": mp.acos, "atan": mp.atan, "asinh": mp.asinh, "acosh": mp.acosh, "atanh": mp.atanh,
}
BINARY = {"multiply": lambda x, y: x * y, "divide": lambda x, y: x / y, "pow": lambda x, y: mp.exp(y * mp.log(x)),
          "atan2": atan2}


def exact_fraction(value):
    sign, mantissa, exponent, _ = value._mpf_
    fraction = Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
    return -fraction if sign else fraction


def rounded(value, kind):
    """Rounds a Fraction to the nearest number of the format, ties to even; to an infinity beyond the range."""
    fraction_bits, least_exponent, _ = FORMATS[kind]
    if value == 0:
        return 0.0
    magnitude = abs(value)
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    if magnitude < Fraction(2) ** exponent:
        exponent -= 1
    unit = Fraction(2) ** (max(exponent, least_exponent) - fraction_bits)
    units = round(magnitude / unit)  # Fraction rounds ties to even
    result = units * unit
    if result >= Fraction(2) ** (2 - least_exponent):
        result = float("inf")
    return -float(result) if value < 0 else float(result)


def part(value, kind):
    """Rounds an mpf to the format. Numbers far below or above every format are not expanded."""
    if value == 0:
        return 0.0
    if mp.mag(value) > 3000:
        return float("inf") if value > 0 else float("-inf")
    if mp.mag(value) < -3000:
        return 0.0 if value > 0 else -0.0
    return rounded(exact_fraction(value), kind)


def random_part(source, kind, wide):
    fraction_bits, least_exponent, _ = FORMATS[kind]
    significand = 1 + Fraction(source.getrandbits(fraction_bits), 1 << fraction_bits)
    exponent = source.randint(least_exponent, -least_exponent) if wide else source.randint(-6, 4)
    return float(source.choice((-1, 1)) * significand * Fraction(2) ** exponent)


def random_numbers(source, kind, count, wide_too):
    """Moderate numbers, and every other one with a part of any size; once in a while a part is 1 or 1/2."""
    numbers = []
    for i in range(count):
        parts = [random_part(source, kind, wide_too and i % 2 == 1 and source.random() < 0.7) for _ in range(2)]
        if source.random() < 0.1:
            parts[source.randint(0, 1)] = source.choice((1.0, -1.0, 0.5))
        numbers.append(complex(*parts))
    return numbers


def parts_of(numbers):
    return [x for z in numbers for x in (z.real, z.imag)]


def too_far(name, z):
    """True if mpmath would need as many digits as the size of its operands."""
    bounds = {"tanh": abs(z.real), "tan": abs(z.imag), "logistic": abs(z.real), "exp": abs(z.real),
              "expm1": abs(z.real), "sin": abs(z.imag), "cos": abs(z.imag), "sinh": abs(z.real), "cosh": abs(z.real)}
    return bounds.get(name, 0) > 2000


def results(name, kind, operands, phase):
    count = len(operands[0])
    character = FORMATS[kind][2]
    data = b"".join(struct.pack(f"<{2 * count}{character}", *parts_of(numbers)) for numbers in operands)
    output = subprocess.run([os.environ["ASSAY_HELPER"], name, kind, str(count), phase], input=data,
                            stdout=subprocess.PIPE, check=True).stdout
    each = 1 if name == "abs" else 2
    parts = struct.unpack(f"<{each * count}{character}", output)
    return [list(parts[each * i:each * (i + 1)]) for i in range(count)]


class ComplexFunctionTest(unittest.TestCase):
    def check_function(self, name, kind):
        mp.prec = 1400 if kind == "c64" else 7000
        source = random.Random(f"{name} {kind}")
        count = COUNT if kind == "c64" else COUNT // 3
        operands = [random_numbers(source, kind, count, name != "pow") for _ in range(2 if name in BINARY else 1)]
        keep = [i for i in range(count) if not too_far(name, operands[0][i])]
        self.assertGreater(len(keep), count // 3)
        operands = [[numbers[i] for i in keep] for numbers in operands]
        got = {phase: results(name, kind, operands, phase) for phase in ("both", "exact")}
        function = {**UNARY, **BINARY}[name]
        for i in range(len(keep)):
            value = function(*(mp.mpc(numbers[i]) for numbers in operands))
            for phase, values in got.items():
                want = [part(value.real, kind), part(value.imag, kind)][:len(values[i])]
                self.assertEqual([x.hex() for x in values[i]], [x.hex() for x in want],
                                 f"{kind} {name}{tuple(numbers[i] for numbers in operands)}, {phase}")


for kind in FORMATS:
    for name in [*UNARY, *BINARY]:
        setattr(ComplexFunctionTest, f"test_{name}_{kind}",
                lambda self, name=name, kind=kind: self.check_function(name, kind))
