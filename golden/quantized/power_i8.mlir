//! clause     quantized.md
//! oracle     exact fractions
//! tags       quantized level1
func.func @main(%a: tensor<24x!quant.uniform<i8:f32, 0.1:-30>>, %b: tensor<24x!quant.uniform<i8:f32, 0.07:0>>) -> (tensor<24x!quant.uniform<i8:f32, 0.3:20>>) {
  %r0 = "stablehlo.power"(%a, %b) : (tensor<24x!quant.uniform<i8:f32, 0.1:-30>>, tensor<24x!quant.uniform<i8:f32, 0.07:0>>) -> tensor<24x!quant.uniform<i8:f32, 0.3:20>>
  return %r0 : tensor<24x!quant.uniform<i8:f32, 0.3:20>>
}

//! case values integers of i8
//! arg  s8[24] 31 105 -1 73 42 116 10 84 -22 52 20 95 -12 63 127 31 105 -1 73 42 116 10 84 -22
//! arg  s8[24] 63 31 105 73 42 116 10 84 52 20 95 127 63 31 105 73 42 116 10 84 52 20 95 127
//! want s8[24] 127 127 127 127 127 127 29 127 21 83 127 127 65 127 127 127 127 127 37 127 127 43 127 20
