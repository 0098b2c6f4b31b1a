//! clause     quantized.md
//! oracle     exact fractions
//! tags       quantized level1
func.func @main(%a: tensor<24x!quant.uniform<i8:f32, 0.1:-30>>) -> (tensor<24x!quant.uniform<i8:f32, 0.3:20>>) {
  %r0 = "stablehlo.log_plus_one"(%a) : (tensor<24x!quant.uniform<i8:f32, 0.1:-30>>) -> tensor<24x!quant.uniform<i8:f32, 0.3:20>>
  return %r0 : tensor<24x!quant.uniform<i8:f32, 0.3:20>>
}

//! case values integers of i8
//! arg  s8[24] 31 105 -1 73 42 116 10 84 -22 52 20 95 -12 63 127 31 105 -1 73 42 116 10 84 -22
//! want s8[24] 27 29 25 28 27 29 25 28 22 27 26 29 23 28 29 27 29 25 28 27 29 25 28 22
