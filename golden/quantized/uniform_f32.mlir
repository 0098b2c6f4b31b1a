//! clause     quantized.md
//! oracle     exact fractions
//! tags       quantized level1
func.func @main(%a: tensor<2x3x!quant.uniform<i8:f32, 0.35:-7>>, %b: tensor<2x3xf32>) -> (tensor<2x3x!quant.uniform<i8:f32:1, {0.25:1, 0.35:0, 3.0:-128}>>, tensor<2x3xf32>, tensor<2x3x!quant.uniform<i8:f32, 0.35:-7>>, tensor<2x3x!quant.uniform<i8:f32:1, {0.25:1, 0.35:0, 3.0:-128}>>, tensor<2x3x!quant.uniform<u8<16:235>:f32, 0.35:128>>) {
  %r0 = stablehlo.uniform_quantize %a : (tensor<2x3x!quant.uniform<i8:f32, 0.35:-7>>) -> tensor<2x3x!quant.uniform<i8:f32:1, {0.25:1, 0.35:0, 3.0:-128}>>
  %r1 = stablehlo.uniform_dequantize %r0 : (tensor<2x3x!quant.uniform<i8:f32:1, {0.25:1, 0.35:0, 3.0:-128}>>) -> tensor<2x3xf32>
  %r2 = stablehlo.uniform_quantize %b : (tensor<2x3xf32>) -> tensor<2x3x!quant.uniform<i8:f32, 0.35:-7>>
  %r3 = stablehlo.uniform_quantize %b : (tensor<2x3xf32>) -> tensor<2x3x!quant.uniform<i8:f32:1, {0.25:1, 0.35:0, 3.0:-128}>>
  %r4 = stablehlo.uniform_quantize %b : (tensor<2x3xf32>) -> tensor<2x3x!quant.uniform<u8<16:235>:f32, 0.35:128>>
  return %r0, %r1, %r2, %r3, %r4 : tensor<2x3x!quant.uniform<i8:f32:1, {0.25:1, 0.35:0, 3.0:-128}>>, tensor<2x3xf32>, tensor<2x3x!quant.uniform<i8:f32, 0.35:-7>>, tensor<2x3x!quant.uniform<i8:f32:1, {0.25:1, 0.35:0, 3.0:-128}>>, tensor<2x3x!quant.uniform<u8<16:235>:f32, 0.35:128>>
}

//! case values to and from f32, with one scale and with one for each slice
//! arg  s8[2,3] -128 -1 0 1 64 127
//! arg  f32[2,3] -700 -0.875 xbf333333 0 1.3125 95
//! want s8[2,3] -128 6 -127 12 71 -112
//! want f32[2,3] -32.25 x40066666 3 2.75 x41c6cccd 48
//! want s8[2,3] -128 -10 -9 -7 -3 127
//! want s8[2,3] -128 -2 -128 1 4 -96
//! want u8[2,3] 16 126 126 128 132 235
