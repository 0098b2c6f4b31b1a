//! clause     quantized.md
//! oracle     exact fractions
//! tags       quantized level1
func.func @main(%a: tensor<4x6x!quant.uniform<i8:f32, 0.1:-30>>, %b: tensor<3x1x1x!quant.uniform<i8:f32, 0.02:0>>, %c: tensor<1x8x1x!quant.uniform<i8:f32, 0.1:-30>>) -> (tensor<4x!quant.uniform<i8:f32, 0.1:-30>>, tensor<4x5x!quant.uniform<i8:f32, 0.1:-30>>, tensor<1x8x1x!quant.uniform<i8:f32, 0.1:-30>>) {
  %z = "stablehlo.constant"() {value = dense<-128> : tensor<i8>} : () -> tensor<!quant.uniform<i8:f32, 0.1:-30>>
  %r0 = "stablehlo.reduce"(%a, %z) ({
  ^bb0(%x: tensor<!quant.uniform<i8:f32, 0.1:-30>>, %y: tensor<!quant.uniform<i8:f32, 0.1:-30>>):
    %s = stablehlo.maximum %x, %y : tensor<!quant.uniform<i8:f32, 0.1:-30>>
    stablehlo.return %s : tensor<!quant.uniform<i8:f32, 0.1:-30>>
  }) {dimensions = array<i64: 1>} : (tensor<4x6x!quant.uniform<i8:f32, 0.1:-30>>, tensor<!quant.uniform<i8:f32, 0.1:-30>>) -> tensor<4x!quant.uniform<i8:f32, 0.1:-30>>
  %r1 = "stablehlo.reduce_window"(%a, %z) ({
  ^bb0(%x: tensor<!quant.uniform<i8:f32, 0.1:-30>>, %y: tensor<!quant.uniform<i8:f32, 0.1:-30>>):
    %s = stablehlo.maximum %x, %y : tensor<!quant.uniform<i8:f32, 0.1:-30>>
    stablehlo.return %s : tensor<!quant.uniform<i8:f32, 0.1:-30>>
  }) {window_dimensions = array<i64: 1, 2>} : (tensor<4x6x!quant.uniform<i8:f32, 0.1:-30>>, tensor<!quant.uniform<i8:f32, 0.1:-30>>) -> tensor<4x5x!quant.uniform<i8:f32, 0.1:-30>>
  %padding = "stablehlo.constant"() {value = dense<[[1, 1]]> : tensor<1x2xi32>} : () -> tensor<1x2xi32>
  %r2 = "stablehlo.dynamic_conv"(%c, %b, %padding) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x1x!quant.uniform<i8:f32, 0.1:-30>>, tensor<3x1x1x!quant.uniform<i8:f32, 0.02:0>>, tensor<1x2xi32>) -> tensor<1x8x1x!quant.uniform<i8:f32, 0.1:-30>>
  return %r0, %r1, %r2 : tensor<4x!quant.uniform<i8:f32, 0.1:-30>>, tensor<4x5x!quant.uniform<i8:f32, 0.1:-30>>, tensor<1x8x1x!quant.uniform<i8:f32, 0.1:-30>>
}

//! case values the largest integers, and windows of three elements
//! arg  s8[4,6] -118 -43 31 105 -75 -1 73 -107 -33 42 116 -65 10 84 -97 -22 52 -128 -54 20 95 -86 -12 63
//! arg  s8[3,1,1] -97 -22 52
//! arg  s8[1,8,1] -118 -43 31 105 -75 -1 73 -107
//! want s8[4] 105 116 84 95
//! want s8[4,5] -43 31 105 105 -1 73 -33 42 116 116 84 84 -22 52 52 20 95 95 -12 63
//! want s8[1,8,1] -5 127 109 -128 -128 127 -128 -128
