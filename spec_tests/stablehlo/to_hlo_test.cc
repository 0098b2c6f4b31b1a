// Operations of StableHLO converted to HLO instructions. The expected instructions follow from both specifications and
// are written by hand; to_hlo_test.py compares many more programs with XLA's own conversion.
#include "interpreter/stablehlo/to_hlo.h"

#include <fmt/format.h>

#include <regex>
#include <string>

#include "interpreter/hlo/printer.h"
#include "interpreter/hlo/verifier.h"
#include "spec_tests/catch.h"

namespace assay::stablehlo {
namespace {

std::string ProgramWith(std::string_view operations, std::string_view functions = "") {
  return fmt::format(
      "module @m {{\n{}\nfunc.func @main(%a: tensor<4xf32>, %m: tensor<2x3xf32>, %s: tensor<f32>, %p: tensor<4xi1>,\n"
      "  %c: tensor<4xcomplex<f32>>, %i: tensor<i32>, %n: tensor<4xi32>, %t: !stablehlo.token) {{\n{}\n"
      "  return\n}}\n}}\n",
      functions, operations);
}

// Returns the instructions of all computations, one on a line and without layouts, except parameters and the entry's
// empty result. Returns the error if there is one.
std::string HloOf(const std::string& text) {
  const auto program = ParseText(text);
  if (!program) return "parse: " + program.error().message;
  const auto module = ToHlo(*program);
  if (!module) return module.error().message;
  const auto illegal = FindIllegal(**module);
  if (!illegal.empty()) return "illegal: " + illegal[0].message;
  PrintOptions options;
  options.percent = options.program_shape = options.metadata = false;
  options.large_constants = true;
  std::string instructions;
  for (const HloComputation* computation : ComputationPostOrder(**module, ComputationOrder::kCalleesFirst)) {
    for (const auto& instruction : computation->instructions) {
      if (instruction->op->role == OpRole::kParameter) continue;
      if (instruction.get() == (*module)->entry->root) continue;
      instructions += PrintInstruction(*instruction, options) + "\n";
    }
  }
  static const std::regex layout(R"(\]\{[0-9,]*\})");
  return std::regex_replace(instructions, layout, "]");
}

struct Case {
  std::string_view operation, hlo;
};

constexpr Case kElementwise[] = {
    {"%0 = stablehlo.add %a, %a : tensor<4xf32>", "add = f32[4] add(Arg_0, Arg_0)"},
    {"%0 = stablehlo.count_leading_zeros %n : tensor<4xi32>",
     "count-leading-zeros = s32[4] count-leading-zeros(Arg_6)"},
    {"%0 = stablehlo.abs %c : (tensor<4xcomplex<f32>>) -> tensor<4xf32>", "abs = f32[4] abs(Arg_4)"},
    {"%0 = stablehlo.atan2 %a, %a : tensor<4xf32>", "atan2 = f32[4] atan2(Arg_0, Arg_0)"},
    {R"(%0 = "stablehlo.tanh"(%a) <{result_accuracy = #stablehlo.result_accuracy<atol = 0.0, rtol = 0.0, ulps = 0,
        mode = #stablehlo.result_accuracy_mode<HIGHEST>>}> : (tensor<4xf32>) -> tensor<4xf32>)",
     "tanh = f32[4] tanh(Arg_0), result_accuracy={mode=highest}"},
    {"%0 = stablehlo.compare LT, %a, %a, TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>",
     "compare = pred[4] compare(Arg_0, Arg_0), direction=LT, type=TOTALORDER"},
    {"%0 = stablehlo.select %p, %a, %a : tensor<4xi1>, tensor<4xf32>", "select = f32[4] select(Arg_3, Arg_0, Arg_0)"},
    {"%0 = stablehlo.clamp %s, %a, %s : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>",
     "broadcast = f32[4] broadcast(Arg_2), dimensions={}\nbroadcast.1 = f32[4] broadcast(Arg_2), dimensions={}\n"
     "clamp = f32[4] clamp(broadcast, Arg_0, broadcast.1)"},
    {"%0 = stablehlo.convert %c : (tensor<4xcomplex<f32>>) -> tensor<4xi32>",
     "real = f32[4] real(Arg_4)\nconvert = s32[4] convert(real)"},
    {"%0 = stablehlo.reduce_precision %a, format = e5m10 : tensor<4xf32>",
     "reduce-precision = f32[4] reduce-precision(Arg_0), exponent_bits=5, mantissa_bits=10"},
    {"%0 = stablehlo.bitcast_convert %a : (tensor<4xf32>) -> tensor<4xi32>",
     "bitcast-convert = s32[4] bitcast-convert(Arg_0)"},
    {R"(%0 = "mhlo.bitcast"(%m) {source_layout = dense<[1, 0]> : tensor<2xindex>,
        result_layout = dense<[0, 1]> : tensor<2xindex>} : (tensor<2x3xf32>) -> tensor<2x3xf32>)",
     "bitcast = f32[2,3] bitcast(Arg_1)"},
    {R"(%0 = "mhlo.bitcast"(%m) {source_layout = dense<[1, 0]> : tensor<2xindex>,
        result_layout = dense<[1, 0]> : tensor<2xindex>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
        %1 = stablehlo.negate %0 : tensor<2x3xf32>)",
     "negate = f32[2,3] negate(Arg_1)"},
    {"%0 = chlo.erf %a : tensor<4xf32> -> tensor<4xf32>", "erf = f32[4] erf(Arg_0)"},
    {"%0 = chlo.is_inf %a : tensor<4xf32> -> tensor<4xi1>",
     "abs = f32[4] abs(Arg_0)\nconstant = f32[] constant(inf)\nbroadcast = f32[4] broadcast(constant), dimensions={}\n"
     "compare = pred[4] compare(abs, broadcast), direction=EQ"},
    {"%0 = chlo.broadcast_add %a, %s : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>",
     "broadcast = f32[4] broadcast(Arg_2), dimensions={}\nadd = f32[4] add(Arg_0, broadcast)"},
    {"%0 = chlo.broadcast_select %p, %a, %s : (tensor<4xi1>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>",
     "broadcast = f32[4] broadcast(Arg_2), dimensions={}\nselect = f32[4] select(Arg_3, Arg_0, broadcast)"},
};

