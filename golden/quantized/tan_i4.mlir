//! clause     quantized.md
//! oracle     exact fractions
//! tags       quantized level1
func.func @main(%a: tensor<24x!quant.uniform<i4:f16, 0.3:1>>) -> (tensor<24x!quant.uniform<i4:f16, 0.5:-2>>) {
  %r0 = "stablehlo.tan"(%a) : (tensor<24x!quant.uniform<i4:f16, 0.3:1>>) -> tensor<24x!quant.uniform<i4:f16, 0.5:-2>>
  return %r0 : tensor<24x!quant.uniform<i4:f16, 0.5:-2>>
}

//! case values integers of i4
//! arg  s4[24] -8 -3 1 5 -5 -1 3 -7 -3 2 6 -5 0 4 -7 -2 2 -8 -4 0 5 -6 -2 3
//! want s4[24] -1 -7 -2 3 7 -3 -1 0 -7 -1 7 7 -3 1 0 -5 -1 -1 -8 -3 3 1 -5 -1
