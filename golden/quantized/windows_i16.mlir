//! clause     quantized.md
//! oracle     exact fractions
//! tags       quantized level1
func.func @main(%a: tensor<4x6x!quant.uniform<i16:f32, 0.002:-700>>, %b: tensor<3x1x1x!quant.uniform<i16:f32, 0.01:0>>, %c: tensor<1x8x1x!quant.uniform<i16:f32, 0.002:-700>>) -> (tensor<4x!quant.uniform<i16:f32, 0.002:-700>>, tensor<4x5x!quant.uniform<i16:f32, 0.002:-700>>, tensor<1x8x1x!quant.uniform<i16:f32, 0.002:-700>>) {
  %z = "stablehlo.constant"() {value = dense<-32768> : tensor<i16>} : () -> tensor<!quant.uniform<i16:f32, 0.002:-700>>
  %r0 = "stablehlo.reduce"(%a, %z) ({
  ^bb0(%x: tensor<!quant.uniform<i16:f32, 0.002:-700>>, %y: tensor<!quant.uniform<i16:f32, 0.002:-700>>):
    %s = stablehlo.maximum %x, %y : tensor<!quant.uniform<i16:f32, 0.002:-700>>
    stablehlo.return %s : tensor<!quant.uniform<i16:f32, 0.002:-700>>
  }) {dimensions = array<i64: 1>} : (tensor<4x6x!quant.uniform<i16:f32, 0.002:-700>>, tensor<!quant.uniform<i16:f32, 0.002:-700>>) -> tensor<4x!quant.uniform<i16:f32, 0.002:-700>>
  %r1 = "stablehlo.reduce_window"(%a, %z) ({
  ^bb0(%x: tensor<!quant.uniform<i16:f32, 0.002:-700>>, %y: tensor<!quant.uniform<i16:f32, 0.002:-700>>):
    %s = stablehlo.maximum %x, %y : tensor<!quant.uniform<i16:f32, 0.002:-700>>
    stablehlo.return %s : tensor<!quant.uniform<i16:f32, 0.002:-700>>
  }) {window_dimensions = array<i64: 1, 2>} : (tensor<4x6x!quant.uniform<i16:f32, 0.002:-700>>, tensor<!quant.uniform<i16:f32, 0.002:-700>>) -> tensor<4x5x!quant.uniform<i16:f32, 0.002:-700>>
  %padding = "stablehlo.constant"() {value = dense<[[1, 1]]> : tensor<1x2xi32>} : () -> tensor<1x2xi32>
  %r2 = "stablehlo.dynamic_conv"(%c, %b, %padding) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x1x!quant.uniform<i16:f32, 0.002:-700>>, tensor<3x1x1x!quant.uniform<i16:f32, 0.01:0>>, tensor<1x2xi32>) -> tensor<1x8x1x!quant.uniform<i16:f32, 0.002:-700>>
  return %r0, %r1, %r2 : tensor<4x!quant.uniform<i16:f32, 0.002:-700>>, tensor<4x5x!quant.uniform<i16:f32, 0.002:-700>>, tensor<1x8x1x!quant.uniform<i16:f32, 0.002:-700>>
}

//! case values the largest integers, and windows of three elements
//! arg  s16[4,6] -30038 -10923 8191 27305 -19115 -1 19113 -27307 -8193 10922 30036 -16385 2730 21844 -24577 -5462 13652 -32768 -13654 5460 24575 -21846 -2732 16383
//! arg  s16[3,1,1] -24577 -5462 13652
//! arg  s16[1,8,1] -30038 -10923 8191 27305 -19115 -1 19113 -27307
//! want s16[4] 27305 30036 21844 24575
//! want s16[4,5] -10923 8191 27305 27305 -1 19113 -8193 10922 30036 30036 21844 21844 -5462 13652 13652 5460 24575 24575 -2732 16383
//! want s16[1,8,1] 32767 32767 32767 -32768 -32768 32767 -32768 -32768