constexpr Case kMovement[] = {
    {"%0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>\n%1 = stablehlo.negate %0 : tensor<2xf32>",
     "constant = f32[2] constant({1, 2})\nnegate = f32[2] negate(constant)"},
    {"%0 = stablehlo.constant dense<3> : tensor<2x2xi8>\n%1 = stablehlo.negate %0 : tensor<2x2xi8>",
     "constant = s8[] constant(3)\nbroadcast = s8[2,2] broadcast(constant), dimensions={}\n"
     "negate = s8[2,2] negate(broadcast)"},
    {"%0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<4xf32>) -> tensor<2x4xf32>",
     "broadcast = f32[2,4] broadcast(Arg_0), dimensions={1}"},
    {"%0 = stablehlo.broadcast_in_dim %m, dims = [2, 0] : (tensor<2x3xf32>) -> tensor<3x4x2xf32>",
     "transpose = f32[3,2] transpose(Arg_1), dimensions={1,0}\n"
     "broadcast = f32[3,4,2] broadcast(transpose), dimensions={0,2}"},
    {"%r = stablehlo.reshape %s : (tensor<f32>) -> tensor<1x1xf32>\n"
     "%0 = stablehlo.broadcast_in_dim %r, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<1x5xf32>",
     "reshape = f32[1,1] reshape(Arg_2)\nbroadcast = f32[1,1] broadcast(reshape), dimensions={0,1}\n"
     "reshape.1 = f32[1] reshape(broadcast)\nbroadcast.1 = f32[1,5] broadcast(reshape.1), dimensions={0}"},
    {"%0 = stablehlo.concatenate %a, %a, dim = 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>",
     "concatenate = f32[8] concatenate(Arg_0, Arg_0), dimensions={0}"},
    {"%0 = stablehlo.iota dim = 1 : tensor<2x3xi32>", "iota = s32[2,3] iota(), iota_dimension=1"},
    {"%0 = stablehlo.pad %a, %s, low = [1], high = [-1], interior = [2] : (tensor<4xf32>, tensor<f32>) -> "
     "tensor<10xf32>",
     "pad = f32[10] pad(Arg_0, Arg_2), padding=1_-1_2"},
    {"%0 = stablehlo.slice %m [0:2:2, 1:2] : (tensor<2x3xf32>) -> tensor<1x1xf32>",
     "slice = f32[1,1] slice(Arg_1), slice={[0:2:2], [1:2:1]}"},
    {"%0 = stablehlo.dynamic_slice %m, %i, %i, sizes = [1, 2] : (tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> "
     "tensor<1x2xf32>",
     "dynamic-slice = f32[1,2] dynamic-slice(Arg_1, Arg_5, Arg_5), dynamic_slice_sizes={1,2}"},
    {"%0 = stablehlo.reverse %m, dims = [1] : tensor<2x3xf32>", "reverse = f32[2,3] reverse(Arg_1), dimensions={1}"},
    {"%0 = stablehlo.transpose %m, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>",
     "transpose = f32[3,2] transpose(Arg_1), dimensions={1,0}"},
    {"%0 = stablehlo.tuple %a, %s : tuple<tensor<4xf32>, tensor<f32>>\n"
     "%1 = stablehlo.get_tuple_element %0[1] : (tuple<tensor<4xf32>, tensor<f32>>) -> tensor<f32>",
     "tuple = (f32[4], f32[]) tuple(Arg_0, Arg_2)\n"
     "get-tuple-element = f32[] get-tuple-element(tuple), index=1"},
    {"%0:2 = stablehlo.optimization_barrier %a, %s : tensor<4xf32>, tensor<f32>",
     "tuple = (f32[4], f32[]) tuple(Arg_0, Arg_2)\nopt-barrier = (f32[4], f32[]) opt-barrier(tuple)\n"
     "get-tuple-element = f32[4] get-tuple-element(opt-barrier), index=0\n"
     "get-tuple-element.1 = f32[] get-tuple-element(opt-barrier), index=1"},
    {R"(%0 = "stablehlo.torch_index_select"(%m, %n) <{dim = 1 : i64, batch_dims = 0 : i64}> :
        (tensor<2x3xf32>, tensor<4xi32>) -> tensor<2x4xf32>)",
     "gather = f32[2,4] gather(Arg_1, Arg_6), offset_dims={0}, collapsed_slice_dims={1}, start_index_map={1}, "
     "index_vector_dim=1, slice_sizes={2,1}"},
    {R"(%0 = "stablehlo.gather"(%m, %n) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
        collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>,
        indices_are_sorted = true}> : (tensor<2x3xf32>, tensor<4xi32>) -> tensor<4x3xf32>)",
     "gather = f32[4,3] gather(Arg_1, Arg_6), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, "
     "index_vector_dim=1, slice_sizes={1,3}, indices_are_sorted=true"},
    {R"(%k = stablehlo.constant dense<2> : tensor<i32>
        %0 = "stablehlo.set_dimension_size"(%a, %i) <{dimension = 0 : i64}> :
        (tensor<4xf32>, tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<4>>
        %1 = "stablehlo.get_dimension_size"(%0) <{dimension = 0 : i64}> :
        (tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<i32>)",
     "set-dimension-size = f32[<=4] set-dimension-size(Arg_0, Arg_5), dimensions={0}\n"
     "get-dimension-size = s32[] get-dimension-size(set-dimension-size), dimensions={0}"},
    {R"(%w = stablehlo.constant dense<4> : tensor<1xi32>
        %0 = stablehlo.dynamic_broadcast_in_dim %s, %w, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<4xf32>)",
     "constant = s32[1] constant({4})\nbroadcast = f32[4] broadcast(Arg_2), dimensions={}"},
    {R"(%l = stablehlo.constant dense<1> : tensor<1xi32>
        %0 = stablehlo.dynamic_pad %a, %s, %l, %l, %l : (tensor<4xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>,
        tensor<1xi32>) -> tensor<9xf32>)",
     "constant = s32[1] constant({1})\npad = f32[9] pad(Arg_0, Arg_2), padding=1_1_1"},
};

