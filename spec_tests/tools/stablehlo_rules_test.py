"""Programs that break a rule of StableHLO which HLO does not have: each is refused, and the message says which."""

from spec_tests.tools.command_line import CliTest, each

F = "tensor<2x3xf32>"
D, H = "#stablehlo<precision DEFAULT>", "#stablehlo<precision HIGHEST>"
SCAN = """%o, %c = chlo.scan(%x) inits (%i) dimension = 0 attributes {{scan_dim_size = {} : i64}} {{
  ^bb0(%a: tensor<3xf32>, %b: tensor<3xf32>):
    %s = stablehlo.add %a, %b : tensor<3xf32>
    stablehlo.return %s, %s : tensor<3xf32>, tensor<3xf32>
  }} : (tensor<2x3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>)"""
MAP = """%r = "stablehlo.map"(%x) ({{
  ^bb0(%a: tensor<f32>):
    %s = stablehlo.negate %a : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }}) {{dimensions = array<i64: {}>}} : (tensor<2x3xf32>) -> tensor<2x3xf32>"""
SEND = """%k = stablehlo.create_token : !stablehlo.token
  %r = "stablehlo.send"(%x, %k) {{channel_handle = #stablehlo.channel_handle<handle = 1, type = {}>,
    is_host_transfer = {}}} : (tensor<2x3xf32>, !stablehlo.token) -> !stablehlo.token"""
INFEED = """%k = stablehlo.create_token : !stablehlo.token
  %r:2 = "stablehlo.infeed"(%k) {{layout = {}}} : (!stablehlo.token) -> (tensor<2x3xf32>, !stablehlo.token)"""
DOT = """%t = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %r = "stablehlo.dot_general"(%x, %t) {{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1],
    rhs_contracting_dimensions = [0]>, precision_config = [{}]{}}} :
    (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>"""
ALGORITHM = """, algorithm = #stablehlo.dot_algorithm<lhs_precision_type = tf32, rhs_precision_type = tf32,
    accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1,
    allow_imprecise_accumulation = false>"""
RNG = """%m = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.constant dense<[{}]> : tensor<{}xi64>
  %r = stablehlo.rng %m, %m, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<{}xi64>) -> tensor<2x3xf32>"""
CALL = '%r = "stablehlo.custom_call"(%x) {{call_target_name = "Sharding", {}}} : (tensor<2x3xf32>) -> tensor<2x3xf32>'
LAYOUTS = "operand_layouts = [dense<[{}]> : tensor<2xindex>]"
ASYNC = """%f = "stablehlo.async_start"(%x) ({{
  ^bb0({}):
    %n = {}
    stablehlo.return %n : tensor<2x3xf32>
  }}) : (tensor<2x3xf32>) -> !stablehlo.future<tensor<2x3xf32>>
  %r = "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<2x3xf32>>) -> tensor<{}>"""
PERMUTE = ('"stablehlo.collective_permute"(%a) {source_target_pairs = dense<[[0, 0]]> : tensor<1x2xi64>} : '
           "(tensor<2x3xf32>) -> tensor<2x3xf32>")
A = "%a: tensor<2x3xf32>"
CONVOLUTION = """%l = stablehlo.constant dense<1> : tensor<1x4x1xi{}>
  %k = stablehlo.constant dense<1> : tensor<2x1x1xi32>
  %r = stablehlo.convolution(%l, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {{}}
    {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} :
    (tensor<1x4x1xi{}>, tensor<2x1x1xi32>) -> tensor<1x3x1xi32>"""
REDUCE = "%r = stablehlo.reduce(%x init: %z) applies stablehlo.{} across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>"
ACCURACY = ("%r = stablehlo.tanh %x {{result_accuracy = #stablehlo.result_accuracy<ulps = {}, mode = "
            "#stablehlo.result_accuracy_mode<{}>>}} : tensor<2x3xf32>")
BROADCAST = '%r = "stablehlo.broadcast"(%i) {{broadcast_sizes = array<i64: {}>}} : (tensor<3xf32>) -> tensor<2x3xf32>'

