"""The rules of StableHLO's specification on quantized types and their operations: a program that breaks one is refused,
and the message has its number."""

from spec_tests.tools.command_line import CliTest, each


def tensor(sizes, parameters="0.5", storage="i8", expressed="f32", dimension=""):
    """Returns the type of a quantized tensor; those of the slices of a dimension are in braces."""
    dimension = f":{dimension}" if dimension != "" else ""
    return f"tensor<{sizes}!quant.uniform<{storage}:{expressed}{dimension}, {parameters}>>"


def blocks(sizes, parameters, dimensions="2x4x"):
    """Returns the type of a tensor with a scale for each block."""
    return tensor(dimensions, parameters, dimension=f"{{{sizes}}}")


BLOCKS = blocks("1:2", "{{0.5, 1.0:3}}")
Q, AXIS = tensor("2x4x"), tensor("2x4x", "{0.5, 0.25:3}", dimension=0)
LHS, RHS, OUT = tensor("2x3x"), tensor("3x5x", "{1.0, 0.5, 0.25, 1.0, 1.0}", dimension=1), tensor("2x5x")
OUT_AXIS = tensor("2x5x", "{1.0, 1.0, 1.0, 1.0, 1.0}", dimension=1)
IMAGE, KERNEL, IMAGE_AXIS = tensor("1x4x4x1x"), tensor("3x3x1x1x", "{5.0:20}", dimension=3), tensor("1x2x2x1x", "{3.0}",
                                                                                                   dimension=3)
IMAGE_OUT = tensor("1x2x2x1x")


# Lines have @0, @1 and so on for types.
def value(name, index):
    """Defines a value of any type."""
    return f'%{name} = "stablehlo.custom_call"() {{call_target_name = "value"}} : () -> @{index}'


def unary(operation, attributes=""):
    return f'{value("a", 0)}\n%r = "{operation}"(%a) {{{attributes}}} : (@0) -> @1'


def binary(operation, attributes=""):
    return f'{value("a", 0)}\n{value("b", 1)}\n%r = "{operation}"(%a, %b) {{{attributes}}} : (@0, @1) -> @2'


def fold(operation, attributes, operands):
    """A fold of @0 with the initial value @1, whose computation has the type @2, to @3."""
    types = ", ".join("@0" if name == "%a" else "@1" for name in operands)
    return f"""{value("a", 0)}
{value("z", 1)}
%r = "stablehlo.{operation}"({", ".join(operands)}) ({{
^bb0(%x: @2, %y: @2):
  %s = stablehlo.add %x, %y : @2
  "stablehlo.return"(%s) : (@2) -> ()
}}) {{{attributes}}} : ({types}) -> @3"""


DOT = binary("stablehlo.dot_general", "dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], "
                                      "rhs_contracting_dimensions = [0]>")
CONVOLUTION = f"""{value("a", 0)}
{value("b", 1)}
%r = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {{}}
  {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : (@0, @1) -> @2"""
SLICE = unary("stablehlo.slice", "start_indices = array<i64: 0, 0>, limit_indices = array<i64: 1, 4>, "
                                 "strides = array<i64: 1, 1>")
BROADCAST = unary("stablehlo.broadcast_in_dim", "broadcast_dimensions = array<i64: 0, 2>")
TRANSPOSE = unary("stablehlo.transpose", "permutation = array<i64: 1, 0>")
REDUCE = fold("reduce", "dimensions = array<i64: 0>", ["%a", "%z"])
WINDOW = fold("reduce_window", "window_dimensions = array<i64: 2>", ["%a", "%z"])
ALL_REDUCE = fold("all_reduce", "replica_groups = dense<0> : tensor<1x1xi64>", ["%a"])
REDUCE_SCATTER = fold("reduce_scatter", "replica_groups = dense<0> : tensor<1x1xi64>, scatter_dimension = 0 : i64",
                      ["%a"])
ONE, WIDE = tensor("", "2.0:15"), tensor("", "2.0:15", "i16")
FOLDED, WIDE_FOLDED, OTHER = tensor("4x", "2.0:15"), tensor("4x", "2.0:15", "i16"), tensor("", "2.0:15", "i32", "f64")
SAME = (Q, Q)

