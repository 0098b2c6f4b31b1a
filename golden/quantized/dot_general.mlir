//! clause     quantized.md
//! oracle     exact fractions
//! tags       quantized level1
func.func @main(%a: tensor<3x8x!quant.uniform<i8:f32, 0.1:-30>>, %b: tensor<3x8xf32>, %c: tensor<8x4x!quant.uniform<i8<-127:127>:f32, 0.01:0>>, %d: tensor<8x4x!quant.uniform<i8<-127:127>:f32, 0.01:0>>, %e: tensor<8x4x!quant.uniform<i8<-127:127>:f32:1, {0.01:0, 0.02:0, 0.005:0, 0.03:0}>>, %f: tensor<8x4x!quant.uniform<i8<-127:127>:f32:1, {0.01:0, 0.02:0, 0.005:0, 0.03:0}>>, %g: tensor<8x4x!quant.uniform<i8<-127:127>:f32:1, {0.01:0, 0.02:0, 0.005:0, 0.03:0}>>) -> (tensor<3x4x!quant.uniform<i8:f32, 0.1:-30>>, tensor<3x4x!quant.uniform<i32:f32, 0.007:0>>, tensor<3x4x!quant.uniform<i32:f32:1, {0.001:0, 0.002:0, 0.0005:0, 0.003:0}>>, tensor<3x4x!quant.uniform<i8:f32, 0.1:-30>>, tensor<3x4xf32>) {
  %r0 = stablehlo.dot_general %a, %c, contracting_dims = [1] x [0] : (tensor<3x8x!quant.uniform<i8:f32, 0.1:-30>>, tensor<8x4x!quant.uniform<i8<-127:127>:f32, 0.01:0>>) -> tensor<3x4x!quant.uniform<i8:f32, 0.1:-30>>
  %r1 = stablehlo.dot_general %a, %d, contracting_dims = [1] x [0] : (tensor<3x8x!quant.uniform<i8:f32, 0.1:-30>>, tensor<8x4x!quant.uniform<i8<-127:127>:f32, 0.01:0>>) -> tensor<3x4x!quant.uniform<i32:f32, 0.007:0>>
  %r2 = stablehlo.dot_general %a, %e, contracting_dims = [1] x [0] : (tensor<3x8x!quant.uniform<i8:f32, 0.1:-30>>, tensor<8x4x!quant.uniform<i8<-127:127>:f32:1, {0.01:0, 0.02:0, 0.005:0, 0.03:0}>>) -> tensor<3x4x!quant.uniform<i32:f32:1, {0.001:0, 0.002:0, 0.0005:0, 0.003:0}>>
  %r3 = stablehlo.dot_general %a, %f, contracting_dims = [1] x [0] : (tensor<3x8x!quant.uniform<i8:f32, 0.1:-30>>, tensor<8x4x!quant.uniform<i8<-127:127>:f32:1, {0.01:0, 0.02:0, 0.005:0, 0.03:0}>>) -> tensor<3x4x!quant.uniform<i8:f32, 0.1:-30>>
  %r4 = stablehlo.dot_general %b, %g, contracting_dims = [1] x [0] : (tensor<3x8xf32>, tensor<8x4x!quant.uniform<i8<-127:127>:f32:1, {0.01:0, 0.02:0, 0.005:0, 0.03:0}>>) -> tensor<3x4xf32>
  return %r0, %r1, %r2, %r3, %r4 : tensor<3x4x!quant.uniform<i8:f32, 0.1:-30>>, tensor<3x4x!quant.uniform<i32:f32, 0.007:0>>, tensor<3x4x!quant.uniform<i32:f32:1, {0.001:0, 0.002:0, 0.0005:0, 0.003:0}>>, tensor<3x4x!quant.uniform<i8:f32, 0.1:-30>>, tensor<3x4xf32>
}

//! case values integers of one scale, of a scale for each column, and floats with integers
//! arg  s8[3,8] -118 -43 31 105 -75 -1 73 -107 -33 42 116 -65 10 84 -97 -22 52 -128 -54 20 95 -86 -12 63
//! arg  f32[3,8] -2 -0.1875 1.625 -0.5625 1.25 -0.9375 0.875 -1.3125 0.5 -1.6875 0.125 1.9375 -0.25 1.5625 -0.625 1.1875 -1 0.8125 -1.375 0.4375 -1.75 0.0625 1.875 -0.3125
//! arg  s8[8,4] -116 -79 -42 -5 32 69 106 -112 -75 -38 -1 36 73 110 -108 -71 -34 3 40 77 114 -104 -67 -30 7 44 81 118 -100 -63 -26 11
//! arg  s8[8,4] -116 -79 -42 -5 32 69 106 -112 -75 -38 -1 36 73 110 -108 -71 -34 3 40 77 114 -104 -67 -30 7 44 81 118 -100 -63 -26 11
//! arg  s8[8,4] -116 -79 -42 -5 32 69 106 -112 -75 -38 -1 36 73 110 -108 -71 -34 3 40 77 114 -104 -67 -30 7 44 81 118 -100 -63 -26 11
//! arg  s8[8,4] -116 -79 -42 -5 32 69 106 -112 -75 -38 -1 36 73 110 -108 -71 -34 3 40 77 114 -104 -67 -30 7 44 81 118 -100 -63 -26 11
//! arg  s8[8,4] -116 -79 -42 -5 32 69 106 -112 -75 -38 -1 36 73 110 -108 -71 -34 3 40 77 114 -104 -67 -30 7 44 81 118 -100 -63 -26 11
//! want s8[3,4] 127 127 -87 -15 -35 -128 -33 -115 -128 -87 -128 127
//! want s32[3,4] 4047 3546 -817 211 -69 -2769 -40 -1209 -3858 -814 -1631 2943
//! want s32[3,4] 28329 24819 -5721 1479 -486 -19381 -281 -8466 -27006 -5696 -11416 20604
//! want s8[3,4] 127 127 -59 14 -35 -128 -31 -128 -128 -128 -87 127
//! want f32[3,4] x3f02b851 x409c147a x3fda47ad x412475c2 x3f55eb84 xc0886666 xc041bd70 xc00ce147 x40785c29 x40d08f5c x3f571eb8 xc023eb84
