//! clause     quantized.md
//! oracle     exact fractions
//! tags       quantized level1
func.func @main(%a: tensor<24x!quant.uniform<i4:f16, 0.3:1>>, %b: tensor<24x!quant.uniform<i4:f16, 0.125:0>>) -> (tensor<24x!quant.uniform<i4:f16, 0.5:-2>>) {
  %r0 = "stablehlo.atan2"(%a, %b) : (tensor<24x!quant.uniform<i4:f16, 0.3:1>>, tensor<24x!quant.uniform<i4:f16, 0.125:0>>) -> tensor<24x!quant.uniform<i4:f16, 0.5:-2>>
  return %r0 : tensor<24x!quant.uniform<i4:f16, 0.5:-2>>
}

//! case values integers of i4
//! arg  s4[24] -8 -3 5 -5 -1 3 -7 -3 2 6 -5 0 4 -7 -2 2 -8 -4 0 5 -6 -2 3 -8
//! arg  s4[24] -6 -2 3 -8 -3 1 5 -5 -1 3 -7 -3 2 6 -5 4 -7 -2 2 -8 -4 5 -8 7
//! want s4[24] -6 -6 1 -6 -6 1 -5 -6 2 1 -6 -7 1 -5 -6 -1 -6 -5 -4 3 -6 -4 3 -5