constexpr Case kProducts[] = {
    {"%0 = stablehlo.dot_general %m, %m, contracting_dims = [1] x [1], precision = [HIGHEST, DEFAULT] : "
     "(tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>",
     "dot = f32[2,2] dot(Arg_1, Arg_1), lhs_contracting_dims={1}, rhs_contracting_dims={1}, "
     "operand_precision={highest,default}"},
    {R"(%0 = "stablehlo.dot_general"(%m, %m) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0],
        rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>,
        algorithm = #stablehlo.dot_algorithm<lhs_precision_type = bf16, rhs_precision_type = bf16,
        accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3,
        allow_imprecise_accumulation = false>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2xf32>)",
     "dot = f32[2] dot(Arg_1, Arg_1), lhs_batch_dims={0}, lhs_contracting_dims={1}, rhs_batch_dims={0}, "
     "rhs_contracting_dims={1}, algorithm=dot_bf16_bf16_f32_x3"},
    {"%0 = stablehlo.dot %a, %a : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>",
     "dot = f32[] dot(Arg_0, Arg_0), lhs_contracting_dims={0}, rhs_contracting_dims={0}"},
    {R"(%0 = "stablehlo.einsum"(%m, %m) <{einsum_config = "ab,cb->ca"}> :
        (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>)",
     "dot = f32[2,2] dot(Arg_1, Arg_1), lhs_contracting_dims={1}, rhs_contracting_dims={1}\n"
     "transpose = f32[2,2] transpose(dot), dimensions={1,0}"},
    {R"(%0 = "stablehlo.einsum"(%m, %a) <{einsum_config = "...,b->...b"}> :
        (tensor<2x3xf32>, tensor<4xf32>) -> tensor<2x3x4xf32>)",
     "dot = f32[2,3,4] dot(Arg_1, Arg_0), lhs_contracting_dims={}, rhs_contracting_dims={}"},
    {R"(%0 = "stablehlo.einsum"(%m, %m) <{einsum_config = "...b,...b->..."}> :
        (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2xf32>)",
     "dot = f32[2] dot(Arg_1, Arg_1), lhs_batch_dims={0}, lhs_contracting_dims={1}, rhs_batch_dims={0}, "
     "rhs_contracting_dims={1}"},
    {R"(%x = stablehlo.reshape %a : (tensor<4xf32>) -> tensor<1x4x1xf32>
        %k = stablehlo.slice %x [0:1, 0:2, 0:1] : (tensor<1x4x1xf32>) -> tensor<1x2x1xf32>
        %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[i, 0, o]->[b, 0, f],
        window = {stride = [2], pad = [[1, 0]], lhs_dilate = [1], rhs_dilate = [3], reverse = [true]}
        {batch_group_count = 1 : i64, feature_group_count = 1 : i64} :
        (tensor<1x4x1xf32>, tensor<1x2x1xf32>) -> tensor<1x1x1xf32>)",
     "reshape = f32[1,4,1] reshape(Arg_0)\nslice = f32[1,2,1] slice(reshape), slice={[0:1], [0:2], [0:1]}\n"
     "convolution = f32[1,1,1] convolution(reshape, slice), window={size=2 stride=2 pad=1_0 rhs_dilate=3 "
     "rhs_reversal=1}, dim_labels=b0f_i0o->b0f"},
    {"%0 = stablehlo.fft %c, type = FFT, length = [4] : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>",
     "fft = c64[4] fft(Arg_4), fft_type=FFT, fft_length={4}"},
    {R"(%q = stablehlo.slice %m [0:2, 0:2] : (tensor<2x3xf32>) -> tensor<2x2xf32>
        %0 = stablehlo.cholesky %q, lower = true : tensor<2x2xf32>
        %1 = "stablehlo.triangular_solve"(%0, %m) <{left_side = true, lower = true, unit_diagonal = false,
        transpose_a = #stablehlo<transpose ADJOINT>}> : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>)",
     "slice = f32[2,2] slice(Arg_1), slice={[0:2], [0:2]}\ncholesky = f32[2,2] cholesky(slice), lower=true\n"
     "triangular-solve = f32[2,3] triangular-solve(cholesky, Arg_1), left_side=true, lower=true, transpose_a=ADJOINT"},
    {R"(%z = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
        %0:2 = "stablehlo.rng_bit_generator"(%z) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> :
        (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui32>))",
     "constant = u64[2] constant({1, 2})\n"
     "rng-bit-generator = (u64[2], u32[3]) rng-bit-generator(constant), algorithm=rng_three_fry\n"
     "get-tuple-element = u64[2] get-tuple-element(rng-bit-generator), index=0\n"
     "get-tuple-element.1 = u32[3] get-tuple-element(rng-bit-generator), index=1"},
    {R"(%z = stablehlo.constant dense<[3]> : tensor<1xi64>
        %0 = stablehlo.rng %s, %s, %z, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<1xi64>) ->
        tensor<3xf32>)",
     "constant = s64[1] constant({3})\nrng = f32[3] rng(Arg_2, Arg_2), distribution=rng_normal"},
    {R"(%z = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
        %0 = "stablehlo.batch_norm_inference"(%m, %z, %z, %z, %z) <{epsilon = 0.5 : f32, feature_index = 1 : i64}> :
        (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>)",
     "constant = f32[3] constant({1, 2, 3})\nbatch-norm-inference = f32[2,3] batch-norm-inference(Arg_1, constant, "
     "constant, constant, constant), epsilon=0.5, feature_index=1"},
    {"%0:2 = stablehlo.custom_call @mhlo.topk(%m) {mhlo.attributes = {k = 2 : i64, largest = true, is_stable = false}, "
     "mhlo.version = 1 : i64} : (tensor<2x3xf32>) -> (tensor<2x2xf32>, tensor<2x2xi32>)",
     "topk = (f32[2,2], s32[2,2]) topk(Arg_1), k=2, largest=true, is_stable=false\n"
     "get-tuple-element = f32[2,2] get-tuple-element(topk), index=0\n"
     "get-tuple-element.1 = s32[2,2] get-tuple-element(topk), index=1"},
    {"%0:2 = chlo.top_k(%m, k = 2) : tensor<2x3xf32> -> (tensor<2x2xf32>, tensor<2x2xi32>)",
     "topk = (f32[2,2], s32[2,2]) topk(Arg_1), k=2, largest=true\n"
     "get-tuple-element = f32[2,2] get-tuple-element(topk), index=0\n"
     "get-tuple-element.1 = s32[2,2] get-tuple-element(topk), index=1"},
};

