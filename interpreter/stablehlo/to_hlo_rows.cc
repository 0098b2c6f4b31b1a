#include "interpreter/stablehlo/to_hlo_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <unordered_map>

#include "interpreter/hlo/op.h"
#include "interpreter/hlo/suggest.h"
#include "interpreter/stablehlo/from_hlo_rows.h"
#include "interpreter/stablehlo/print.h"
#include "interpreter/stablehlo/text_forms.h"
#include "interpreter/stablehlo/to_hlo_operations.h"
#include "interpreter/types/join_text.h"

namespace assay::stablehlo {
namespace {

constexpr const char* kShapes =
    "shapes as values have no meaning in HLO; the program must have static or bounded sizes";

// Operations of StableHLO, named without the dialect. An operation that has neither a row here nor in kOtherRows, but a
// text form and the name of an op of HLO, is lowered directly.
constexpr OpRow kStablehloRows[] = {
    {"all_gather", LowerCollective, "all-gather", kAnyCount, kAnyCount, 0, RaiseCollective},
    {"all_reduce", LowerCollective, "all-reduce", kAnyCount, kAnyCount, 1, RaiseCollective, {"to_apply"}},
    {"all_to_all", LowerAllToAll, "all-to-all", kAnyCount, kAnyCount, 0, RaiseAllToAll},
    {"async_done", LowerAsyncDone, "", 1, kAnyCount},
    {"async_start", LowerAsyncStart, "", 1, 1, 1},
    {"batch_norm_grad", LowerDirectly, "batch-norm-grad", 5, 3},
    {"batch_norm_inference", LowerDirectly, "batch-norm-inference", 5},
    {"batch_norm_training", LowerDirectly, "batch-norm-training", 3, 3},
    {"broadcast", LowerBroadcast, "broadcast", 1},
    {"broadcast_in_dim", LowerBroadcastInDim, "broadcast", 1, 1, 0, RaiseDirectly},
    {"case", LowerCase, "conditional", 1, kAnyCount, kAnyCount, RaiseConditional},
    {"cholesky", LowerDirectly, "cholesky", 1},
    {"clamp", LowerScalarBroadcasting, "clamp", 3, 1, 0, RaiseDirectly},
    {"collective_broadcast", LowerCollective, "collective-broadcast", kAnyCount, kAnyCount, 0,
     RaiseCollectiveBroadcast},
    {"collective_permute", LowerCollective, "collective-permute", kAnyCount, kAnyCount, 0, RaiseCollectiveOfOne},
    {"collective_reduce", LowerCollective, "collective-reduce", kAnyCount, kAnyCount, 1},
    {"compare", LowerCompare, "compare", 2, 1, 0, RaiseCompare},
    {"composite", LowerComposite, "call", kAnyCount, kAnyCount, kAnyCount},
    {"concatenate", LowerDirectly, "concatenate"},
    {"constant", LowerConstant, "constant", 0, 1, 0, RaiseConstant},
    {"convert", LowerConvert, "convert", 1, 1, 0, RaiseConvert},
    {"convolution", LowerConvolution, "convolution", 2, 1, 0, RaiseConvolution},
    {"create_token", LowerDirectly, "after-all", 0},
    {"cross-replica-sum", LowerCrossReplicaSum, "all-reduce", 1},
    {"custom_call", LowerCustomCall, "custom-call", kAnyCount, kAnyCount, 0, RaiseCustomCall},
    {"dot", LowerDot, "dot", 2},
    {"dot_general", LowerDotGeneral, "dot", 2, 1, 0, RaiseDot},
    {"dynamic_broadcast_in_dim", LowerDynamicBroadcastInDim, "broadcast", 2},
    {"dynamic_conv", LowerDynamicConvolution, "convolution", 3},
    {"dynamic_gather", LowerDynamicGather, "gather", 3},
    {"dynamic_iota", LowerDynamicIota, "iota", 1},
    {"dynamic_pad", LowerDynamicPad, "pad", 5},
    {"dynamic_reshape", LowerDynamicReshape, "dynamic-reshape", 2},
    {"dynamic_slice", LowerDirectly, "dynamic-slice", kAnyCount, 1, 0, RaiseDynamicSlice},
    {"einsum", LowerEinsum, "dot", 2},
    {"fft", LowerDirectly, "fft", 1},
    {"gather", LowerGather, "gather", 2, 1, 0, RaiseGather},
    {"get_dimension_size", LowerGetDimensionSize, "get-dimension-size", 1, 1, 0, RaiseDirectly},
    {"get_tuple_element", LowerGetTupleElement, "get-tuple-element", 1},
    {"if", LowerIf, "conditional", 1, kAnyCount, 2},
    {"infeed", LowerInfeed, "infeed", 1, kAnyCount},
    {"iota", LowerDirectly, "iota", 0, 1, 0, RaiseDirectly},
    {"map", LowerMap, "map", kAnyCount, 1, 1, RaiseMap, {"to_apply"}},
    {"maximum", LowerExtremum, "maximum", 2, 1, 0, RaiseDirectly},
    {"minimum", LowerExtremum, "minimum", 2, 1, 0, RaiseDirectly},
    {"optimization_barrier", LowerOptimizationBarrier, "opt-barrier", kAnyCount, kAnyCount, 0, RaiseDirectly},
    {"outfeed", LowerOutfeed, "outfeed"},
    {"pad", LowerPad, "pad", 2, 1, 0, RaisePad},
    {"partition_id", LowerDirectly, "partition-id", 0},
    {"real_dynamic_slice", LowerRealDynamicSlice, "slice", 4},
    {"recv", LowerRecv, "recv", 1, kAnyCount},
    {"reduce", LowerReduce, "reduce", kAnyCount, kAnyCount, 1, RaiseDirectly, {"to_apply"}},
    {"reduce_precision", LowerDirectly, "reduce-precision", 1},
    {"reduce_scatter", LowerCollective, "reduce-scatter", 1, 1, 1, RaiseCollectiveOfOne, {"to_apply"}},
    {"reduce_window", LowerReduceWindow, "reduce-window", kAnyCount, kAnyCount, 1, RaiseWindowed, {"to_apply"}},
    {"replica_id", LowerDirectly, "replica-id", 0},
    {"reverse", LowerDirectly, "reverse", 1},
    {"rng", LowerRng, "rng", 3, 1, 0, RaiseRng},
    {"rng_bit_generator", LowerRngBitGenerator, "rng-bit-generator", 1, 2, 0, RaiseRngBitGenerator},
    {"scatter", LowerScatter, "scatter", kAnyCount, kAnyCount, 1, RaiseScatter, {"to_apply"}},
    {"select", LowerScalarBroadcasting, "select", 3, 1, 0, RaiseDirectly},
    {"select_and_scatter", LowerSelectAndScatter, "select-and-scatter", 3, 1, 2, RaiseWindowed, {"select", "scatter"}},
    {"send", LowerSend, "send"},
    {"set_dimension_size", LowerSetDimensionSize, "set-dimension-size", 2, 1, 0, RaiseDirectly},
    {"slice", LowerSlice, "slice", 1, 1, 0, RaiseSlice},
    {"sort", LowerSort, "sort", kAnyCount, kAnyCount, 1, RaiseDirectly, {"to_apply"}},
    {"torch_index_select", LowerTorchIndexSelect, "gather", 2},
    {"transpose", LowerTranspose, "transpose", 1, 1, 0, RaiseDirectly},
    {"triangular_solve", LowerDirectly, "triangular-solve", 2},
    {"tuple", LowerTuple, "tuple"},
    {"unary_einsum", LowerEinsum, "dot", 1},
    {"uniform_dequantize", LowerConversion, "", 1},
    {"uniform_quantize", LowerConversion, "", 1},
    {"while", LowerWhile, "while", kAnyCount, kAnyCount, 2, RaiseDirectly, {"condition", "body"}},
};

// All others, with their dialect. Operations that are lowered alike share a row.
constexpr OpRow kOtherRows[] = {
    {"check.expect_almost_eq check.expect_close check.expect_eq", LowerCheck, "custom-call", 2, 0},
    {"check.expect_almost_eq_const check.expect_eq_const check.expect_serialized_eq", LowerCheck, "custom-call", 1, 0},
    {"chlo.bessel_i1e chlo.conj chlo.digamma chlo.erf_inv chlo.erfc chlo.is_inf chlo.is_neg_inf chlo.is_pos_inf "
     "chlo.lgamma chlo.square",
     LowerChloFunction, "", 1},
    {"chlo.constant_like", LowerChloConstantLike, "constant", 1},
    {"chlo.next_after chlo.polygamma chlo.zeta", LowerChloFunction, "", 2},
    {"chlo.ragged_dot mhlo.ragged_dot", LowerChloRaggedDot, "ragged-dot", 3},
    {"chlo.scan mhlo.scan", LowerScan, "scan", kAnyCount, kAnyCount, 1},
    {"chlo.top_k mhlo.topk", LowerChloTopK, "topk", 1, 2},
    {"func.call", LowerCall, "call", kAnyCount, kAnyCount},
    {"interpreter.print", LowerNothing, "", 1, 0},
    {"interpreter.probe", LowerProbe, "custom-call", 1},
    {"interpreter.run_parallel", LowerRunParallel, "", kAnyCount, kAnyCount},
    {"mhlo.async_start", LowerAsyncStart, "async-start"},
    {"mhlo.async_update", LowerAsyncUpdate, "async-update", 1},
    {"mhlo.bitcast", LowerBitcast, "bitcast", 1},
    {"mhlo.domain", LowerDomain, "domain", 1},
    {"mhlo.fusion", LowerFusion, "fusion", kAnyCount, kAnyCount, 1},
    {"mhlo.stochastic_convert", LowerDirectly, "stochastic-convert"},
    {"mhlo.xla.rng_get_and_update_state", LowerDirectly, "rng-get-and-update-state", 0},
    {"sdy.all_gather sdy.all_reduce sdy.all_slice sdy.all_to_all sdy.collective_permute sdy.reduce_scatter "
     "sdy.replicated_to_unreduced sdy.reshard sdy.sharded_to_unreduced sdy.sharding_constraint",
     LowerShardingMark, "Sharding", 1},
    {"arith.constant chlo.constant sdy.constant", LowerConstant, "constant", 0},
    {"sdy.data_flow_edge sdy.func_data_flow_edge", LowerDirectly, "copy", 1},
    {"sdy.manual_computation", LowerManualComputation, "", kAnyCount, kAnyCount, 1},
    {"sdy.named_computation", LowerNamedComputation, "call", kAnyCount, kAnyCount, 1},
    {"sdy.propagation_barrier", LowerShardingMark, "xla.sdy.PropagationBarrier", 1},
    {"sdy.sharding_group", LowerShardingGroup, "xla.sdy.ShardingGroup", 1, 0},
};

struct RowTable {
  RowTable() {
    for (const OpRow& row : kStablehloRows) Add("stablehlo.", row);
    for (const OpRow& row : kStablehloRows) Add("mhlo.", row);
    for (OpRow row : kOtherRows) {
      for (const std::string_view name : WordsOf(row.name)) {
        row.name = name;
        rows.insert_or_assign(std::string(name), row);
      }
    }
    for (const Form& form : Forms()) AddDirect(form.op);
  }

