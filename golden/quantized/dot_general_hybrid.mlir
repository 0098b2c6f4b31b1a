//! clause     quantized.md
//! oracle     exact fractions
//! tags       quantized level1
func.func @main(%a: tensor<3x8xf32>, %b: tensor<8x4x!quant.uniform<i8<-127:127>:f32:1, {0.01:0, 0.02:0, 0.005:0, 0.03:0}>>) -> (tensor<3x4xf32>) {
  %r0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<3x8xf32>, tensor<8x4x!quant.uniform<i8<-127:127>:f32:1, {0.01:0, 0.02:0, 0.005:0, 0.03:0}>>) -> tensor<3x4xf32>
  return %r0 : tensor<3x4xf32>
}

//! case values floats with integers of a scale for each column
//! arg  f32[3,8] -2 -0.1875 1.625 -0.5625 1.25 -0.9375 0.875 -1.3125 0.5 -1.6875 0.125 1.9375 -0.25 1.5625 -0.625 1.1875 -1 0.8125 -1.375 0.4375 -1.75 0.0625 1.875 -0.3125
//! arg  s8[8,4] -116 -79 -42 -5 32 69 106 -112 -75 -38 -1 36 73 110 -108 -71 -34 3 40 77 114 -104 -67 -30 7 44 81 118 -100 -63 -26 11
//! want f32[3,4] x3f02b851 x409c147a x3fda47ad x412475c2 x3f55eb84 xc0886666 xc041bd70 xc00ce147 x40785c29 x40d08f5c x3f571eb8 xc023eb84
