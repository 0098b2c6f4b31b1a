// The operations of CHLO.
func.func @main(%a: tensor<4xf32>, %m: tensor<2x2xf32>, %p: tensor<4xi1>, %c: tensor<4xcomplex<f32>>, %n: tensor<4xi32>, %lhs: tensor<11x5xf32>, %rhs: tensor<3x5x7xf32>, %sizes: tensor<3xi32>) -> tensor<4xf32> {
  %acos = chlo.acos %a : tensor<4xf32> -> tensor<4xf32>
  %acosh = chlo.acosh %acos : tensor<4xf32> -> tensor<4xf32>
  %asin = chlo.asin %acosh : tensor<4xf32> -> tensor<4xf32>
  %asinh = chlo.asinh %asin : tensor<4xf32> -> tensor<4xf32>
  %atan = chlo.atan %asinh : tensor<4xf32> -> tensor<4xf32>
  %atanh = chlo.atanh %atan : tensor<4xf32> -> tensor<4xf32>
  %bessel = chlo.bessel_i1e %atanh : tensor<4xf32> -> tensor<4xf32>
  %conj = chlo.conj %c : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
  %kernel = chlo._asin_acos_kernel %conj : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
  %cosh = chlo.cosh %bessel : tensor<4xf32> -> tensor<4xf32>
  %sinh = chlo.sinh %cosh : tensor<4xf32> -> tensor<4xf32>
  %tan = chlo.tan %sinh {key = "value"} : tensor<4xf32> -> tensor<4xf32>
  %digamma = chlo.digamma %tan : tensor<4xf32> -> tensor<4xf32>
  %lgamma = chlo.lgamma %digamma : tensor<4xf32> -> tensor<4xf32>
  %erf = chlo.erf %lgamma : tensor<4xf32> -> tensor<4xf32>
  %erfc = chlo.erfc %erf : tensor<4xf32> -> tensor<4xf32>
  %erf_inv = chlo.erf_inv %erfc : tensor<4xf32> -> tensor<4xf32>
  %square = chlo.square %erf_inv : tensor<4xf32> -> tensor<4xf32>
  %is_inf = chlo.is_inf %square : tensor<4xf32> -> tensor<4xi1>
  %is_neg_inf = chlo.is_neg_inf %square : tensor<4xf32> -> tensor<4xi1>
  %is_pos_inf = chlo.is_pos_inf %square : tensor<4xf32> -> tensor<4xi1>
  %mulhi = chlo.mulhi %n, %n : tensor<4xi32>, tensor<4xi32> -> tensor<4xi32>
  %next = chlo.next_after %a, %square : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %polygamma = chlo.polygamma %a, %next : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %zeta = chlo.zeta %a, %polygamma : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %values, %indices = chlo.top_k(%a, k = 2) : tensor<4xf32> -> (tensor<2xf32>, tensor<2xi32>)
  %constant = chlo.constant dense<1.0> : tensor<4xf32>
  %like = "chlo.constant_like"(%a) <{value = 1.0 : f32}> : (tensor<4xf32>) -> tensor<4xf32>
  %add = chlo.broadcast_add %a, %a : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %divide = chlo.broadcast_divide %a, %a {broadcast_dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %compare = chlo.broadcast_compare %a, %a {compare_type = #chlo<comparison_type FLOAT>, comparison_direction = #chlo<comparison_direction EQ>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %select = chlo.broadcast_select %p, %a, %zeta : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %complex = chlo.broadcast_complex %a, %a : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xcomplex<f32>>
  %ragged = "chlo.ragged_dot"(%lhs, %rhs, %sizes) <{precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<11x5xf32>, tensor<3x5x7xf32>, tensor<3xi32>) -> tensor<11x7xf32>
  return %select : tensor<4xf32>
}
