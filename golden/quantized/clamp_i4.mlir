//! clause     quantized.md
//! oracle     exact fractions
//! tags       quantized level1
func.func @main(%a: tensor<24x!quant.uniform<i4:f16, 0.125:0>>, %b: tensor<24x!quant.uniform<i4:f16, 0.3:1>>, %c: tensor<24x!quant.uniform<i4:f16, 0.125:0>>) -> (tensor<24x!quant.uniform<i4:f16, 0.5:-2>>) {
  %r0 = "stablehlo.clamp"(%a, %b, %c) : (tensor<24x!quant.uniform<i4:f16, 0.125:0>>, tensor<24x!quant.uniform<i4:f16, 0.3:1>>, tensor<24x!quant.uniform<i4:f16, 0.125:0>>) -> tensor<24x!quant.uniform<i4:f16, 0.5:-2>>
  return %r0 : tensor<24x!quant.uniform<i4:f16, 0.5:-2>>
}

//! case values numbers between others of another scale
//! arg  s4[24] -7 -3 2 -5 -5 0 -7 -7 -2 -8 -8 -4 0 -6 -6 -2 -8 -8 -3 1 -5 -5 -1 -7
//! arg  s4[24] -8 -3 1 5 -5 -1 3 -7 -3 2 6 -5 0 4 -7 -2 2 -8 -4 0 5 -6 -2 3
//! arg  s4[24] -3 2 6 6 0 4 4 -2 2 2 -4 0 5 5 -2 3 3 -3 1 5 5 -1 3 3
//! want s4[24] -4 -3 -2 0 -3 -2 -1 -4 -2 -2 -3 -3 -2 -1 -4 -2 -1 -4 -3 -2 -1 -3 -2 -1
