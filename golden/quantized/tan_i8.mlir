//! clause     quantized.md
//! oracle     exact fractions
//! tags       quantized level1
func.func @main(%a: tensor<24x!quant.uniform<i8:f32, 0.1:-30>>) -> (tensor<24x!quant.uniform<i8:f32, 0.3:20>>) {
  %r0 = "stablehlo.tan"(%a) : (tensor<24x!quant.uniform<i8:f32, 0.1:-30>>) -> tensor<24x!quant.uniform<i8:f32, 0.3:20>>
  return %r0 : tensor<24x!quant.uniform<i8:f32, 0.3:20>>
}

//! case values integers of i8
//! arg  s8[24] -118 -43 31 105 -75 -1 73 -107 -33 42 116 -65 10 84 -97 -22 52 -128 -54 20 95 -86 -12 63
//! want s8[24] 22 8 19 25 5 19 24 -1 19 24 13 19 24 12 19 23 11 19 23 9 20 23 6 20
