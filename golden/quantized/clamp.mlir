//! clause     quantized.md
//! oracle     exact fractions
//! tags       quantized level1
func.func @main(%a: tensor<24x!quant.uniform<i8:f32, 0.07:0>>, %b: tensor<24x!quant.uniform<i8:f32, 0.1:-30>>, %c: tensor<24x!quant.uniform<i8:f32, 0.07:0>>) -> (tensor<24x!quant.uniform<i8:f32, 0.3:20>>) {
  %r0 = "stablehlo.clamp"(%a, %b, %c) : (tensor<24x!quant.uniform<i8:f32, 0.07:0>>, tensor<24x!quant.uniform<i8:f32, 0.1:-30>>, tensor<24x!quant.uniform<i8:f32, 0.07:0>>) -> tensor<24x!quant.uniform<i8:f32, 0.3:20>>
  return %r0 : tensor<24x!quant.uniform<i8:f32, 0.3:20>>
}

//! case values numbers between others of another scale
//! arg  s8[24] -107 -33 42 -65 -65 10 -97 -97 -22 -128 -128 -54 20 -86 -86 -12 -118 -118 -43 31 -75 -75 -1 -107
//! arg  s8[24] -118 -43 31 105 -75 -1 73 -107 -33 42 116 -65 10 84 -97 -22 52 -128 -54 20 95 -86 -12 63
//! arg  s8[24] -33 42 116 116 10 84 84 -22 52 52 -54 20 95 95 -12 63 63 -43 31 105 105 -1 73 73
//! want s8[24] -5 16 40 47 5 30 40 -3 19 32 7 8 33 42 0 23 35 -8 12 37 44 2 26 37
