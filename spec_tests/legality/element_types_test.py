"""The element types that each element-wise op takes, from the specification: all of these, and no other."""

import unittest

import legality_texts
from spec_tests.tools.command_line import ASSAY


PRED = {"pred"}
SIGNED = {"s1", "s2", "s4", "s8", "s16", "s32", "s64"}
UNSIGNED = {"u1", "u2", "u4", "u8", "u16", "u32", "u64"}
INTEGRAL = SIGNED | UNSIGNED
FLOAT = {"f16", "bf16", "f32", "f64", "f4e2m1fn", "f6e2m3fn", "f6e3m2fn", "f8e3m4", "f8e4m3", "f8e4m3b11fnuz",
         "f8e4m3fn", "f8e4m3fnuz", "f8e5m2", "f8e5m2fnuz", "f8e8m0fnu"}  # fmt: skip
COMPLEX = {"c64", "c128"}
ALL = PRED | INTEGRAL | FLOAT | COMPLEX

# The calls of each op on x, and its types. If the specification says only "array", these are the types for which the
# value is defined: not maxima, remainders and high halves of products of complex numbers.
OPS = {
    "floor(x) ceil(x) cbrt(x) erf(x) round-nearest-afz(x) round-nearest-even(x) is-finite(x)": FLOAT,
    "acos(x) acosh(x) asin(x) asinh(x) atan(x) atanh(x) cosine(x) cosh(x) sine(x) sinh(x)": FLOAT | COMPLEX,
    "tan(x) tanh(x)": FLOAT | COMPLEX,
    "exponential(x) exponential-minus-one(x) log(x) log-plus-one(x) logistic(x) rsqrt(x) sqrt(x)": FLOAT | COMPLEX,
    "real(x) imag(x) atan2(x,x)": FLOAT | COMPLEX,
    "abs(x) sign(x)": SIGNED | FLOAT | COMPLEX,
    "negate(x) subtract(x,x) divide(x,x) power(x,x)": INTEGRAL | FLOAT | COMPLEX,
    "remainder(x,x)": INTEGRAL | FLOAT,
    "not(x) and(x,x) or(x,x) xor(x,x)": PRED | INTEGRAL,
    "count-leading-zeros(x) popcnt(x) mulhi(x,x)": INTEGRAL,
    "shift-left(x,x) shift-right-arithmetic(x,x) shift-right-logical(x,x)": INTEGRAL,
    "add(x,x) multiply(x,x) copy(x) compare(x,x),direction=EQ select(p,x,x) clamp(x,x,x)": ALL,
    "maximum(x,x) minimum(x,x)": ALL - COMPLEX,
    "complex(x,x)": {"f32", "f64"},
    "reduce-precision(x),exponent_bits=2,mantissa_bits=1": FLOAT,
}
RESULTS = {"is-finite": lambda _: "pred", "compare": lambda _: "pred",
           "complex": lambda t: {"f32": "c64", "f64": "c128"}.get(t, t)}  # fmt: skip
PARTS = {"c64": "f32", "c128": "f64"}
for op in ("abs", "real", "imag"):
    RESULTS[op] = lambda t: PARTS.get(t, t)


class ElementTypes(unittest.TestCase):
    def test_each_op_takes_its_types(self):
        for calls, legal in OPS.items():
            for call in calls.split():
                name = call[: call.index("(")]
                lines = [f"p = pred[2] parameter({len(ALL)})"]
                for i, element_type in enumerate(sorted(ALL)):
                    result = RESULTS.get(name, lambda t: t)(element_type)
                    operation = call.replace("x)", f"x.{element_type})").replace("x,", f"x.{element_type},")
                    lines.append(f"x.{element_type} = {element_type}[2] parameter({i})")
                    lines.append(f"r.{element_type} = {result}[2] {operation}")
                module = "HloModule m\nENTRY e {\n" + "\n".join(lines) + "\n}\n"
                with self.subTest(op=name):
                    found = legality_texts.diagnostics(ASSAY, module)
                    refused = {message[2 : message.index(":")] for message in found}
                    self.assertEqual(refused, ALL - legal, found)
