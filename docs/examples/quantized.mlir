func.func @main(%x: tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 0.5:3>> {
  %q = stablehlo.uniform_quantize %x : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 0.5:3>>
  %s = stablehlo.add %q, %q : tensor<4x!quant.uniform<i8:f32, 0.5:3>>
  return %s : tensor<4x!quant.uniform<i8:f32, 0.5:3>>
}
