//! clause     quantized.md
//! oracle     exact fractions
//! tags       quantized level1
func.func @main(%a: tensor<2x3x4x!quant.uniform<i8:f32:1, {0.5:3, 0.25:0, 2.0:-1}>>) -> (tensor<3x2x4x!quant.uniform<i8:f32:0, {0.5:3, 0.25:0, 2.0:-1}>>, tensor<2x3x2x2x!quant.uniform<i8:f32:1, {0.5:3, 0.25:0, 2.0:-1}>>, tensor<2x2x3x4x!quant.uniform<i8:f32:2, {0.5:3, 0.25:0, 2.0:-1}>>) {
  %r0 = stablehlo.transpose %a, dims = [1, 0, 2] : (tensor<2x3x4x!quant.uniform<i8:f32:1, {0.5:3, 0.25:0, 2.0:-1}>>) -> tensor<3x2x4x!quant.uniform<i8:f32:0, {0.5:3, 0.25:0, 2.0:-1}>>
  %r1 = stablehlo.reshape %a : (tensor<2x3x4x!quant.uniform<i8:f32:1, {0.5:3, 0.25:0, 2.0:-1}>>) -> tensor<2x3x2x2x!quant.uniform<i8:f32:1, {0.5:3, 0.25:0, 2.0:-1}>>
  %r2 = stablehlo.broadcast_in_dim %a, dims = [0, 2, 3] : (tensor<2x3x4x!quant.uniform<i8:f32:1, {0.5:3, 0.25:0, 2.0:-1}>>) -> tensor<2x2x3x4x!quant.uniform<i8:f32:2, {0.5:3, 0.25:0, 2.0:-1}>>
  return %r0, %r1, %r2 : tensor<3x2x4x!quant.uniform<i8:f32:0, {0.5:3, 0.25:0, 2.0:-1}>>, tensor<2x3x2x2x!quant.uniform<i8:f32:1, {0.5:3, 0.25:0, 2.0:-1}>>, tensor<2x2x3x4x!quant.uniform<i8:f32:2, {0.5:3, 0.25:0, 2.0:-1}>>
}

//! case values a scale for each slice of a dimension
//! arg  s8[2,3,4] -118 -43 31 105 -75 -1 73 -107 -33 42 116 -65 10 84 -97 -22 52 -128 -54 20 95 -86 -12 63
//! want s8[3,2,4] -118 -43 31 105 10 84 -97 -22 -75 -1 73 -107 52 -128 -54 20 -33 42 116 -65 95 -86 -12 63
//! want s8[2,3,2,2] -118 -43 31 105 -75 -1 73 -107 -33 42 116 -65 10 84 -97 -22 52 -128 -54 20 95 -86 -12 63
//! want s8[2,2,3,4] -118 -43 31 105 -75 -1 73 -107 -33 42 116 -65 -118 -43 31 105 -75 -1 73 -107 -33 42 116 -65 10 84 -97 -22 52 -128 -54 20 95 -86 -12 63 10 84 -97 -22 52 -128 -54 20 95 -86 -12 63