F = "tensor<2x4xf32>"
TURNED = blocks("0:2", "{{0.5}, {1.0:3}}", "4x2x")
NEGATE = unary("stablehlo.negate")
DEQUANTIZE = unary("stablehlo.uniform_dequantize")
QUANTIZE = unary("stablehlo.uniform_quantize")
ADD = binary("stablehlo.add")
MULTIPLY = binary("stablehlo.multiply")
RESHAPE = unary("stablehlo.reshape")
CONCATENATE = binary("stablehlo.concatenate", "dimension = 0 : i64")

# For each rule: lines, the types of a lawful program, those of an unlawful one or their differences from these, and
# what the message has.
RULES = {
    "types C3, order": (NEGATE, SAME, (tensor("2x4x", storage="i8<3:3>"),) * 2, "(C3 of quantized"),
    "types C3, range": (NEGATE, (tensor("2x4x", storage="i4<-8:7>"),) * 2, (tensor("2x4x", storage="i4<-9:7>"),) * 2,
                        "must be within -8:7"),
    "types C5": (NEGATE, SAME, (tensor("2x4x", "-0.5"),) * 2, "(C5 of quantized types)"),
    "types C6, large": (NEGATE, (tensor("2x4x", "65504.0", expressed="f16"),) * 2,
                        (tensor("2x4x", "10.550400e+04", expressed="f16"),) * 2, "(C6 of quantized types)"),
    "types C6, small": (NEGATE, (tensor("2x4x", "6.0e-08", expressed="f16"),) * 2,
                        (tensor("2x4x", "4.960464e-08", expressed="f16"),) * 2, "(C6 of quantized types)"),
    "types C6, infinite": (NEGATE, SAME, (tensor("2x4x", "0x7FF0000000000000"),) * 2, "(C6 of"),
    "types C7": (NEGATE, (tensor("2x4x", "0.5:-3", "i8<-3:9>"),) * 2, (tensor("2x4x", "0.5:-4", "i8<-3:9>"),) * 2,
                 "a zero point must be in [-3, 9], found -4 (C7 of"),
    "types C11": (DEQUANTIZE, (AXIS, F), {0: tensor("2x4x", "{0.5, 0.25}", dimension=-1)}, "(C11 of quantized types)"),
    "types C12": (DEQUANTIZE, (AXIS, F), {0: tensor("2x4x", "{0.5, 0.25}", dimension=2)}, "(C12 of quantized types)"),
    "types C13": (DEQUANTIZE, (AXIS, F), {0: tensor("2x4x", "{0.5, 0.25}", dimension=1)}, "(C13 of quantized types)"),
    "add C2": (ADD, (Q,) * 3, {1: "tensor<2x4xi8>"}, "(C2)"),
    "add C3": (ADD, (Q,) * 3, {1: tensor("2x4x", storage="i16")}, "(C3)"),
    "add C4": (ADD, (Q,) * 3, {1: tensor("2x4x", expressed="f16")}, "(C4)"),
    "add C5": (ADD, (Q, AXIS, AXIS), {2: Q}, "(C5)"),
    "add C6": (ADD, (AXIS, Q, AXIS), {2: tensor("2x4x", "{0.5, 0.5, 0.5, 0.5}", dimension=1)}, "(C6)"),
    "add C7": (ADD, (Q, AXIS, AXIS), {2: tensor("2x4x", "{0.5, 0.5, 0.5, 0.5}", dimension=1)}, "(C7)"),
    "abs C2": (unary("stablehlo.abs"), (Q, tensor("2x4x", "0.25")), {1: tensor("2x4x", storage="i16")}, "(C2)"),
    "multiply C1": (MULTIPLY, (Q,) * 3, {2: tensor("2x4x", storage="i8<-127:127>")}, "(C1)"),
    "multiply of a number": (MULTIPLY, (Q,) * 3, {1: F}, "(C1)"),
    **{f"blocks, {name}": (DEQUANTIZE, (BLOCKS, F), {0: unlawful}, f"{message} (sub-channel types of MLIR)")
       for name, unlawful, message in (
           ("rank", blocks("0:2", "{0.5}"), "the scales must have the rank of the tensor, 2, found 1"),
           ("negative dimension", blocks("-1:2", "{{0.5}}"), "the dimension of blocks must be in [0, 2), found -1"),
           ("dimension", blocks("2:2", "{{0.5}}"), "the dimension of blocks must be in [0, 2), found 2"),
           ("again", blocks("1:2, 1:4", "{{0.5, 1.0}}"), "must have one size of blocks, found dimension 1 again"),
           ("no elements", blocks("1:0", "{{0.5}}"), "the size of a block must be positive, found 0"),
           ("divisor", blocks("1:3", "{{0.5}}"), "the size of dimension 1 must be a multiple of the block's, 3, found 4"),
           ("larger", blocks("1:8", "{{0.5}}"), "the size of dimension 1 must be a multiple of the block's, 8, found 4"),
           ("count", blocks("1:2", "{{0.5}}"), "dimension 1 must have a scale for each of its 2 blocks, found 1"),
           ("no blocks", blocks("", "{{0.5}, {1.0}}"), "dimension 0 must have a scale for each of its 1 blocks, found 2"))},
    "blocks, empty": (DEQUANTIZE, (BLOCKS, F), {0: blocks("1:2", "{{0.5, 1.0}}", "0x4x"), 1: "tensor<0x4xf32>"},
                      "a tensor with blocks must not be empty, found size 0 of dimension 0 (sub-channel types of MLIR)"),
    "blocks C5": (DEQUANTIZE, (BLOCKS, F), {0: blocks("1:2", "{{0.5, -1.0}}")}, "(C5 of quantized types)"),
    "blocks C7": (DEQUANTIZE, (BLOCKS, F), {0: blocks("1:2", "{{0.5, 1.0:128}}")}, "(C7 of quantized types)"),
    "blocks, tanh I1": (unary("stablehlo.tanh"), SAME, (BLOCKS,) * 2, "quantized as a whole (I1)"),
    "blocks, slice I1": (SLICE, (Q, tensor("1x4x")), {0: BLOCKS, 1: blocks("1:2", "{{0.5, 1.0}}", "1x4x")}, "(I1)"),
    "blocks, transpose C1": (TRANSPOSE, (BLOCKS, TURNED), {1: tensor("4x2x")}, "(C1)"),
    "blocks, transpose C4": (TRANSPOSE, (BLOCKS, TURNED), {1: blocks("1:1", "{{0.5, 1.0:3}}", "4x2x")},
                             "the blocks must move as the elements do (C4)"),
    "blocks, transpose C4, scales": (
        TRANSPOSE, (BLOCKS, TURNED), {1: blocks("0:2", "{{1.0:3}, {0.5}}", "4x2x")}, "(C4)"),
    "blocks, reshape C3": (RESHAPE, (BLOCKS, blocks("2:2", "{{{0.5, 1.0:3}}}", "2x1x4x")), {1: TURNED},
                           "the scale and the zero point of its slice or block (C3)"),
    "blocks, reshape that divides a block": (RESHAPE, (BLOCKS, blocks("1:1", "{{{0.5}, {1.0:3}}}", "2x2x2x")),
                                             {1: blocks("0:4", "{{0.5}, {1.0:3}}", "8x1x")}, "(C3)"),
    "blocks, broadcast_in_dim C6": (
        BROADCAST, (blocks("1:2", "{{0.5, 1.0}}", "1x4x"), blocks("2:2", "{{{0.5, 1.0}}}", "2x3x4x")),
        {1: blocks("2:2", "{{{0.5, 2.0}}}", "2x3x4x")}, "(C6)"),
    "blocks, add C5": (ADD, (Q, BLOCKS, BLOCKS), {2: Q}, "(C5)"),
    "blocks, add C7": (ADD, (Q, BLOCKS, BLOCKS), {1: AXIS}, "(C7)"),
    "blocks, dot_general I1": (DOT, (LHS, blocks("0:3", "{{0.5}}", "3x5x"), OUT),
                               {0: blocks("0:1", "{{0.5}, {0.5}}", "2x3x"), 1: RHS}, "(I1)"),
    "blocks, dot_general C15": (
        DOT, ("tensor<2x3xf32>", blocks("0:1", "{{0.5}, {1.0}, {2.0}}", "3x5x"), "tensor<2x5xf32>"),
        {1: blocks("0:1", "{{0.5}, {1.0:1}, {2.0}}", "3x5x")}, "(C15)"),
    "blocks, dot_general C19": (DOT, (LHS, tensor("3x5x"), OUT), {2: blocks("1:5", "{{0.5}}", "2x5x")}, "(C19)"),
    "tanh I1": (unary("stablehlo.tanh"), SAME, (AXIS,) * 2, "quantized as a whole (I1)"),
    "compare C1": (binary("stablehlo.compare", "comparison_direction = #stablehlo<comparison_direction LT>"),
                   (Q, tensor("2x4x", "0.25"), "tensor<2x4xi1>"), {1: tensor("2x4x", storage="i16")}, "(C1)"),
    "no logic": (binary("stablehlo.and"), ("tensor<2x4xi8>",) * 3, (Q,) * 3, "it takes no quantized tensors"),
    "no convert": (unary("stablehlo.convert"), ("tensor<2x4xi8>", F), {0: Q}, "it takes no quantized tensors"),
    "broadcast_in_dim C1": (BROADCAST, (tensor("1x4x"), tensor("2x3x4x")), {1: tensor("2x3x4x", "0.5:1")}, "(C1)"),
    "broadcast_in_dim C6, scales": (
        BROADCAST, (tensor("1x4x", "{0.5:1}", dimension=0), tensor("2x3x4x", "{0.5:1, 0.5:1}", dimension=0)),
        {1: tensor("2x3x4x", "{0.5:1, 0.5:2}", dimension=0)}, "(C1, C6)"),
    "broadcast_in_dim C6, dimension": (
        BROADCAST, (tensor("1x3x", "{0.5, 1.0, 2.0}", dimension=1), tensor("2x3x3x", "{0.5, 1.0, 2.0}", dimension=2)),
        {1: tensor("2x3x3x", "{0.5, 1.0, 2.0}", dimension=1)}, "(C6)"),
    "transpose C1": (TRANSPOSE, (Q, tensor("4x2x")), {1: tensor("4x2x", "0.25")}, "(C1)"),
    "transpose C4": (TRANSPOSE, (tensor("2x2x", "{0.5, 1.0}", dimension=0), tensor("2x2x", "{0.5, 1.0}", dimension=1)),
                     {1: tensor("2x2x", "{0.5, 1.0}", dimension=0)}, "(C4)"),
    "reshape C1": (RESHAPE, (Q, tensor("8x")), {1: tensor("8x", "0.5:3")}, "(C1)"),
    "reshape C3, size": (
        RESHAPE, (AXIS, tensor("1x2x4x", "{0.5, 0.25:3}", dimension=1)),
        {0: tensor("2x4x", "{0.5, 0.5}", dimension=0), 1: tensor("4x2x", "{0.5, 0.5}", dimension=1)}, "(C3)"),
    "reshape C3, sizes before": (RESHAPE, (tensor("3x2x2x", "{0.5, 1.0}", dimension=1),) * 2,
                                 {1: tensor("3x2x2x", "{0.5, 1.0}", dimension=2)}, "(C3)"),
    "slice C1": (SLICE, (Q, tensor("1x4x")), {1: tensor("1x4x", "0.25")}, "(C1)"),
    "concatenate C1": (CONCATENATE, (Q, Q, tensor("4x4x")), {1: tensor("2x4x", "0.25")}, "(C1, C5)"),
    "concatenate to a tuple": (CONCATENATE, (Q, Q, tensor("4x4x")), {2: "tuple<tensor<2xf32>>"}, "(C1, C5)"),
    "optimization_barrier C1": (unary("stablehlo.optimization_barrier"), SAME, {1: tensor("2x4x", "0.25")}, "(C1)"),
    "uniform_quantize O1": (QUANTIZE, (F, Q), {0: Q, 1: F}, "(O1)"),
    "uniform_quantize C2": (QUANTIZE, (F, Q), {1: tensor("2x4x", expressed="f64")}, "(C2)"),
    "uniform_quantize C1": (QUANTIZE, (F, Q), {0: "tensor<2x3xf32>"}, "the result must be a tensor<2x4x"),
    "uniform_dequantize C1": (DEQUANTIZE, (Q, F), {1: "tensor<4x2xf32>"}, "the result must be a tensor<4x2xf32>"),
    "uniform_dequantize I1": (DEQUANTIZE, (Q, F), {0: F, 1: Q}, "(I1)"),
    "uniform_dequantize C2": (DEQUANTIZE, (Q, F), {1: "tensor<2x4xf64>"}, "(C2)"),
    "quantization of a number": (QUANTIZE, (F, Q), {1: F}, "the operand or the result must be a quantized tensor"),
    "dot_general I1": (DOT, (LHS, RHS, OUT_AXIS), {0: tensor("2x3x", "{0.5, 0.5}", dimension=0), 2: OUT}, "(I1)"),
    "dot_general C14": (DOT, ("tensor<2x3xf32>", RHS, "tensor<2x5xf32>"), {2: OUT}, "(C14)"),
    "dot_general C15": (DOT, (LHS, tensor("3x5x"), OUT), {1: tensor("3x5x", "0.5:3")}, "(C15)"),
    "dot_general C16": (DOT, (LHS, RHS, OUT), {1: tensor("3x5x", "{0.5, 0.5, 0.5}", dimension=0)}, "(C16)"),
    "dot_general C17": (DOT, (LHS, RHS, OUT), {0: tensor("2x3x", storage="i16")}, "(C17)"),
    "dot_general C18": (DOT, (LHS, RHS, OUT), {2: tensor("2x5x", expressed="f64")}, "(C18)"),
    "dot_general C19": (DOT, (LHS, tensor("3x5x"), OUT), {2: OUT_AXIS}, "(C19)"),
    "dot_general C20": (DOT, ("tensor<2x3xf32>", RHS, "tensor<2x5xf32>"), {0: "tensor<2x3xf16>", 2: "tensor<2x5xf16>"},
                        "(C20)"),
    "convolution C28": (CONVOLUTION, (IMAGE, KERNEL, IMAGE_OUT), {2: "tensor<1x2x2x1xf32>"}, "(C28)"),
    "convolution C29": (CONVOLUTION, (IMAGE, KERNEL, IMAGE_OUT), {1: tensor("3x3x1x1x", "{5.0:20}", dimension=2)},
                        "(C29)"),
    "convolution C30": (CONVOLUTION, (IMAGE, KERNEL, IMAGE_AXIS), {2: tensor("1x2x2x1x", "{3.0}", dimension=0)},
                        "(C30)"),
    "convolution C31": (CONVOLUTION, (IMAGE, KERNEL, IMAGE_OUT),
                        {1: tensor("3x3x1x1x", "{5.0:20}", "i16", dimension=3)}, "(C31)"),
    "convolution C32": (CONVOLUTION, (IMAGE, KERNEL, IMAGE_OUT), {0: tensor("1x4x4x1x", expressed="f16")}, "(C32)"),
    "convolution C33": (CONVOLUTION, (IMAGE, tensor("3x3x1x1x"), IMAGE_OUT), {2: IMAGE_AXIS}, "(C33)"),
    "convolution C34": (CONVOLUTION, ("tensor<1x4x4x1xf32>", KERNEL, "tensor<1x2x2x1xf32>"),
                        {0: "tensor<1x4x4x1xf64>", 2: "tensor<1x2x2x1xf64>"}, "(C34)"),
    "reduce C6, expressed type": (REDUCE, (FOLDED, ONE, WIDE, WIDE), {2: OTHER, 3: OTHER}, "(C6)"),
    "reduce C6, width": (REDUCE, (WIDE_FOLDED, WIDE, WIDE, WIDE), {2: ONE, 3: ONE}, "(C6)"),
    "reduce C8": (REDUCE, (FOLDED, ONE, ONE, ONE), {3: tensor("", "1.0:15")}, "(C8)"),
    "reduce_window C13": (WINDOW, (FOLDED, ONE, WIDE, tensor("3x", "2.0:15", "i16")),
                          {2: OTHER, 3: tensor("3x", "2.0:15", "i32", "f64")}, "(C13)"),
    "all_reduce C5": (ALL_REDUCE, (FOLDED, ONE, WIDE, WIDE_FOLDED), {2: OTHER, 3: tensor("4x", "2.0:15", "i32", "f64")},
                      "(C5)"),
    "reduce_scatter C7": (REDUCE_SCATTER, (FOLDED, ONE, WIDE, WIDE_FOLDED),
                          {2: OTHER, 3: tensor("4x", "2.0:15", "i32", "f64")}, "(C7)"),
    "a constant C1": (
        '%r = "stablehlo.constant"() {value = dense<[1, -2]> : @0} : () -> @1',
        ("tensor<2xi8>", tensor("2x", storage="u8")), {0: "tensor<2xi16>", 1: tensor("2x")}, "the value must be a"),
}  # fmt: skip

