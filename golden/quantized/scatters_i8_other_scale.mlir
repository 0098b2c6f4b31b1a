//! clause     quantized.md
//! oracle     exact fractions
//! tags       quantized level1
func.func @main(%a: tensor<6x!quant.uniform<i8:f32, 0.3:20>>, %b: tensor<3x!quant.uniform<i8:f32, 0.3:20>>) -> (tensor<6x!quant.uniform<i8:f32, 0.3:20>>, tensor<6x!quant.uniform<i8:f32, 0.3:20>>, tensor<6x!quant.uniform<i8:f32, 0.1:-30>>, tensor<6x!quant.uniform<i8:f32, 0.1:-30>>) {
  %z = "stablehlo.constant"() {value = dense<20> : tensor<i8>} : () -> tensor<!quant.uniform<i8:f32, 0.3:20>>
  %i = "stablehlo.constant"() {value = dense<[[4], [0], [3]]> : tensor<3x1xi32>} : () -> tensor<3x1xi32>
  %r0 = "stablehlo.scatter"(%a, %i, %b) ({
  ^bb0(%x: tensor<!quant.uniform<i8:f32, 0.3:20>>, %y: tensor<!quant.uniform<i8:f32, 0.3:20>>):
    %s = stablehlo.add %x, %y : tensor<!quant.uniform<i8:f32, 0.3:20>>
    stablehlo.return %s : tensor<!quant.uniform<i8:f32, 0.3:20>>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<6x!quant.uniform<i8:f32, 0.3:20>>, tensor<3x1xi32>, tensor<3x!quant.uniform<i8:f32, 0.3:20>>) -> tensor<6x!quant.uniform<i8:f32, 0.3:20>>
  %r1 = "stablehlo.select_and_scatter"(%a, %b, %z) ({
  ^bb0(%x: tensor<!quant.uniform<i8:f32, 0.3:20>>, %y: tensor<!quant.uniform<i8:f32, 0.3:20>>):
    %s = stablehlo.compare GE, %x, %y : (tensor<!quant.uniform<i8:f32, 0.3:20>>, tensor<!quant.uniform<i8:f32, 0.3:20>>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%x: tensor<!quant.uniform<i8:f32, 0.3:20>>, %y: tensor<!quant.uniform<i8:f32, 0.3:20>>):
    %s = stablehlo.add %x, %y : tensor<!quant.uniform<i8:f32, 0.3:20>>
    stablehlo.return %s : tensor<!quant.uniform<i8:f32, 0.3:20>>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>, padding = dense<0> : tensor<1x2xi64>} : (tensor<6x!quant.uniform<i8:f32, 0.3:20>>, tensor<3x!quant.uniform<i8:f32, 0.3:20>>, tensor<!quant.uniform<i8:f32, 0.3:20>>) -> tensor<6x!quant.uniform<i8:f32, 0.3:20>>
  %r2 = "stablehlo.scatter"(%a, %i, %b) ({
  ^bb0(%x: tensor<!quant.uniform<i8:f32, 0.1:-30>>, %y: tensor<!quant.uniform<i8:f32, 0.1:-30>>):
    %s = stablehlo.add %x, %y : tensor<!quant.uniform<i8:f32, 0.1:-30>>
    stablehlo.return %s : tensor<!quant.uniform<i8:f32, 0.1:-30>>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<6x!quant.uniform<i8:f32, 0.3:20>>, tensor<3x1xi32>, tensor<3x!quant.uniform<i8:f32, 0.3:20>>) -> tensor<6x!quant.uniform<i8:f32, 0.1:-30>>
  %r3 = "stablehlo.select_and_scatter"(%a, %b, %z) ({
  ^bb0(%x: tensor<!quant.uniform<i8:f32, 0.3:20>>, %y: tensor<!quant.uniform<i8:f32, 0.3:20>>):
    %s = stablehlo.compare GE, %x, %y : (tensor<!quant.uniform<i8:f32, 0.3:20>>, tensor<!quant.uniform<i8:f32, 0.3:20>>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%x: tensor<!quant.uniform<i8:f32, 0.1:-30>>, %y: tensor<!quant.uniform<i8:f32, 0.1:-30>>):
    %s = stablehlo.add %x, %y : tensor<!quant.uniform<i8:f32, 0.1:-30>>
    stablehlo.return %s : tensor<!quant.uniform<i8:f32, 0.1:-30>>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>, padding = dense<0> : tensor<1x2xi64>} : (tensor<6x!quant.uniform<i8:f32, 0.3:20>>, tensor<3x!quant.uniform<i8:f32, 0.3:20>>, tensor<!quant.uniform<i8:f32, 0.3:20>>) -> tensor<6x!quant.uniform<i8:f32, 0.1:-30>>
  return %r0, %r1, %r2, %r3 : tensor<6x!quant.uniform<i8:f32, 0.3:20>>, tensor<6x!quant.uniform<i8:f32, 0.3:20>>, tensor<6x!quant.uniform<i8:f32, 0.1:-30>>, tensor<6x!quant.uniform<i8:f32, 0.1:-30>>
}

//! case values sums into 8 bits of another scale
//! arg  s8[6] -97 -22 52 -128 -54 20
//! arg  s8[3] -43 31 105
//! want s8[6] -86 -22 52 -43 -117 20
//! want s8[6] 20 -43 31 20 20 105
//! want s8[6] -95 -128 66 29 -128 -30
//! want s8[6] -30 -128 3 -30 -30 127
