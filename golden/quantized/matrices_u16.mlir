//! clause     quantized.md
//! oracle     exact fractions
//! tags       quantized level1
func.func @main(%a: tensor<3x3x!quant.uniform<u16:f64, 0.5:1000>>, %b: tensor<3x2x!quant.uniform<u16:f64, 0.5:1000>>) -> (tensor<3x1x!quant.uniform<u16:f64, 0.5:1000>>, tensor<2x1x!quant.uniform<u16:f64, 0.5:1000>>, tensor<1x1x!quant.uniform<u16:f64, 0.5:1000>>, tensor<3x2x!quant.uniform<u16:f64, 0.5:1000>>) {
  %l = "stablehlo.cholesky"(%a) {lower = true} : (tensor<3x3x!quant.uniform<u16:f64, 0.5:1000>>) -> tensor<3x3x!quant.uniform<u16:f64, 0.5:1000>>
  %r0 = stablehlo.slice %l [0:3, 0:1] : (tensor<3x3x!quant.uniform<u16:f64, 0.5:1000>>) -> tensor<3x1x!quant.uniform<u16:f64, 0.5:1000>>
  %r1 = stablehlo.slice %l [1:3, 1:2] : (tensor<3x3x!quant.uniform<u16:f64, 0.5:1000>>) -> tensor<2x1x!quant.uniform<u16:f64, 0.5:1000>>
  %r2 = stablehlo.slice %l [2:3, 2:3] : (tensor<3x3x!quant.uniform<u16:f64, 0.5:1000>>) -> tensor<1x1x!quant.uniform<u16:f64, 0.5:1000>>
  %r3 = "stablehlo.triangular_solve"(%l, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<3x3x!quant.uniform<u16:f64, 0.5:1000>>, tensor<3x2x!quant.uniform<u16:f64, 0.5:1000>>) -> tensor<3x2x!quant.uniform<u16:f64, 0.5:1000>>
  return %r0, %r1, %r2, %r3 : tensor<3x1x!quant.uniform<u16:f64, 0.5:1000>>, tensor<2x1x!quant.uniform<u16:f64, 0.5:1000>>, tensor<1x1x!quant.uniform<u16:f64, 0.5:1000>>, tensor<3x2x!quant.uniform<u16:f64, 0.5:1000>>
}

//! case values a factor and a solution, with exact numbers
//! arg  u16[3,3] 1008 1004 996 1004 1034 1014 996 1014 1012
//! arg  u16[3,2] 1012 996 1022 1038 994 1036
//! want u16[3,1] 1004 1002 998
//! want u16[2,1] 1008 1004
//! want u16[1,1] 1002
//! want u16[3,2] 1006 998 1004 1010 992 1014
