//! clause     quantized.md
//! oracle     exact fractions
//! tags       quantized level1
func.func @main(%a: tensor<24x!quant.uniform<i8:f32, 0.1:-30>>, %b: tensor<24x!quant.uniform<i8:f32, 0.07:0>>) -> (tensor<24x!quant.uniform<i8:f32, 0.3:20>>) {
  %r0 = "stablehlo.multiply"(%a, %b) : (tensor<24x!quant.uniform<i8:f32, 0.1:-30>>, tensor<24x!quant.uniform<i8:f32, 0.07:0>>) -> tensor<24x!quant.uniform<i8:f32, 0.3:20>>
  return %r0 : tensor<24x!quant.uniform<i8:f32, 0.3:20>>
}

//! case values integers of i8
//! arg  s8[24] -118 -43 31 105 -75 -1 73 -107 -33 42 116 -65 10 84 -97 -22 52 -128 -54 20 95 -86 -12 63
//! arg  s8[24] -86 -12 63 -118 -43 31 105 -75 -1 73 -107 -33 42 116 -65 10 84 -97 -22 52 -128 -54 20 95
//! want s8[24] 127 24 110 -128 65 41 127 127 20 127 -128 47 59 127 122 22 127 127 32 81 -128 91 28 127
