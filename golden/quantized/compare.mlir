//! clause     quantized.md
//! oracle     exact fractions
//! tags       quantized level1
func.func @main(%a: tensor<24x!quant.uniform<i8:f32, 0.1:-30>>, %b: tensor<24x!quant.uniform<i8:f32, 0.07:0>>) -> (tensor<24xi1>, tensor<24xi1>, tensor<24xi1>, tensor<24x!quant.uniform<i8:f32, 0.3:20>>, tensor<24xi1>) {
  %r0 = stablehlo.compare EQ, %a, %b, FLOAT : (tensor<24x!quant.uniform<i8:f32, 0.1:-30>>, tensor<24x!quant.uniform<i8:f32, 0.07:0>>) -> tensor<24xi1>
  %r1 = stablehlo.compare GE, %a, %b, FLOAT : (tensor<24x!quant.uniform<i8:f32, 0.1:-30>>, tensor<24x!quant.uniform<i8:f32, 0.07:0>>) -> tensor<24xi1>
  %r2 = stablehlo.compare LT, %a, %b, FLOAT : (tensor<24x!quant.uniform<i8:f32, 0.1:-30>>, tensor<24x!quant.uniform<i8:f32, 0.07:0>>) -> tensor<24xi1>
  %r3 = "stablehlo.select"(%r2, %a, %b) : (tensor<24xi1>, tensor<24x!quant.uniform<i8:f32, 0.1:-30>>, tensor<24x!quant.uniform<i8:f32, 0.07:0>>) -> tensor<24x!quant.uniform<i8:f32, 0.3:20>>
  %r4 = "stablehlo.is_finite"(%a) : (tensor<24x!quant.uniform<i8:f32, 0.1:-30>>) -> tensor<24xi1>
  return %r0, %r1, %r2, %r3, %r4 : tensor<24xi1>, tensor<24xi1>, tensor<24xi1>, tensor<24x!quant.uniform<i8:f32, 0.3:20>>, tensor<24xi1>
}

//! case values comparisons of numbers, and choices by them
//! arg  s8[24] -118 -43 31 105 -75 -1 73 -107 -33 42 116 -65 10 84 -97 -22 52 -128 -54 20 95 -86 -12 63
//! arg  s8[24] -86 -12 63 -118 -43 31 105 -75 -1 73 -107 -33 42 116 -65 10 84 -97 -22 52 -128 -54 20 95
//! want pred[24] 24*0
//! want pred[24] 0 0 1 1 0 1 1 0 0 1 1 0 1 1 0 1 1 0 0 1 1 0 1 1
//! want pred[24] 1 1 0 0 1 0 0 1 1 0 0 1 0 0 1 0 0 1 1 0 0 1 0 0
//! want s8[24] -9 16 35 -8 5 27 44 -6 19 37 -5 8 30 47 -2 22 40 -13 12 32 -10 1 25 42
//! want pred[24] 24*1
