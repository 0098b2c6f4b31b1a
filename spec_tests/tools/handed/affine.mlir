module @jit_affine attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x3xf32>, %arg1: tensor<3x2xf32>, %arg2: tensor<9xi1>, %arg3: tensor<9xi4>, %arg4: tensor<i16>) -> (tensor<2x2xf32> {jax.result_info = "result[0]"}, tensor<9xi32> {jax.result_info = "result[1]"}, tensor<3xf32> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x2xf32>
    %2 = stablehlo.subtract %0, %1 : tensor<2x2xf32>
    %3 = stablehlo.convert %arg3 : (tensor<9xi4>) -> tensor<9xi32>
    %c = stablehlo.constant dense<-1> : tensor<i32>
    %4 = call @_where(%arg2, %3, %c) : (tensor<9xi1>, tensor<9xi32>, tensor<i32>) -> tensor<9xi32>
    %5 = stablehlo.convert %arg4 : (tensor<i16>) -> tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.compare LT, %5, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_1 = stablehlo.constant dense<2> : tensor<i32>
    %7 = stablehlo.add %5, %c_1 : tensor<i32>
    %8 = stablehlo.select %6, %7, %5 : tensor<i1>, tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.compare LT, %c_2, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %c_5 = stablehlo.constant dense<3> : tensor<i32>
    %10 = stablehlo.add %c_4, %c_5 : tensor<i32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %11 = stablehlo.select %9, %10, %c_6 : tensor<i1>, tensor<i32>
    %12 = stablehlo.dynamic_slice %arg0, %8, %11, sizes = [1, 3] : (tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x3xf32>
    %13 = stablehlo.reshape %12 : (tensor<1x3xf32>) -> tensor<3xf32>
    return %2, %4, %13 : tensor<2x2xf32>, tensor<9xi32>, tensor<3xf32>
  }
  func.func private @_where(%arg0: tensor<9xi1>, %arg1: tensor<9xi32>, %arg2: tensor<i32>) -> tensor<9xi32> {
    %0 = stablehlo.convert %arg2 : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<9xi1>, tensor<9xi32>
    return %2 : tensor<9xi32>
  }
}
