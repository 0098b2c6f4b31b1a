//! clause     quantized.md
//! oracle     exact fractions
//! tags       quantized level1
func.func @main(%a: tensor<24x!quant.uniform<i8:f32, 0.1:-30>>, %b: tensor<24x!quant.uniform<i8:f32, 0.07:0>>) -> (tensor<24x!quant.uniform<i8:f32, 0.3:20>>) {
  %r0 = "stablehlo.minimum"(%a, %b) : (tensor<24x!quant.uniform<i8:f32, 0.1:-30>>, tensor<24x!quant.uniform<i8:f32, 0.07:0>>) -> tensor<24x!quant.uniform<i8:f32, 0.3:20>>
  return %r0 : tensor<24x!quant.uniform<i8:f32, 0.3:20>>
}

//! case values integers of i8
//! arg  s8[24] -118 -43 31 105 -75 -1 73 -107 -33 42 116 -65 10 84 -97 -22 52 -128 -54 20 95 -86 -12 63
//! arg  s8[24] -86 -12 63 -118 -43 31 105 -75 -1 73 -107 -33 42 116 -65 10 84 -97 -22 52 -128 -54 20 95
//! want s8[24] -9 16 35 -8 5 27 44 -6 19 37 -5 8 30 47 -2 22 40 -13 12 32 -10 1 25 42
