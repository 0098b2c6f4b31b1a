"""The single table of element types on the Python side: widths, float formats, and the numpy types that hold them.

All properties of a type by its HLO name are defined here. spec_tests/oracle/element_types_test.py compares the table
with ml_dtypes and with assay's reading of every bit pattern.
"""

import dataclasses
import functools
from fractions import Fraction

import ml_dtypes
import numpy as np

INF, NAN = float("inf"), float("nan")


@dataclasses.dataclass(frozen=True)
class FloatFormat:
    """The encoding of a float type. `nan` names the patterns that are NaN: those of IEEE 754, the one of all ones, that
    of a negative zero, or none."""

    exponent_bits: int
    mantissa_bits: int
    bias: int
    has_infinity: bool = True
    nan: str = "ieee"
    has_zero: bool = True  # without it there are no subnormals and no signs either: f8e8m0fnu

    @property
    def least_exponent(self):
        """Returns the exponent of the least normal number."""
        return 1 - self.bias if self.has_zero else -self.bias

    @property
    def has_signed_zero(self):
        """True if there is a -0 beside +0."""
        return self.has_zero and self.nan != "negative zero"

    @property
    def greatest_exponent(self):
        """Returns the exponent of the largest finite number."""
        is_taken = self.has_infinity or (self.nan == "all ones" and self.mantissa_bits == 0)
        return (1 << self.exponent_bits) - 1 - is_taken - self.bias

    @functools.cached_property
    def max_finite(self):
        """Returns the largest finite number, as a Fraction."""
        is_one_less = self.nan == "all ones" and self.mantissa_bits > 0
        steps = (2 << self.mantissa_bits) - 1 - is_one_less
        return Fraction(steps) * Fraction(2) ** (self.greatest_exponent - self.mantissa_bits)

    @property
    def beyond(self):
        """Returns the rounded value of numbers beyond the largest one: an infinity, NaN, or the largest number."""
        return INF if self.has_infinity else NAN if self.nan != "none" else self.max_finite

    def value_of(self, bits):
        """Returns the number with this pattern: a Fraction, or as floats -0.0, infinities and NaN."""
        magnitude_bits = self.exponent_bits + self.mantissa_bits
        negative, magnitude = bits >> magnitude_bits, bits & ((1 << magnitude_bits) - 1)
        exponent, mantissa = magnitude >> self.mantissa_bits, magnitude & ((1 << self.mantissa_bits) - 1)
        all_ones = (1 << self.exponent_bits) - 1
        if self.nan == "ieee" and exponent == all_ones and mantissa:
            return NAN
        if self.nan == "all ones" and magnitude == (1 << magnitude_bits) - 1:
            return NAN
        if self.nan == "negative zero" and negative and magnitude == 0:
            return NAN
        if self.has_infinity and exponent == all_ones:
            return -INF if negative else INF
        if not self.has_zero:
            return Fraction(2) ** (exponent - self.bias)
        if magnitude == 0:
            return -0.0 if negative else Fraction(0)
        significand = mantissa + (1 << self.mantissa_bits if exponent else 0)
        number = significand * Fraction(2) ** (max(exponent, 1) - self.bias - self.mantissa_bits)
        return -number if negative else number


@dataclasses.dataclass(frozen=True)
class ElementType:
    """One row of the table. `dtype` holds its values; `stored` is the numpy type of an element's bytes in Array
    JSON."""

    name: str
    bits: int  # of an element; a pred counts as one
    family: str  # pred, signed, unsigned, float or complex
    dtype: type
    format: FloatFormat = None
    part: str = ""  # of a complex type: the type of its two components
    byte: type = None  # for an integer narrower than a byte: the type of the byte that holds it, sign extended

    @property
    def stored(self):
        """Returns the numpy type of an element in memory and in Array JSON."""
        return self.byte or self.dtype


def _ieee(exponent_bits, mantissa_bits):
    return FloatFormat(exponent_bits, mantissa_bits, (1 << (exponent_bits - 1)) - 1)


def _without_infinity(exponent_bits, mantissa_bits, nan, bias=None):
    usual = (1 << (exponent_bits - 1)) - 1
    return FloatFormat(exponent_bits, mantissa_bits, usual if bias is None else bias, False, nan)


