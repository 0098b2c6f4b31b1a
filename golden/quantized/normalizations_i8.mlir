//! clause     quantized.md
//! oracle     exact fractions
//! tags       quantized level1
func.func @main(%a: tensor<4x2x!quant.uniform<i8:f32, 0.1:-30>>, %b: tensor<2x!quant.uniform<i8:f32, 0.1:-30>>, %c: tensor<2x!quant.uniform<i8:f32, 0.1:-30>>, %d: tensor<2x!quant.uniform<i8:f32, 0.1:-30>>, %e: tensor<2x!quant.uniform<i8:f32, 0.1:-30>>, %f: tensor<4x2x!quant.uniform<i8:f32, 0.1:-30>>) -> (tensor<4x2x!quant.uniform<i8:f32, 0.3:20>>, tensor<4x2x!quant.uniform<i8:f32, 0.3:20>>, tensor<2x!quant.uniform<i8:f32, 0.3:20>>, tensor<2x!quant.uniform<i8:f32, 0.3:20>>, tensor<4x2x!quant.uniform<i8:f32, 0.3:20>>, tensor<2x!quant.uniform<i8:f32, 0.3:20>>, tensor<2x!quant.uniform<i8:f32, 0.3:20>>) {
  %r0 = "stablehlo.batch_norm_inference"(%a, %b, %c, %d, %e) {epsilon = 0.125 : f32, feature_index = 1 : i64} : (tensor<4x2x!quant.uniform<i8:f32, 0.1:-30>>, tensor<2x!quant.uniform<i8:f32, 0.1:-30>>, tensor<2x!quant.uniform<i8:f32, 0.1:-30>>, tensor<2x!quant.uniform<i8:f32, 0.1:-30>>, tensor<2x!quant.uniform<i8:f32, 0.1:-30>>) -> tensor<4x2x!quant.uniform<i8:f32, 0.3:20>>
  %n1:3 = "stablehlo.batch_norm_training"(%a, %b, %c) {epsilon = 0.125 : f32, feature_index = 1 : i64} : (tensor<4x2x!quant.uniform<i8:f32, 0.1:-30>>, tensor<2x!quant.uniform<i8:f32, 0.1:-30>>, tensor<2x!quant.uniform<i8:f32, 0.1:-30>>) -> (tensor<4x2x!quant.uniform<i8:f32, 0.3:20>>, tensor<2x!quant.uniform<i8:f32, 0.3:20>>, tensor<2x!quant.uniform<i8:f32, 0.3:20>>)
  %r1 = stablehlo.optimization_barrier %n1#0 : tensor<4x2x!quant.uniform<i8:f32, 0.3:20>>
  %r2 = stablehlo.optimization_barrier %n1#1 : tensor<2x!quant.uniform<i8:f32, 0.3:20>>
  %r3 = stablehlo.optimization_barrier %n1#2 : tensor<2x!quant.uniform<i8:f32, 0.3:20>>
  %n4:3 = "stablehlo.batch_norm_grad"(%a, %b, %d, %e, %f) {epsilon = 0.125 : f32, feature_index = 1 : i64} : (tensor<4x2x!quant.uniform<i8:f32, 0.1:-30>>, tensor<2x!quant.uniform<i8:f32, 0.1:-30>>, tensor<2x!quant.uniform<i8:f32, 0.1:-30>>, tensor<2x!quant.uniform<i8:f32, 0.1:-30>>, tensor<4x2x!quant.uniform<i8:f32, 0.1:-30>>) -> (tensor<4x2x!quant.uniform<i8:f32, 0.3:20>>, tensor<2x!quant.uniform<i8:f32, 0.3:20>>, tensor<2x!quant.uniform<i8:f32, 0.3:20>>)
  %r4 = stablehlo.optimization_barrier %n4#0 : tensor<4x2x!quant.uniform<i8:f32, 0.3:20>>
  %r5 = stablehlo.optimization_barrier %n4#1 : tensor<2x!quant.uniform<i8:f32, 0.3:20>>
  %r6 = stablehlo.optimization_barrier %n4#2 : tensor<2x!quant.uniform<i8:f32, 0.3:20>>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6 : tensor<4x2x!quant.uniform<i8:f32, 0.3:20>>, tensor<4x2x!quant.uniform<i8:f32, 0.3:20>>, tensor<2x!quant.uniform<i8:f32, 0.3:20>>, tensor<2x!quant.uniform<i8:f32, 0.3:20>>, tensor<4x2x!quant.uniform<i8:f32, 0.3:20>>, tensor<2x!quant.uniform<i8:f32, 0.3:20>>, tensor<2x!quant.uniform<i8:f32, 0.3:20>>
}

//! case values normalizations, with a mean and a variance for each column
//! arg  s8[4,2] -118 -43 31 105 -75 -1 73 -107
//! arg  s8[2] -86 -12
//! arg  s8[2] -65 10
//! arg  s8[2] -33 42
//! arg  s8[2] 42 116
//! arg  s8[4,2] -12 63 -118 -43 31 105 -75 -1
//! want s8[4,2] 67 20 -36 43 37 27 -65 10
//! want s8[4,2] 31 31 -5 42 21 34 -15 26
//! want s8[2] 23 26
//! want s8[2] 127 127
//! want s8[4,2] 127 -18 -128 40 112 10 -128 -60
//! want s8[2] -128 -128
//! want s8[2] 2 101
