#include "interpreter/stablehlo/from_hlo_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>

#include "interpreter/hlo/op.h"

namespace assay::stablehlo {
namespace {

// Sorted by op. Ops that are absent have no equivalent, or need a host.
constexpr HloRow kRows[] = {
    {"abs", "stablehlo.abs", RaiseDirectly},
    {"acos", "chlo.acos", RaiseDirectly},
    {"acosh", "chlo.acosh", RaiseDirectly},
    {"add", "stablehlo.add", RaiseDirectly},
    {"add-dependency", "", RaiseFirstOperand},
    {"after-all", "stablehlo.after_all", RaiseDirectly},
    {"all-gather", "stablehlo.all_gather", RaiseAllGather},
    {"all-gather-done", "", RaiseFirstOperand},
    {"all-gather-start", "stablehlo.all_gather", RaiseAllGather},
    {"all-reduce", "stablehlo.all_reduce", RaiseAllReduce},
    {"all-reduce-done", "", RaiseFirstOperand},
    {"all-reduce-start", "stablehlo.all_reduce", RaiseAllReduce},
    {"all-to-all", "stablehlo.all_to_all", RaiseAllToAll},
    {"and", "stablehlo.and", RaiseDirectly},
    {"asin", "chlo.asin", RaiseDirectly},
    {"asinh", "chlo.asinh", RaiseDirectly},
    {"async-done", "", RaiseFirstOperand},
    {"async-start", "func.call", RaiseCall},
    {"async-update", "", RaiseFirstOperand},
    {"atan", "chlo.atan", RaiseDirectly},
    {"atan2", "stablehlo.atan2", RaiseDirectly},
    {"atanh", "chlo.atanh", RaiseDirectly},
    {"batch-norm-grad", "stablehlo.batch_norm_grad", RaiseBatchNorm},
    {"batch-norm-inference", "stablehlo.batch_norm_inference", RaiseBatchNorm},
    {"batch-norm-training", "stablehlo.batch_norm_training", RaiseBatchNorm},
    {"bitcast", "stablehlo.reshape", RaiseBitcast},
    {"bitcast-convert", "stablehlo.bitcast_convert", RaiseBitcastConvert},
    {"broadcast", "stablehlo.broadcast_in_dim", RaiseBroadcast},
    {"call", "func.call", RaiseCall},
    {"cbrt", "stablehlo.cbrt", RaiseDirectly},
    {"ceil", "stablehlo.ceil", RaiseDirectly},
    {"cholesky", "stablehlo.cholesky", RaiseCholesky},
    {"clamp", "stablehlo.clamp", RaiseDirectly},
    {"collective-broadcast", "stablehlo.collective_broadcast", RaiseCollectiveBroadcast},
    {"collective-permute", "stablehlo.collective_permute", RaiseCollectivePermute},
    {"collective-permute-done", "", RaiseFirstOperand},
    {"collective-permute-start", "stablehlo.collective_permute", RaiseCollectivePermute},
    {"compare", "stablehlo.compare", RaiseCompare},
    {"complex", "stablehlo.complex", RaiseDirectly},
    {"concatenate", "stablehlo.concatenate", RaiseConcatenate},
    {"conditional", "stablehlo.case", RaiseConditional},
    {"constant", "stablehlo.constant", RaiseConstant},
    {"convert", "stablehlo.convert", RaiseConvert},
    {"convolution", "stablehlo.convolution", RaiseConvolution},
    {"copy", "", RaiseFirstOperand},
    {"copy-done", "", RaiseFirstOperand},
    {"copy-start", "", RaiseFirstOperand},
    {"cosh", "chlo.cosh", RaiseDirectly},
    {"cosine", "stablehlo.cosine", RaiseDirectly},
    {"count-leading-zeros", "stablehlo.count_leading_zeros", RaiseDirectly},
    {"custom-call", "stablehlo.custom_call", RaiseCustomCall},
    {"divide", "stablehlo.divide", RaiseDirectly},
    {"domain", "", RaiseFirstOperand},
    {"dot", "stablehlo.dot_general", RaiseDot},
    {"dynamic-slice", "stablehlo.dynamic_slice", RaiseDynamicSlice},
    {"dynamic-update-slice", "stablehlo.dynamic_update_slice", RaiseDynamicUpdateSlice},
    {"erf", "chlo.erf", RaiseDirectly},
    {"exponential", "stablehlo.exponential", RaiseDirectly},
    {"exponential-minus-one", "stablehlo.exponential_minus_one", RaiseDirectly},
    {"fft", "stablehlo.fft", RaiseFft},
    {"floor", "stablehlo.floor", RaiseDirectly},
    {"fusion", "func.call", RaiseCall},
    {"gather", "stablehlo.gather", RaiseGather},
    {"get-dimension-size", "stablehlo.get_dimension_size", RaiseDimensionSize},
    {"get-tuple-element", "", RaiseGetTupleElement},
    {"imag", "stablehlo.imag", RaiseDirectly},
    {"iota", "stablehlo.iota", RaiseIota},
    {"is-finite", "stablehlo.is_finite", RaiseDirectly},
    {"log", "stablehlo.log", RaiseDirectly},
    {"log-plus-one", "stablehlo.log_plus_one", RaiseDirectly},
    {"logistic", "stablehlo.logistic", RaiseDirectly},
    {"map", "stablehlo.map", RaiseMap},
    {"maximum", "stablehlo.maximum", RaiseDirectly},
    {"minimum", "stablehlo.minimum", RaiseDirectly},
    {"mulhi", "chlo.mulhi", RaiseDirectly},
    {"multiply", "stablehlo.multiply", RaiseDirectly},
    {"negate", "stablehlo.negate", RaiseDirectly},
    {"not", "stablehlo.not", RaiseDirectly},
    {"opt-barrier", "stablehlo.optimization_barrier", RaiseDirectly},
    {"or", "stablehlo.or", RaiseDirectly},
    {"pad", "stablehlo.pad", RaisePad},
    {"partition-id", "stablehlo.partition_id", RaiseDirectly},
    {"popcnt", "stablehlo.popcnt", RaiseDirectly},
    {"power", "stablehlo.power", RaiseDirectly},
    {"ragged-dot", "chlo.ragged_dot", RaiseRaggedDot},
    {"real", "stablehlo.real", RaiseDirectly},
    {"reduce", "stablehlo.reduce", RaiseReduce},
    {"reduce-precision", "stablehlo.reduce_precision", RaiseReducePrecision},
    {"reduce-scatter", "stablehlo.reduce_scatter", RaiseReduceScatter},
    {"reduce-window", "stablehlo.reduce_window", RaiseReduceWindow},
    {"remainder", "stablehlo.remainder", RaiseDirectly},
    {"replica-id", "stablehlo.replica_id", RaiseDirectly},
    {"reshape", "stablehlo.reshape", RaiseReshape},
    {"reverse", "stablehlo.reverse", RaiseReverse},
    {"rng", "stablehlo.rng", RaiseRng},
    {"rng-bit-generator", "stablehlo.rng_bit_generator", RaiseRngBitGenerator},
    {"round-nearest-afz", "stablehlo.round_nearest_afz", RaiseDirectly},
    {"round-nearest-even", "stablehlo.round_nearest_even", RaiseDirectly},
    {"rsqrt", "stablehlo.rsqrt", RaiseDirectly},
    {"scatter", "stablehlo.scatter", RaiseScatter},
    {"select", "stablehlo.select", RaiseDirectly},
    {"select-and-scatter", "stablehlo.select_and_scatter", RaiseSelectAndScatter},
    {"set-dimension-size", "stablehlo.set_dimension_size", RaiseDimensionSize},
    {"shift-left", "stablehlo.shift_left", RaiseDirectly},
    {"shift-right-arithmetic", "stablehlo.shift_right_arithmetic", RaiseDirectly},
    {"shift-right-logical", "stablehlo.shift_right_logical", RaiseDirectly},
    {"sign", "stablehlo.sign", RaiseDirectly},
    {"sine", "stablehlo.sine", RaiseDirectly},
    {"sinh", "chlo.sinh", RaiseDirectly},
    {"slice", "stablehlo.slice", RaiseSlice},
    {"sort", "stablehlo.sort", RaiseSort},
    {"sqrt", "stablehlo.sqrt", RaiseDirectly},
    {"subtract", "stablehlo.subtract", RaiseDirectly},
    {"tan", "stablehlo.tan", RaiseDirectly},
    {"tanh", "stablehlo.tanh", RaiseDirectly},
    {"topk", "chlo.top_k", RaiseTopK},
    {"transpose", "stablehlo.transpose", RaiseTranspose},
    {"triangular-solve", "stablehlo.triangular_solve", RaiseTriangularSolve},
    {"tuple", "", RaiseTuple},
    {"while", "stablehlo.while", RaiseWhile},
    {"xor", "stablehlo.xor", RaiseDirectly},
};

}  // namespace

const HloRow* FindHloRow(std::string_view op) {
  const auto* row = std::ranges::lower_bound(kRows, op, {}, &HloRow::op);
  return row == std::end(kRows) || row->op != op ? nullptr : row;
}

Error Raising::Unsupported(std::string_view message) const {
  return {ErrorCode::kUnsupported, fmt::format("{}: {}", instruction.op->name, message), instruction.location};
}

Operation Raising::Start() const { return Start(row.operation, operands); }

Operation Raising::Start(std::string_view name, Leaves arguments) const {
  Operation operation;
  operation.name = name;
  operation.operands = std::move(arguments);
  return operation;
}

Status Raising::Finish(Operation operation, const Shape& shape) const {
  ASSAY_TRY(operation.results, raiser.NewValues(instruction, shape));
  Leaves leaves;
  for (const Value& result : operation.results) leaves.push_back(result.id);
  raiser.Append(std::move(operation));
  raiser.Bind(instruction, std::move(leaves));
  return {};
}

Status Raising::AddRegion(Operation& operation, AttributeName computation) const {
  ASSAY_TRY(Region region, raiser.RegionOf(instruction.Computation(computation)));
  operation.regions.push_back(std::move(region));
  return {};
}

void Set(Operation& operation, std::string_view name, Attribute value) {
  operation.attributes.entries.push_back({std::string(name), std::move(value)});
}

Attribute Number(std::int64_t value, PrimitiveType type) { return {IntegerAttribute{value, type}}; }

Attribute Numbers(std::span<const std::int64_t> values) { return {DenseArray{S64, {values.begin(), values.end()}}}; }

Attribute Flags(const std::vector<bool>& values) { return {DenseArray{PRED, {values.begin(), values.end()}}}; }

Attribute RowsOf(const std::vector<Int64List>& rows, std::int64_t width) {
  DenseElements elements;
  elements.type = {S64, {std::ssize(rows), width}, {}};
  for (const Int64List& row : rows) {
    for (const std::int64_t number : row) {
      elements.bytes.append(reinterpret_cast<const char*>(&number), sizeof(number));
    }
  }
  return {std::move(elements)};
}

Attribute Word(std::string_view enumeration, std::string_view word) {
  return Fields(enumeration, {{"value", {std::string(word)}}});
}

Attribute Fields(std::string_view name, std::vector<NamedAttribute> fields) {
  return {DialectAttribute{fmt::format("stablehlo.{}", name), {std::move(fields)}}};
}

std::vector<NamedAttribute> IndexNumbers(const HloInstruction& instruction, std::span<const AttributeName> lists) {
  std::vector<NamedAttribute> numbers;
  for (const AttributeName name : lists) {
    const auto list = instruction.Int64s(name);
    if (!list.empty()) numbers.push_back({std::string(std::string_view(name)), Numbers(list)});
  }
  numbers.push_back({"index_vector_dim", Number(instruction.Int64("index_vector_dim"))});
  return numbers;
}

}  // namespace assay::stablehlo