  void Add(std::string_view dialect, const OpRow& row) { rows.emplace(fmt::format("{}{}", dialect, row.name), row); }
  void AddDirect(std::string_view operation) {
    constexpr std::string_view kBroadcast = "chlo.broadcast_";
    if (operation.starts_with(kBroadcast)) {
      rows.emplace(operation, OpRow{operation.substr(kBroadcast.size()), LowerChloBroadcasting});
      return;
    }
    const std::string_view name = operation.substr(operation.find('.') + 1);
    std::string op_name(name);
    std::ranges::replace(op_name, '_', '-');
    const Op* op = FindOp(op_name);
    if (op == nullptr) return;
    const OpRow row = {name, LowerDirectly, op->name.data()};
    rows.emplace(operation, row);
    if (operation.starts_with("stablehlo.")) Add("mhlo.", row);
  }

  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  std::unordered_map<std::string, OpRow, Hash, std::equal_to<>> rows;
};

const RowTable& Rows() {
  static const RowTable table;
  return table;
}

// Sets the unknown sizes to those of the first operand of the same rank, if there is one.
void TakeSizes(const std::vector<HloInstruction*>& operands, Shape& shape) {
  const auto has_rank = [&](const HloInstruction* operand) {
    return operand->shape.IsArray() && operand->shape.rank() == shape.rank();
  };
  const auto like = std::ranges::find_if(operands, has_rank);
  for (std::int64_t d = 0; like != operands.end() && d < shape.rank(); ++d) {
    if (!shape.is_unbounded_dynamic_dimension(d)) continue;
    shape.set_dimensions(d, (*like)->shape.dimensions(d));
    shape.set_dynamic_dimension(d, (*like)->shape.is_dynamic_dimension(d));
  }
}

// StableHLO's is_promotable: to a type of the same kind that is no narrower.
bool IsPromotable(PrimitiveType from, PrimitiveType to) {
  const bool are_alike = (IsFloatingPointType(from) && IsFloatingPointType(to)) ||
                         (IsSignedIntegralType(from) && IsSignedIntegralType(to)) ||
                         (IsUnsignedIntegralType(from) && IsUnsignedIntegralType(to)) ||
                         (IsComplexType(from) && IsComplexType(to));
  return are_alike && from != to && BitWidth(from) <= BitWidth(to);
}

}  // namespace

std::vector<Shape> ShapesOf(const std::vector<HloInstruction*>& instructions) {
  std::vector<Shape> shapes;
  for (const HloInstruction* instruction : instructions) shapes.push_back(instruction->shape);
  return shapes;
}

Int64List NumbersOf(const Literal& literal) {
  Int64List numbers;
  for (std::int64_t i = 0; i < literal.element_count(); ++i) numbers.push_back(literal.IntegerAt(i));
  return numbers;
}

const OpRow* FindRow(std::string_view name) {
  const auto found = Rows().rows.find(name);
  return found == Rows().rows.end() ? nullptr : &found->second;
}

const std::pair<const std::string, OpRow>* FindRaisedRow(std::string_view op) {
  const auto stands_for = [&](const OpRow& row) { return row.raise != nullptr && row.op == op; };
  const auto* row = std::ranges::find_if(kStablehloRows, stands_for);
  return row == std::end(kStablehloRows) ? nullptr : &*Rows().rows.find(fmt::format("stablehlo.{}", row->name));
}

Error UnknownOperation(const Operation& operation) {
  if (operation.name.starts_with("shape.")) return UnsupportedAt(operation, kShapes);
  std::vector<std::string_view> known;
  for (const auto& [name, row] : Rows().rows) known.push_back(name);
  std::ranges::sort(known);
  return UnsupportedAt(operation, "the conversion to HLO has no such operation" + Suggest(operation.name, known));
}

Status CheckCounts(const Operation& operation, const OpRow& row) {
  const auto check = [&](int expected, std::size_t found, std::string_view what) -> Status {
    if (expected == kAnyCount || static_cast<std::size_t>(expected) == found) return {};
    return IllegalAt(operation, fmt::format("it must have {} {}, found {}", expected, what, found));
  };
  ASSAY_CHECK_OK(check(row.operands, operation.operands.size(), "operands"));
  ASSAY_CHECK_OK(check(row.results, operation.results.size(), "results"));
  return check(row.regions, operation.regions.size(), "regions");
}

Lowering Lowering::Promoted(const HloComputation& body, std::size_t indices) const {
  Lowering promoted = *this;
  const auto parameters = body.Parameters();
  for (std::size_t i = 0; i < promoted.operands.size() && !parameters.empty(); ++i) {
    HloInstruction*& operand = promoted.operands[i];
    const Shape& wanted = parameters[(i > indices ? i - 1 : i) % parameters.size()]->shape;
    const bool are_arrays = i != indices && operand->shape.IsArray() && wanted.IsArray();
    if (!are_arrays || !IsPromotable(operand->shape.element_type(), wanted.element_type())) continue;
    const Shape shape = ShapeUtil::ChangeElementType(operand->shape, wanted.element_type());
    operand = &translator.Add("convert", shape, {operand});
  }
  return promoted;
}

Result<Shape> Lowering::ResultShape(std::size_t index) const {
  if (index < result_shapes.size()) return result_shapes[index];
  ASSAY_TRY(Shape shape, ShapeOf(operation, operation.results[index].type));
  if (shape.IsArray() && shape.IsUnboundedDynamic() && row.lower != LowerCustomCall) TakeSizes(operands, shape);
  return shape;
}

Result<std::vector<Shape>> Lowering::ResultShapes() const {
  std::vector<Shape> shapes;
  for (std::size_t i = 0; i < operation.results.size(); ++i) {
    ASSAY_TRY(shapes.emplace_back(), ResultShape(i));
  }
  return shapes;
}

Result<Shape> Lowering::ResultsShape() const {
  if (result_shapes.size() > operation.results.size()) return ShapeUtil::MakeTupleShape(result_shapes);
  ASSAY_TRY(std::vector<Shape> shapes, ResultShapes());
  return shapes.size() == 1 ? std::move(shapes[0]) : ShapeUtil::MakeTupleShape(std::move(shapes));
}

Result<HloInstruction*> Lowering::AddResult() const { return AddResult(row.op, operands); }

Result<HloInstruction*> Lowering::AddResult(std::string_view op, std::vector<HloInstruction*> arguments) const {
  ASSAY_TRY(Shape shape, ResultsShape());
  HloInstruction& instruction = translator.Add(op, std::move(shape), std::move(arguments));
  if (result_shapes.size() > operation.results.size()) {
    translator.BindElements(operation, instruction);
  } else {
    translator.BindResults(operation, instruction);
  }
  return &instruction;
}

Result<HloComputation*> Lowering::LowerRegion(std::size_t index) const {
  return translator.LowerRegion(operation, operation.regions[index]);
}

std::vector<HloInstruction*> Lowering::OperandsFrom(std::size_t first, std::size_t count) const {
  const auto begin = operands.begin() + static_cast<std::ptrdiff_t>(first);
  return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

Result<Int64List> Lowering::ConstantOperand(std::size_t index) const {
  const Operation* constant = translator.ConstantOf(operation.operands[index]);
  const Attribute* value = constant == nullptr ? nullptr : constant->attributes.Find("value");
  if (std::optional<Int64List> numbers = value == nullptr ? std::nullopt : IntegersOf(*value)) {
    return *std::move(numbers);
  }
  if (const Literal* known = translator.KnownValue(*operands[index])) return NumbersOf(*known);
  if (!translator.is_unbounded()) {
    return Unsupported(fmt::format("operand {} must be a constant: HLO has no run-time value there", index));
  }
  return Unsupported(fmt::format(
      "operand {} depends on data: sizes must follow from constants, other sizes and integer arguments", index));
}

Result<Shape> Lowering::SizedShape(const Type& type, std::size_t operand) const {
  ASSAY_TRY(Shape shape, ShapeOf(operation, type));
  if (!shape.IsArray() || !shape.IsUnboundedDynamic()) return shape;
  ASSAY_TRY(const Int64List sizes, ConstantOperand(operand));
  bool fits = std::ssize(sizes) == shape.rank();
  for (std::int64_t d = 0; fits && d < shape.rank(); ++d) {
    fits = sizes[d] >= 0 && (shape.is_unbounded_dynamic_dimension(d) || shape.dimensions(d) == sizes[d]);
    shape.set_dimensions(d, sizes[d]);
    shape.set_dynamic_dimension(d, false);
  }
  if (fits) return shape;
  return Illegal(fmt::format("operand {} must be sizes of the result {}, found {{{}}}", operand, ToText(type),
                             JoinText(sizes, ",")));
}

Result<Lowering> Lowering::WithResultSizes(std::size_t operand) const {
  Lowering sized = *this;
  ASSAY_TRY(Shape shape, SizedShape(operation.results[0].type, operand));
  if (!result_shapes.empty()) shape = ShapeUtil::ChangeElementType(shape, result_shapes[0].element_type());
  sized.result_shapes = {std::move(shape)};
  return sized;
}

}  // namespace assay::stablehlo
