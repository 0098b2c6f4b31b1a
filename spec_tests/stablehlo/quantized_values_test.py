"""Quantized operations: integers that a model in fractions gives, or that are worked out by hand."""

import math
import re
from fractions import Fraction

from golden.witness.quantized import Quantized, numbers_of, rounded
from golden.witness.program import GOLDEN, ROOT
from spec_tests.tools.command_line import CliTest

# Storage types of every width, with and without limits, and expressed types of every precision. Scales are powers of
# two, or numbers that each type rounds.
TYPES = [
    (Quantized(zero_points=(3,)), Quantized(scales=("0.25",), zero_points=(-5,)), Quantized(scales=("1.5",))),
    (Quantized(scales=("0.1",), zero_points=(-30,)), Quantized(scales=("0.7",)), Quantized(scales=("0.3",),
                                                                                           zero_points=(-20,))),
    (Quantized("u8", "bf16", ("0.1",), (100,), (10, 240)), Quantized("u8", "bf16", ("0.5",), (20,), (10, 240)),
     Quantized("u8", "bf16", ("0.3",), (128,), (10, 240))),
    (Quantized("i4", "f16", ("0.5",), (-2,)), Quantized("i4", "f16", ("0.125",)), Quantized("i4", "f16", ("0.3",),
                                                                                         (1,))),
    (Quantized("u4", "f64", ("0.1",), (7,)), Quantized("u4", "f64", ("0.2",), (3,)), Quantized("u4", "f64", ("0.3",))),
    (Quantized("i16", "f32", ("0.001",), (-700,)), Quantized("i16", "f32", ("0.002",)), Quantized("i16", "f32",
                                                                                            ("0.25",), (5,))),
    (Quantized("i2", "f32", ("0.5",)), Quantized("i2", "f32", ("1.0",), (1,)), Quantized("i2", "f32", ("0.5",), (-1,))),
    (Quantized("u2", "bf16", ("0.5",), (1,)), Quantized("u2", "bf16", ("0.25",)), Quantized("u2", "bf16", ("1.0",),
                                                                                            (2,))),
    (Quantized("i32", "f64", ("0.001",), (12345,)), Quantized("i32", "f64", ("0.01",)), Quantized("i32", "f64",
                                                                                              ("0.1",), (-7,))),
    (Quantized("i8", "f32", ("0.5",), (0,), (-127, 127)), Quantized("i8", "f32", ("0.1",), (4,), (-127, 127)),
     Quantized("i8", "f32", ("2.0",), (1,), (-127, 127))),
]  # fmt: skip

# Operations that take quantized tensors in assay, and have none in the specification or are no longer in it.
NOT_OF_SPECIFICATION = {"broadcast", "composite", "custom_call", "dot", "get_tuple_element", "real_dynamic_slice",
                        "set_dimension_size", "tuple"}  # fmt: skip


def away(number):
    return int(math.copysign(math.floor(abs(number) + Fraction(1, 2)), number))


UNARY = {
    "abs": abs, "ceil": math.ceil, "floor": math.floor, "negate": lambda x: -x, "round_nearest_afz": away,
    "round_nearest_even": round, "sign": lambda x: (x > 0) - (x < 0),
}  # fmt: skip
BINARY = {"add": lambda x, y: x + y, "maximum": max, "minimum": min, "multiply": lambda x, y: x * y,
          "subtract": lambda x, y: x - y}  # fmt: skip
DIRECTIONS = {"EQ": lambda x, y: x == y, "GE": lambda x, y: x >= y, "LT": lambda x, y: x < y}


def operands_of(kind, count, shift):
    """Returns integers of the whole range of a type, its ends and its zero point among them."""
    least, largest = kind.range()
    step = (largest - least) / (count - 3)
    walk = [least + round(((i * 7 + shift) % (count - 2)) * step) for i in range(count - 2)]
    return [*walk, kind.zero_points[0], largest]


