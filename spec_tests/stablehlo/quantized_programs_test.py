"""Small quantized programs with results by hand: movement, folds, products, control flow and devices."""

from fractions import Fraction

from golden.witness.quantized import numbers_of
from spec_tests.tools.command_line import CliTest

Q = "!quant.uniform<i8:f32, 0.5:3>"  # (q - 3) / 2
WIDE = "!quant.uniform<i32:f32, 0.5>"
AXIS = "!quant.uniform<i8:f32:0, {0.5:3, 2.0}>"
ADD = """({{
^bb0(%l: tensor<{0}>, %r: tensor<{0}>):
  %s = stablehlo.add %l, %r : tensor<{0}>
  stablehlo.return %s : tensor<{0}>
}})"""
LARGEST = ADD.replace("stablehlo.add", "stablehlo.maximum")


def constant(name, rows, sizes, element=Q):
    storage = element.split("<")[1].split(":")[0]
    kind = f"tensor<{sizes}{element}>"
    return f'%{name} = "stablehlo.constant"() {{value = dense<{rows}> : tensor<{sizes}{storage}>}} : () -> {kind}\n'


A = constant("a", "[[1, 2, 3], [4, 5, 6]]", "2x3x")
V = constant("v", "[3, 5, 7, 9]", "4x")  # 0, 1, 2, 3
ZERO = constant("z", "3", "")
BY_AXIS = constant("a", "[[1, 2, 3], [4, 5, 6]]", "2x3x", AXIS)