_TABLE = (
    ElementType("pred", 1, "pred", np.bool_),
    ElementType("s2", 2, "signed", ml_dtypes.int2, byte=np.int8),
    ElementType("s4", 4, "signed", ml_dtypes.int4, byte=np.int8),
    ElementType("s8", 8, "signed", np.int8),
    ElementType("s16", 16, "signed", np.int16),
    ElementType("s32", 32, "signed", np.int32),
    ElementType("s64", 64, "signed", np.int64),
    ElementType("u2", 2, "unsigned", ml_dtypes.uint2, byte=np.uint8),
    ElementType("u4", 4, "unsigned", ml_dtypes.uint4, byte=np.uint8),
    ElementType("u8", 8, "unsigned", np.uint8),
    ElementType("u16", 16, "unsigned", np.uint16),
    ElementType("u32", 32, "unsigned", np.uint32),
    ElementType("u64", 64, "unsigned", np.uint64),
    ElementType("f16", 16, "float", np.float16, _ieee(5, 10)),
    ElementType("bf16", 16, "float", ml_dtypes.bfloat16, _ieee(8, 7)),
    ElementType("f32", 32, "float", np.float32, _ieee(8, 23)),
    ElementType("f64", 64, "float", np.float64, _ieee(11, 52)),
    ElementType("c64", 64, "complex", np.complex64, part="f32"),
    ElementType("c128", 128, "complex", np.complex128, part="f64"),
    ElementType("f4e2m1fn", 4, "float", ml_dtypes.float4_e2m1fn, _without_infinity(2, 1, "none")),
    ElementType("f8e3m4", 8, "float", ml_dtypes.float8_e3m4, _ieee(3, 4)),
    ElementType("f8e4m3", 8, "float", ml_dtypes.float8_e4m3, _ieee(4, 3)),
    ElementType("f8e4m3fn", 8, "float", ml_dtypes.float8_e4m3fn, _without_infinity(4, 3, "all ones")),
    ElementType("f8e4m3b11fnuz", 8, "float", ml_dtypes.float8_e4m3b11fnuz,
                _without_infinity(4, 3, "negative zero", 11)),
    ElementType("f8e4m3fnuz", 8, "float", ml_dtypes.float8_e4m3fnuz, _without_infinity(4, 3, "negative zero", 8)),
    ElementType("f8e5m2", 8, "float", ml_dtypes.float8_e5m2, _ieee(5, 2)),
    ElementType("f8e5m2fnuz", 8, "float", ml_dtypes.float8_e5m2fnuz, _without_infinity(5, 2, "negative zero", 16)),
    ElementType("f8e8m0fnu", 8, "float", ml_dtypes.float8_e8m0fnu, FloatFormat(8, 0, 127, False, "all ones", False)),
    # The least common types come last: many goldens have their cases in this order.
    ElementType("s1", 1, "signed", np.int8, byte=np.int8),
    ElementType("u1", 1, "unsigned", np.uint8, byte=np.uint8),
    ElementType("f6e3m2fn", 6, "float", ml_dtypes.float6_e3m2fn, _without_infinity(3, 2, "none")),
    ElementType("f6e2m3fn", 6, "float", ml_dtypes.float6_e2m3fn, _without_infinity(2, 3, "none")),
)
ELEMENT_TYPES = {row.name: row for row in _TABLE}
DTYPES = {name: row.dtype for name, row in ELEMENT_TYPES.items()}
FORMATS = {name: row.format for name, row in ELEMENT_TYPES.items() if row.format}
# Complex types, and the types of their components.
COMPLEX = {name: row.part for name, row in ELEMENT_TYPES.items() if row.part}
# By the number of bytes, the unsigned integer.
BITS = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}


def component(kind):
    """Returns the type of the parts of a complex type; any other type itself."""
    return COMPLEX.get(kind, kind)


def width_of(kind):
    """Returns the bits of an element; a pred counts as one."""
    return ELEMENT_TYPES[kind].bits


def stored_type(kind):
    """Returns the numpy type of an element's bytes in Array JSON."""
    return ELEMENT_TYPES[kind].stored


def is_float(kind):
    """True for a float type; false for a complex one."""
    return kind in FORMATS


def is_integer(kind):
    """True for signed and unsigned integers; false for pred."""
    return kind in ELEMENT_TYPES and ELEMENT_TYPES[kind].family in ("signed", "unsigned")


def is_signed(kind):
    """True for a signed integer type."""
    return ELEMENT_TYPES[kind].family == "signed"


def limits(kind):
    """Returns the least and the greatest number of an integer type."""
    bits = width_of(kind)
    return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if is_signed(kind) else (0, (1 << bits) - 1)
