//! clause     quantized.md
//! oracle     exact fractions
//! tags       quantized level1
func.func @main(%a: tensor<2x3x4x!quant.uniform<i8:f32, 0.1:-30>>, %b: tensor<1x!quant.uniform<i8:f32, 0.1:-30>>) -> (tensor<4x6x!quant.uniform<i8:f32, 0.1:-30>>, tensor<4x2x3x!quant.uniform<i8:f32, 0.1:-30>>, tensor<2x2x2x!quant.uniform<i8:f32, 0.1:-30>>, tensor<2x3x4x!quant.uniform<i8:f32, 0.1:-30>>, tensor<2x6x4x!quant.uniform<i8:f32, 0.1:-30>>, tensor<3x3x7x!quant.uniform<i8:f32, 0.1:-30>>, tensor<2x2x3x4x!quant.uniform<i8:f32, 0.1:-30>>) {
  %z = stablehlo.reshape %b : (tensor<1x!quant.uniform<i8:f32, 0.1:-30>>) -> tensor<!quant.uniform<i8:f32, 0.1:-30>>
  %r0 = stablehlo.reshape %a : (tensor<2x3x4x!quant.uniform<i8:f32, 0.1:-30>>) -> tensor<4x6x!quant.uniform<i8:f32, 0.1:-30>>
  %r1 = stablehlo.transpose %a, dims = [2, 0, 1] : (tensor<2x3x4x!quant.uniform<i8:f32, 0.1:-30>>) -> tensor<4x2x3x!quant.uniform<i8:f32, 0.1:-30>>
  %r2 = stablehlo.slice %a [0:2:1, 1:3:1, 0:4:2] : (tensor<2x3x4x!quant.uniform<i8:f32, 0.1:-30>>) -> tensor<2x2x2x!quant.uniform<i8:f32, 0.1:-30>>
  %r3 = stablehlo.reverse %a, dims = [0, 2] : tensor<2x3x4x!quant.uniform<i8:f32, 0.1:-30>>
  %r4 = stablehlo.concatenate %a, %a, dim = 1 : (tensor<2x3x4x!quant.uniform<i8:f32, 0.1:-30>>, tensor<2x3x4x!quant.uniform<i8:f32, 0.1:-30>>) -> tensor<2x6x4x!quant.uniform<i8:f32, 0.1:-30>>
  %r5 = stablehlo.pad %a, %z, low = [1, 0, 0], high = [0, 0, 0], interior = [0, 0, 1] : (tensor<2x3x4x!quant.uniform<i8:f32, 0.1:-30>>, tensor<!quant.uniform<i8:f32, 0.1:-30>>) -> tensor<3x3x7x!quant.uniform<i8:f32, 0.1:-30>>
  %r6 = stablehlo.broadcast_in_dim %a, dims = [1, 2, 3] : (tensor<2x3x4x!quant.uniform<i8:f32, 0.1:-30>>) -> tensor<2x2x3x4x!quant.uniform<i8:f32, 0.1:-30>>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6 : tensor<4x6x!quant.uniform<i8:f32, 0.1:-30>>, tensor<4x2x3x!quant.uniform<i8:f32, 0.1:-30>>, tensor<2x2x2x!quant.uniform<i8:f32, 0.1:-30>>, tensor<2x3x4x!quant.uniform<i8:f32, 0.1:-30>>, tensor<2x6x4x!quant.uniform<i8:f32, 0.1:-30>>, tensor<3x3x7x!quant.uniform<i8:f32, 0.1:-30>>, tensor<2x2x3x4x!quant.uniform<i8:f32, 0.1:-30>>
}

//! case values quantized as a whole
//! arg  s8[2,3,4] -118 -43 31 105 -75 -1 73 -107 -33 42 116 -65 10 84 -97 -22 52 -128 -54 20 95 -86 -12 63
//! arg  s8[1] -30
//! want s8[4,6] -118 -43 31 105 -75 -1 73 -107 -33 42 116 -65 10 84 -97 -22 52 -128 -54 20 95 -86 -12 63
//! want s8[4,2,3] -118 -75 -33 10 52 95 -43 -1 42 84 -128 -86 31 73 116 -97 -54 -12 105 -107 -65 -22 20 63
//! want s8[2,2,2] -75 73 -33 116 52 -54 95 -12
//! want s8[2,3,4] -22 -97 84 10 20 -54 -128 52 63 -12 -86 95 105 31 -43 -118 -107 73 -1 -75 -65 116 42 -33
//! want s8[2,6,4] -118 -43 31 105 -75 -1 73 -107 -33 42 116 -65 -118 -43 31 105 -75 -1 73 -107 -33 42 116 -65 10 84 -97 -22 52 -128 -54 20 95 -86 -12 63 10 84 -97 -22 52 -128 -54 20 95 -86 -12 63
//! want s8[3,3,7] 21*-30 -118 -30 -43 -30 31 -30 105 -75 -30 -1 -30 73 -30 -107 -33 -30 42 -30 116 -30 -65 10 -30 84 -30 -97 -30 -22 52 -30 -128 -30 -54 -30 20 95 -30 -86 -30 -12 -30 63
//! want s8[2,2,3,4] -118 -43 31 105 -75 -1 73 -107 -33 42 116 -65 10 84 -97 -22 52 -128 -54 20 95 -86 -12 63 -118 -43 31 105 -75 -1 73 -107 -33 42 116 -65 10 84 -97 -22 52 -128 -54 20 95 -86 -12 63
