//! clause     quantized.md
//! oracle     exact fractions
//! tags       quantized level1
func.func @main(%a: tensor<2x3x!quant.uniform<i8:bf16, 2.5:-7>>, %b: tensor<2x3xbf16>) -> (tensor<2x3x!quant.uniform<i8:bf16:1, {0.25:1, 2.5:0, 3.0:-128}>>, tensor<2x3xbf16>, tensor<2x3x!quant.uniform<i8:bf16, 2.5:-7>>, tensor<2x3x!quant.uniform<i8:bf16:1, {0.25:1, 2.5:0, 3.0:-128}>>, tensor<2x3x!quant.uniform<u8<16:235>:bf16, 2.5:128>>) {
  %r0 = stablehlo.uniform_quantize %a : (tensor<2x3x!quant.uniform<i8:bf16, 2.5:-7>>) -> tensor<2x3x!quant.uniform<i8:bf16:1, {0.25:1, 2.5:0, 3.0:-128}>>
  %r1 = stablehlo.uniform_dequantize %r0 : (tensor<2x3x!quant.uniform<i8:bf16:1, {0.25:1, 2.5:0, 3.0:-128}>>) -> tensor<2x3xbf16>
  %r2 = stablehlo.uniform_quantize %b : (tensor<2x3xbf16>) -> tensor<2x3x!quant.uniform<i8:bf16, 2.5:-7>>
  %r3 = stablehlo.uniform_quantize %b : (tensor<2x3xbf16>) -> tensor<2x3x!quant.uniform<i8:bf16:1, {0.25:1, 2.5:0, 3.0:-128}>>
  %r4 = stablehlo.uniform_quantize %b : (tensor<2x3xbf16>) -> tensor<2x3x!quant.uniform<u8<16:235>:bf16, 2.5:128>>
  return %r0, %r1, %r2, %r3, %r4 : tensor<2x3x!quant.uniform<i8:bf16:1, {0.25:1, 2.5:0, 3.0:-128}>>, tensor<2x3xbf16>, tensor<2x3x!quant.uniform<i8:bf16, 2.5:-7>>, tensor<2x3x!quant.uniform<i8:bf16:1, {0.25:1, 2.5:0, 3.0:-128}>>, tensor<2x3x!quant.uniform<u8<16:235>:bf16, 2.5:128>>
}

//! case values to and from bf16, with one scale and with one for each slice
//! arg  s8[2,3] -128 -1 0 1 64 127
//! arg  bf16[2,3] -700 -0.875 xbf33 0 1.3125 95
//! want s8[2,3] -128 6 -122 81 71 -16
//! want bf16[2,3] -32.25 15 18 20 178 336
//! want s8[2,3] -128 -7 -7 -7 -6 31
//! want s8[2,3] -128 0 -128 1 1 -96
//! want u8[2,3] 16 128 128 128 129 166