constexpr Case kFolds[] = {
    {"%0 = stablehlo.reduce(%m init: %s) applies stablehlo.add across dimensions = [1] : "
     "(tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>",
     "add = f32[] add(Arg_0.1, Arg_1.1)\nreduce = f32[2] reduce(Arg_1, Arg_2), dimensions={1}, to_apply=region"},
    {R"(%0:2 = "stablehlo.sort"(%a, %n) <{dimension = -1 : i64, is_stable = true}> ({
        ^bb0(%x: tensor<f32>, %y: tensor<f32>, %v: tensor<i32>, %w: tensor<i32>):
          %1 = stablehlo.compare GT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
          stablehlo.return %1 : tensor<i1>
        }) : (tensor<4xf32>, tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>))",
     "compare = pred[] compare(Arg_0.1, Arg_1.1), direction=GT\n"
     "sort = (f32[4], s32[4]) sort(Arg_0, Arg_6), dimensions={0}, is_stable=true, to_apply=region\n"
     "get-tuple-element = f32[4] get-tuple-element(sort), index=0\n"
     "get-tuple-element.1 = s32[4] get-tuple-element(sort), index=1"},
    {R"(%0 = "stablehlo.reduce_window"(%m, %s) <{window_dimensions = array<i64: 1, 2>, 
        window_strides = array<i64: 1, 2>, padding = dense<[[0, 0], [0, 1]]> : tensor<2x2xi64>}> ({
        ^bb0(%x: tensor<f32>, %y: tensor<f32>):
          %1 = stablehlo.maximum %x, %y : tensor<f32>
          stablehlo.return %1 : tensor<f32>
        }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x2xf32>)",
     "maximum = f32[] maximum(Arg_0.1, Arg_1.1)\nreduce-window = f32[2,2] reduce-window(Arg_1, Arg_2), "
     "window={size=1x2 stride=1x2 pad=0_0x0_1}, to_apply=region"},
    {R"(%k = stablehlo.constant dense<2.0> : tensor<f32>
        %0 = "stablehlo.map"(%a) <{dimensions = array<i64: 0>}> ({
        ^bb0(%x: tensor<f32>):
          %1 = stablehlo.multiply %x, %k : tensor<f32>
          stablehlo.return %1 : tensor<f32>
        }) : (tensor<4xf32>) -> tensor<4xf32>)",
     "constant = f32[] constant(2)\nmultiply = f32[] multiply(Arg_0.1, constant)\n"
     "map = f32[4] map(Arg_0), dimensions={0}, to_apply=region"},
};

