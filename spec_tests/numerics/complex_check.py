#!/usr/bin/env python3
"""Checks the complex functions against mpmath, part by part, each rounded once with integers.

usage: complex_check.py HELPER [COUNT]

COUNT random numbers (default 60) of c64 and a third as many of c128 go through each function of complex_helper.cc, in
both of its phases. Half are of moderate size, half from the whole range; parts are never zero (signs of zeros are the
business of complex_test.cc).
"""
import random
import struct
import subprocess
import sys
from fractions import Fraction

try:
    from mpmath import mp
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

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
    """A Fraction to the nearest number of the format, ties to even; beyond the range, an infinity."""
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
    """An mpf to the format; numbers far below or above every format are not expanded."""
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
    """Where mpmath would need as many digits as the numbers it is given."""
    bounds = {"tanh": abs(z.real), "tan": abs(z.imag), "logistic": abs(z.real), "exp": abs(z.real),
              "expm1": abs(z.real), "sin": abs(z.imag), "cos": abs(z.imag), "sinh": abs(z.real), "cosh": abs(z.real)}
    return bounds.get(name, 0) > 2000


def check(helper, name, kind, operands, function):
    count = len(operands[0])
    character = FORMATS[kind][2]
    data = b"".join(struct.pack(f"<{2 * count}{character}", *parts_of(numbers)) for numbers in operands)
    each = 1 if name == "abs" else 2
    results = []
    for phase in ("certain", "doubt"):
        output = subprocess.run([helper, name, kind, str(count), phase], input=data, stdout=subprocess.PIPE,
                                check=True).stdout
        results.append(struct.unpack(f"<{each * count}{character}", output))
    wrong = 0
    for i in range(count):
        value = function(*(mp.mpc(numbers[i]) for numbers in operands))
        want = [part(value.real, kind), part(value.imag, kind)][:each]
        for phase, got in zip(("certain", "doubt"), results):
            pair = list(got[each * i:each * i + each])
            if [x.hex() for x in pair] != [x.hex() for x in want]:
                wrong += 1
                print(f"{kind} {name}({', '.join(str(numbers[i]) for numbers in operands)}) {phase}: got {pair}, "
                      f"want {want}")
    return wrong


def main():
    helper = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 60
    source = random.Random(20240501)
    cases = wrong = 0
    for kind in FORMATS:
        mp.prec = 1400 if kind == "c64" else 7000
        for name, function in {**UNARY, **BINARY}.items():
            number = count if kind == "c64" else count // 3
            wide = name != "pow"
            operands = [random_numbers(source, kind, number, wide) for _ in range(2 if name in BINARY else 1)]
            keep = [i for i in range(number) if not too_far(name, operands[0][i])]
            operands = [[numbers[i] for i in keep] for numbers in operands]
            wrong += check(helper, name, kind, operands, function)
            cases += len(keep)
    print(f"{cases} numbers, {wrong} wrong")
    assert cases > count * 20
    return 1 if wrong else 0


sys.exit(main())
