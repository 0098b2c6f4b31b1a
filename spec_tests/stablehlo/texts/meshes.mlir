// Meshes and shardings of Shardy.
module @meshes {
  sdy.mesh @mesh = <["x"=4, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}]}}
  sdy.mesh @reversed = <["x"=4], device_ids=[3, 2, 1, 0]>
  sdy.mesh @one = <[], device_ids=[2]>
  sdy.mesh @none = <[]>
  func.func public @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}p1, {}]>}) -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {?}], replicated={"y"}>}) {
    %0 = sdy.sharding_constraint %a <@mesh, [{"x":(2)2}, {?}], replicated={"y"}> : tensor<8x4xf32>
    %1 = sdy.manual_computation(%0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%arg0: tensor<2x4xf32>) {
      %3 = "stablehlo.collective_permute"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
      sdy.return %3 : tensor<2x4xf32>
    } : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %2 = sdy.named_computation<"block">(%1) in_shardings=[<@mesh, [{"x"}, {}], unreduced={"y"}>] (%arg0: tensor<8x4xf32>) {
      sdy.return %arg0 : tensor<8x4xf32>
    } : (tensor<8x4xf32>) -> tensor<8x4xf32>
    sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={} () {
      sdy.return
    } : () -> ()
    %4 = sdy.reshard %2 <@mesh, [{"x"}, {"y", ?}]> : tensor<8x4xf32>
    %5 = sdy.propagation_barrier %4 allowed_direction=FORWARD : tensor<8x4xf32>
    sdy.sharding_group %4 group_id=5 : tensor<8x4xf32>
    %7 = stablehlo.abs %5 : tensor<8x4xf32>
    %6 = sdy.data_flow_edge %7 sharding=<@mesh, [{}, {}]> : tensor<8x4xf32>
    %8 = sdy.constant dense<1.0> : tensor<8x4xf32>
    return %6 : tensor<8x4xf32>
  }
}