constexpr Case kTransfers[] = {
    {R"(%0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0]]> : tensor<1x1xi64>,
        channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, use_global_device_ids}> ({
        ^bb0(%x: tensor<f32>, %y: tensor<f32>):
          %1 = stablehlo.add %x, %y : tensor<f32>
          stablehlo.return %1 : tensor<f32>
        }) : (tensor<4xf32>) -> tensor<4xf32>)",
     "add = f32[] add(Arg_0.1, Arg_1.1)\nall-reduce = f32[4] all-reduce(Arg_0), channel_id=3, replica_groups={{0}}, "
     "use_global_device_ids=true, to_apply=region"},
    {R"(%0 = "stablehlo.all_reduce"(%a) <{replica_groups = #stablehlo.replica_group_mesh_axes<
          mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "x", size = 4>]>,
          axes = [#stablehlo.axis_ref<name = "x", sub_axis_info = (1)2>]>,
        channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, use_global_device_ids}> ({
        ^bb0(%x: tensor<f32>, %y: tensor<f32>):
          %1 = stablehlo.add %x, %y : tensor<f32>
          stablehlo.return %1 : tensor<f32>
        }) : (tensor<4xf32>) -> tensor<4xf32>)",
     "add = f32[] add(Arg_0.1, Arg_1.1)\nall-reduce = f32[4] all-reduce(Arg_0), channel_id=3, "
     "replica_groups={{0,2},{1,3}}, use_global_device_ids=true, to_apply=region"},
    {R"(%0 = "stablehlo.all_to_all"(%m) <{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 1 : i64,
        replica_groups = dense<[[0]]> : tensor<1x1xi64>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>)",
     "all-to-all = f32[2,3] all-to-all(Arg_1), replica_groups={{0}}, dimensions={0}\n"
     "reshape = f32[1,2,3] reshape(all-to-all)\ntranspose = f32[2,1,3] transpose(reshape), dimensions={1,0,2}\n"
     "reshape.1 = f32[2,3] reshape(transpose)"},
    {R"(%0 = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, 0]]> : tensor<1x2xi64>}> :
        (tensor<4xf32>) -> tensor<4xf32>)",
     "collective-permute = f32[4] collective-permute(Arg_0), source_target_pairs={{0,0}}"},
    {R"(%0 = stablehlo.create_token : !stablehlo.token
        %1 = stablehlo.after_all %0, %t : !stablehlo.token)",
     "after-all = token[] after-all()\nafter-all.1 = token[] after-all(after-all, Arg_7)"},
    {R"(%0 = "stablehlo.send"(%a, %t) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 2>,
        is_host_transfer = true}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token)",
     "send = (f32[4], u32[], token[]) send(Arg_0, Arg_7), channel_id=5, is_host_transfer=true\n"
     "send-done = token[] send-done(send), channel_id=5, is_host_transfer=true"},
    {R"(%0:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 6, type = 3>,
        is_host_transfer = true}> : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token))",
     "recv = (f32[2], u32[], token[]) recv(Arg_7), channel_id=6, is_host_transfer=true\n"
     "recv-done = (f32[2], token[]) recv-done(recv), channel_id=6, is_host_transfer=true\n"
     "get-tuple-element = f32[2] get-tuple-element(recv-done), index=0\n"
     "get-tuple-element.1 = token[] get-tuple-element(recv-done), index=1"},
    {R"(%0:2 = "stablehlo.infeed"(%t) <{infeed_config = "c"}> : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
        %1 = "stablehlo.outfeed"(%0#0, %0#1) <{outfeed_config = ""}> : (tensor<2xf32>, !stablehlo.token) ->
        !stablehlo.token)",
     "infeed = ((f32[2]), token[]) infeed(Arg_7), infeed_config=\"c\"\n"
     "get-tuple-element = (f32[2]) get-tuple-element(infeed), index=0\n"
     "get-tuple-element.1 = f32[2] get-tuple-element(get-tuple-element), index=0\n"
     "get-tuple-element.2 = token[] get-tuple-element(infeed), index=1\ntuple = (f32[2]) tuple(get-tuple-element.1)\n"
     "outfeed = token[] outfeed(tuple, get-tuple-element.2), outfeed_shape=(f32[2])"},
    {R"(%0 = "stablehlo.custom_call"(%a) <{call_target_name = "f", has_side_effect = true, api_version = 4 : i32,
        backend_config = {lower = true, uplo = 76 : ui8, x = 0.5 : f32}, operand_layouts = [dense<0> : tensor<1xindex>],
        result_layouts = [dense<0> : tensor<1xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<
        output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]}> : (tensor<4xf32>) ->
        tensor<4xf32>)",
     "custom-call = f32[4] custom-call(Arg_0), custom_call_target=\"f\", operand_layout_constraints={f32[4]}, "
     "custom_call_has_side_effect=true, output_to_operand_aliasing={{}: (0, {})}, api_version=API_VERSION_TYPED_FFI, "
     "backend_config={lower = true, uplo = 76 : ui8, x = 5.000000e-01 : f32}"},
};