class QuantizedValuesTest(CliTest):
    def outputs(self, text):
        outputs = self.run_json(self.file("m.mlir", text))["outputs"][0]
        return [numbers_of(output) for output in outputs.get("tuple", [outputs])]

    def constant(self, name, integers, kind, *sizes):
        storage = "i" + kind.storage[1:]
        bits = int(kind.storage[1:])
        signed = [integer - (1 << bits if integer >= 1 << (bits - 1) else 0) for integer in integers]
        shape = "x".join(map(str, sizes or (len(integers),)))
        rows = str(signed) if len(sizes) < 2 else ""
        if len(sizes) == 2:
            rows = str([signed[i : i + sizes[1]] for i in range(0, len(signed), sizes[1])])
        return (f'%{name} = "stablehlo.constant"() {{value = dense<{rows}> : tensor<{shape}x{storage}>}} : () -> '
                f"{kind.tensor(*(sizes or (len(integers),)))}\n")

    def test_element_wise_operations(self):
        """All operations on all pairs of types: every storage type, and four expressed types."""
        count, compared = 18, 0
        for first, second, result in TYPES:
            a, b = operands_of(first, count, 1), operands_of(second, count, 4)
            x, y = [first.dequantize(q) for q in a], [second.dequantize(q) for q in b]
            lines, names, types, expected = "", [], [], []
            for name, function in UNARY.items():
                lines += f'%{name} = "stablehlo.{name}"(%a) : ({first.tensor(count)}) -> {result.tensor(count)}\n'
                expected.append([result.quantize(rounded(function(n), first.expressed)) for n in x])
            for name, function in BINARY.items():
                lines += (f'%{name} = "stablehlo.{name}"(%a, %b) : ({first.tensor(count)}, {second.tensor(count)}) -> '
                          f"{result.tensor(count)}\n")
                expected.append([result.quantize(rounded(function(n, m), first.expressed)) for n, m in zip(x, y)])
            names, types = [*UNARY, *BINARY], [result.tensor(count)] * (len(UNARY) + len(BINARY))
            for direction, function in DIRECTIONS.items():
                lines += (f"%{direction} = stablehlo.compare {direction}, %a, %b, FLOAT : ({first.tensor(count)}, "
                          f"{second.tensor(count)}) -> tensor<{count}xi1>\n")
                names.append(direction)
                types.append(f"tensor<{count}xi1>")
                expected.append([int(function(n, m)) for n, m in zip(x, y)])
            lines += f'%chosen = "stablehlo.select"(%LT, %a, %b) : (tensor<{count}xi1>, {first.tensor(count)}, '
            lines += f"{second.tensor(count)}) -> {result.tensor(count)}\n"
            lines += f'%clamped = "stablehlo.clamp"(%b, %a, %b) : ({second.tensor(count)}, {first.tensor(count)}, '
            lines += f"{second.tensor(count)}) -> {result.tensor(count)}\n"
            expected.append([result.quantize(n if n < m else m) for n, m in zip(x, y)])
            expected.append([result.quantize(m) for m in y])
            names, types = [*names, "chosen", "clamped"], [*types, result.tensor(count), result.tensor(count)]
            values = ", ".join("%" + name for name in names)
            found = self.outputs(f"func.func @main() -> ({', '.join(types)}) {{\n{self.constant('a', a, first)}"
                                 f"{self.constant('b', b, second)}{lines}return {values} : {', '.join(types)}\n}}\n")
            for name, integers, wanted in zip(names, found, expected, strict=True):
                with self.subTest(f"{name} of {first.element()} and {second.element()} to {result.element()}"):
                    self.assertEqual(integers, wanted)
                    compared += 1
        self.assertEqual(compared, 170)

    def test_conversions(self):
        """Quantization of numbers, dequantization, and requantization, of one scale and of one for each slice."""
        for kind, number in (("f32", "0.35"), ("f16", "1.25"), ("bf16", "2.5"), ("f64", "0.15")):
            plain = Quantized("i8", kind, (number,), (-7,))
            sliced = Quantized("i8", kind, ("0.25", number, "3.0"), (1, 0, -128), (), 1)
            integers = [-128, -1, 0, 1, 64, 127]
            found = self.outputs(f"""func.func @main() -> ({sliced.tensor(2, 3)}, tensor<2x3x{kind}>, {plain.tensor(2, 3)}) {{
{self.constant("a", integers, plain, 2, 3)}
%q = stablehlo.uniform_quantize %a : ({plain.tensor(2, 3)}) -> {sliced.tensor(2, 3)}
%f = stablehlo.uniform_dequantize %q : ({sliced.tensor(2, 3)}) -> tensor<2x3x{kind}>
%p = stablehlo.uniform_quantize %f : (tensor<2x3x{kind}>) -> {plain.tensor(2, 3)}
return %q, %f, %p : {sliced.tensor(2, 3)}, tensor<2x3x{kind}>, {plain.tensor(2, 3)}
}}""")
            requantized = [sliced.quantize(plain.dequantize(q), i % 3) for i, q in enumerate(integers)]
            again = [plain.quantize(sliced.dequantize(q, i % 3)) for i, q in enumerate(requantized)]
            with self.subTest(kind):
                self.assertEqual(found[0], requantized)
                self.assertEqual(found[1], [sliced.dequantize(q, i % 3) for i, q in enumerate(requantized)])
                self.assertEqual(found[2], again)

    def test_goldens(self):
        """golden/quantized on the reference, and on backends that use the freedoms of integer kernels."""
        for backend, profile, fails in (("reference", "exact", False), ("lawful:quantized-fixed-point:1", "", False),
                                        ("lawful:quantized-fixed-point:1", "xla", True)):
            with self.subTest(f"{backend} {profile}"):
                ran = self.assay("check", "--backend", backend, "--corpus", GOLDEN, "--filter", "quantized/",
                                 *(["--profile", profile] if profile else []))
                self.assertEqual(ran.returncode, int(fails), ran.stdout + ran.stderr)
                self.assertIn(f"{len(list(GOLDEN.glob('quantized/*.mlir')))} cases, ", ran.stdout)

    def test_each_operation_has_programs_of_i8_and_of_another_storage_type(self):
        """A program counts for the first of its storage types."""
        found = {}
        for path in GOLDEN.glob("quantized/*.mlir"):
            text = path.read_text()
            storage = re.search(r"quant.uniform<(\w+)", text)[1]
            for name in re.findall(r"stablehlo\.(\w+)", text):
                found.setdefault(name, set()).add(storage)
        rows = (ROOT / "interpreter/stablehlo/to_hlo_quantized_rows.cc").read_text()
        operations = set(re.findall(r'^    {"(\w+)", k', rows, re.M)) - NOT_OF_SPECIFICATION
        self.assertGreater(len(operations), 80)
        lacking = {name for name in operations if "i8" not in found.get(name, ()) or len(found[name]) < 2}
        self.assertEqual(lacking, set())

    def test_by_hand(self):
        """The examples of the specification, and ties: 2.5 and 3.5 round to even after the zero point is added."""
        for line, types, expected in BY_HAND:
            with self.subTest(line):
                found = self.outputs(f"func.func @main() -> {types[-1]} {{\n{line}\nreturn %r : {types[-1]}\n}}\n")
                self.assertEqual(found, [expected])


