// Every operation of StableHLO in the form that it prints itself in.
module @operations attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 2 : i32} {
  func.func public @main(%a: tensor<4xf32> {jax.buffer_donor = true, mhlo.sharding = "{replicated}"}, %m: tensor<2x2xf32>, %v: tensor<2xf32>, %s: tensor<f32>, %p: tensor<4xi1>, %q: tensor<i1>, %c: tensor<4xcomplex<f32>>, %i: tensor<i32>, %n: tensor<4xi32>, %d: tensor<?xf32, #stablehlo.bounds<4>>, %image: tensor<1x4x4x2xf32>, %kernel: tensor<3x3x2x2xf32>, %one: tensor<1xi32>, %state: tensor<2xui64>) -> (tensor<4xf32> {jax.result_info = "result"}, tensor<4xi1>) attributes {no_inline} {
    %abs = stablehlo.abs %c : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
    %add = stablehlo.add %abs, %a {mhlo.frontend_attributes = {key = "value"}} : tensor<4xf32>
    %atan2 = stablehlo.atan2 %add, %a : tensor<4xf32>
    %cbrt = stablehlo.cbrt %a : tensor<4xf32>
    %ceil = stablehlo.ceil %cbrt : tensor<4xf32>
    %floor = stablehlo.floor %ceil : tensor<4xf32>
    %clz = stablehlo.count_leading_zeros %n : tensor<4xi32>
    %popcnt = stablehlo.popcnt %clz : tensor<4xi32>
    %not = stablehlo.not %popcnt : tensor<4xi32>
    %and = stablehlo.and %not, %n : tensor<4xi32>
    %or = stablehlo.or %and, %n : tensor<4xi32>
    %xor = stablehlo.xor %or, %n : tensor<4xi32>
    %left = stablehlo.shift_left %xor, %n : tensor<4xi32>
    %right = stablehlo.shift_right_arithmetic %left, %n : tensor<4xi32>
    %logical = stablehlo.shift_right_logical %right, %n : tensor<4xi32>
    %cosine = stablehlo.cosine %a {result_accuracy = #stablehlo.result_accuracy<ulps = 5, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<4xf32>
    %exp = stablehlo.exponential %a {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<4xf32>
    %expm1 = stablehlo.exponential_minus_one %exp : tensor<4xf32>
    %log = stablehlo.log %expm1 : tensor<4xf32>
    %log1p = stablehlo.log_plus_one %log : tensor<4xf32>
    %logistic = stablehlo.logistic %log1p : tensor<4xf32>
    %sine = stablehlo.sine %logistic : tensor<4xf32>
    %tan = stablehlo.tan %sine : tensor<4xf32>
    %tanh = stablehlo.tanh %tan : tensor<4xf32>
    %sqrt = stablehlo.sqrt %tanh : tensor<4xf32>
    %rsqrt = stablehlo.rsqrt %sqrt : tensor<4xf32>
    %sign = stablehlo.sign %rsqrt : tensor<4xf32>
    %negate = stablehlo.negate %sign : tensor<4xf32>
    %away = stablehlo.round_nearest_afz %negate : tensor<4xf32>
    %even = stablehlo.round_nearest_even %away : tensor<4xf32>
    %subtract = stablehlo.subtract %even, %a : tensor<4xf32>
    %multiply = stablehlo.multiply %subtract, %a : tensor<4xf32>
    %divide = stablehlo.divide %multiply, %a : tensor<4xf32>
    %remainder = stablehlo.remainder %divide, %a : tensor<4xf32>
    %power = stablehlo.power %remainder, %a : tensor<4xf32>
    %maximum = stablehlo.maximum %power, %a : tensor<4xf32>
    %minimum = stablehlo.minimum %maximum, %a : tensor<4xf32>
    %real = stablehlo.real %c : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
    %imag = stablehlo.imag %c : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
    %complex = stablehlo.complex %real, %imag : tensor<4xcomplex<f32>>
    %mixed = stablehlo.add %d, %a : (tensor<?xf32, #stablehlo.bounds<4>>, tensor<4xf32>) -> tensor<4xf32>
    %finite = stablehlo.is_finite %a : (tensor<4xf32>) -> tensor<4xi1>
    %convert = stablehlo.convert %a : (tensor<4xf32>) -> tensor<4xbf16>
    %bitcast = stablehlo.bitcast_convert %a : (tensor<4xf32>) -> tensor<4xi32>
    %reduced = stablehlo.reduce_precision %a, format = e5m10 : tensor<4xf32>
    %equal = stablehlo.compare EQ, %a, %sqrt : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %total = stablehlo.compare LT, %a, %sqrt, TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %select = stablehlo.select %p, %a, %sqrt : tensor<4xi1>, tensor<4xf32>
    %select_bounded = stablehlo.select %p, %d, %a : (tensor<4xi1>, tensor<?xf32, #stablehlo.bounds<4>>, tensor<4xf32>) -> tensor<4xf32>
    %clamp = stablehlo.clamp %s, %a, %s : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    %clamp_equal = stablehlo.clamp %a, %a, %a : tensor<4xf32>
    %constant = stablehlo.constant dense<[1.0, -2.5e-3, 0x7FC00001, 0.0]> : tensor<4xf32>
    %named = stablehlo.constant {key = "value"} dense<[[true, false], [false, false]]> : tensor<2x2xi1>
    %splat = stablehlo.constant dense<(1.0, -0.0)> : tensor<4xcomplex<f32>>
    %pairs = stablehlo.constant dense<[(1.0, 2.0), (3.0, 4.0)]> : tensor<2xcomplex<f64>>
    %empty = stablehlo.constant dense<> : tensor<0x3xi8>
    %iota = stablehlo.iota dim = 0 : tensor<4xi32>
    %dynamic_iota = stablehlo.dynamic_iota %one, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
    %replica = stablehlo.replica_id : tensor<ui32>
    %partition = stablehlo.partition_id : tensor<ui32>
    %token = stablehlo.create_token : !stablehlo.token
    %after = stablehlo.after_all %token, %token : !stablehlo.token
    %none = stablehlo.after_all : !stablehlo.token
    %tuple = stablehlo.tuple %a, %token : tuple<tensor<4xf32>, !stablehlo.token>
    %element = stablehlo.get_tuple_element %tuple[1] : (tuple<tensor<4xf32>, !stablehlo.token>) -> !stablehlo.token
    %barrier:2 = stablehlo.optimization_barrier %a, %i : tensor<4xf32>, tensor<i32>
    stablehlo.optimization_barrier()
    %reshape = stablehlo.reshape %a : (tensor<4xf32>) -> tensor<2x2xf32>
    %dynamic_reshape = stablehlo.dynamic_reshape %a, %one : (tensor<4xf32>, tensor<1xi32>) -> tensor<?xf32>
    %broadcast = stablehlo.broadcast %a, sizes = [2] : (tensor<4xf32>) -> tensor<2x4xf32>
    %in_dim = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %dynamic_in_dim = stablehlo.dynamic_broadcast_in_dim %a, %one, dims = [0] {known_expanding_dimensions = array<i64>, known_nonexpanding_dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<1xi32>) -> tensor<?xf32>
    %transpose = stablehlo.transpose %m, dims = [1, 0] : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %reverse = stablehlo.reverse %m, dims = [0, 1] : tensor<2x2xf32>
    %slice = stablehlo.slice %m [0:2:2, 1:2] : (tensor<2x2xf32>) -> tensor<1x1xf32>
    %slice_scalar = stablehlo.slice %s [] : (tensor<f32>) -> tensor<f32>
    %dynamic_slice = stablehlo.dynamic_slice %a, %i, sizes = [2] : (tensor<4xf32>, tensor<i32>) -> tensor<2xf32>
    %update = stablehlo.dynamic_update_slice %a, %v, %i : (tensor<4xf32>, tensor<2xf32>, tensor<i32>) -> tensor<4xf32>
    %real_slice = stablehlo.real_dynamic_slice %a, %one, %one, %one : (tensor<4xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
    %pad = stablehlo.pad %a, %s, low = [-1], high = [2], interior = [1] : (tensor<4xf32>, tensor<f32>) -> tensor<8xf32>
    %dynamic_pad = stablehlo.dynamic_pad %a, %s, %one, %one, %one : (tensor<4xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
    %concatenate = stablehlo.concatenate %a, %a, %a, dim = 0 : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<12xf32>
    %size = stablehlo.get_dimension_size %d, dim = 0 : (tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<i32>
    %resized = stablehlo.set_dimension_size %a, %i, dim = 0 : (tensor<4xf32>, tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<4>>
    %dot = stablehlo.dot %m, %m, precision = [HIGH, DEFAULT] : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %dot_plain = stablehlo.dot %m, %m : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %general = stablehlo.dot_general %m, %m, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2xf32>
    %outer = stablehlo.dot_general %v, %v, contracting_dims = [] x [] : (tensor<2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
    %convolution = stablehlo.convolution(%image, %kernel) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[0, 1], [1, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [true, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGHEST>]} : (tensor<1x4x4x2xf32>, tensor<3x3x2x2xf32>) -> tensor<1x2x3x2xf32>
    %convolution_plain = stablehlo.convolution(%image, %kernel) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x4x2xf32>, tensor<3x3x2x2xf32>) -> tensor<1x2x2x2xf32>
    %cholesky = stablehlo.cholesky %m, lower = true : tensor<2x2xf32>
    %cholesky_plain = stablehlo.cholesky %m : tensor<2x2xf32>
    %einsum = stablehlo.einsum %m, %m, config = "ab,bc->ac" : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %unary_einsum = stablehlo.unary_einsum %m, config = "ab->a" : (tensor<2x2xf32>) -> tensor<2xf32>
    %fft = stablehlo.fft %c, type = IFFT, length = [4] : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
    %shape = stablehlo.constant dense<4> : tensor<1xi64>
    %rng = stablehlo.rng %s, %s, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
    %next, %bits = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
    %call = stablehlo.custom_call @target(%a, %i) {api_version = 4 : i32, backend_config = {eps = 1.0e-5 : f32, n = 3 : i64}, called_computations = [@double], has_side_effect = true, operand_layouts = [dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<0> : tensor<1xindex>]} : (tensor<4xf32>, tensor<i32>) -> tensor<4xf32>
    stablehlo.custom_call @"a name"() : () -> ()
    %composite = stablehlo.composite "my.op" %a {composite_attributes = {k = 1 : i32}, decomposition = @double, version = 2 : i32} : (tensor<4xf32>) -> tensor<4xf32>
    %sum = stablehlo.reduce(%a init: %s) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %best:2 = stablehlo.reduce(%a init: %s), (%n init: %i) across dimensions = [0] {key = "value"} : (tensor<4xf32>, tensor<4xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
     reducer(%x: tensor<f32>, %y: tensor<f32>) (%j: tensor<i32>, %k: tensor<i32>) {
      %larger = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %value = stablehlo.select %larger, %x, %y : tensor<i1>, tensor<f32>
      %index = stablehlo.select %larger, %j, %k : tensor<i1>, tensor<i32>
      stablehlo.return %value, %index : tensor<f32>, tensor<i32>
    }
    %loop:2 = stablehlo.while(%iterArg = %best#1, %iterArg_0 = %a) : tensor<i32>, tensor<4xf32> attributes {key = "value"}
    cond {
      %less = stablehlo.compare LT, %iterArg, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %less : tensor<i1>
    } do {
      %twice = func.call @double(%iterArg_0) : (tensor<4xf32>) -> tensor<4xf32>
      stablehlo.return %iterArg, %twice : tensor<i32>, tensor<4xf32>
    }
    stablehlo.while()
    cond {
      stablehlo.return %q : tensor<i1>
    } do {
      stablehlo.return
    }
    %case = "stablehlo.case"(%i) ({
      stablehlo.return %a : tensor<4xf32>
    }, {
      stablehlo.return %sqrt : tensor<4xf32>
    }) : (tensor<i32>) -> tensor<4xf32>
    "stablehlo.if"(%q) ({
      stablehlo.return
    }, {
      stablehlo.return
    }) : (tensor<i1>) -> ()
    %sorted:2 = "stablehlo.sort"(%a, %n) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>, %j: tensor<i32>, %k: tensor<i32>):
      %less = stablehlo.compare LT, %x, %y, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %less : tensor<i1>
    }) : (tensor<4xf32>, tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>)
    %gather = "stablehlo.gather"(%m, %one) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0]>, indices_are_sorted = true, slice_sizes = array<i64: 1, 2>}> : (tensor<2x2xf32>, tensor<1xi32>) -> tensor<2xf32>
    %scatter = "stablehlo.scatter"(%m, %one, %v) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = false}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      stablehlo.return %y : tensor<f32>
    }) : (tensor<2x2xf32>, tensor<1xi32>, tensor<2xf32>) -> tensor<2x2xf32>
    %window = "stablehlo.reduce_window"(%m, %s) <{padding = dense<[[0, 0], [1, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %max = stablehlo.maximum %x, %y : tensor<f32>
      stablehlo.return %max : tensor<f32>
    }) : (tensor<2x2xf32>, tensor<f32>) -> tensor<2x1xf32>
    %everywhere = "stablehlo.all_reduce"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %plus = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %plus : tensor<f32>
    }) : (tensor<4xf32>) -> tensor<4xf32>
    %gathered = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
    %sent = "stablehlo.send"(%a, %token) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
    %fed:2 = "stablehlo.infeed"(%token) <{infeed_config = "config", layout = [[0]]}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
    %norm = "stablehlo.batch_norm_inference"(%m, %v, %v, %v, %v) <{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}> : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
    %solved = "stablehlo.triangular_solve"(%m, %m) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    return %a, %p : tensor<4xf32>, tensor<4xi1>
  }
  func.func private @double(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.add %arg0, %arg0 : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  func.func private @declared(tensor<4xf32>, tensor<f32> {mhlo.sharding = "{replicated}"}) -> tensor<4xf32>
}
