// Bodies of a function, between lines of dashes: artifacts_test.py has the function and its arguments. Each operation of
// VHLO is there, with attributes that differ from their defaults and without them.
%0 = stablehlo.composite "my.op" %a {composite_attributes = {n = 1 : i64, s = "x"}, decomposition = @dec, version = 2 : i32} : (tensor<4x4xf32>) -> tensor<4x4xf32>
// -----
%0 = stablehlo.after_all %t, %t : !stablehlo.token
// -----
%0 = stablehlo.create_token : !stablehlo.token
// -----
%0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<4x4xf32>) -> tensor<4x8xf32>
// -----
%0:2 = "stablehlo.all_gather"(%a, %a) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
// -----
%0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %z = stablehlo.add %x, %y : tensor<f32> stablehlo.return %z : tensor<f32> }) : (tensor<4x4xf32>) -> tensor<4x4xf32>
// -----
%0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, use_global_device_ids}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %z = stablehlo.add %x, %y : tensor<f32> stablehlo.return %z : tensor<f32> }) : (tensor<4x4xf32>) -> tensor<4x4xf32>
// -----
%0:2 = "stablehlo.all_reduce"(%a, %a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %z = stablehlo.add %x, %y : tensor<f32> stablehlo.return %z : tensor<f32> }) : (tensor<4x4xf32>, tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>)
// -----
%0 = "stablehlo.all_to_all"(%a) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<4x4xf32>) -> tensor<8x2xf32>
// -----
%0 = "stablehlo.all_to_all"(%a) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>}> : (tensor<4x4xf32>) -> tensor<8x2xf32>
// -----
%0 = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %z = stablehlo.add %x, %y : tensor<f32> stablehlo.return %z : tensor<f32> }) : (tensor<4x4xf32>) -> tensor<2x4xf32>
// -----
%0 = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, use_global_device_ids}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %z = stablehlo.add %x, %y : tensor<f32> stablehlo.return %z : tensor<f32> }) : (tensor<4x4xf32>) -> tensor<2x4xf32>
// -----
%0 = "stablehlo.collective_broadcast"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
// -----
%0 = "stablehlo.collective_broadcast"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
// -----
%0 = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
// -----
%0 = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
// -----
%0 = "stablehlo.async_start"(%a) ({ ^bb0(%arg0: tensor<4x4xf32>): %1 = "stablehlo.all_reduce"(%arg0) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, use_global_device_ids}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %z = stablehlo.add %x, %y : tensor<f32> stablehlo.return %z : tensor<f32> }) : (tensor<4x4xf32>) -> tensor<4x4xf32>
 stablehlo.return %1 : tensor<4x4xf32> }) : (tensor<4x4xf32>) -> !stablehlo.future<tensor<4x4xf32>>
 %2 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<4x4xf32>>) -> tensor<4x4xf32>
