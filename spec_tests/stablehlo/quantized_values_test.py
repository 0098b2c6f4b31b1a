"""Quantized operations: the goldens, and integers worked out by hand."""

import re

from golden.witness.quantized import numbers_of
from golden.witness.program import GOLDEN, ROOT
from spec_tests.tools.command_line import CliTest

# Operations that take quantized tensors in assay, and have none in the specification or are no longer in it.
NOT_OF_SPECIFICATION = {"broadcast", "composite", "custom_call", "dot", "get_tuple_element", "real_dynamic_slice",
                        "set_dimension_size", "tuple"}  # fmt: skip


class QuantizedValuesTest(CliTest):
    def test_goldens(self):
        """golden/quantized on the reference, and on backends that use the freedoms of integer kernels."""
        for backend, profile, fails in (("reference", "exact", False), ("lawful:quantized-fixed-point:1", "", False),
                                        ("lawful:quantized-fixed-point:1", "xla", True)):
            with self.subTest(f"{backend} {profile}"):
                ran = self.assay("check", "--backend", backend, "--corpus", GOLDEN, "--filter", "quantized/",
                                 *(["--profile", profile] if profile else []), code=int(fails))
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
        names = re.findall(r'^    {((?:\s*"[\w ]+")+),\s*k', rows, re.M)
        operations = set(re.findall(r"\w+", " ".join(names))) - NOT_OF_SPECIFICATION
        self.assertGreater(len(operations), 80)
        lacking = {name for name in operations if "i8" not in found.get(name, ()) or len(found[name]) < 2}
        self.assertEqual(lacking, set())

    def test_by_hand(self):
        """The examples of the specification, and ties: 2.5 and 3.5 round to even after the zero point is added."""
        for line, kind, expected in BY_HAND:
            with self.subTest(line):
                text = f"func.func @main() -> {kind} {{\n{line}\nreturn %r : {kind}\n}}\n"
                self.assertEqual(numbers_of(self.run_json(self.file("m.mlir", text))["outputs"][0]), expected)


def quantized(numbers, parameters, expected, kind="f32", storage="i8"):
    """Quantizes numbers by hand."""
    count, element = numbers.count(",") + 1, f"!quant.uniform<{storage}:{kind}{parameters}>"
    return (f"%x = stablehlo.constant dense<[{numbers}]> : tensor<{count}x{kind}>\n%r = stablehlo.uniform_quantize %x : "
            f"(tensor<{count}x{kind}>) -> tensor<{count}x{element}>", f"tensor<{count}x{element}>", expected)


def of_few_bits(operation, storage, integers, expected):
    """Applies an operation to integers of a type without a golden, as numbers of the scale 1."""
    count, bits = len(expected), storage[1:]
    kind = f"tensor<{count}x!quant.uniform<{storage}:f32, 1.0>>"
    operands = ", ".join(["%a"] * (2 if operation == "add" else 1))
    return (f'%a = "stablehlo.constant"() {{value = dense<{integers}> : tensor<{count}xi{bits}>}} : () -> {kind}\n'
            f"%r = stablehlo.{operation} {operands} : {kind}", kind, expected)


BY_HAND = [
    quantized("4.0, 15.0", ":0, {0.1:-30, 0.5:-20}", [10, 10]),  # the specification's example
    quantized("2.5, 3.5, -2.5, -3.5", ", 1.0", [2, 4, -2, -4]),
    quantized("2.5, 3.5, -2.5, -3.5", ", 1.0:1", [4, 4, -2, -2]),  # 3.5, 4.5, -1.5, -2.5
    quantized("1.0e+30, -1.0e+30, 0x7F800000, 0xFF800000", ", 1.0", [127, -128, 127, -128]),
    quantized("0x7FC00000, 0.0, -0.0", ", 1.0:5", [0, 5, 5]),  # a NaN passes the clamp, and its conversion gives 0
    quantized("300.0, -1.0, 7.5", ", 1.0", [255, 0, 8], storage="u8"),
    quantized("300.0, -1.0, 7.5", ", 1.0", [7, -1, 7], storage="i4"),
    quantized("300.0, -1.0, 7.5", ", 1.0:2", [9, 2, 9], storage="u8<2:9>"),
    of_few_bits("add", "i2", [-2, -1, 0, 1], [-2, -2, 0, 1]),
    of_few_bits("negate", "i2", [-2, -1, 0, 1], [1, 1, 0, -1]),
    of_few_bits("add", "u2", [0, 1, -2, -1], [0, 2, 3, 3]),
    of_few_bits("add", "u4", [0, 1, 7, -1], [0, 2, 14, 15]),
]  # fmt: skip