# The lines that define %result, its type, and its integers or numbers.
PROGRAMS = {
    "reshape": (A + f"%result = stablehlo.reshape %a : (tensor<2x3x{Q}>) -> tensor<3x2x{Q}>", f"3x2x{Q}",
                [1, 2, 3, 4, 5, 6]),
    "transpose per axis": (BY_AXIS + f"%result = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3x{AXIS}>) -> "
                           f"tensor<3x2x{AXIS.replace(':0,', ':1,')}>", f"3x2x{AXIS.replace(':0,', ':1,')}",
                           [1, 4, 2, 5, 3, 6]),
    "dequantize per axis": (BY_AXIS + f"%result = stablehlo.uniform_dequantize %a : (tensor<2x3x{AXIS}>) -> "
                            "tensor<2x3xf32>", "2x3xf32", [-1, Fraction(-1, 2), 0, 8, 10, 12]),
    "broadcast of a slice": (constant("b", "[[7, 8]]", "1x2x", "!quant.uniform<i8:f32:0, {0.5:3}>") +
                             '%result = "stablehlo.broadcast_in_dim"(%b) {broadcast_dimensions = array<i64: 0, 1>} : '
                             "(tensor<1x2x!quant.uniform<i8:f32:0, {0.5:3}>>) -> "
                             "tensor<2x2x!quant.uniform<i8:f32:0, {0.5:3, 0.5:3}>>",
                             "2x2x!quant.uniform<i8:f32:0, {0.5:3, 0.5:3}>", [7, 8, 7, 8]),
    "slice and reverse": (V + f"%s = stablehlo.slice %v [1:4] : (tensor<4x{Q}>) -> tensor<3x{Q}>\n%result = "
                          f"stablehlo.reverse %s, dims = [0] : tensor<3x{Q}>", f"3x{Q}", [9, 7, 5]),
    "concatenate": (V + f"%result = stablehlo.concatenate %v, %v, dim = 0 : (tensor<4x{Q}>, tensor<4x{Q}>) -> "
                    f"tensor<8x{Q}>", f"8x{Q}", [3, 5, 7, 9] * 2),
    "pad": (V + ZERO + f"%result = stablehlo.pad %v, %z, low = [1], high = [0], interior = [1] : (tensor<4x{Q}>, "
            f"tensor<{Q}>) -> tensor<8x{Q}>", f"8x{Q}", [3, 3, 3, 5, 3, 7, 3, 9]),
    "a dynamic slice at the end": (V + "%i = stablehlo.constant dense<9> : tensor<i32>\n%result = "
                                   f"stablehlo.dynamic_slice %v, %i, sizes = [2] : (tensor<4x{Q}>, tensor<i32>) -> "
                                   f"tensor<2x{Q}>", f"2x{Q}", [7, 9]),
    "gather": (V + "%i = stablehlo.constant dense<[[3], [0]]> : tensor<2x1xi32>\n" +
               '%result = "stablehlo.gather"(%v, %i) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], '
               "start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>} : "
               f"(tensor<4x{Q}>, tensor<2x1xi32>) -> tensor<2x{Q}>", f"2x{Q}", [9, 3]),
    # 0 + 1 + 2 + 3 = 6, and 6 / 0.5 + 3.
    "reduce": (V + ZERO + f'%result = "stablehlo.reduce"(%v, %z) {ADD.format(Q)} {{dimensions = array<i64: 0>}} : '
               f"(tensor<4x{Q}>, tensor<{Q}>) -> tensor<{Q}>", Q, [15]),
    # Each step saturates: 62 + 62 is 62, and 62 - 65.5 is -3.5.
    "a reduction that saturates": (constant("v", "[127, 127, -128]", "3x") + ZERO +
                                   f'%result = "stablehlo.reduce"(%v, %z) {ADD.format(Q)} {{dimensions = array<i64: 0>}} '
                                   f": (tensor<3x{Q}>, tensor<{Q}>) -> tensor<{Q}>", Q, [-4]),
    # 62 + 62 - 65.5 = 58.5.
    "a reduction to a wider type": (constant("v", "[127, 127, -128]", "3x") + ZERO +
                                    f'%result = "stablehlo.reduce"(%v, %z) {ADD.format(WIDE)} '
                                    f"{{dimensions = array<i64: 0>}} : (tensor<3x{Q}>, tensor<{Q}>) -> tensor<{WIDE}>",
                                    WIDE, [117]),
    "reduce_window": (V + ZERO + f'%result = "stablehlo.reduce_window"(%v, %z) {LARGEST.format(Q)} {{window_dimensions '
                      "= array<i64: 2>, padding = dense<[[1, 0]]> : tensor<1x2xi64>} : "
                      f"(tensor<4x{Q}>, tensor<{Q}>) -> tensor<4x{Q}>", f"4x{Q}", [3, 5, 7, 9]),
    # 1 is added to the numbers 3 and 0 of the vector.
    "scatter": (V + constant("u", "[5, 5]", "2x") + "%i = stablehlo.constant dense<[[3], [0]]> : tensor<2x1xi32>\n"
                f'%result = "stablehlo.scatter"(%v, %i, %u) {ADD.format(Q)} {{scatter_dimension_numbers = '
                "#stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}"
                f" : (tensor<4x{Q}>, tensor<2x1xi32>, tensor<2x{Q}>) -> tensor<4x{Q}>", f"4x{Q}", [5, 5, 7, 11]),
    "sort": (constant("v", "[9, -5, 4, 3]", "4x") + f"""%result = "stablehlo.sort"(%v) ({{
^bb0(%l: tensor<{Q}>, %r: tensor<{Q}>):
  %s = stablehlo.compare GT, %l, %r : (tensor<{Q}>, tensor<{Q}>) -> tensor<i1>
  stablehlo.return %s : tensor<i1>
}}) {{dimension = 0 : i64}} : (tensor<4x{Q}>) -> tensor<4x{Q}>""", f"4x{Q}", [9, 4, 3, -5]),
    "map": (V + f'%result = "stablehlo.map"(%v) ({{\n^bb0(%l: tensor<{Q}>):\n  %s = stablehlo.negate %l : tensor<{Q}>\n  '
            f"stablehlo.return %s : tensor<{Q}>\n}}) {{dimensions = array<i64: 0>}} : (tensor<4x{Q}>) -> tensor<4x{Q}>",
            f"4x{Q}", [3, 1, -1, -3]),
    # Doubled until it is at least 5: 1, 2, 4, 8.
    "while": (constant("x", "5", "") + constant("five", "13", "") + f"""%result = stablehlo.while(%i = %x) : tensor<{Q}>
cond {{
  %c = stablehlo.compare LT, %i, %five : (tensor<{Q}>, tensor<{Q}>) -> tensor<i1>
  stablehlo.return %c : tensor<i1>
}} do {{
  %d = stablehlo.add %i, %i : tensor<{Q}>
  stablehlo.return %d : tensor<{Q}>
}}""", Q, [19]),
    "iota": (f"%result = stablehlo.iota dim = 0 : tensor<4x{Q}>", f"4x{Q}", [3, 5, 7, 9]),
    "bitcast_convert": (V + f"%result = stablehlo.bitcast_convert %v : (tensor<4x{Q}>) -> tensor<4xui8>", "4xui8",
                        [3, 5, 7, 9]),
    "get_dimension_size": (A + f"%result = stablehlo.get_dimension_size %a, dim = 1 : (tensor<2x3x{Q}>) -> tensor<i32>",
                           "i32", [3]),
    "is_finite": (V + f"%result = stablehlo.is_finite %v : (tensor<4x{Q}>) -> tensor<4xi1>", "4xi1", [1] * 4),
    # The columns of the kernel are 0.5 * (1, 2) and 2 * (3, -4): 1 * 0.5 + 2 * 1, and 1 * 6 - 2 * 8.
    "a hybrid product": ("%x = stablehlo.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>\n" +
                         constant("k", "[[1, 3], [2, -4]]", "2x2x", "!quant.uniform<i8:f32:1, {0.5, 2.0}>") +
                         "%result = stablehlo.dot_general %x, %k, contracting_dims = [1] x [0] : (tensor<1x2xf32>, "
                         "tensor<2x2x!quant.uniform<i8:f32:1, {0.5, 2.0}>>) -> tensor<1x2xf32>", "1x2xf32",
                         [Fraction(5, 2), -10]),
    # The numbers 0 to 3 times the kernel 2, 4: the windows 0 * 2 + 1 * 4, 1 * 2 + 2 * 4 and 2 * 2 + 3 * 4.
    "convolution": (V + f"%x = stablehlo.reshape %v : (tensor<4x{Q}>) -> tensor<1x4x1x{Q}>\n" +
                    constant("k", "[[[1]], [[2]]]", "2x1x1x", "!quant.uniform<i8:f32, 2.0>") +
                    "%result = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} "
                    f"{{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : (tensor<1x4x1x{Q}>, "
                    f"tensor<2x1x1x!quant.uniform<i8:f32, 2.0>>) -> tensor<1x3x1x{WIDE}>", f"1x3x1x{WIDE}",
                    [8, 20, 32]),
    # (x - 1) * 2 / sqrt(4) + 0.5 for 0 to 3.
    "batch_norm_inference": (V + f"%x = stablehlo.reshape %v : (tensor<4x{Q}>) -> tensor<4x1x{Q}>\n" +
                             constant("s", "[7]", "1x") + constant("o", "[4]", "1x") + constant("m", "[5]", "1x") +
                             constant("w", "[11]", "1x") +
                             '%result = "stablehlo.batch_norm_inference"(%x, %s, %o, %m, %w) {epsilon = 0.0 : f32, '
                             f"feature_index = 1 : i64}} : (tensor<4x1x{Q}>, tensor<1x{Q}>, tensor<1x{Q}>, tensor<1x{Q}>, "
                             f"tensor<1x{Q}>) -> tensor<4x1x{Q}>", f"4x1x{Q}", [2, 4, 6, 8]),
    # The matrix 4, 2; 2, 5 has the factor 2, 0; 1, 2.
    "cholesky": (constant("a", "[[11, 3], [7, 13]]", "2x2x") +
                 f'%l = "stablehlo.cholesky"(%a) {{lower = true}} : (tensor<2x2x{Q}>) -> tensor<2x2x{Q}>\n%result = '
                 f"stablehlo.slice %l [0:2, 0:1] : (tensor<2x2x{Q}>) -> tensor<2x1x{Q}>", f"2x1x{Q}", [7, 5]),
    "signless elements of an unsigned type": (
        '%result = "stablehlo.constant"() {value = dense<[-1, 7, -8]> : tensor<3xi4>} : () -> '
        "tensor<3x!quant.uniform<u4:f16, 0.5>>", "3x!quant.uniform<u4:f16, 0.5>", [15, 7, 8]),
    "chlo": (V + constant("w", "[5]", "1x") +
             f"%result = chlo.broadcast_add %v, %w : (tensor<4x{Q}>, tensor<1x{Q}>) -> tensor<4x{Q}>", f"4x{Q}",
             [5, 7, 9, 11]),
}  # fmt: skip

