func.func @main(%x: tensor<?x2xf32>) -> tensor<?xf32> {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x2xf32>) -> tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %count = stablehlo.multiply %n, %two : tensor<i32>
  %sizes = stablehlo.reshape %count : (tensor<i32>) -> tensor<1xi32>
  %r = stablehlo.dynamic_reshape %x, %sizes : (tensor<?x2xf32>, tensor<1xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