void Check(std::span<const Case> cases) {
  for (const Case& each : cases) {
    INFO(each.operation);
    CHECK(HloOf(ProgramWith(each.operation)) == std::string(each.hlo) + "\n");
  }
}

TEST_CASE("element-wise operations become HLO's", "[stablehlo]") { Check(kElementwise); }
TEST_CASE("operations that move elements become HLO's", "[stablehlo]") { Check(kMovement); }
TEST_CASE("products, transforms and random numbers become HLO's", "[stablehlo]") { Check(kProducts); }
TEST_CASE("regions of folds become computations", "[stablehlo]") { Check(kFolds); }
TEST_CASE("collectives, transfers and custom calls become HLO's", "[stablehlo]") { Check(kTransfers); }

TEST_CASE("a constant without elements does not stand for a billion empty rows", "[stablehlo]") {
  CHECK(HloOf(ProgramWith("%0 = stablehlo.constant dense<> : tensor<1000000000x0xf32>\n"
                          "%1 = stablehlo.negate %0 : tensor<1000000000x0xf32>"))
            .find("an array without elements may consist of 65536 empty arrays at most") != std::string::npos);
  CHECK(HloOf(ProgramWith(
                  "%0 = stablehlo.constant dense<> : tensor<2x0xf32>\n%1 = stablehlo.negate %0 : tensor<2x0xf32>"))
            .find("f32[2,0]") != std::string::npos);
}

