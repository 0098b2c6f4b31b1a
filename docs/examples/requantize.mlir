func.func @main(%a: tensor<8x!quant.uniform<i32:f32, 0.4>>) -> tensor<8x!quant.uniform<i8:f32, 1.0:3>> {
  %r0 = stablehlo.uniform_quantize %a : (tensor<8x!quant.uniform<i32:f32, 0.4>>) -> tensor<8x!quant.uniform<i8:f32, 1.0:3>>
  return %r0 : tensor<8x!quant.uniform<i8:f32, 1.0:3>>
}