# The lines that break the rule, and those that do not, differ in one place.
RULES = {
    "a tuple of its operands": ('%r = "stablehlo.tuple"(%x) : (tensor<2x3xf32>) -> tuple<{}>',
                                F, f"{F}, {F}", "the result must be a tuple"),
    "an element of its tuple": ('%t = stablehlo.tuple %x, %i : tuple<tensor<2x3xf32>, tensor<3xf32>>\n'
                                '%r = "stablehlo.get_tuple_element"(%t) {{index = 1 : i32}} : '
                                '(tuple<tensor<2x3xf32>, tensor<3xf32>>) -> tensor<{}>', "3xf32", "3xi32",
                                "the result must be a tensor<3xi32>"),
    "a constant of its type": ('%r = "stablehlo.constant"() {{value = dense<0> : tensor<3xi32>}} : () -> tensor<{}>',
                               "3xi32", "2x3xi32", "the value must be a tensor<2x3xi32>"),
    "the first sizes of a broadcast": (BROADCAST, 2, 1, "broadcast_sizes must be the first sizes"),
    "sizes of a broadcast": (BROADCAST, 2, -2, "broadcast_sizes must be the first sizes"),
    "one word of precision for an operand": (DOT, (f"{D}, {D}", ""), (f"{D}, {D}, {D}", ""),
                                             "precision_config must have one word"),
    "an algorithm without precision": (DOT, (f"{D}, {D}", ALGORITHM), (f"{D}, {H}", ALGORITHM),
                                       "precision_config must be DEFAULT"),
    "operands of one type in a convolution": (CONVOLUTION, (32, 32), (64, 64), "one element type, found s64 and s32"),
    "a list of one dimension": ('%r = "stablehlo.transpose"(%x) {{permutation = dense<{}> : tensor<{}xi64>}} : '
                                "(tensor<2x3xf32>) -> tensor<2x3xf32>", ("[0, 1]", "2"), ("[[0, 1]]", "1x2"),
                                "the attribute permutation must be a list of whole numbers"),
    "dimensions of a map in order": (MAP, "0, 1", "1, 0", "dimensions must be all of the 2"),
    "all dimensions of a map": (MAP, "0, 1", "0, 1, 2", "dimensions must be all of the 2"),
    "the size of a scan": (SCAN, 2, 3, "must have scan_dim_size 3"),
    "tolerances beside HIGHEST": (ACCURACY, (0, "HIGHEST"), (4, "HIGHEST"), "must be 0, unless its mode is TOLERANCE"),
    "tolerances beside DEFAULT": (ACCURACY, (4, "TOLERANCE"), (4, "DEFAULT"), "must be 0, unless its mode is TOLERANCE"),
    "the channel of a send to the host": (SEND, (2, "true"), (1, "true"), "type of the channel must be 2"),
    "the channel of a send to a device": (SEND, (1, "false"), (2, "false"), "type of the channel must be 1"),
    "a layout for each tensor of an infeed": (INFEED, "[[1, 0]]", "[[1, 0], [1, 0]]", "an entry for each of 1 tensors"),
    "a list of sizes of random numbers": (RNG, ("2, 3", "2", "2"), ("[2, 3]", "1x2", "1x2"), "must be a list of sizes"),
    "layouts of operands and results": (CALL, f"{LAYOUTS.format('1, 0')}, result_{LAYOUTS.format('1, 0')[8:]}",
                                        LAYOUTS.format("1, 0"), "result_layouts must list 1 layouts"),
    "a layout that is an order": (CALL, f"{LAYOUTS.format('1, 0')}, result_{LAYOUTS.format('1, 0')[8:]}",
                                  f"{LAYOUTS.format('1, 2')}, result_{LAYOUTS.format('1, 0')[8:]}",
                                  "must be an order of the dimensions"),
    "a typed call's dictionary": (CALL, "api_version = 4 : i32, backend_config = {}",
                                  'api_version = 4 : i32, backend_config = "x"', "must be a dictionary"),
    "an older call's string": (CALL, 'api_version = 2 : i32, backend_config = "x"',
                               "api_version = 2 : i32, backend_config = {x = 1 : i32}", "must be a string"),
    "a collective in an asynchronous region": (ASYNC, (A, PERMUTE, "2x3xf32"),
                                               (A, "stablehlo.negate %a : tensor<2x3xf32>", "2x3xf32"),
                                               "a collective or a slice, found stablehlo.negate"),
    "arguments of an asynchronous region": (ASYNC, (A, PERMUTE, "2x3xf32"),
                                            (A + ", %b: tensor<2x3xf32>", PERMUTE, "2x3xf32"),
                                            "an argument for each of 1 operands, found 2"),
    "the result of an asynchronous region": (ASYNC, (A, PERMUTE, "2x3xf32"), (A, PERMUTE, "2x3xi32"),
                                             "the result must be a tensor<2x3xi32>"),
    "a commutative operation in the short form of a reduction": (REDUCE, "add", "divide",
                                                                 "must apply a commutative operation"),
    "a constant like another, of its type": ('%r = "chlo.constant_like"(%x) {{value = {}}} : '
                                             "(tensor<2x3xf32>) -> tensor<2x3xf32>", "1.0 : f32", "1 : i32",
                                             "the value must be of the result's type"),
}  # fmt: skip


class StableHloRulesTest(CliTest):
    def verify(self, line, values):
        values = values if isinstance(values, tuple) else (values,)
        text = f"""func.func @main(%x: {F}, %i: tensor<3xf32>, %z: tensor<f32>) -> {F} {{
  {line.format(*values)}
  return %x : {F}
}}
"""
        return self.assay("verify", self.file("m.mlir", text))

    @each(RULES)
    def test_each_rule_is_enforced(self, line, lawful, unlawful, message):
        accepted = self.verify(line, lawful)
        self.assertEqual(accepted.returncode, 0, accepted.stderr)
        refused = self.verify(line, unlawful)
        self.assertEqual(refused.returncode, 2, refused.stdout)
        self.assertIn(message, refused.stderr)