// -----
%0:3 = "stablehlo.batch_norm_grad"(%a, %v, %v, %v, %a) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>)
// -----
%0 = "stablehlo.batch_norm_inference"(%a, %v, %v, %v, %v) <{epsilon = 0.0 : f32, feature_index = 0 : i64}> : (tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x4xf32>
// -----
%0:3 = "stablehlo.batch_norm_training"(%a, %v, %v) <{epsilon = -1.5e-30 : f32, feature_index = 0 : i64}> : (tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>)
// -----
%0 = "stablehlo.broadcast"(%a) <{broadcast_sizes = array<i64: 2, 3>}> : (tensor<4x4xf32>) -> tensor<2x3x4x4xf32>
// -----
%0 = "stablehlo.case"(%i) ({ stablehlo.return %a : tensor<4x4xf32> }, { stablehlo.return %b : tensor<4x4xf32> }, { stablehlo.return %a : tensor<4x4xf32> }) : (tensor<i32>) -> tensor<4x4xf32>
// -----
%0 = "stablehlo.if"(%p) ({ stablehlo.return %a : tensor<4x4xf32> }, { %q = stablehlo.add %a, %b : tensor<4x4xf32> stablehlo.return %q : tensor<4x4xf32> }) : (tensor<i1>) -> tensor<4x4xf32>
// -----
%0 = stablehlo.cholesky %a, lower = true : tensor<4x4xf32>
// -----
%0 = stablehlo.cholesky %a : tensor<4x4xf32>
// -----
%0 = stablehlo.composite "my.op" %a {decomposition = @dec} : (tensor<4x4xf32>) -> tensor<4x4xf32>
// -----
%0 = "stablehlo.composite"(%a) <{name = "my.op", decomposition = @dec}> ({ ^bb0(%x: tensor<4x4xf32>): stablehlo.return %x : tensor<4x4xf32> }) : (tensor<4x4xf32>) -> tensor<4x4xf32>
// -----
%0 = stablehlo.count_leading_zeros %u : tensor<4xui32>
// -----
%0 = stablehlo.not %u : tensor<4xui32>
// -----
%0 = "stablehlo.cross-replica-sum"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
// -----
%0 = stablehlo.dot %a, %b : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
// -----
%0 = stablehlo.dot %a, %b, precision = [HIGH, HIGHEST] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
// -----
%0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3, allow_imprecise_accumulation = false> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
// -----
%0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4xf32>
// -----
%0 = "stablehlo.dynamic_broadcast_in_dim"(%a, %s3) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<4x4xf32>, tensor<3xi64>) -> tensor<?x4x4xf32>
// -----
%0 = "stablehlo.dynamic_broadcast_in_dim"(%a, %s3) <{broadcast_dimensions = array<i64: 1, 2>, known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 1>}> : (tensor<4x4xf32>, tensor<3xi64>) -> tensor<?x4x4xf32>
// -----
%0 = "stablehlo.dynamic_conv"(%im, %k, %pad) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x2xf32>, tensor<3x3x2x5xf32>, tensor<2x2xi64>) -> tensor<?x?x?x?xf32>
// -----
%0 = "stablehlo.dynamic_conv"(%im, %k, %pad) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, window_strides = array<i64: 2, 1>, rhs_dilation = array<i64: 1, 2>, window_reversal = array<i1: true, false>, precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision DEFAULT>]}> : (tensor<1x8x8x2xf32>, tensor<3x3x2x5xf32>, tensor<2x2xi64>) -> tensor<?x?x?x?xf32>
// -----
%0 = "stablehlo.convolution"(%im, %k) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, window_strides = array<i64: 2, 1>, lhs_dilation = array<i64: 2, 2>, padding = dense<[[1, 0], [0, 2]]> : tensor<2x2xi64>, window_reversal = array<i1: false, true>}> : (tensor<1x8x8x2xf32>, tensor<3x3x2x5xf32>) -> tensor<1x7x15x5xf32>
// -----
%0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, f]x[i, o]->[b, f]>, feature_group_count = 1 : i64}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
// -----
%0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, f]x[i, o]->[b, f]>, feature_group_count = 1 : i64, window_strides = array<i64>, padding = dense<> : tensor<0x2xi64>, window_reversal = array<i1>}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
// -----
%0 = "stablehlo.dynamic_gather"(%a, %gi, %s2) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = true}> : (tensor<4x4xf32>, tensor<2x1xi32>, tensor<2xi64>) -> tensor<2x?xf32>
// -----
%0 = "stablehlo.dynamic_gather"(%a, %gi, %s2) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<4x4xf32>, tensor<2x1xi32>, tensor<2xi64>) -> tensor<2x?xf32>
// -----
%0 = "stablehlo.gather"(%a, %g4) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>, indices_are_sorted = true}> : (tensor<4x4xf32>, tensor<4x1xi32>) -> tensor<4xf32>
// -----
%0 = "stablehlo.gather"(%a, %gi0) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0]>, slice_sizes = array<i64: 1, 4>}> : (tensor<4x4xf32>, tensor<1x2xi32>) -> tensor<2x4xf32>
// -----
%0 = "stablehlo.scatter"(%a, %g4, %v) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>, unique_indices = true}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %z = stablehlo.add %x, %y : tensor<f32> stablehlo.return %z : tensor<f32> }) : (tensor<4x4xf32>, tensor<4x1xi32>, tensor<4xf32>) -> tensor<4x4xf32>
// -----
%0 = "stablehlo.scatter"(%a, %g4, %a) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %z = stablehlo.add %x, %y : tensor<f32> stablehlo.return %z : tensor<f32> }) : (tensor<4x4xf32>, tensor<4x1xi32>, tensor<4x4xf32>) -> tensor<4x4xf32>
// -----
%0 = stablehlo.dynamic_iota %s2, dim = 1 : (tensor<2xi64>) -> tensor<?x?xf32>
// -----
%0 = stablehlo.dynamic_pad %a, %f, %s2, %s2, %s2 : (tensor<4x4xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
// -----
%0 = stablehlo.dynamic_reshape %a, %s2 : (tensor<4x4xf32>, tensor<2xi64>) -> tensor<?x?xf32>
// -----
%0 = stablehlo.real_dynamic_slice %a, %s2, %s2, %s2 : (tensor<4x4xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
// -----
%0 = "stablehlo.einsum"(%a, %b) <{einsum_config = "ij,jk->ik"}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
// -----
%0 = "stablehlo.unary_einsum"(%a) <{einsum_config = "ij->ji"}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
// -----
%0:2 = "stablehlo.infeed"(%t) <{infeed_config = "foobar", layout = [[0, 1]]}> : (!stablehlo.token) -> (tensor<4x4xf32>, !stablehlo.token)
// -----
%0:2 = "stablehlo.infeed"(%t) : (!stablehlo.token) -> (tensor<4x4xf32>, !stablehlo.token)
// -----
%0 = "stablehlo.outfeed"(%a, %t) <{outfeed_config = "cfg\00\22"}> : (tensor<4x4xf32>, !stablehlo.token) -> !stablehlo.token
// -----
%0 = "stablehlo.outfeed"(%a, %t) : (tensor<4x4xf32>, !stablehlo.token) -> !stablehlo.token
// -----
%0 = stablehlo.logistic %a : tensor<4x4xf32>
// -----
%0 = "stablehlo.map"(%a, %b) <{dimensions = array<i64: 0, 1>}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %z = stablehlo.add %x, %y : tensor<f32> stablehlo.return %z : tensor<f32> }) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
// -----
%0:2 = stablehlo.optimization_barrier %a, %i : tensor<4x4xf32>, tensor<i32>
// -----
%0 = stablehlo.partition_id : tensor<ui32>
// -----
%0 = stablehlo.replica_id : tensor<ui32>
// -----
%0:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<4x4xf32>, !stablehlo.token)
// -----
%0:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 0, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (!stablehlo.token) -> (tensor<4x4xf32>, !stablehlo.token)
// -----
%0:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 0, type = 1>}> : (!stablehlo.token) -> (tensor<4x4xf32>, !stablehlo.token)
// -----
%0 = "stablehlo.send"(%a, %t) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 2>, is_host_transfer = true}> : (tensor<4x4xf32>, !stablehlo.token) -> !stablehlo.token
// -----
%0 = "stablehlo.send"(%a, %t) <{channel_handle = #stablehlo.channel_handle<handle = 0, type = 1>, is_host_transfer = false, source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<4x4xf32>, !stablehlo.token) -> !stablehlo.token
// -----
%0 = "stablehlo.send"(%a, %t) <{channel_handle = #stablehlo.channel_handle<handle = 0, type = 1>}> : (tensor<4x4xf32>, !stablehlo.token) -> !stablehlo.token
// -----
%0 = stablehlo.rng %f, %f, %s2, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<4x4xf32>
// -----
%0 = stablehlo.rng %f, %f, %s2, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<4x4xf32>
// -----
%0:2 = stablehlo.rng_bit_generator %st, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui32>)
// -----
%0 = stablehlo.round_nearest_even %a : tensor<4x4xf32>
// -----
%0 = stablehlo.round_nearest_afz %a : tensor<4x4xf32>
// -----
%0 = stablehlo.set_dimension_size %a, %i, dim = 1 : (tensor<4x4xf32>, tensor<i32>) -> tensor<4x?xf32, #stablehlo.bounds<?, 4>>
// -----
%0 = stablehlo.get_dimension_size %a, dim = 1 : (tensor<4x4xf32>) -> tensor<i32>
// -----
%0 = "stablehlo.torch_index_select"(%a, %iv) <{batch_dims = 0 : i64, dim = 1 : i64}> : (tensor<4x4xf32>, tensor<2xi32>) -> tensor<4x2xf32>
// -----
%0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = true}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
// -----
%0:2 = "stablehlo.reduce_window"(%a, %b, %f, %f) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 2>, base_dilations = array<i64: 2, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>, %w: tensor<f32>): %q = stablehlo.add %x, %z : tensor<f32> stablehlo.return %q, %y : tensor<f32>, tensor<f32> }) : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<f32>, tensor<f32>) -> (tensor<7x2xf32>, tensor<7x2xf32>)
// -----
%0 = "stablehlo.select_and_scatter"(%a, %src, %f) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>, padding = dense<0> : tensor<2x2xi64>}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %z = stablehlo.compare GE, %x, %y, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %z : tensor<i1> }, { ^bb0(%x: tensor<f32>, %y: tensor<f32>): %z = stablehlo.add %x, %y : tensor<f32> stablehlo.return %z : tensor<f32> }) : (tensor<4x4xf32>, tensor<2x2xf32>, tensor<f32>) -> tensor<4x4xf32>
// -----
%0:2 = "stablehlo.sort"(%a, %b) <{dimension = 1 : i64, is_stable = true}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>, %v1: tensor<f32>, %w: tensor<f32>): %z = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %z : tensor<i1> }) : (tensor<4x4xf32>, tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>)
// -----
%0:2 = "stablehlo.sort"(%a, %b) ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>, %v1: tensor<f32>, %w: tensor<f32>): %z = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %z : tensor<i1> }) : (tensor<4x4xf32>, tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>)
// -----
%0 = "stablehlo.exponential"(%a) <{result_accuracy = #stablehlo.result_accuracy<atol = 1.000000e-05, rtol = 0.3, ulps = 10, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
// -----
%0 = "stablehlo.tan"(%a) <{result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
// -----
%0 = stablehlo.tuple %a, %i : tuple<tensor<4x4xf32>, tensor<i32>> %1 = stablehlo.get_tuple_element %0[1] : (tuple<tensor<4x4xf32>, tensor<i32>>) -> tensor<i32>
// -----
%0 = stablehlo.custom_call @t(%a) {backend_config = {a = 1 : i8, b = "s", u = 200 : ui8, f = 0x7FC00000 : f32, h = 1.5 : bf16, z = -1.0 : f64, l = [true, false]}, api_version = 4 : i32, has_side_effect = true, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>], called_computations = [@dec], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], mhlo.frontend_attributes = {k = "v"}, mhlo.sharding = "{replicated}"} : (tensor<4x4xf32>) -> tensor<4x4xf32>
// -----
%0 = stablehlo.custom_call @t(%a) {backend_config = "x", api_version = 2 : i32} : (tensor<4x4xf32>) -> tensor<4x4xf32>
// -----
%0 = "stablehlo.all_reduce"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name="x", size=4>], device_ids = dense<[1,0,2,3]> : tensor<4xi64>>, axes = [#stablehlo.axis_ref<name = "x", sub_axis_info = (1)2>]>, use_global_device_ids}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %z = stablehlo.add %x, %y : tensor<f32> stablehlo.return %z : tensor<f32> }) : (tensor<4x4xf32>) -> tensor<4x4xf32>
// -----
%0 = "stablehlo.all_reduce"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name="x", size=4>]>, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %z = stablehlo.add %x, %y : tensor<f32> stablehlo.return %z : tensor<f32> }) : (tensor<4x4xf32>) -> tensor<4x4xf32>
// -----
%0:2 = stablehlo.while(%x = %i, %y = %a) : tensor<i32>, tensor<4x4xf32> cond { %c = stablehlo.compare LT, %x, %i, UNSIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1> stablehlo.return %c : tensor<i1> } do { stablehlo.return %x, %b : tensor<i32>, tensor<4x4xf32> }
// -----
%0 = stablehlo.constant dense<[true,false,true]> : tensor<3xi1>
// -----
%0 = stablehlo.constant dense<true> : tensor<3xi1>
// -----
%0 = stablehlo.constant dense<true> : tensor<100xi1>
// -----
%0 = stablehlo.constant dense<false> : tensor<i1>
// -----
%0 = stablehlo.constant dense<"0x0102"> : tensor<2xi8>
// -----
%0 = stablehlo.constant dense<[1,-2,3]> : tensor<3xi4>
// -----
%0 = stablehlo.constant dense<[1,3]> : tensor<2xui4>
// -----
%0 = stablehlo.constant dense<[1,-2]> : tensor<2xi2>
// -----
%0 = stablehlo.constant dense<1> : tensor<5xui64>
// -----
%0 = stablehlo.constant dense<> : tensor<0x3xf32>
// -----
%0 = stablehlo.constant dense<[1.0,2.0]> : tensor<2xf8E4M3FN>
// -----
%0 = stablehlo.constant dense<1.0> : tensor<4xf4E2M1FN>
// -----
%0 = stablehlo.constant dense<[1.0,-2.0]> : tensor<2xf6E2M3FN>
// -----
%0 = stablehlo.constant dense<1.0> : tensor<2xf6E3M2FN>
// -----
%0 = stablehlo.constant dense<[1.0,2.0]> : tensor<2xf8E8M0FNU>
// -----
%0 = stablehlo.constant dense<[1.0,2.0]> : tensor<2xf8E3M4>
// -----
%0 = stablehlo.constant dense<[1.0,2.0]> : tensor<2xf8E4M3>
// -----
%0 = stablehlo.constant dense<[1.0,2.0]> : tensor<2xf8E5M2>
// -----
%0 = stablehlo.constant dense<[1.0,2.0]> : tensor<2xf8E5M2FNUZ>
// -----
%0 = stablehlo.constant dense<[1.0,2.0]> : tensor<2xf8E4M3FNUZ>
// -----
%0 = stablehlo.constant dense<[1.0,2.0]> : tensor<2xf8E4M3B11FNUZ>
// -----
%0 = stablehlo.constant dense<[1.0,2.0]> : tensor<2xf16>
// -----
%0 = stablehlo.constant dense<[1.0,2.0]> : tensor<2xbf16>
// -----
%0 = stablehlo.constant dense<[0x7FF8000000000001,2.0]> : tensor<2xf64>
// -----
%0 = stablehlo.constant dense<[(1.0,2.0),(3.0,-0.0)]> : tensor<2xcomplex<f32>>
// -----
%0 = stablehlo.constant dense<(1.0,2.0)> : tensor<3xcomplex<f64>>
// -----
%0 = stablehlo.constant dense<[[1,2],[3,4]]> : tensor<2x2xi32>
// -----
%0 = stablehlo.constant dense<[false, true, true, false, true, true, false, true, true, false, true, true, false, true, true, false, true, true, false, true, true, false, true, true, false, true, true, false, true, true, false, true, true, false, true, true, false, true, true, false, true, true, false, true, true, false, true, true, false, true, true, false, true, true, false, true, true, false, true, true, false, true, true, false, true, true, false, true, true, false, true, true, false, true, true, false, true, true, false, true, true, false, true, true, false, true, true, false, true, true, false, true, true, false, true, true, false, true, true, false]> : tensor<100xi1>
// -----
%0 = stablehlo.abs %a : tensor<4x4xf32>
// -----
%0 = stablehlo.cbrt %a : tensor<4x4xf32>
// -----
%0 = stablehlo.ceil %a : tensor<4x4xf32>
// -----
%0 = stablehlo.cosine %a : tensor<4x4xf32>
// -----
%0 = stablehlo.exponential %a : tensor<4x4xf32>
// -----
%0 = stablehlo.exponential_minus_one %a : tensor<4x4xf32>
// -----
%0 = stablehlo.floor %a : tensor<4x4xf32>
// -----
%0 = stablehlo.log %a : tensor<4x4xf32>
// -----
%0 = stablehlo.log_plus_one %a : tensor<4x4xf32>
// -----
%0 = stablehlo.negate %a : tensor<4x4xf32>
// -----
%0 = stablehlo.rsqrt %a : tensor<4x4xf32>
// -----
%0 = stablehlo.sign %a : tensor<4x4xf32>
// -----
%0 = stablehlo.sine %a : tensor<4x4xf32>
// -----
%0 = stablehlo.sqrt %a : tensor<4x4xf32>
// -----
%0 = stablehlo.tan %a : tensor<4x4xf32>
// -----
%0 = stablehlo.tanh %a : tensor<4x4xf32>
// -----
%0 = stablehlo.add %a, %b : tensor<4x4xf32>
// -----
%0 = stablehlo.atan2 %a, %b : tensor<4x4xf32>
// -----
%0 = stablehlo.divide %a, %b : tensor<4x4xf32>
// -----
%0 = stablehlo.maximum %a, %b : tensor<4x4xf32>
// -----
%0 = stablehlo.minimum %a, %b : tensor<4x4xf32>
// -----
%0 = stablehlo.multiply %a, %b : tensor<4x4xf32>
// -----
%0 = stablehlo.power %a, %b : tensor<4x4xf32>
// -----
%0 = stablehlo.remainder %a, %b : tensor<4x4xf32>
// -----
%0 = stablehlo.subtract %a, %b : tensor<4x4xf32>
// -----
%0 = stablehlo.and %u, %u : tensor<4xui32>
// -----
%0 = stablehlo.or %u, %u : tensor<4xui32>
// -----
%0 = stablehlo.xor %u, %u : tensor<4xui32>
// -----
%0 = stablehlo.shift_left %u, %u : tensor<4xui32>
// -----
%0 = stablehlo.shift_right_arithmetic %u, %u : tensor<4xui32>
// -----
%0 = stablehlo.shift_right_logical %u, %u : tensor<4xui32>
// -----
%0 = stablehlo.popcnt %u : tensor<4xui32>
// -----
%0 = stablehlo.bitcast_convert %u : (tensor<4xui32>) -> tensor<4xf32>
// -----
%0 = stablehlo.convert %u : (tensor<4xui32>) -> tensor<4xbf16>
// -----
%0 = stablehlo.broadcast_in_dim %v, dims = [1] : (tensor<4xf32>) -> tensor<4x4xf32>
// -----
%0 = stablehlo.clamp %f, %a, %f : (tensor<f32>, tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
// -----
%0 = stablehlo.complex %a, %b : tensor<4x4xcomplex<f32>> %1 = stablehlo.real %0 : (tensor<4x4xcomplex<f32>>) -> tensor<4x4xf32> %2 = stablehlo.imag %0 : (tensor<4x4xcomplex<f32>>) -> tensor<4x4xf32> %3 = stablehlo.fft %0, type = IFFT, length = [4] : (tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
// -----
%0 = stablehlo.concatenate %a, %b, dim = 1 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x8xf32>
// -----
%0 = stablehlo.dynamic_slice %a, %i, %i, sizes = [2, 3] : (tensor<4x4xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
// -----
%0 = stablehlo.dynamic_update_slice %a, %src, %i, %i : (tensor<4x4xf32>, tensor<2x2xf32>, tensor<i32>, tensor<i32>) -> tensor<4x4xf32>
// -----
%0 = stablehlo.iota dim = 1 : tensor<3x5xi8>
// -----
%0 = stablehlo.is_finite %a : (tensor<4x4xf32>) -> tensor<4x4xi1>
// -----
%0 = stablehlo.pad %a, %f, low = [1, -1], high = [0, 2], interior = [0, 1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<5x8xf32>
// -----
%0 = stablehlo.reduce(%a init: %f) applies stablehlo.add across dimensions = [1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
// -----
%0 = stablehlo.reduce_precision %a, format = e5m10 : tensor<4x4xf32>
// -----
%0 = stablehlo.reshape %a : (tensor<4x4xf32>) -> tensor<16xf32>
// -----
%0 = stablehlo.reverse %a, dims = [0, 1] : tensor<4x4xf32>
// -----
%0 = stablehlo.select %p, %a, %b : tensor<i1>, tensor<4x4xf32>
// -----
%0 = stablehlo.slice %a [0:4:2, 1:3] : (tensor<4x4xf32>) -> tensor<2x2xf32>
// -----
%0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
