//! clause     quantized.md
//! oracle     exact fractions
//! tags       quantized level1
module @devices attributes {mhlo.num_replicas = 2 : i32} {
func.func @main(%a: tensor<4x!quant.uniform<i16:f32, 0.002:-700>>) -> (tensor<8x!quant.uniform<i16:f32, 0.002:-700>>, tensor<4x!quant.uniform<i16:f32, 0.002:-700>>, tensor<4x!quant.uniform<i16:f32, 0.002:-700>>, tensor<4x!quant.uniform<i16:f32, 0.002:-700>>, tensor<2x!quant.uniform<i16:f32, 0.002:-700>>, tensor<4x!quant.uniform<i16:f32, 0.002:-700>>, tensor<4x!quant.uniform<i16:f32, 0.002:-700>>, tensor<4x!quant.uniform<i16:f32, 0.002:-700>>, tensor<8x!quant.uniform<i16:f32, 0.002:-700>>) {
  %r0 = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>} : (tensor<4x!quant.uniform<i16:f32, 0.002:-700>>) -> tensor<8x!quant.uniform<i16:f32, 0.002:-700>>
  %r1 = "stablehlo.all_to_all"(%a) {split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>} : (tensor<4x!quant.uniform<i16:f32, 0.002:-700>>) -> tensor<4x!quant.uniform<i16:f32, 0.002:-700>>
  %r2 = "stablehlo.all_reduce"(%a) ({
  ^bb0(%x: tensor<!quant.uniform<i16:f32, 0.002:-700>>, %y: tensor<!quant.uniform<i16:f32, 0.002:-700>>):
    %s = stablehlo.add %x, %y : tensor<!quant.uniform<i16:f32, 0.002:-700>>
    stablehlo.return %s : tensor<!quant.uniform<i16:f32, 0.002:-700>>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>} : (tensor<4x!quant.uniform<i16:f32, 0.002:-700>>) -> tensor<4x!quant.uniform<i16:f32, 0.002:-700>>
  %r3 = "stablehlo.all_reduce"(%a) ({
  ^bb0(%x: tensor<!quant.uniform<i16:f32, 0.002:-700>>, %y: tensor<!quant.uniform<i16:f32, 0.002:-700>>):
    %s = stablehlo.maximum %x, %y : tensor<!quant.uniform<i16:f32, 0.002:-700>>
    stablehlo.return %s : tensor<!quant.uniform<i16:f32, 0.002:-700>>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>} : (tensor<4x!quant.uniform<i16:f32, 0.002:-700>>) -> tensor<4x!quant.uniform<i16:f32, 0.002:-700>>
  %r4 = "stablehlo.reduce_scatter"(%a) ({
  ^bb0(%x: tensor<!quant.uniform<i16:f32, 0.002:-700>>, %y: tensor<!quant.uniform<i16:f32, 0.002:-700>>):
    %s = stablehlo.add %x, %y : tensor<!quant.uniform<i16:f32, 0.002:-700>>
    stablehlo.return %s : tensor<!quant.uniform<i16:f32, 0.002:-700>>
  }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>} : (tensor<4x!quant.uniform<i16:f32, 0.002:-700>>) -> tensor<2x!quant.uniform<i16:f32, 0.002:-700>>
  %r5 = "stablehlo.collective_broadcast"(%a) {replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>} : (tensor<4x!quant.uniform<i16:f32, 0.002:-700>>) -> tensor<4x!quant.uniform<i16:f32, 0.002:-700>>
  %r6 = "stablehlo.collective_permute"(%a) {source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x!quant.uniform<i16:f32, 0.002:-700>>) -> tensor<4x!quant.uniform<i16:f32, 0.002:-700>>
  %r7 = "stablehlo.collective_reduce"(%a) ({
  ^bb0(%x: tensor<!quant.uniform<i16:f32, 0.002:-700>>, %y: tensor<!quant.uniform<i16:f32, 0.002:-700>>):
    %s = stablehlo.maximum %x, %y : tensor<!quant.uniform<i16:f32, 0.002:-700>>
    stablehlo.return %s : tensor<!quant.uniform<i16:f32, 0.002:-700>>
  }) {replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>, channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>} : (tensor<4x!quant.uniform<i16:f32, 0.002:-700>>) -> tensor<4x!quant.uniform<i16:f32, 0.002:-700>>
  %f = "stablehlo.async_start"(%a) ({
  ^bb0(%x: tensor<4x!quant.uniform<i16:f32, 0.002:-700>>):
    %g = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>} : (tensor<4x!quant.uniform<i16:f32, 0.002:-700>>) -> tensor<8x!quant.uniform<i16:f32, 0.002:-700>>
    stablehlo.return %g : tensor<8x!quant.uniform<i16:f32, 0.002:-700>>
  }) : (tensor<4x!quant.uniform<i16:f32, 0.002:-700>>) -> !stablehlo.future<tensor<8x!quant.uniform<i16:f32, 0.002:-700>>>
  %r8 = "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<8x!quant.uniform<i16:f32, 0.002:-700>>>) -> tensor<8x!quant.uniform<i16:f32, 0.002:-700>>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8 : tensor<8x!quant.uniform<i16:f32, 0.002:-700>>, tensor<4x!quant.uniform<i16:f32, 0.002:-700>>, tensor<4x!quant.uniform<i16:f32, 0.002:-700>>, tensor<4x!quant.uniform<i16:f32, 0.002:-700>>, tensor<2x!quant.uniform<i16:f32, 0.002:-700>>, tensor<4x!quant.uniform<i16:f32, 0.002:-700>>, tensor<4x!quant.uniform<i16:f32, 0.002:-700>>, tensor<4x!quant.uniform<i16:f32, 0.002:-700>>, tensor<8x!quant.uniform<i16:f32, 0.002:-700>>
}
}

//! case values two devices that exchange and add up integers
//! arg  s16[4] -30038 -10923 8191 27305
//! arg  s16[4] -19115 -1 19113 -27307
//! want s16[8] -30038 -10923 8191 27305 -19115 -1 19113 -27307
//! want s16[4] -30038 -10923 -19115 -1
//! want s16[4] -32768 -10224 28004 698
//! want s16[4] -19115 -1 19113 27305
//! want s16[2] -32768 -10224
//! want s16[4] -19115 -1 19113 -27307
//! want s16[4] -700 -700 -700 -700
//! want s16[4] -30038 -10923 8191 27305
//! want s16[8] -30038 -10923 8191 27305 -19115 -1 19113 -27307
//! want s16[8] -30038 -10923 8191 27305 -19115 -1 19113 -27307
//! want s16[4] 8191 27305 19113 -27307
//! want s16[4] -32768 -10224 28004 698
//! want s16[4] -19115 -1 19113 27305
//! want s16[2] 28004 698
//! want s16[4] -19115 -1 19113 -27307
//! want s16[4] -30038 -10923 8191 27305
//! want s16[4] -19115 -1 19113 -27307
//! want s16[8] -30038 -10923 8191 27305 -19115 -1 19113 -27307
