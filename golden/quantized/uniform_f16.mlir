//! clause     quantized.md
//! oracle     exact fractions
//! tags       quantized level1
func.func @main(%a: tensor<2x3x!quant.uniform<i8:f16, 1.25:-7>>, %b: tensor<2x3xf16>) -> (tensor<2x3x!quant.uniform<i8:f16:1, {0.25:1, 1.25:0, 3.0:-128}>>, tensor<2x3xf16>, tensor<2x3x!quant.uniform<i8:f16, 1.25:-7>>, tensor<2x3x!quant.uniform<i8:f16:1, {0.25:1, 1.25:0, 3.0:-128}>>, tensor<2x3x!quant.uniform<u8<16:235>:f16, 1.25:128>>) {
  %r0 = stablehlo.uniform_quantize %a : (tensor<2x3x!quant.uniform<i8:f16, 1.25:-7>>) -> tensor<2x3x!quant.uniform<i8:f16:1, {0.25:1, 1.25:0, 3.0:-128}>>
  %r1 = stablehlo.uniform_dequantize %r0 : (tensor<2x3x!quant.uniform<i8:f16:1, {0.25:1, 1.25:0, 3.0:-128}>>) -> tensor<2x3xf16>
  %r2 = stablehlo.uniform_quantize %b : (tensor<2x3xf16>) -> tensor<2x3x!quant.uniform<i8:f16, 1.25:-7>>
  %r3 = stablehlo.uniform_quantize %b : (tensor<2x3xf16>) -> tensor<2x3x!quant.uniform<i8:f16:1, {0.25:1, 1.25:0, 3.0:-128}>>
  %r4 = stablehlo.uniform_quantize %b : (tensor<2x3xf16>) -> tensor<2x3x!quant.uniform<u8<16:235>:f16, 1.25:128>>
  return %r0, %r1, %r2, %r3, %r4 : tensor<2x3x!quant.uniform<i8:f16:1, {0.25:1, 1.25:0, 3.0:-128}>>, tensor<2x3xf16>, tensor<2x3x!quant.uniform<i8:f16, 1.25:-7>>, tensor<2x3x!quant.uniform<i8:f16:1, {0.25:1, 1.25:0, 3.0:-128}>>, tensor<2x3x!quant.uniform<u8<16:235>:f16, 1.25:128>>
}

//! case values to and from f16, with one scale and with one for each slice
//! arg  s8[2,3] -128 -1 0 1 64 127
//! arg  f16[2,3] -700 -0.875 xb99a 0 1.3125 95
//! want s8[2,3] -128 6 -125 41 71 -72
//! want f16[2,3] -32.25 7.5 9 10 88.75 168
//! want s8[2,3] -128 -8 -8 -7 -6 69
//! want s8[2,3] -128 -1 -128 1 1 -96
//! want u8[2,3] 16 127 127 128 129 204