EXCHANGE = f"""func.func @main(%x: tensor<2x{Q}>) -> tensor<2x{Q}> {{
  %r = "stablehlo.collective_permute"(%x) {{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}} :
    (tensor<2x{Q}>) -> tensor<2x{Q}>
  return %r : tensor<2x{Q}>
}}
"""
SUM = f"""func.func @main(%x: tensor<2x{Q}>) -> tensor<2x{WIDE}> {{
  %r = "stablehlo.all_reduce"(%x) {ADD.format(WIDE)} {{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}} :
    (tensor<2x{Q}>) -> tensor<2x{WIDE}>
  return %r : tensor<2x{WIDE}>
}}
"""
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
                text = f"func.func @main() -> tensor<{kind}> {{\n{lines}\nreturn %result : tensor<{kind}>\n}}\n"
                self.assertEqual(self.outputs(text), [expected])

    def test_devices(self):
        """A device that receives nothing has the zero point, 3."""
        inputs = self.file("i.json", '{"inputs_per_device": [[{"shape": "s8[2]", "data_hex": "0507"}], '
                                     '[{"shape": "s8[2]", "data_hex": "7f80"}]]}')  # fmt: skip
        options = ("--replicas", "2", "--inputs", inputs)
        self.assertEqual(self.outputs(EXCHANGE, *options), [[3, 3], [5, 7]])
        self.assertEqual(self.outputs(SUM, *options), [[126, -127]] * 2)

    def test_sizes_from_the_inputs(self):
        self.assertEqual(self.outputs(UNKNOWN_SIZE, "--input", "f32[3,2] {{0, 1}, {2, 3}, {-1, 0.5}}"),
                         [[3, 5, 11, 21, 5, 4]])  # fmt: skip

    def test_checks_see_storage_integers(self):
        for last, code in ((10, 0), (11, 1)):
            self.assertEqual(self.assay("run", self.file("m.mlir", CHECKED.format(last))).returncode, code)
