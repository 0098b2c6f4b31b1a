//! clause     quantized.md
//! oracle     exact fractions
//! tags       quantized level1
func.func @main(%a: tensor<1x8x1x!quant.uniform<i8:f32, 0.1:-30>>, %b: tensor<3x1x1x!quant.uniform<i8<-127:127>:f32, 0.02:0>>) -> (tensor<1x8x1x!quant.uniform<i8:f32, 0.1:-30>>, tensor<1x8x1x!quant.uniform<i32:f32, 0.007:0>>) {
  %r0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x1x!quant.uniform<i8:f32, 0.1:-30>>, tensor<3x1x1x!quant.uniform<i8<-127:127>:f32, 0.02:0>>) -> tensor<1x8x1x!quant.uniform<i8:f32, 0.1:-30>>
  %r1 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x1x!quant.uniform<i8:f32, 0.1:-30>>, tensor<3x1x1x!quant.uniform<i8<-127:127>:f32, 0.02:0>>) -> tensor<1x8x1x!quant.uniform<i32:f32, 0.007:0>>
  return %r0, %r1 : tensor<1x8x1x!quant.uniform<i8:f32, 0.1:-30>>, tensor<1x8x1x!quant.uniform<i32:f32, 0.007:0>>
}

//! case values windows of several elements, with padding
//! arg  s8[1,8,1] -75 -1 73 -107 -33 42 116 -65
//! arg  s8[3,1,1] 90 -127 35
//! want s8[1,8,1] 105 -113 -128 127 -111 -116 -128 127
//! want s32[1,8,1] 1923 -1179 -3762 5413 -1151 -1230 -3796 5024
