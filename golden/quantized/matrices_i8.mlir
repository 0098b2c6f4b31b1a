//! clause     quantized.md
//! oracle     exact fractions
//! tags       quantized level1
func.func @main(%a: tensor<3x3x!quant.uniform<i8:f32, 0.5:3>>, %b: tensor<3x2x!quant.uniform<i8:f32, 0.5:3>>) -> (tensor<3x1x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x1x!quant.uniform<i8:f32, 0.5:3>>, tensor<1x1x!quant.uniform<i8:f32, 0.5:3>>, tensor<3x2x!quant.uniform<i8:f32, 0.5:3>>) {
  %l = "stablehlo.cholesky"(%a) {lower = true} : (tensor<3x3x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<3x3x!quant.uniform<i8:f32, 0.5:3>>
  %r0 = stablehlo.slice %l [0:3, 0:1] : (tensor<3x3x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<3x1x!quant.uniform<i8:f32, 0.5:3>>
  %r1 = stablehlo.slice %l [1:3, 1:2] : (tensor<3x3x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x1x!quant.uniform<i8:f32, 0.5:3>>
  %r2 = stablehlo.slice %l [2:3, 2:3] : (tensor<3x3x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<1x1x!quant.uniform<i8:f32, 0.5:3>>
  %r3 = "stablehlo.triangular_solve"(%l, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<3x3x!quant.uniform<i8:f32, 0.5:3>>, tensor<3x2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<3x2x!quant.uniform<i8:f32, 0.5:3>>
  return %r0, %r1, %r2, %r3 : tensor<3x1x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x1x!quant.uniform<i8:f32, 0.5:3>>, tensor<1x1x!quant.uniform<i8:f32, 0.5:3>>, tensor<3x2x!quant.uniform<i8:f32, 0.5:3>>
}

//! case values a factor and a solution, with exact numbers
//! arg  s8[3,3] 11 7 -1 7 37 17 -1 17 15
//! arg  s8[3,2] 15 -1 25 41 -3 39
//! want s8[3,1] 7 5 1
//! want s8[2,1] 11 7
//! want s8[1,1] 5
//! want s8[3,2] 9 1 7 13 -5 17
