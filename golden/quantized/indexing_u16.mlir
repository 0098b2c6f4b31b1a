//! clause     quantized.md
//! oracle     exact fractions
//! tags       quantized level1
func.func @main(%a: tensor<4x6x!quant.uniform<u16:f64, 0.001:32768>>, %b: tensor<2x2x!quant.uniform<u16:f64, 0.001:32768>>) -> (tensor<2x6x!quant.uniform<u16:f64, 0.001:32768>>, tensor<2x6x!quant.uniform<u16:f64, 0.001:32768>>, tensor<2x3x!quant.uniform<u16:f64, 0.001:32768>>, tensor<4x6x!quant.uniform<u16:f64, 0.001:32768>>, tensor<5x7x!quant.uniform<u16:f64, 0.001:32768>>, tensor<2x12x!quant.uniform<u16:f64, 0.001:32768>>, tensor<2x4x6x!quant.uniform<u16:f64, 0.001:32768>>, tensor<4x6x!quant.uniform<u16:f64, 0.001:32768>>, tensor<4x6x!quant.uniform<u16:f64, 0.001:32768>>, tensor<4x6xi16>, tensor<1xi32>) {
  %z = "stablehlo.constant"() {value = dense<-32768> : tensor<i16>} : () -> tensor<!quant.uniform<u16:f64, 0.001:32768>>
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
  %r0 = "stablehlo.gather"(%a, %rows) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 6>} : (tensor<4x6x!quant.uniform<u16:f64, 0.001:32768>>, tensor<2x1xi32>) -> tensor<2x6x!quant.uniform<u16:f64, 0.001:32768>>
  %r1 = "stablehlo.dynamic_gather"(%a, %rows, %slice) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>} : (tensor<4x6x!quant.uniform<u16:f64, 0.001:32768>>, tensor<2x1xi32>, tensor<2xi32>) -> tensor<2x6x!quant.uniform<u16:f64, 0.001:32768>>
  %r2 = stablehlo.dynamic_slice %a, %one, %nine, sizes = [2, 3] : (tensor<4x6x!quant.uniform<u16:f64, 0.001:32768>>, tensor<i32>, tensor<i32>) -> tensor<2x3x!quant.uniform<u16:f64, 0.001:32768>>
  %r3 = stablehlo.dynamic_update_slice %a, %b, %two, %nine : (tensor<4x6x!quant.uniform<u16:f64, 0.001:32768>>, tensor<2x2x!quant.uniform<u16:f64, 0.001:32768>>, tensor<i32>, tensor<i32>) -> tensor<4x6x!quant.uniform<u16:f64, 0.001:32768>>
  %r4 = stablehlo.dynamic_pad %a, %z, %low, %high, %inner : (tensor<4x6x!quant.uniform<u16:f64, 0.001:32768>>, tensor<!quant.uniform<u16:f64, 0.001:32768>>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<5x7x!quant.uniform<u16:f64, 0.001:32768>>
  %r5 = stablehlo.dynamic_reshape %a, %flat : (tensor<4x6x!quant.uniform<u16:f64, 0.001:32768>>, tensor<2xi32>) -> tensor<2x12x!quant.uniform<u16:f64, 0.001:32768>>
  %r6 = stablehlo.dynamic_broadcast_in_dim %a, %many, dims = [1, 2] : (tensor<4x6x!quant.uniform<u16:f64, 0.001:32768>>, tensor<3xi32>) -> tensor<2x4x6x!quant.uniform<u16:f64, 0.001:32768>>
  %r7 = "stablehlo.sort"(%a) ({
  ^bb0(%x: tensor<!quant.uniform<u16:f64, 0.001:32768>>, %y: tensor<!quant.uniform<u16:f64, 0.001:32768>>):
    %s = stablehlo.compare GT, %x, %y : (tensor<!quant.uniform<u16:f64, 0.001:32768>>, tensor<!quant.uniform<u16:f64, 0.001:32768>>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }) {dimension = 1 : i64} : (tensor<4x6x!quant.uniform<u16:f64, 0.001:32768>>) -> tensor<4x6x!quant.uniform<u16:f64, 0.001:32768>>
  %r8 = stablehlo.optimization_barrier %a : tensor<4x6x!quant.uniform<u16:f64, 0.001:32768>>
  %r9 = stablehlo.bitcast_convert %a : (tensor<4x6x!quant.uniform<u16:f64, 0.001:32768>>) -> tensor<4x6xi16>
  %size = stablehlo.get_dimension_size %a, dim = 1 : (tensor<4x6x!quant.uniform<u16:f64, 0.001:32768>>) -> tensor<i32>
  %r10 = stablehlo.reshape %size : (tensor<i32>) -> tensor<1xi32>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9, %r10 : tensor<2x6x!quant.uniform<u16:f64, 0.001:32768>>, tensor<2x6x!quant.uniform<u16:f64, 0.001:32768>>, tensor<2x3x!quant.uniform<u16:f64, 0.001:32768>>, tensor<4x6x!quant.uniform<u16:f64, 0.001:32768>>, tensor<5x7x!quant.uniform<u16:f64, 0.001:32768>>, tensor<2x12x!quant.uniform<u16:f64, 0.001:32768>>, tensor<2x4x6x!quant.uniform<u16:f64, 0.001:32768>>, tensor<4x6x!quant.uniform<u16:f64, 0.001:32768>>, tensor<4x6x!quant.uniform<u16:f64, 0.001:32768>>, tensor<4x6xi16>, tensor<1xi32>
}

//! case values elements that are found, replaced, sorted or moved
//! arg  u16[4,6] 2730 21845 40959 60073 13653 32767 51881 5461 24575 43690 62804 16383 35498 54612 8191 27306 46420 0 19114 38228 57343 10922 30036 49151
//! arg  u16[2,2] 13653 32767 51881 5461
//! want u16[2,6] 19114 38228 57343 10922 30036 49151 2730 21845 40959 60073 13653 32767
//! want u16[2,6] 19114 38228 57343 10922 30036 49151 2730 21845 40959 60073 13653 32767
//! want u16[2,3] 43690 62804 16383 27306 46420 0
//! want u16[4,6] 2730 21845 40959 60073 13653 32767 51881 5461 24575 43690 62804 16383 35498 54612 8191 27306 13653 32767 19114 38228 57343 10922 51881 5461
//! want u16[5,7] 32768 2730 21845 40959 60073 13653 32767 32768 51881 5461 24575 43690 62804 16383 32768 35498 54612 8191 27306 46420 0 32768 19114 38228 57343 10922 30036 49151 32768 32768 32768 32768 32768 32768 32768
//! want u16[2,12] 2730 21845 40959 60073 13653 32767 51881 5461 24575 43690 62804 16383 35498 54612 8191 27306 46420 0 19114 38228 57343 10922 30036 49151
//! want u16[2,4,6] 2730 21845 40959 60073 13653 32767 51881 5461 24575 43690 62804 16383 35498 54612 8191 27306 46420 0 19114 38228 57343 10922 30036 49151 2730 21845 40959 60073 13653 32767 51881 5461 24575 43690 62804 16383 35498 54612 8191 27306 46420 0 19114 38228 57343 10922 30036 49151
//! want u16[4,6] 60073 40959 32767 21845 13653 2730 62804 51881 43690 24575 16383 5461 54612 46420 35498 27306 8191 0 57343 49151 38228 30036 19114 10922
//! want u16[4,6] 2730 21845 40959 60073 13653 32767 51881 5461 24575 43690 62804 16383 35498 54612 8191 27306 46420 0 19114 38228 57343 10922 30036 49151
//! want s16[4,6] 2730 21845 -24577 -5463 13653 32767 -13655 5461 24575 -21846 -2732 16383 -30038 -10924 8191 27306 -19116 0 19114 -27308 -8193 10922 30036 -16385
//! want s32[1] 6