# The quantized types of what functions and regions return, and of what functions take.
FLOW = {
    "a function's result": ("""func.func @main(%x: @0) -> @1 {
  return %x : @0
}""", "func.return: operand 0 must be a"),
    "a call's operand": ("""func.func @main(%x: @0) -> tensor<2x4xf32> {
  %r = call @f(%x) : (@0) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}
func.func private @f(%x: @1) -> tensor<2x4xf32> {
  %r = stablehlo.uniform_dequantize %x : (@1) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}""", "func.call: operand 0 must be a"),
    "a call's result": ("""func.func @main(%x: @1) -> @0 {
  %r = call @f(%x) : (@1) -> @0
  return %r : @0
}
func.func private @f(%x: @1) -> @1 {
  return %x : @1
}""", "func.call: result 0 must be a"),
    "a branch's result": ("""func.func @main(%p: tensor<i1>, %x: @0, %y: @1) -> @0 {
  %r = "stablehlo.if"(%p) ({
    stablehlo.return %x : @0
  }, {
    stablehlo.return %y : @1
  }) : (tensor<i1>) -> @0
  return %r : @0
}""", "stablehlo.return: operand 0 must be a"),
}  # fmt: skip

# Types that are no types: refused by the parser, at their place.
NO_TYPES = {
    "!quant.uniform<si8:f32, 0.5>": "stores i2, i4, i8, i16, i32",
    "!quant.uniform<i64:f32, 0.5>": "stores i2, i4, i8, i16, i32",
    "!quant.uniform<i8:i32, 0.5>": "expresses a floating type, found i8 and i32",
    "!quant.uniform<i8:f32>": "expected ','",
    "!quant.uniform<i8:f32, 0.5:0.5>": "expected an integer",
    "!quant.uniform<i8:f32, {0.5, 0.5}>": "expected a scale",
    "!quant.uniform<i8:f32:0, 0.5>": "expected '{'",
    "!quant.uniform<i8<1>:f32, 0.5>": "expected ':'",
    "!quant.uniform<i8:f32:{0:2}, {{0.5}, 0.5}>": "the lists of scales must have one shape",
    "!quant.uniform<i8:f32:{0:2}, {{0.5}, {0.5, 0.25}}>": "the lists of scales must have one shape",
    "!quant.uniform<i8:f32:{0:2}, {}>": "expected a scale before the end of the list",
    "!quant.uniform<i8:f32:{0:2}, 0.5>": "expected '{'",
    "!quant.uniform<i8:f32:{0}, {0.5}>": "expected ':'",
}


