//! clause     quantized.md
//! oracle     exact fractions
//! tags       quantized level1
func.func @main(%a: tensor<24x!quant.uniform<i8:f32, 0.1:-30>>) -> (tensor<2x3x!quant.uniform<i8:f32, 0.1:-30>>, tensor<2x3x!quant.uniform<i8:f32, 0.1:-30>>, tensor<24x!quant.uniform<i8:f32, 0.1:-30>>) {
  %sizes = "stablehlo.constant"() {value = dense<[2, 3]> : tensor<2xi32>} : () -> tensor<2xi32>
  %r0 = stablehlo.iota dim = 1 : tensor<2x3x!quant.uniform<i8:f32, 0.1:-30>>
  %r1 = stablehlo.dynamic_iota %sizes, dim = 1 : (tensor<2xi32>) -> tensor<2x3x!quant.uniform<i8:f32, 0.1:-30>>
  %r2 = stablehlo.reduce_precision %a, format = e8m7 : tensor<24x!quant.uniform<i8:f32, 0.1:-30>>
  return %r0, %r1, %r2 : tensor<2x3x!quant.uniform<i8:f32, 0.1:-30>>, tensor<2x3x!quant.uniform<i8:f32, 0.1:-30>>, tensor<24x!quant.uniform<i8:f32, 0.1:-30>>
}

//! case values numbers of an iota, and numbers of 8 significant bits
//! arg  s8[24] -118 -43 31 105 -75 -1 73 -107 -33 42 116 -65 10 84 -97 -22 52 -128 -54 20 95 -86 -12 63
//! want s8[2,3] -30 -20 -10 -30 -20 -10
//! want s8[2,3] -30 -20 -10 -30 -20 -10
//! want s8[24] -118 -43 31 105 -75 -1 73 -107 -33 42 116 -65 10 84 -97 -22 52 -128 -54 20 95 -86 -12 63
