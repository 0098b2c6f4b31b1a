// The operations of random quantized programs.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "fuzz/quantized_programs.h"
#include "interpreter/hlo/op.h"
#include "interpreter/stablehlo/to_hlo_quantized.h"

namespace assay {
namespace {

using stablehlo::QuantizedMeaning;
using stablehlo::QuantizedRow;

constexpr std::string_view kSteps[] = {
    // Conversions.
    "uniform_quantize | f[X] | q[X] |",
    "uniform_quantize | f[N,M] | q:1[N,M] |",
    "uniform_quantize | q1[X] | o[X] |",
    "uniform_quantize | q1[N,M] | o:0[N,M] |",
    "uniform_quantize | q1:1[N,M] | o[N,M] |",
    "uniform_dequantize | q[X] | f[X] |",
    "uniform_dequantize | q:1[N,M] | f[N,M] |",
    "bitcast_convert | q[X] | q[X] |",
    // Element-wise operations with types or attributes of their own.
    "add | q:1[N,M] q[N,M] | q:1[N,M] |",
    "add | q:0[N,M] q:0[N,M] | q:0[N,M] |",
    "clamp | q[X] q[X] q[X] | q[X] |",
    "clamp | q[] q[X] q[] | q[X] |",
    "compare | q[X] q[X] | b[X] | {comparison_direction = #stablehlo<comparison_direction LT>}",
    "compare | q[X] q[X] | b[X] | {comparison_direction = #stablehlo<comparison_direction EQ>}",
    "is_finite | q[X] | b[X] |",
    "reduce_precision | q[X] | q[X] | {exponent_bits = 5 : i32, mantissa_bits = 3 : i32}",
    "select | b[X] q[X] q[X] | q[X] |",
    "select | b[] q[X] q[X] | q[X] |",
    "map | q1[N,M] q2[N,M] | q3[N,M] | ({ ^bb0(%x: $q1[], %y: $q2[]): %s = \"stablehlo.multiply\"(%x, %y) : "
    "($q1[], $q2[]) -> $q3[] \"stablehlo.return\"(%s) : ($q3[]) -> () }) {dimensions = array<i64: 0, 1>}",
    // Products. A sum of 32 bits gets a bias, and is requantized.
    "dot | q[N,K] q[K,M] | o[N,M] |",
    "dot | q1[N,K] w1:1[K,M] | s1:1[N,M] |\nuniform_quantize | s1:1[N,M] | o[N,M] |",
    "dot_general | q[N,K] w[K,M] | o[N,M] | {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], "
    "rhs_contracting_dimensions = [0]>}",
    "dot_general | q[K,N,M] w[K,N,M] | q[K,N] | {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = "
    "[0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>}",
    "dot_general | q1[N,K] w1[M,K] | s1[N,M] | {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = "
    "[1], rhs_contracting_dimensions = [1]>}\nadd | s1[N,M] s1[N,M] | s1[N,M] |\nuniform_quantize | s1[N,M] | o[N,M] |",
    "dot_general | q1[N,K] w1:1[K,M] | s1:1[N,M] | {dot_dimension_numbers = "
    "#stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}\n"
    "broadcast_in_dim | s1:0[M] | s1:1[N,M] | {broadcast_dimensions = array<i64: 1>}\n"
    "add | s1:1[N,M] s1:1[N,M] | s1:1[N,M] |\nuniform_quantize | s1:1[N,M] | o[N,M] |",
    "dot_general | f[N,K] w:1[K,M] | f[N,M] | {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = "
    "[1], rhs_contracting_dimensions = [0]>}\nuniform_quantize | f[N,M] | o[N,M] |",
    "convolution | q[N,K,M] w[2,M,K] | o[N,K+1,K] | {batch_group_count = 1 : i64, feature_group_count = 1 : i64, "
    "dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, padding = dense<1> : tensor<1x2xi64>}",
    "convolution | q1[N,K,M] w1:2[3,1,M] | s1:2[N,K,M] | {batch_group_count = 1 : i64, feature_group_count = $M : i64, "
    "dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, padding = dense<1> : tensor<1x2xi64>}\n"
    "broadcast_in_dim | s1:0[M] | s1:2[N,K,M] | {broadcast_dimensions = array<i64: 2>}\n"
    "add | s1:2[N,K,M] s1:2[N,K,M] | s1:2[N,K,M] |\nuniform_quantize | s1:2[N,K,M] | o[N,K,M] |",
    "convolution | f[N,K,M] w:2[1,M,K] | f[N,K,K] | {batch_group_count = 1 : i64, feature_group_count = 1 : i64, "
    "dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>}",
    "dynamic_conv | q[N,K,M] w[2,M,K] p[1,1] | o[N,K+1,K] | {batch_group_count = 1 : i64, feature_group_count = 1 : "
    "i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>}",
    // Linear algebra and normalization.
    "cholesky | q[N,N] | q[N,N] | {lower = true}",
    "triangular_solve | q[N,N] q[N,M] | q[N,M] | {left_side = true, lower = true, unit_diagonal = true, transpose_a = "
    "#stablehlo<transpose NO_TRANSPOSE>}",
    "batch_norm_inference | q[N,M] q[M] q[M] q[M] q[M] | q[N,M] | {epsilon = 0.5 : f32, feature_index = 1 : i64}",
    "batch_norm_training | q[N,M] q[M] q[M] | q[N,M] q[M] q[M] | {epsilon = 0.5 : f32, feature_index = 1 : i64}",
    "batch_norm_grad | q[N,M] q[M] q[M] q[M] q[N,M] | q[N,M] q[M] q[M] | {epsilon = 0.5 : f32, feature_index = 1 : "
    "i64}",
    // Folds of at least two elements: XLA:CPU drops the initial value of a fold of one.
    "reduce | q1[N+1,M] q1[] | q1[M] | ($+q1) {dimensions = array<i64: 0>}",
    "reduce | q1[N,M+1] q1[] | a1[N] | ($+a1) {dimensions = array<i64: 1>}",
    "reduce_window | q1[N,M] q1[] | q1[N,M+1] | ($+q1) {window_dimensions = array<i64: 1, 2>, padding = "
    "dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>}",
    "reduce_window | q1[N,M+1] q1[] | a1[N,M] | ($+a1) {window_dimensions = array<i64: 1, 2>}",
    "scatter | q1[N,M] i[K,1] q1[K,M] | q1[N,M] | ($^q1) {scatter_dimension_numbers = #stablehlo.scatter<"
    "update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}",
    "scatter | q1[N,M] i[K,1] q2[K,M] | a1[N,M] | ($^a1) {scatter_dimension_numbers = #stablehlo.scatter<"
    "update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}",
    "select_and_scatter | q1[N,M+1] q1[N,M] q1[] | q1[N,M+1] | ($>q1, $^q1) {window_dimensions = array<i64: 1, 2>}",
    // Movement.
    "broadcast | q1[M] | q1[N,M] | {broadcast_sizes = array<i64: $N>}",
    "broadcast_in_dim | q1[M] | q1[N,M] | {broadcast_dimensions = array<i64: 1>}",
    "broadcast_in_dim | q1:0[M] | q1:1[N,M] | {broadcast_dimensions = array<i64: 1>}",
    "dynamic_broadcast_in_dim | q1[M] k[N,M] | q1[N,M] | {broadcast_dimensions = array<i64: 1>}",
    "concatenate | q1[N,M] q1[K,M] | q1[N+K,M] | {dimension = 0 : i64}",
    "gather | q1[N,M] i[K,1] | q1[K,M] | {dimension_numbers = #stablehlo.gather<offset_dims = [1], "
    "collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, $M>}",
    "dynamic_gather | q1[N,M] i[K,1] k[1,M] | q1[K,M] | {dimension_numbers = #stablehlo.gather<offset_dims = [1], "
    "collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}",
    "dynamic_iota | k[N,M] | q[N,M] | {iota_dimension = 1 : i64}",
    "iota | | q[N,M] | {iota_dimension = 0 : i64}",
    "pad | q1[N,M] q1[] | q1[N+2,M] | {edge_padding_low = array<i64: 2, -1>, edge_padding_high = array<i64: 0, 1>, "
    "interior_padding = array<i64: 0, 0>}",
    "dynamic_pad | q1[N,M] q1[] k[1,0] k[0,2] k[0,0] | q1[N+1,M+2] |",
    "reshape | q1[N,M] | q1[N*M] |",
    "reshape | q1:1[N,M] | q1:1[N,M,1] |",
    "dynamic_reshape | q1[N,M] k[M,N] | q1[M,N] |",
    "reverse | q1[N,M] | q1[N,M] | {dimensions = array<i64: 1>}",
    "slice | q1[N,M] | q1[N,1] | {start_indices = array<i64: 0, 0>, limit_indices = array<i64: $N, 1>, strides = "
    "array<i64: 1, 1>}",
    "dynamic_slice | q1[N,M] i[] i[] | q1[1,M] | {slice_sizes = array<i64: 1, $M>}",
    "dynamic_update_slice | q1[N,M] q1[1,M] i[] i[] | q1[N,M] |",
    "real_dynamic_slice | q1[N,M] k[0,0] k[N,1] k[1,1] | q1[N,1] |",
    "sort | q1[N,M] | q1[N,M] | ($>q1) {dimension = 1 : i64, is_stable = true}",
    "transpose | q1[N,M] | q1[M,N] | {permutation = array<i64: 1, 0>}",
    "transpose | q1:1[N,M] | q1:0[M,N] | {permutation = array<i64: 1, 0>}",
    "get_dimension_size | q[N,M] | i[] | {dimension = 0 : i64}",
    "optimization_barrier | q1[X] | q1[X] |",
    "get_tuple_element | q1[X] o1:0[N] | o1:0[N] | $rt = \"stablehlo.tuple\"($0, $1) : ($q1[X], $o1:0[N]) -> "
    "tuple<$q1[X], $o1:0[N]> $r = \"stablehlo.get_tuple_element\"($rt) {index = 1 : i32} : (tuple<$q1[X], $o1:0[N]>) "
    "-> $o1:0[N]",
    // Control flow.
    "if | b[]; q1[X] q2[X] | q3[X] | ({ %t = \"stablehlo.add\"($1, $2) : ($q1[X], $q2[X]) -> $q3[X] "
    "\"stablehlo.return\"(%t) : ($q3[X]) -> () }, { %t = \"stablehlo.negate\"($2) : ($q2[X]) -> $q3[X] "
    "\"stablehlo.return\"(%t) : ($q3[X]) -> () })",
    "case | i[]; q1[X] q2[X] | q1[X] | ({ \"stablehlo.return\"($1) : ($q1[X]) -> () }, { %t = \"stablehlo.abs\"($2) : "
    "($q2[X]) -> $q1[X] \"stablehlo.return\"(%t) : ($q1[X]) -> () })",
    "while | i[] q1[X]; q2[X] | i[] q1[X] | ({ ^bb0(%i: $i[], %x: $q1[X]): %n = \"stablehlo.constant\"() {value = "
    "dense<3> : $i[]} : () -> $i[] %c = \"stablehlo.compare\"(%i, %n) {comparison_direction = "
    "#stablehlo<comparison_direction LT>} : ($i[], $i[]) -> $b[] \"stablehlo.return\"(%c) : ($b[]) -> () }, { "
    "^bb0(%i: $i[], %x: $q1[X]): %n = \"stablehlo.constant\"() {value = dense<1> : $i[]} : () -> $i[] %j = "
    "\"stablehlo.add\"(%i, %n) : ($i[], $i[]) -> $i[] %y = \"stablehlo.subtract\"($2, %x) : ($q2[X], $q1[X]) -> $q1[X] "
    "\"stablehlo.return\"(%j, %y) : ($i[], $q1[X]) -> () })",
    // Collectives of one device: a fold of one operand requantizes it, and a permutation may have no pair.
    "all_gather | q1[N,M] | q1[N,M] | {all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>}",
    "all_reduce | q1[X] | a1[X] | ($+a1) {replica_groups = dense<0> : tensor<1x1xi64>}",
    "all_to_all | q1[N,M] | q1[N,M] | {split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 1 : i64, "
    "replica_groups = dense<0> : tensor<1x1xi64>}",
    "collective_broadcast | q1[X] | q1[X] | {replica_groups = dense<0> : tensor<1x1xi64>}",
    "collective_permute | q1[X] | q1[X] | {source_target_pairs = dense<> : tensor<0x2xi64>}",
    "collective_permute | q1[X] | q1[X] | {source_target_pairs = dense<0> : tensor<1x2xi64>}",
    "reduce_scatter | q1[N,M] | a1[N,M] | ($+a1) {scatter_dimension = 0 : i64, replica_groups = dense<0> : "
    "tensor<1x1xi64>}",
};

constexpr std::string_view kNoHost = "a backend has no host, and one device has no peer";
constexpr std::string_view kNoMeaning = "the program, not StableHLO, defines its result";
constexpr NotDrawnOperation kNotDrawn[] = {
    {"async_done", "it wraps a collective"},
    {"async_start", "it wraps a collective"},
    {"collective_reduce", "StableHLO's specification does not have it"},
    {"composite", kNoMeaning},
    {"custom_call", kNoMeaning},
    {"infeed", kNoHost},
    {"outfeed", kNoHost},
    {"recv", kNoHost},
    {"send", kNoHost},
    {"set_dimension_size", "arguments have the sizes of their types"},
};

// True if the row is that of an operation without attributes whose operands and result have one shape, and which no
// other step draws with all of its types.
bool HasPlainStep(const QuantizedRow& row, const Op* op) {
  constexpr std::string_view kOwn[] = {"clamp", "compare", "convolution", "is_finite", "reduce_precision", "select"};
  const bool has_kernel = op != nullptr && op->evaluation.kernel != nullptr;
  return row.meaning == QuantizedMeaning::kExpressed && has_kernel && std::ranges::count(kOwn, row.name) == 0;
}

}  // namespace

std::span<const std::string> QuantizedSteps() {
  static const std::vector<std::string> steps = [] {
    std::vector<std::string> all(std::begin(kSteps), std::end(kSteps));
    for (const QuantizedRow& row : stablehlo::QuantizedRows()) {
      std::string hlo(row.name);
      std::ranges::replace(hlo, '_', '-');
      const Op* op = FindOp(hlo);
      if (!HasPlainStep(row, op)) continue;
      std::string operands;
      for (int i = 0; i < op->legality.arity.min; ++i) operands += " q[X]";
      all.push_back(fmt::format("{} |{} | q[X] |", row.name, operands));
    }
    return all;
  }();
  return steps;
}

std::span<const NotDrawnOperation> QuantizedOperationsNotDrawn() { return kNotDrawn; }

}  // namespace assay