TEST_CASE("a loop carries the values that its regions use from outside", "[stablehlo]") {
  CHECK(HloOf(ProgramWith(R"(
    %k = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.while(%j = %i) : tensor<i32>
    cond {
      %1 = stablehlo.get_dimension_size %n, dim = 0 : (tensor<4xi32>) -> tensor<i32>
      %2 = stablehlo.compare LT, %j, %1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    } do {
      %1 = stablehlo.add %j, %k : tensor<i32>
      stablehlo.return %1 : tensor<i32>
    })")) ==
        "get-tuple-element.2 = s32[] get-tuple-element(arg_tuple.1), index=0\n"
        "get-tuple-element.3 = s32[4] get-tuple-element(arg_tuple.1), index=1\n"
        "constant = s32[] constant(1)\nadd = s32[] add(get-tuple-element.2, constant)\n"
        "tuple = (s32[], s32[4]) tuple(add, get-tuple-element.3)\n"
        "get-tuple-element = s32[] get-tuple-element(arg_tuple), index=0\n"
        "get-tuple-element.1 = s32[4] get-tuple-element(arg_tuple), index=1\n"
        "get-dimension-size = s32[] get-dimension-size(get-tuple-element.1), dimensions={0}\n"
        "compare = pred[] compare(get-tuple-element, get-dimension-size), direction=LT\n"
        "tuple.1 = (s32[], s32[4]) tuple(Arg_5, Arg_6)\n"
        "while = (s32[], s32[4]) while(tuple.1), condition=region, body=region.1\n"
        "get-tuple-element.4 = s32[] get-tuple-element(while), index=0\n");
}

TEST_CASE("a branch has the values that it uses as its argument", "[stablehlo]") {
  CHECK(HloOf(ProgramWith(R"(
    %c0 = stablehlo.constant dense<true> : tensor<i1>
    %0 = "stablehlo.if"(%c0) ({
      %1 = stablehlo.negate %a : tensor<4xf32>
      stablehlo.return %1 : tensor<4xf32>
    }, {
      %k = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
      stablehlo.return %k : tensor<4xf32>
    }) : (tensor<i1>) -> tensor<4xf32>)")) ==
        "negate = f32[4] negate(Arg_0.1)\nconstant.1 = f32[4] constant({1, 2, 3, 4})\n"
        "constant = pred[] constant(true)\ntuple = () tuple()\n"
        "conditional = f32[4] conditional(constant, Arg_0, tuple), true_computation=region, "
        "false_computation=region.1\n");
}

TEST_CASE("a function becomes one computation, and a composite the call of its decomposition", "[stablehlo]") {
  const std::string functions = R"(func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.negate %x : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  func.func private @unused() { return })";
  CHECK(HloOf(ProgramWith(R"(
    %0 = call @f(%a) : (tensor<4xf32>) -> tensor<4xf32>
    %1 = stablehlo.composite "my.op" %0 {composite_attributes = {n = 1 : i32}, decomposition = @f, version = 2 : i32} :
      (tensor<4xf32>) -> tensor<4xf32>
    %2 = stablehlo.composite "chlo.erf" %1 {decomposition = @f, version = 1 : i32} : (tensor<4xf32>) ->
      tensor<4xf32>)",
                          functions)) ==
        "negate = f32[4] negate(Arg_0.1)\ncall = f32[4] call(Arg_0), to_apply=f\n"
        "call.1 = f32[4] call(call), to_apply=f, is_composite=true, frontend_attributes={composite.attributes={n = 1 : "
        "i32},composite.name=\"my.op\",composite.version=\"2\"}\nerf = f32[4] erf(call.1)\n");
}

}  // namespace
}  // namespace assay::stablehlo