def quantized(numbers, parameters, expected, kind="f32", storage="i8"):
    """Quantizes numbers by hand."""
    count, element = numbers.count(",") + 1, f"!quant.uniform<{storage}:{kind}{parameters}>"
    return (f"%x = stablehlo.constant dense<[{numbers}]> : tensor<{count}x{kind}>\n%r = stablehlo.uniform_quantize %x : "
            f"(tensor<{count}x{kind}>) -> tensor<{count}x{element}>", (f"tensor<{count}x{element}>",), expected)


BY_HAND = [
    quantized("4.0, 15.0", ":0, {0.1:-30, 0.5:-20}", [10, 10]),  # the specification's example
    quantized("2.5, 3.5, -2.5, -3.5", ", 1.0", [2, 4, -2, -4]),
    quantized("2.5, 3.5, -2.5, -3.5", ", 1.0:1", [4, 4, -2, -2]),  # 3.5, 4.5, -1.5, -2.5
    quantized("1.0e+30, -1.0e+30, 0x7F800000, 0xFF800000", ", 1.0", [127, -128, 127, -128]),
    quantized("0x7FC00000, 0.0, -0.0", ", 1.0:5", [0, 5, 5]),  # a NaN passes the clamp, and its conversion gives 0
    quantized("300.0, -1.0, 7.5", ", 1.0", [255, 0, 8], storage="u8"),
    quantized("300.0, -1.0, 7.5", ", 1.0", [7, -1, 7], storage="i4"),
    quantized("300.0, -1.0, 7.5", ", 1.0:2", [9, 2, 9], storage="u8<2:9>"),
]  # fmt: skip
