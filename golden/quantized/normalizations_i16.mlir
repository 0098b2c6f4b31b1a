//! clause     quantized.md
//! oracle     exact fractions
//! tags       quantized level1
func.func @main(%a: tensor<4x2x!quant.uniform<i16:f32, 0.002:-700>>, %b: tensor<2x!quant.uniform<i16:f32, 0.002:-700>>, %c: tensor<2x!quant.uniform<i16:f32, 0.002:-700>>, %d: tensor<2x!quant.uniform<i16:f32, 0.002:-700>>, %e: tensor<2x!quant.uniform<i16:f32, 0.002:-700>>, %f: tensor<4x2x!quant.uniform<i16:f32, 0.002:-700>>) -> (tensor<4x2x!quant.uniform<i16:f32, 0.01:5>>, tensor<4x2x!quant.uniform<i16:f32, 0.01:5>>, tensor<2x!quant.uniform<i16:f32, 0.01:5>>, tensor<2x!quant.uniform<i16:f32, 0.01:5>>, tensor<4x2x!quant.uniform<i16:f32, 0.01:5>>, tensor<2x!quant.uniform<i16:f32, 0.01:5>>, tensor<2x!quant.uniform<i16:f32, 0.01:5>>) {
  %r0 = "stablehlo.batch_norm_inference"(%a, %b, %c, %d, %e) {epsilon = 0.125 : f32, feature_index = 1 : i64} : (tensor<4x2x!quant.uniform<i16:f32, 0.002:-700>>, tensor<2x!quant.uniform<i16:f32, 0.002:-700>>, tensor<2x!quant.uniform<i16:f32, 0.002:-700>>, tensor<2x!quant.uniform<i16:f32, 0.002:-700>>, tensor<2x!quant.uniform<i16:f32, 0.002:-700>>) -> tensor<4x2x!quant.uniform<i16:f32, 0.01:5>>
  %n1:3 = "stablehlo.batch_norm_training"(%a, %b, %c) {epsilon = 0.125 : f32, feature_index = 1 : i64} : (tensor<4x2x!quant.uniform<i16:f32, 0.002:-700>>, tensor<2x!quant.uniform<i16:f32, 0.002:-700>>, tensor<2x!quant.uniform<i16:f32, 0.002:-700>>) -> (tensor<4x2x!quant.uniform<i16:f32, 0.01:5>>, tensor<2x!quant.uniform<i16:f32, 0.01:5>>, tensor<2x!quant.uniform<i16:f32, 0.01:5>>)
  %r1 = stablehlo.optimization_barrier %n1#0 : tensor<4x2x!quant.uniform<i16:f32, 0.01:5>>
  %r2 = stablehlo.optimization_barrier %n1#1 : tensor<2x!quant.uniform<i16:f32, 0.01:5>>
  %r3 = stablehlo.optimization_barrier %n1#2 : tensor<2x!quant.uniform<i16:f32, 0.01:5>>
  %n4:3 = "stablehlo.batch_norm_grad"(%a, %b, %d, %e, %f) {epsilon = 0.125 : f32, feature_index = 1 : i64} : (tensor<4x2x!quant.uniform<i16:f32, 0.002:-700>>, tensor<2x!quant.uniform<i16:f32, 0.002:-700>>, tensor<2x!quant.uniform<i16:f32, 0.002:-700>>, tensor<2x!quant.uniform<i16:f32, 0.002:-700>>, tensor<4x2x!quant.uniform<i16:f32, 0.002:-700>>) -> (tensor<4x2x!quant.uniform<i16:f32, 0.01:5>>, tensor<2x!quant.uniform<i16:f32, 0.01:5>>, tensor<2x!quant.uniform<i16:f32, 0.01:5>>)
  %r4 = stablehlo.optimization_barrier %n4#0 : tensor<4x2x!quant.uniform<i16:f32, 0.01:5>>
  %r5 = stablehlo.optimization_barrier %n4#1 : tensor<2x!quant.uniform<i16:f32, 0.01:5>>
  %r6 = stablehlo.optimization_barrier %n4#2 : tensor<2x!quant.uniform<i16:f32, 0.01:5>>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6 : tensor<4x2x!quant.uniform<i16:f32, 0.01:5>>, tensor<4x2x!quant.uniform<i16:f32, 0.01:5>>, tensor<2x!quant.uniform<i16:f32, 0.01:5>>, tensor<2x!quant.uniform<i16:f32, 0.01:5>>, tensor<4x2x!quant.uniform<i16:f32, 0.01:5>>, tensor<2x!quant.uniform<i16:f32, 0.01:5>>, tensor<2x!quant.uniform<i16:f32, 0.01:5>>
}

//! case values normalizations, with a mean and a variance for each column
//! arg  s16[4,2] -30038 -10923 8191 27305 -19115 -1 19113 -27307
//! arg  s16[2] -21846 -2732
//! arg  s16[2] -16385 2730
//! arg  s16[2] -8193 10922
//! arg  s16[2] 10922 30036
//! arg  s16[4,2] -2732 16383 -30038 -10923 8191 27305 -19115 -1
//! want s16[4,2] 32767 2953 -31799 -1006 15978 1822 -32768 4650
//! want s16[4,2] 2096 858 -6037 77 -228 635 -8360 1193
//! want s16[2] -947 -401
//! want s16[2] 32767 32767
//! want s16[4,2] 32767 31230 -32768 -22070 32767 14063 -32768 32767
//! want s16[2] -32768 -32768
//! want s16[2] -8174 7118
