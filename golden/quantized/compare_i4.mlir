//! clause     quantized.md
//! oracle     exact fractions
//! tags       quantized level1
func.func @main(%a: tensor<24x!quant.uniform<i4:f16, 0.3:1>>, %b: tensor<24x!quant.uniform<i4:f16, 0.125:0>>) -> (tensor<24xi1>, tensor<24xi1>, tensor<24xi1>, tensor<24x!quant.uniform<i4:f16, 0.5:-2>>, tensor<24xi1>) {
  %r0 = stablehlo.compare EQ, %a, %b, FLOAT : (tensor<24x!quant.uniform<i4:f16, 0.3:1>>, tensor<24x!quant.uniform<i4:f16, 0.125:0>>) -> tensor<24xi1>
  %r1 = stablehlo.compare GE, %a, %b, FLOAT : (tensor<24x!quant.uniform<i4:f16, 0.3:1>>, tensor<24x!quant.uniform<i4:f16, 0.125:0>>) -> tensor<24xi1>
  %r2 = stablehlo.compare LT, %a, %b, FLOAT : (tensor<24x!quant.uniform<i4:f16, 0.3:1>>, tensor<24x!quant.uniform<i4:f16, 0.125:0>>) -> tensor<24xi1>
  %r3 = "stablehlo.select"(%r2, %a, %b) : (tensor<24xi1>, tensor<24x!quant.uniform<i4:f16, 0.3:1>>, tensor<24x!quant.uniform<i4:f16, 0.125:0>>) -> tensor<24x!quant.uniform<i4:f16, 0.5:-2>>
  %r4 = "stablehlo.is_finite"(%a) : (tensor<24x!quant.uniform<i4:f16, 0.3:1>>) -> tensor<24xi1>
  return %r0, %r1, %r2, %r3, %r4 : tensor<24xi1>, tensor<24xi1>, tensor<24xi1>, tensor<24x!quant.uniform<i4:f16, 0.5:-2>>, tensor<24xi1>
}

//! case values comparisons of numbers, and choices by them
//! arg  s4[24] -8 -3 1 5 -5 -1 3 -7 -3 2 6 -5 0 4 -7 -2 2 -8 -4 0 5 -6 -2 3
//! arg  s4[24] -6 -2 3 -8 -3 1 5 -5 -1 3 -7 -3 2 6 -5 0 4 -7 -2 2 -8 -4 0 5
//! want pred[24] 24*0
//! want pred[24] 0 0 0 1 0 0 0 0 0 0 1 0 0 1 0 0 0 0 0 0 1 0 0 0
//! want pred[24] 1 1 1 0 1 1 1 1 1 1 0 1 1 0 1 1 1 1 1 1 0 1 1 1
//! want s4[24] -7 -4 -2 -4 -6 -3 -1 -7 -4 -1 -4 -6 -3 0 -7 -4 -1 -7 -5 -3 -4 -6 -4 -1
//! want pred[24] 24*1
