//! clause     quantized.md
//! oracle     exact fractions
//! tags       quantized level1
module @devices attributes {mhlo.num_replicas = 2 : i32} {
func.func @main(%a: tensor<4x!quant.uniform<i8:f32, 0.3:20>>) -> (tensor<8x!quant.uniform<i8:f32, 0.3:20>>, tensor<4x!quant.uniform<i8:f32, 0.3:20>>, tensor<4x!quant.uniform<i32:f32, 0.3:0>>, tensor<4x!quant.uniform<i8:f32, 0.3:20>>, tensor<2x!quant.uniform<i32:f32, 0.3:0>>, tensor<4x!quant.uniform<i8:f32, 0.3:20>>, tensor<4x!quant.uniform<i8:f32, 0.3:20>>, tensor<4x!quant.uniform<i8:f32, 0.3:20>>, tensor<8x!quant.uniform<i8:f32, 0.3:20>>) {
  %r0 = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>} : (tensor<4x!quant.uniform<i8:f32, 0.3:20>>) -> tensor<8x!quant.uniform<i8:f32, 0.3:20>>
  %r1 = "stablehlo.all_to_all"(%a) {split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>} : (tensor<4x!quant.uniform<i8:f32, 0.3:20>>) -> tensor<4x!quant.uniform<i8:f32, 0.3:20>>
  %r2 = "stablehlo.all_reduce"(%a) ({
  ^bb0(%x: tensor<!quant.uniform<i32:f32, 0.3:0>>, %y: tensor<!quant.uniform<i32:f32, 0.3:0>>):
    %s = stablehlo.add %x, %y : tensor<!quant.uniform<i32:f32, 0.3:0>>
    stablehlo.return %s : tensor<!quant.uniform<i32:f32, 0.3:0>>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>} : (tensor<4x!quant.uniform<i8:f32, 0.3:20>>) -> tensor<4x!quant.uniform<i32:f32, 0.3:0>>
  %r3 = "stablehlo.all_reduce"(%a) ({
  ^bb0(%x: tensor<!quant.uniform<i8:f32, 0.3:20>>, %y: tensor<!quant.uniform<i8:f32, 0.3:20>>):
    %s = stablehlo.maximum %x, %y : tensor<!quant.uniform<i8:f32, 0.3:20>>
    stablehlo.return %s : tensor<!quant.uniform<i8:f32, 0.3:20>>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>} : (tensor<4x!quant.uniform<i8:f32, 0.3:20>>) -> tensor<4x!quant.uniform<i8:f32, 0.3:20>>
  %r4 = "stablehlo.reduce_scatter"(%a) ({
  ^bb0(%x: tensor<!quant.uniform<i32:f32, 0.3:0>>, %y: tensor<!quant.uniform<i32:f32, 0.3:0>>):
    %s = stablehlo.add %x, %y : tensor<!quant.uniform<i32:f32, 0.3:0>>
    stablehlo.return %s : tensor<!quant.uniform<i32:f32, 0.3:0>>
  }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>} : (tensor<4x!quant.uniform<i8:f32, 0.3:20>>) -> tensor<2x!quant.uniform<i32:f32, 0.3:0>>
  %r5 = "stablehlo.collective_broadcast"(%a) {replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>} : (tensor<4x!quant.uniform<i8:f32, 0.3:20>>) -> tensor<4x!quant.uniform<i8:f32, 0.3:20>>
  %r6 = "stablehlo.collective_permute"(%a) {source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x!quant.uniform<i8:f32, 0.3:20>>) -> tensor<4x!quant.uniform<i8:f32, 0.3:20>>
  %r7 = "stablehlo.collective_reduce"(%a) ({
  ^bb0(%x: tensor<!quant.uniform<i8:f32, 0.3:20>>, %y: tensor<!quant.uniform<i8:f32, 0.3:20>>):
    %s = stablehlo.maximum %x, %y : tensor<!quant.uniform<i8:f32, 0.3:20>>
    stablehlo.return %s : tensor<!quant.uniform<i8:f32, 0.3:20>>
  }) {replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>, channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>} : (tensor<4x!quant.uniform<i8:f32, 0.3:20>>) -> tensor<4x!quant.uniform<i8:f32, 0.3:20>>
  %f = "stablehlo.async_start"(%a) ({
  ^bb0(%x: tensor<4x!quant.uniform<i8:f32, 0.3:20>>):
    %g = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>} : (tensor<4x!quant.uniform<i8:f32, 0.3:20>>) -> tensor<8x!quant.uniform<i8:f32, 0.3:20>>
    stablehlo.return %g : tensor<8x!quant.uniform<i8:f32, 0.3:20>>
  }) : (tensor<4x!quant.uniform<i8:f32, 0.3:20>>) -> !stablehlo.future<tensor<8x!quant.uniform<i8:f32, 0.3:20>>>
  %r8 = "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<8x!quant.uniform<i8:f32, 0.3:20>>>) -> tensor<8x!quant.uniform<i8:f32, 0.3:20>>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8 : tensor<8x!quant.uniform<i8:f32, 0.3:20>>, tensor<4x!quant.uniform<i8:f32, 0.3:20>>, tensor<4x!quant.uniform<i32:f32, 0.3:0>>, tensor<4x!quant.uniform<i8:f32, 0.3:20>>, tensor<2x!quant.uniform<i32:f32, 0.3:0>>, tensor<4x!quant.uniform<i8:f32, 0.3:20>>, tensor<4x!quant.uniform<i8:f32, 0.3:20>>, tensor<4x!quant.uniform<i8:f32, 0.3:20>>, tensor<8x!quant.uniform<i8:f32, 0.3:20>>
}
}

//! case values two devices that exchange and add up integers
//! arg  s8[4] -118 -43 31 105
//! arg  s8[4] -75 -1 73 -107
//! want s8[8] -118 -43 31 105 -75 -1 73 -107
//! want s8[4] -118 -43 -75 -1
//! want s32[4] -233 -84 64 -42
//! want s8[4] -75 -1 73 105
//! want s32[2] -233 -84
//! want s8[4] -75 -1 73 -107
//! want s8[4] 20 20 20 20
//! want s8[4] -118 -43 31 105
//! want s8[8] -118 -43 31 105 -75 -1 73 -107
//! want s8[8] -118 -43 31 105 -75 -1 73 -107
//! want s8[4] 31 105 73 -107
//! want s32[4] -233 -84 64 -42
//! want s8[4] -75 -1 73 105
//! want s32[2] 64 -42
//! want s8[4] -75 -1 73 -107
//! want s8[4] -118 -43 31 105
//! want s8[4] -75 -1 73 -107
//! want s8[8] -118 -43 31 105 -75 -1 73 -107
