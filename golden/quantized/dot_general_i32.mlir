//! clause     quantized.md
//! oracle     exact fractions
//! tags       quantized level1
func.func @main(%a: tensor<3x8x!quant.uniform<i8:f32, 0.1:-30>>, %b: tensor<8x4x!quant.uniform<i8<-127:127>:f32, 0.01:0>>) -> (tensor<3x4x!quant.uniform<i32:f32, 0.007:0>>) {
  %r0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<3x8x!quant.uniform<i8:f32, 0.1:-30>>, tensor<8x4x!quant.uniform<i8<-127:127>:f32, 0.01:0>>) -> tensor<3x4x!quant.uniform<i32:f32, 0.007:0>>
  return %r0 : tensor<3x4x!quant.uniform<i32:f32, 0.007:0>>
}

//! case values products into i32
//! arg  s8[3,8] -118 -43 31 105 -75 -1 73 -107 -33 42 116 -65 10 84 -97 -22 52 -128 -54 20 95 -86 -12 63
//! arg  s8[8,4] -116 -79 -42 -5 32 69 106 -112 -75 -38 -1 36 73 110 -108 -71 -34 3 40 77 114 -104 -67 -30 7 44 81 118 -100 -63 -26 11
//! want s32[3,4] 4047 3546 -817 211 -69 -2769 -40 -1209 -3858 -814 -1631 2943