class QuantizedRulesTest(CliTest):
    def verify(self, lines, types):
        for index, text in enumerate(types):
            lines = lines.replace(f"@{index}", text)
        return self.assay("verify", self.file("m.mlir", f"func.func @main() {{\n{lines}\nreturn\n}}\n"))

    @each(RULES)
    def test_each_rule_is_enforced(self, lines, lawful, unlawful, message):
        accepted = self.verify(lines, lawful)
        self.assertEqual(accepted.returncode, 0, accepted.stderr)
        if isinstance(unlawful, dict):
            unlawful = [unlawful.get(i, types) for i, types in enumerate(lawful)]
        refused = self.verify(lines, unlawful)
        self.assertEqual(refused.returncode, 2, refused.stdout)
        self.assertIn(message, refused.stderr)

    def test_types_are_those_of_functions_and_regions(self):
        for name, (text, message) in FLOW.items():
            for second, code in ((Q, 0), (tensor("2x4x", "0.25"), 2)):
                with self.subTest(f"{name} {second}"):
                    verified = self.assay("verify", self.file("m.mlir", text.replace("@0", Q).replace("@1", second)))
                    self.assertEqual(verified.returncode, code, verified.stderr)
                    self.assertIn("" if code == 0 else message, verified.stderr)

    @each({text: (text, message) for text, message in NO_TYPES.items()})
    def test_types_that_are_none(self, text, message):
        module = f"func.func @main(%x: tensor<2x{text}>) {{\n  return\n}}\n"
        refused = self.assay("verify", self.file("m.mlir", module))
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn("m.mlir:1:", refused.stderr)
        self.assertIn(message, refused.stderr)
