//! clause     quantized.md
//! oracle     exact fractions
//! tags       quantized level1
func.func @main(%a: tensor<24x!quant.uniform<i4:f16, 0.3:1>>, %b: tensor<24x!quant.uniform<i4:f16, 0.125:0>>) -> (tensor<24x!quant.uniform<i4:f16, 0.5:-2>>) {
  %r0 = "stablehlo.power"(%a, %b) : (tensor<24x!quant.uniform<i4:f16, 0.3:1>>, tensor<24x!quant.uniform<i4:f16, 0.125:0>>) -> tensor<24x!quant.uniform<i4:f16, 0.5:-2>>
  return %r0 : tensor<24x!quant.uniform<i4:f16, 0.5:-2>>
}

//! case values integers of i4
//! arg  s4[24] 5 3 2 6 4 2 5 3 7 5 3 2 6 4 2 5 3 7 5 3 2 6 4 2
//! arg  s4[24] 3 1 5 3 2 6 4 2 5 7 3 1 5 3 2 6 4 2 5 7 3 1 5 3
//! want s4[24] 0 0 -1 0 0 -1 0 0 1 0 0 0 1 0 -1 0 0 0 0 -1 -1 0 0 -1
