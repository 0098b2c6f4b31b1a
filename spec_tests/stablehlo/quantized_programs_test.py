"""Small quantized programs with results by hand, of what golden/quantized does not hold."""

from golden.witness.quantized import numbers_of
from spec_tests.tools.command_line import CliTest

Q = "!quant.uniform<i8:f32, 0.5:3>"  # (q - 3) / 2
SLICE, SLICES = "!quant.uniform<i8:f32:0, {0.5:3}>", "!quant.uniform<i8:f32:0, {0.5:3, 0.5:3}>"
U4 = "!quant.uniform<u4:f16, 0.5>"


def constant(name, rows, sizes, storage="i8", element=Q):
    return (f'%{name} = "stablehlo.constant"() {{value = dense<{rows}> : tensor<{sizes}{storage}>}} : () -> '
            f"tensor<{sizes}{element}>\n")


# The lines that define %r, its type, and its integers.
PROGRAMS = {
    "broadcast of a slice": (constant("b", "[[7, 8]]", "1x2x", element=SLICE) +
                             '%r = "stablehlo.broadcast_in_dim"(%b) {broadcast_dimensions = array<i64: 0, 1>} : '
                             f"(tensor<1x2x{SLICE}>) -> tensor<2x2x{SLICES}>", f"2x2x{SLICES}", [7, 8, 7, 8]),
    "signless elements of an unsigned type": (constant("r", "[-1, 7, -8]", "3x", "i4", U4), f"3x{U4}", [15, 7, 8]),
    "chlo": (constant("v", "[3, 5, 7, 9]", "4x") + constant("w", "[5]", "1x") +
             f"%r = chlo.broadcast_add %v, %w : (tensor<4x{Q}>, tensor<1x{Q}>) -> tensor<4x{Q}>",
             f"4x{Q}", [5, 7, 9, 11]),
}
UNKNOWN_SIZE = f"""func.func @main(%x: tensor<?x2xf32>) -> tensor<?x2x{Q}> {{
  %q = stablehlo.uniform_quantize %x : (tensor<?x2xf32>) -> tensor<?x2x{Q}>
  %r = stablehlo.multiply %q, %q : tensor<?x2x{Q}>
  return %r : tensor<?x2x{Q}>
}}
"""
CHECKED = """func.func @main() {{
  %x = stablehlo.constant dense<[4.0, 15.0]> : tensor<2xf32>
  %q = stablehlo.uniform_quantize %x : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32:0, {{0.1:-30, 0.5:-20}}>>
  check.expect_eq_const %q, dense<[10, {}]> : tensor<2x!quant.uniform<i8:f32:0, {{0.1:-30, 0.5:-20}}>>
  return
}}
"""


class QuantizedProgramsTest(CliTest):
    def outputs(self, text, *options):
        return [numbers_of(output) for output in self.run_json(self.file("m.mlir", text), *options)["outputs"]]

    def test_programs(self):
        for name, (lines, kind, expected) in PROGRAMS.items():
            with self.subTest(name):
                text = f"func.func @main() -> tensor<{kind}> {{\n{lines}\nreturn %r : tensor<{kind}>\n}}\n"
                self.assertEqual(self.outputs(text), [expected])

    def test_sizes_from_the_inputs(self):
        outputs = self.outputs(UNKNOWN_SIZE, "--input", "f32[3,2] {{0, 1}, {2, 3}, {-1, 0.5}}")
        self.assertEqual(outputs, [[3, 5, 11, 21, 5, 4]])

    def test_checks_see_storage_integers(self):
        for last, code in ((10, 0), (11, 1)):
            self.assay("run", self.file("m.mlir", CHECKED.format(last)), code=code)
