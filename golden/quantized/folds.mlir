//! clause     quantized.md
//! oracle     exact fractions
//! tags       quantized level1
func.func @main(%a: tensor<4x6x!quant.uniform<i8:f32, 0.3:20>>, %b: tensor<1x!quant.uniform<i8:f32, 0.3:20>>) -> (tensor<4x!quant.uniform<i8:f32, 0.3:20>>, tensor<4x5x!quant.uniform<i8:f32, 0.3:20>>, tensor<6x!quant.uniform<i32:f32, 0.3:0>>) {
  %z = stablehlo.reshape %b : (tensor<1x!quant.uniform<i8:f32, 0.3:20>>) -> tensor<!quant.uniform<i8:f32, 0.3:20>>
  %r0 = "stablehlo.reduce"(%a, %z) ({
  ^bb0(%x: tensor<!quant.uniform<i8:f32, 0.3:20>>, %y: tensor<!quant.uniform<i8:f32, 0.3:20>>):
    %s = stablehlo.maximum %x, %y : tensor<!quant.uniform<i8:f32, 0.3:20>>
    stablehlo.return %s : tensor<!quant.uniform<i8:f32, 0.3:20>>
  }) {dimensions = array<i64: 1>} : (tensor<4x6x!quant.uniform<i8:f32, 0.3:20>>, tensor<!quant.uniform<i8:f32, 0.3:20>>) -> tensor<4x!quant.uniform<i8:f32, 0.3:20>>
  %r1 = "stablehlo.reduce_window"(%a, %z) ({
  ^bb0(%x: tensor<!quant.uniform<i8:f32, 0.3:20>>, %y: tensor<!quant.uniform<i8:f32, 0.3:20>>):
    %s = stablehlo.maximum %x, %y : tensor<!quant.uniform<i8:f32, 0.3:20>>
    stablehlo.return %s : tensor<!quant.uniform<i8:f32, 0.3:20>>
  }) {window_dimensions = array<i64: 1, 2>} : (tensor<4x6x!quant.uniform<i8:f32, 0.3:20>>, tensor<!quant.uniform<i8:f32, 0.3:20>>) -> tensor<4x5x!quant.uniform<i8:f32, 0.3:20>>
  %r2 = "stablehlo.reduce"(%a, %z) ({
  ^bb0(%x: tensor<!quant.uniform<i32:f32, 0.3:0>>, %y: tensor<!quant.uniform<i32:f32, 0.3:0>>):
    %s = stablehlo.add %x, %y : tensor<!quant.uniform<i32:f32, 0.3:0>>
    stablehlo.return %s : tensor<!quant.uniform<i32:f32, 0.3:0>>
  }) {dimensions = array<i64: 0>} : (tensor<4x6x!quant.uniform<i8:f32, 0.3:20>>, tensor<!quant.uniform<i8:f32, 0.3:20>>) -> tensor<6x!quant.uniform<i32:f32, 0.3:0>>
  return %r0, %r1, %r2 : tensor<4x!quant.uniform<i8:f32, 0.3:20>>, tensor<4x5x!quant.uniform<i8:f32, 0.3:20>>, tensor<6x!quant.uniform<i32:f32, 0.3:0>>
}

//! case values the largest integers, and exact sums of 32 bits
//! arg  s8[4,6] -118 -43 31 105 -75 -1 73 -107 -33 42 116 -65 10 84 -97 -22 52 -128 -54 20 95 -86 -12 63
//! arg  s8[1] 20
//! want s8[4] 105 116 84 95
//! want s8[4,5] 20 31 105 105 20 73 20 42 116 116 84 84 20 52 52 20 95 95 20 63
//! want s32[6] -169 -126 -84 -41 1 -211
