func.func @twice() -> tensor<2xf32> {
  %x = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %y = stablehlo.add %x, %x : tensor<2xf32>
  return %y : tensor<2xf32>
}

// -----

func.func @root() -> tensor<f32> {
  %x = stablehlo.constant dense<16.0> : tensor<f32>
  %y = stablehlo.sqrt %x : tensor<f32>
  return %y : tensor<f32>
}
