//! clause     quantized.md
//! oracle     exact fractions
//! tags       quantized level1
func.func @main(%a: tensor<4x6x!quant.uniform<i8:f32, 0.1:-30>>, %b: tensor<2x2x!quant.uniform<i8:f32, 0.1:-30>>) -> (tensor<2x6x!quant.uniform<i8:f32, 0.1:-30>>, tensor<2x6x!quant.uniform<i8:f32, 0.1:-30>>, tensor<2x3x!quant.uniform<i8:f32, 0.1:-30>>, tensor<4x6x!quant.uniform<i8:f32, 0.1:-30>>, tensor<5x7x!quant.uniform<i8:f32, 0.1:-30>>, tensor<2x12x!quant.uniform<i8:f32, 0.1:-30>>, tensor<2x4x6x!quant.uniform<i8:f32, 0.1:-30>>, tensor<4x6x!quant.uniform<i8:f32, 0.1:-30>>, tensor<4x6x!quant.uniform<i8:f32, 0.1:-30>>, tensor<4x6xi8>, tensor<1xi32>) {
  %z = "stablehlo.constant"() {value = dense<-30> : tensor<i8>} : () -> tensor<!quant.uniform<i8:f32, 0.1:-30>>
  %one = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %two = "stablehlo.constant"() {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %nine = "stablehlo.constant"() {value = dense<9> : tensor<i32>} : () -> tensor<i32>
  %rows = "stablehlo.constant"() {value = dense<[[3], [0]]> : tensor<2x1xi32>} : () -> tensor<2x1xi32>
  %slice = "stablehlo.constant"() {value = dense<[1, 6]> : tensor<2xi32>} : () -> tensor<2xi32>
  %low = "stablehlo.constant"() {value = dense<[0, 1]> : tensor<2xi32>} : () -> tensor<2xi32>
  %high = "stablehlo.constant"() {value = dense<[1, 0]> : tensor<2xi32>} : () -> tensor<2xi32>
  %inner = "stablehlo.constant"() {value = dense<[0, 0]> : tensor<2xi32>} : () -> tensor<2xi32>
  %flat = "stablehlo.constant"() {value = dense<[2, 12]> : tensor<2xi32>} : () -> tensor<2xi32>
  %many = "stablehlo.constant"() {value = dense<[2, 4, 6]> : tensor<3xi32>} : () -> tensor<3xi32>
  %r0 = "stablehlo.gather"(%a, %rows) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 6>} : (tensor<4x6x!quant.uniform<i8:f32, 0.1:-30>>, tensor<2x1xi32>) -> tensor<2x6x!quant.uniform<i8:f32, 0.1:-30>>
  %r1 = "stablehlo.dynamic_gather"(%a, %rows, %slice) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>} : (tensor<4x6x!quant.uniform<i8:f32, 0.1:-30>>, tensor<2x1xi32>, tensor<2xi32>) -> tensor<2x6x!quant.uniform<i8:f32, 0.1:-30>>
  %r2 = stablehlo.dynamic_slice %a, %one, %nine, sizes = [2, 3] : (tensor<4x6x!quant.uniform<i8:f32, 0.1:-30>>, tensor<i32>, tensor<i32>) -> tensor<2x3x!quant.uniform<i8:f32, 0.1:-30>>
  %r3 = stablehlo.dynamic_update_slice %a, %b, %two, %nine : (tensor<4x6x!quant.uniform<i8:f32, 0.1:-30>>, tensor<2x2x!quant.uniform<i8:f32, 0.1:-30>>, tensor<i32>, tensor<i32>) -> tensor<4x6x!quant.uniform<i8:f32, 0.1:-30>>
  %r4 = stablehlo.dynamic_pad %a, %z, %low, %high, %inner : (tensor<4x6x!quant.uniform<i8:f32, 0.1:-30>>, tensor<!quant.uniform<i8:f32, 0.1:-30>>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<5x7x!quant.uniform<i8:f32, 0.1:-30>>
  %r5 = stablehlo.dynamic_reshape %a, %flat : (tensor<4x6x!quant.uniform<i8:f32, 0.1:-30>>, tensor<2xi32>) -> tensor<2x12x!quant.uniform<i8:f32, 0.1:-30>>
  %r6 = stablehlo.dynamic_broadcast_in_dim %a, %many, dims = [1, 2] : (tensor<4x6x!quant.uniform<i8:f32, 0.1:-30>>, tensor<3xi32>) -> tensor<2x4x6x!quant.uniform<i8:f32, 0.1:-30>>
  %r7 = "stablehlo.sort"(%a) ({
  ^bb0(%x: tensor<!quant.uniform<i8:f32, 0.1:-30>>, %y: tensor<!quant.uniform<i8:f32, 0.1:-30>>):
    %s = stablehlo.compare GT, %x, %y : (tensor<!quant.uniform<i8:f32, 0.1:-30>>, tensor<!quant.uniform<i8:f32, 0.1:-30>>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }) {dimension = 1 : i64} : (tensor<4x6x!quant.uniform<i8:f32, 0.1:-30>>) -> tensor<4x6x!quant.uniform<i8:f32, 0.1:-30>>
  %r8 = stablehlo.optimization_barrier %a : tensor<4x6x!quant.uniform<i8:f32, 0.1:-30>>
  %r9 = stablehlo.bitcast_convert %a : (tensor<4x6x!quant.uniform<i8:f32, 0.1:-30>>) -> tensor<4x6xi8>
  %size = stablehlo.get_dimension_size %a, dim = 1 : (tensor<4x6x!quant.uniform<i8:f32, 0.1:-30>>) -> tensor<i32>
  %r10 = stablehlo.reshape %size : (tensor<i32>) -> tensor<1xi32>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9, %r10 : tensor<2x6x!quant.uniform<i8:f32, 0.1:-30>>, tensor<2x6x!quant.uniform<i8:f32, 0.1:-30>>, tensor<2x3x!quant.uniform<i8:f32, 0.1:-30>>, tensor<4x6x!quant.uniform<i8:f32, 0.1:-30>>, tensor<5x7x!quant.uniform<i8:f32, 0.1:-30>>, tensor<2x12x!quant.uniform<i8:f32, 0.1:-30>>, tensor<2x4x6x!quant.uniform<i8:f32, 0.1:-30>>, tensor<4x6x!quant.uniform<i8:f32, 0.1:-30>>, tensor<4x6x!quant.uniform<i8:f32, 0.1:-30>>, tensor<4x6xi8>, tensor<1xi32>
}

//! case values elements that are found, replaced, sorted or moved
//! arg  s8[4,6] -118 -43 31 105 -75 -1 73 -107 -33 42 116 -65 10 84 -97 -22 52 -128 -54 20 95 -86 -12 63
//! arg  s8[2,2] -75 -1 73 -107
//! want s8[2,6] -54 20 95 -86 -12 63 -118 -43 31 105 -75 -1
//! want s8[2,6] -54 20 95 -86 -12 63 -118 -43 31 105 -75 -1
//! want s8[2,3] 42 116 -65 -22 52 -128
//! want s8[4,6] -118 -43 31 105 -75 -1 73 -107 -33 42 116 -65 10 84 -97 -22 -75 -1 -54 20 95 -86 73 -107
//! want s8[5,7] -30 -118 -43 31 105 -75 -1 -30 73 -107 -33 42 116 -65 -30 10 84 -97 -22 52 -128 -30 -54 20 95 -86 -12 63 -30 -30 -30 -30 -30 -30 -30
//! want s8[2,12] -118 -43 31 105 -75 -1 73 -107 -33 42 116 -65 10 84 -97 -22 52 -128 -54 20 95 -86 -12 63
//! want s8[2,4,6] -118 -43 31 105 -75 -1 73 -107 -33 42 116 -65 10 84 -97 -22 52 -128 -54 20 95 -86 -12 63 -118 -43 31 105 -75 -1 73 -107 -33 42 116 -65 10 84 -97 -22 52 -128 -54 20 95 -86 -12 63
//! want s8[4,6] 105 31 -1 -43 -75 -118 116 73 42 -33 -65 -107 84 52 10 -22 -97 -128 95 63 20 -12 -54 -86
//! want s8[4,6] -118 -43 31 105 -75 -1 73 -107 -33 42 116 -65 10 84 -97 -22 52 -128 -54 20 95 -86 -12 63
//! want s8[4,6] -118 -43 31 105 -75 -1 73 -107 -33 42 116 -65 10 84 -97 -22 52 -128 -54 20 95 -86 -12 63
//! want s32[1] 6
