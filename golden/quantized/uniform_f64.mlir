//! clause     quantized.md
//! oracle     exact fractions
//! tags       quantized level1
func.func @main(%a: tensor<2x3x!quant.uniform<i8:f64, 0.15:-7>>, %b: tensor<2x3xf64>) -> (tensor<2x3x!quant.uniform<i8:f64:1, {0.25:1, 0.15:0, 3.0:-128}>>, tensor<2x3xf64>, tensor<2x3x!quant.uniform<i8:f64, 0.15:-7>>, tensor<2x3x!quant.uniform<i8:f64:1, {0.25:1, 0.15:0, 3.0:-128}>>, tensor<2x3x!quant.uniform<u8<16:235>:f64, 0.15:128>>) {
  %r0 = stablehlo.uniform_quantize %a : (tensor<2x3x!quant.uniform<i8:f64, 0.15:-7>>) -> tensor<2x3x!quant.uniform<i8:f64:1, {0.25:1, 0.15:0, 3.0:-128}>>
  %r1 = stablehlo.uniform_dequantize %r0 : (tensor<2x3x!quant.uniform<i8:f64:1, {0.25:1, 0.15:0, 3.0:-128}>>) -> tensor<2x3xf64>
  %r2 = stablehlo.uniform_quantize %b : (tensor<2x3xf64>) -> tensor<2x3x!quant.uniform<i8:f64, 0.15:-7>>
  %r3 = stablehlo.uniform_quantize %b : (tensor<2x3xf64>) -> tensor<2x3x!quant.uniform<i8:f64:1, {0.25:1, 0.15:0, 3.0:-128}>>
  %r4 = stablehlo.uniform_quantize %b : (tensor<2x3xf64>) -> tensor<2x3x!quant.uniform<u8<16:235>:f64, 0.15:128>>
  return %r0, %r1, %r2, %r3, %r4 : tensor<2x3x!quant.uniform<i8:f64:1, {0.25:1, 0.15:0, 3.0:-128}>>, tensor<2x3xf64>, tensor<2x3x!quant.uniform<i8:f64, 0.15:-7>>, tensor<2x3x!quant.uniform<i8:f64:1, {0.25:1, 0.15:0, 3.0:-128}>>, tensor<2x3x!quant.uniform<u8<16:235>:f64, 0.15:128>>
}

//! case values to and from f64, with one scale and with one for each slice
//! arg  s8[2,3] -128 -1 0 1 64 127
//! arg  f64[2,3] -700 -0.875 xbfe6666666666666 0 1.3125 95
//! want s8[2,3] -72 6 -128 6 71 -121
//! want f64[2,3] -18.25 x3feccccccccccccc 0 1.25 x40254ccccccccccd 21
//! want s8[2,3] -128 -13 -12 -7 2 127
//! want s8[2,3] -128 -6 -128 1 9 -96
//! want u8[2,3] 16 122 123 128 137 235
