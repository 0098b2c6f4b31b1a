//! clause     quantized.md
//! oracle     exact fractions
//! tags       quantized level1
func.func @main(%a: tensor<6x!quant.uniform<i4:f16, 0.3:1>>, %b: tensor<3x!quant.uniform<i4:f16, 0.3:1>>) -> (tensor<6x!quant.uniform<i4:f16, 0.3:1>>, tensor<6x!quant.uniform<i4:f16, 0.3:1>>, tensor<6x!quant.uniform<i8:f16, 0.125:1>>, tensor<6x!quant.uniform<i8:f16, 0.125:1>>) {
  %z = "stablehlo.constant"() {value = dense<1> : tensor<i4>} : () -> tensor<!quant.uniform<i4:f16, 0.3:1>>
  %i = "stablehlo.constant"() {value = dense<[[4], [0], [3]]> : tensor<3x1xi32>} : () -> tensor<3x1xi32>
  %r0 = "stablehlo.scatter"(%a, %i, %b) ({
  ^bb0(%x: tensor<!quant.uniform<i4:f16, 0.3:1>>, %y: tensor<!quant.uniform<i4:f16, 0.3:1>>):
    %s = stablehlo.add %x, %y : tensor<!quant.uniform<i4:f16, 0.3:1>>
    stablehlo.return %s : tensor<!quant.uniform<i4:f16, 0.3:1>>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<6x!quant.uniform<i4:f16, 0.3:1>>, tensor<3x1xi32>, tensor<3x!quant.uniform<i4:f16, 0.3:1>>) -> tensor<6x!quant.uniform<i4:f16, 0.3:1>>
  %r1 = "stablehlo.select_and_scatter"(%a, %b, %z) ({
  ^bb0(%x: tensor<!quant.uniform<i4:f16, 0.3:1>>, %y: tensor<!quant.uniform<i4:f16, 0.3:1>>):
    %s = stablehlo.compare GE, %x, %y : (tensor<!quant.uniform<i4:f16, 0.3:1>>, tensor<!quant.uniform<i4:f16, 0.3:1>>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%x: tensor<!quant.uniform<i4:f16, 0.3:1>>, %y: tensor<!quant.uniform<i4:f16, 0.3:1>>):
    %s = stablehlo.add %x, %y : tensor<!quant.uniform<i4:f16, 0.3:1>>
    stablehlo.return %s : tensor<!quant.uniform<i4:f16, 0.3:1>>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>, padding = dense<0> : tensor<1x2xi64>} : (tensor<6x!quant.uniform<i4:f16, 0.3:1>>, tensor<3x!quant.uniform<i4:f16, 0.3:1>>, tensor<!quant.uniform<i4:f16, 0.3:1>>) -> tensor<6x!quant.uniform<i4:f16, 0.3:1>>
  %r2 = "stablehlo.scatter"(%a, %i, %b) ({
  ^bb0(%x: tensor<!quant.uniform<i8:f16, 0.125:1>>, %y: tensor<!quant.uniform<i8:f16, 0.125:1>>):
    %s = stablehlo.add %x, %y : tensor<!quant.uniform<i8:f16, 0.125:1>>
    stablehlo.return %s : tensor<!quant.uniform<i8:f16, 0.125:1>>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<6x!quant.uniform<i4:f16, 0.3:1>>, tensor<3x1xi32>, tensor<3x!quant.uniform<i4:f16, 0.3:1>>) -> tensor<6x!quant.uniform<i8:f16, 0.125:1>>
  %r3 = "stablehlo.select_and_scatter"(%a, %b, %z) ({
  ^bb0(%x: tensor<!quant.uniform<i4:f16, 0.3:1>>, %y: tensor<!quant.uniform<i4:f16, 0.3:1>>):
    %s = stablehlo.compare GE, %x, %y : (tensor<!quant.uniform<i4:f16, 0.3:1>>, tensor<!quant.uniform<i4:f16, 0.3:1>>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%x: tensor<!quant.uniform<i8:f16, 0.125:1>>, %y: tensor<!quant.uniform<i8:f16, 0.125:1>>):
    %s = stablehlo.add %x, %y : tensor<!quant.uniform<i8:f16, 0.125:1>>
    stablehlo.return %s : tensor<!quant.uniform<i8:f16, 0.125:1>>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>, padding = dense<0> : tensor<1x2xi64>} : (tensor<6x!quant.uniform<i4:f16, 0.3:1>>, tensor<3x!quant.uniform<i4:f16, 0.3:1>>, tensor<!quant.uniform<i4:f16, 0.3:1>>) -> tensor<6x!quant.uniform<i8:f16, 0.125:1>>
  return %r0, %r1, %r2, %r3 : tensor<6x!quant.uniform<i4:f16, 0.3:1>>, tensor<6x!quant.uniform<i4:f16, 0.3:1>>, tensor<6x!quant.uniform<i8:f16, 0.125:1>>, tensor<6x!quant.uniform<i8:f16, 0.125:1>>
}

//! case values sums into 4 and into 8 bits
//! arg  s4[6] -7 -2 2 -8 -4 0
//! arg  s4[3] -3 1 5
//! want s4[6] -7 -2 2 -4 -8 0
//! want s4[6] 1 -3 1 1 1 5
//! want s8[6] -18 -6 3 -11 -21 -1
//! want s8[6] 1 -9 1 1 1 11
