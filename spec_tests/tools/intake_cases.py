"""Texts as tools of 2026 print them, and what `assay run` prints: values worked out by hand."""

from spec_tests.tools.intake_hlo_cases import SUM, entry
from spec_tests.tools.intake_program_cases import program, region


def sum_of(kind):
    return region([kind] * 2, f"%s = stablehlo.add %a, %b : tensor<{kind}> stablehlo.return %s : tensor<{kind}>")


SUM_OF_ROWS = ("{ ^bb0(%a: tensor<2xi32>, %b: tensor<2xi32>): %s = stablehlo.add %a, %b : tensor<2xi32> "
               "stablehlo.return %s, %s : tensor<2xi32>, tensor<2xi32> }")
TWO_REPLICAS = "attributes {mhlo.num_replicas = 2 : i32}"
# The number of turns, and an asynchronous operation.
STATE = "(s32[], ((f32[2]), f32[2], s32[]))"

# Kind of file, text, inputs, output of each run on a first and a second input.
CASES = {
    "a function of another name, the only one": ("mlir", """
func.func @double(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = stablehlo.add %x, %x : tensor<2xf32>
  return %y : tensor<2xf32>
}""", ["f32[2] {1.5, -2}"], "{3, -4}\n"),
    "a public function beside a private one": ("mlir", """
module {
  func.func public @f(%x: tensor<2xi32>) -> tensor<2xi32> {
    %y = call @g(%x) : (tensor<2xi32>) -> tensor<2xi32>
    return %y : tensor<2xi32>
  }
  func.func private @g(%x: tensor<2xi32>) -> tensor<2xi32> {
    %y = stablehlo.negate %x : tensor<2xi32>
    return %y : tensor<2xi32>
  }
}""", ["s32[2] {1, -2}"], "{-1, 2}\n"),
    "MHLO": ("mlir", program(
        ["3xf32"] * 2, '%s = mhlo.add %0, %1 : tensor<3xf32>; %r = "mhlo.compare"(%s, %0) {comparison_direction = '
        "#mhlo<comparison_direction GT>} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>", ["3xi1"]),
        ["f32[3] {1, 2, 3}", "f32[3] {1, 0, -1}"], "{1, 0, 0}\n"),
    "top-k that need not be stable": ("mlir", program(
        ["4xf32"], "%r:2 = chlo.top_k(%0, k = 2, is_stable = false) : tensor<4xf32> -> (tensor<2xf32>, tensor<2xi32>)",
        ["2xf32", "2xi32"]), ["f32[4] {1, 4, 2, 3}"], "( {4, 3}, {1, 3} )\n"),
    "a scan": ("mlir", program(
        ["3x2xi32", "2xi32"], f"%r:2 = chlo.scan(%0) inits (%1) dimension=0 {SUM_OF_ROWS} : (tensor<3x2xi32>, "
         f"tensor<2xi32>) "
        "-> (tensor<3x2xi32>, tensor<2xi32>)", ["3x2xi32", "2xi32"]),
        ["s32[3,2] {{1, 10}, {2, 20}, {3, 30}}", "s32[2] {100, 0}"], "( { { 101, 10 }, { 103, 30 }, { 106, 60 } }, "
         "{106, 60} )\n"),
    # 2^24 + 1 has no number of f32.
    "a reduction to a wider type": ("mlir", program(
        ["3xf32", "f32"], f'%r = "stablehlo.reduce"(%0, %1) {sum_of("f64")} {{dimensions = array<i64: 0>}} : '
        "(tensor<3xf32>, tensor<f32>) -> tensor<f64>", ["f64"]), ["f32[3] {16777216, 1, 0}", "f32[] 0"], "16777217\n"),
    "windows to a wider type": ("mlir", program(
        ["4xi8", "i8"], f'%r = "stablehlo.reduce_window"(%0, %1) {sum_of("i32")} {{window_dimensions = array<i64: 2>, '
        "window_strides = array<i64: 2>} : (tensor<4xi8>, tensor<i8>) -> tensor<2xi32>", ["2xi32"]),
        ["s8[4] {100, 100, -100, -100}", "s8[] 0"], "{200, -200}\n"),
    # JAX 0.12 exports cumsum so: the region of the composite is that of chlo.scan.
    "a scan as a composite": ("mlir", """
func.func @main(%x: tensor<3xi32>, %i: tensor<i32>) -> (tensor<3xi32>, tensor<i32>) {
  %o:2 = "stablehlo.composite"(%x, %i) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s, %s : tensor<i32>, tensor<i32>
  }) {name = "chlo.scan", version = 1 : i32, decomposition = @never, composite_attributes = {dimension = 0 : i64,
      is_associative = true, is_reverse = false, operandSegmentSizes = array<i32: 1, 1>,
      resultSegmentSizes = array<i32: 1, 1>}} : (tensor<3xi32>, tensor<i32>) -> (tensor<3xi32>, tensor<i32>)
  return %o#0, %o#1 : tensor<3xi32>, tensor<i32>
}
func.func private @never(%x: tensor<3xi32>, %i: tensor<i32>) -> (tensor<3xi32>, tensor<i32>) {
  return %x, %i : tensor<3xi32>, tensor<i32>
}""", ["s32[3] {1, 2, 4}", "s32[] 1"], "( {2, 4, 8}, 8 )\n"),
    # By the real parts, then by the imaginary parts; -0 equals 0.
    "extrema of complex numbers": ("mlir", program(
        ["4xcomplex<f32>"] * 2, "%a = stablehlo.maximum %0, %1 : tensor<4xcomplex<f32>>; "
        "%b = stablehlo.minimum %0, %1 : tensor<4xcomplex<f32>>; "
        "%r:2 = stablehlo.optimization_barrier %a, %b : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>",
        ["4xcomplex<f32>"] * 2), ["c64[4] {(1, 2), (1, 7), (0, 1), (-3, 5)}", "c64[4] {(7, 1), (1, 2), (-0, 2), (-3, "
         "5)}"],
        "( {(7, 1), (1, 7), (-0, 2), (-3, 5)}, {(1, 2), (1, 2), (0, 1), (-3, 5)} )\n"),
    "a constant of arith": ("mlir", program(
        ["2xi32"], "%c = arith.constant dense<[1, -2]> : tensor<2xi32>; %r = stablehlo.add %0, %c : tensor<2xi32>",
        ["2xi32"]), ["s32[2] {1, 2}"], "{2, 0}\n"),
    "a constant in the form of 2022": ("mlir", """
func.func @main() -> tensor<2xi64> {
  %c = stablehlo.constant() <{value = dense<[1, -2]> : tensor<2xi64>}> : () -> tensor<2xi64>
  return {sdy.sharding = #sdy.sharding_per_value<[]>} %c : tensor<2xi64>
}""", [], "{1, -2}\n"),
    # 1*1 + 2*2 and 2*1 + 3*2 with the kernel {1, 2} reversed: 1*2 + 2*1 and 2*2 + 3*1.
    "a window with a comma at its end, and reversal as numbers": ("mlir", program(
        ["1x3x1xi32", "2x1x1xi32"], "%r = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], "
         "window = "
        "{stride = [1], pad = [[0, 0]], reverse = [1],} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : "
        "(tensor<1x3x1xi32>, tensor<2x1x1xi32>) -> tensor<1x2x1xi32>", ["1x2x1xi32"]),
        ["s32[1,3,1] {{{1}, {2}, {3}}}", "s32[2,1,1] {{{1}}, {{2}}}"], "{ { {4}, {7} } }\n"),
    "meshes and shardings of Shardy in full": ("mlir", """
sdy.mesh @m = #sdy.mesh<["x"=1]>
func.func @main(%x: tensor<2xi32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) -> tensor<2xi32> {
  %y = stablehlo.add %x, %x {sdy.sharding = #sdy.sharding_per_value<[#sdy.sharding<@m, [{}]>]>} : tensor<2xi32>
  %z = "sdy.propagation_barrier"(%y) {allowed_direction = 3 : i32} : (tensor<2xi32>) -> tensor<2xi32>
  return %z : tensor<2xi32>
}""", ["s32[2] {1, 2}"], "{2, 4}\n"),
    # Each operand is split and joined alone: device 0 gets the first columns of both devices.
    "an all_to_all of two operands": ("mlir", program(
        [], "%i = stablehlo.replica_id : tensor<ui32>; "
        "%d = stablehlo.broadcast_in_dim %i, dims = [] : (tensor<ui32>) -> tensor<2x2xui32>; "
        "%a = stablehlo.constant dense<[[10, 20], [30, 40]]> : tensor<2x2xui32>; %x = stablehlo.add %a, %d : "
        "tensor<2x2xui32>; "
        "%y = stablehlo.slice %x [0:1, 0:2] : (tensor<2x2xui32>) -> tensor<1x2xui32>; "
        '%r:2 = "stablehlo.all_to_all"(%x, %y) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = '
        '2 : i64, '
        "replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x2xui32>, tensor<1x2xui32>) -> "
        "(tensor<4x1xui32>, tensor<2x1xui32>)", ["4x1xui32", "2x1xui32"], TWO_REPLICAS), [],
        "( { {10}, {30}, {11}, {31} }, { {10}, {11} } )\n( { {20}, {40}, {21}, {41} }, { {20}, {21} } )\n"),
    "a scan in reverse": ("mlir", program(
        ["3xi32", "i32"], "%r:2 = chlo.scan(%0) inits (%1) dimension = 0 attributes {is_reverse = true} { "
        "^bb0(%a: tensor<i32>, %b: tensor<i32>): %s = stablehlo.subtract %a, %b : tensor<i32> "
        "stablehlo.return %s, %s : tensor<i32>, tensor<i32> } : (tensor<3xi32>, tensor<i32>) -> (tensor<3xi32>, "
        "tensor<i32>)",
        ["3xi32", "i32"]), ["s32[3] {1, 2, 4}", "s32[] 1"], "( {2, -1, 3}, 2 )\n"),
    "the sum of a group, on its first device": ("mlir", program(
        [], "%x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>; "
        f'%r = "stablehlo.collective_reduce"(%x) {sum_of("i32")} {{replica_groups = dense<[[1, 0]]> : '
        f'tensor<1x2xi64>}} : '
        "(tensor<2xi32>) -> tensor<2xi32>", ["2xi32"], TWO_REPLICAS), [], "{1, 2}\n{2, 4}\n"),
    "a broadcast whose root is an operand": ("mlir", program(
        [], "%i = stablehlo.replica_id : tensor<ui32>; "
        "%x = stablehlo.broadcast_in_dim %i, dims = [] : (tensor<ui32>) -> tensor<2xui32>; "
        '%root = stablehlo.constant dense<1> : tensor<1xi32>; %r = "stablehlo.collective_broadcast"(%x, %root) '
        "{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, has_dynamic_root} : (tensor<2xui32>, tensor<1xi32>) -> "
        "tensor<2xui32>", ["2xui32"], TWO_REPLICAS), [], "{1, 1}\n{1, 1}\n"),
    "processes on a row of devices": ("mlir", """
func.func @shift(%x: tensor<2xi32>) -> tensor<2xi32> {
  %y = "stablehlo.collective_permute"(%x) {source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>} : (tensor<2xi32>) -> tensor<2xi32>
  return %y : tensor<2xi32>
}
func.func @main(%a: tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>) {
  %b = stablehlo.add %a, %a : tensor<2xi32>
  %r:2 = "interpreter.run_parallel"(%a, %b) {programs = [[@shift], [@shift]]} : (tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>)
  return %r#0, %r#1 : tensor<2xi32>, tensor<2xi32>
}""", ["s32[2] {1, 2}"], "( {2, 4}, {1, 2} )\n" * 2),
    # 1 + 3 and 2 + 4: sums over the replicas.
    "processes on a grid": ("mlir", """
func.func @sum(%x: tensor<i32>) -> tensor<i32> {
  %y = "stablehlo.all_reduce"(%x) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<i32>) -> tensor<i32>
  return %y : tensor<i32>
}
func.func @main() -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) {
  %a = stablehlo.constant dense<1> : tensor<i32>
  %b = stablehlo.constant dense<2> : tensor<i32>
  %c = stablehlo.constant dense<3> : tensor<i32>
  %d = stablehlo.constant dense<4> : tensor<i32>
  %r:4 = "interpreter.run_parallel"(%a, %b, %c, %d) {programs = [[@sum, @sum], [@sum, @sum]]} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)
  return %r#0, %r#1, %r#2, %r#3 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>
}""", [], "( 4, 6, 4, 6 )\n" * 4),
    # Programs with different arguments and results, and a message from the first to the second.
    "processes with other programs": ("mlir", """
func.func @send(%x: tensor<i32>, %t: !stablehlo.token) -> !stablehlo.token {
  %s = "stablehlo.send"(%x, %t) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true} : (tensor<i32>, !stablehlo.token) -> !stablehlo.token
  return %s : !stablehlo.token
}
func.func @receive(%t: !stablehlo.token) -> (tensor<i32>, tensor<ui32>) {
  %r, %s = "stablehlo.recv"(%t) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, is_host_transfer = true} : (!stablehlo.token) -> (tensor<i32>, !stablehlo.token)
  %p = stablehlo.partition_id : tensor<ui32>
  return %r, %p : tensor<i32>, tensor<ui32>
}
func.func @main() -> (tensor<i32>, tensor<ui32>) {
  %x = stablehlo.constant dense<7> : tensor<i32>
  %t = stablehlo.after_all : !stablehlo.token
  %r:3 = "interpreter.run_parallel"(%x, %t, %t) {programs = [[@send, @receive]]} : (tensor<i32>, !stablehlo.token, !stablehlo.token) -> (!stablehlo.token, tensor<i32>, tensor<ui32>)
  return %r#1, %r#2 : tensor<i32>, tensor<ui32>
}""", [], "( 7, 1 )\n" * 2),
    "a process with an infeed": ("mlir", """
func.func @first() -> tensor<2xi32> {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  return %x : tensor<2xi32>
}
func.func @second() -> tensor<2xi32> {
  %x = stablehlo.constant dense<[30, 40]> : tensor<2xi32>
  return %x : tensor<2xi32>
}
func.func @difference(%t: !stablehlo.token) -> tensor<2xi32> {
  %a, %u = "stablehlo.infeed"(%t) : (!stablehlo.token) -> (tensor<2xi32>, !stablehlo.token)
  %b, %v = "stablehlo.infeed"(%u) : (!stablehlo.token) -> (tensor<2xi32>, !stablehlo.token)
  %y = stablehlo.subtract %b, %a : tensor<2xi32>
  return %y : tensor<2xi32>
}
func.func @main() -> tensor<2xi32> {
  %t = stablehlo.after_all : !stablehlo.token
  %y = "interpreter.run_parallel"(%t) {infeed = [@first, @second], programs = [[@difference]]} : (!stablehlo.token) -> tensor<2xi32>
  return %y : tensor<2xi32>
}""", [], "{29, 38}\n"),
    "a probe": ("mlir", program(
        ["2xf32"], "%a = stablehlo.sqrt %0 : tensor<2xf32>; "
        r'%r = interpreter.probe %a, probe_id = "a \"root\": 1" : tensor<2xf32>; interpreter.print %r : tensor<2xf32>; '
        r'check.expect_serialized_eq %r, probe_id = "a \"root\": 1", iter = 0 : tensor<2xf32>', ["2xf32"]),
        ["f32[2] {4, 9}"], "{2, 3}\n"),
    "a sharding as bytes": ("mlir", program(
        ["4xf32"], r'%r = stablehlo.custom_call @Sharding(%0) {mhlo.sharding = "\08\03\1A\01\02\22\02\00\01"} : '
        "(tensor<4xf32>) -> tensor<4xf32>", ["4xf32"], "attributes {mhlo.num_partitions = 2 : i32}"),
        ["f32[4] {1, 2, 3, 4}"], "{1, 2, 3, 4}\n" * 2),
    "a sharding without a comma": ("hlo", entry(
        "x = f32[2] parameter(0), sharding={mesh['x'=2,'y'=2] [{'x'}]}; ROOT n = f32[2] negate(x)", "num_partitions=4"),
        ["f32[2] {1, 2}"], "{-1, -2}\n" * 4),
    "an asynchronous operation bound after its start": ("hlo", entry(
        'x = f32[2] parameter(0); y = f32[2] parameter(1); s = ((), (), s32[]) async-start(), calls=c, '
        'async_execution_thread="thread"; u = ((f32[2]), (), s32[]) async-update(s, x); '
        "v = ((f32[2], f32[2]), f32[2], s32[]) async-update(u, y); ROOT d = f32[2] async-done(v)",
        called="c { p = f32[2] parameter(0) q = f32[2] parameter(1) ROOT s = f32[2] subtract(p, q) }\n"),
        ["f32[2] {5, 7}", "f32[2] {1, 2}"], "{4, 5}\n"),
    "an asynchronous operation over a loop": ("hlo", entry(
        "x = f32[2] parameter(0); s = ((f32[2]), f32[2], s32[]) async-start(x), calls=c; z = s32[] constant(0); "
        f"i = {STATE} tuple(z, s); w = {STATE} while(i), condition=cond, body=body; "
        "f = ((f32[2]), f32[2], s32[]) get-tuple-element(w), index=1; ROOT d = f32[2] async-done(f)",
        called=f"""c {{ p = f32[2] parameter(0) ROOT n = f32[2] negate(p) }}
cond {{
  s = {STATE} parameter(0)
  i = s32[] get-tuple-element(s), index=0
  k = s32[] constant(2)
  ROOT lt = pred[] compare(i, k), direction=LT
}}
body {{
  s = {STATE} parameter(0)
  i = s32[] get-tuple-element(s), index=0
  one = s32[] constant(1)
  j = s32[] add(i, one)
  a = ((f32[2]), f32[2], s32[]) get-tuple-element(s), index=1
  u = ((f32[2]), f32[2], s32[]) async-update(a)
  ROOT t = {STATE} tuple(j, u)
}}
"""), ["f32[2] {5, 7}"], "{-5, -7}\n"),
    "a computation of two asynchronous operations": ("hlo", entry(
        "x = f32[2] parameter(0); a = ((f32[2]), f32[2], s32[]) async-start(x), calls=c; b = f32[2] async-done(a); "
        "d = ((f32[2]), f32[2], s32[]) async-start(b), calls=c; ROOT f = f32[2] async-done(d)",
        called="c { p = f32[2] parameter(0) ROOT r = f32[2] cbrt(p) }\n"), ["f32[2] {512, -512}"], "{2, -2}\n"),
    # 1.5 + 2^-7 has eight bits, as bf16 has.
    "mixed precision": ("hlo", entry(
        "x = f32[2] parameter(0); y = bf16[2] parameter(1); s = bf16[2] add(x, y); p = pred[2] compare(x, y), "
        "direction=LT; "
        "w = f32[2] select(p, x, s); z = f32[] constant(0.25); h = f16[2] convert(x); "
        "r = f32[] reduce(h, z), dimensions={0}, to_apply=f; b = f64[2,2] broadcast(y), dimensions={1}; "
        "k = f32[3] pad(y, z), padding=0_1; d = bf16[2] copy(x); "
        "ROOT t = (bf16[2], f32[2], f32[], f64[2,2], f32[3], bf16[2]) tuple(s, w, r, b, k, d)",
        called="f { a = f16[] parameter(0) b = f16[] parameter(1) ROOT m = f16[] minimum(a, b) }\n"),
        ["f32[2] {1.5, 3.0001}", "bf16[2] {0.0078125, 3}"],
        "( {1.508, 6}, {1.5078125, 6}, 0.25, { { 0.0078125, 3 }, { 0.0078125, 3 } }, {0.0078125, 3, 0.25}, {1.5, 3} "
        ")\n"),
    "an asynchronous value of all-reduce-start": ("hlo", entry(
        "i = u32[] replica-id(); x = f32[] convert(i); y = f32[2] broadcast(x), dimensions={}; "
        "s = ((f32[2]), f32[2], u32[]) all-reduce-start(y), replica_groups={{0,1}}, to_apply=add; "
        "ROOT d = f32[2] all-reduce-done(s)", "replica_count=2", SUM), [], "{1, 1}\n{1, 1}\n"),
    "an exchange between as many devices as operands": ("hlo", entry(
        "i = u32[] replica-id(); x = u32[1] broadcast(i), dimensions={}; y = u32[1] constant({10}); z = u32[1] add(x, "
        "y); "
        "ROOT t = (u32[1], u32[1]) all-to-all(x, z), replica_groups={}"), [], "( {0}, {1} )\n( {10}, {11} )\n"),
    "an outfeed with a sharding": ("hlo", entry(
        "x = f32[2] parameter(0); t = (f32[2]) tuple(x); a = token[] after-all(); o = token[] outfeed(t, a), "
        "outfeed_shape=(f32[2]), sharding={{devices=[2]0,1}, {maximal device=0}}; ROOT n = f32[2] negate(x)",
        "num_partitions=2"), ["f32[2] {1, 2}"], "{-1, -2}\n{-1, -2}\n"),
    "the seed of the run": ("hlo", entry('ROOT s = u64[] custom-call(), custom_call_target="GetRngSeed", '
                                         "custom_call_has_side_effect=true"), [], "0\n"),
}
