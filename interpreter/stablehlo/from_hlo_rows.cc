#include "interpreter/stablehlo/from_hlo_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>

#include "interpreter/hlo/op.h"
#include "interpreter/stablehlo/text_forms.h"
#include "interpreter/stablehlo/to_hlo_operations.h"

namespace assay::stablehlo {
namespace {

// Sorted by op. An op that is absent is raised as the operation of its name is lowered, directly or by the attributes
// in the row of the lowering; others have no equivalent, or need a host.
constexpr HloRow kRows[] = {
    {"add-dependency", "", RaiseFirstOperand},
    {"all-gather", "stablehlo.all_gather", RaiseCollective, {{{"all_gather_dim", "dimensions"}}}},
    {"all-gather-done", "", RaiseFirstOperand},
    {"all-gather-start", "stablehlo.all_gather", RaiseCollective, {{{"all_gather_dim", "dimensions"}}}},
    {"all-reduce", "stablehlo.all_reduce", RaiseCollective, {}, {"to_apply"}},
    {"all-reduce-done", "", RaiseFirstOperand},
    {"all-reduce-start", "stablehlo.all_reduce", RaiseCollective, {}, {"to_apply"}},
    {"all-to-all", "stablehlo.all_to_all", RaiseAllToAll},
    {"async-done", "", RaiseFirstOperand},
    {"async-start", "func.call", RaiseCall},
    {"async-update", "", RaiseFirstOperand},
    {"bitcast", "stablehlo.reshape", RaiseBitcast},
    {"bitcast-convert", "stablehlo.bitcast_convert", RaiseBitcastConvert},
    {"broadcast", "stablehlo.broadcast_in_dim", RaisePlainly, {{{"broadcast_dimensions", "dimensions"}}}},
    {"call", "func.call", RaiseCall},
    {"clamp", "stablehlo.clamp", RaiseDirectly},
    {"collective-broadcast", "stablehlo.collective_broadcast", RaiseCollectiveOfOne},
    {"collective-permute", "stablehlo.collective_permute", RaiseCollectivePermute},
    {"collective-permute-done", "", RaiseFirstOperand},
    {"collective-permute-start", "stablehlo.collective_permute", RaiseCollectivePermute},
    {"compare", "stablehlo.compare", RaiseCompare, {{{"comparison_direction", "direction"}}}},
    {"conditional", "stablehlo.case", RaiseConditional},
    {"constant", "stablehlo.constant", RaiseConstant},
    {"convert", "stablehlo.convert", RaiseConvert},
    {"convolution", "stablehlo.convolution", RaiseConvolution},
    {"copy", "", RaiseFirstOperand},
    {"copy-done", "", RaiseFirstOperand},
    {"copy-start", "", RaiseFirstOperand},
    {"custom-call", "stablehlo.custom_call", RaiseCustomCall},
    {"domain", "", RaiseFirstOperand},
    {"dot", "stablehlo.dot_general", RaiseDot},
    {"dynamic-slice", "stablehlo.dynamic_slice", RaiseDynamicSlice, {{{"slice_sizes", "dynamic_slice_sizes"}}}},
    {"dynamic-update-slice", "stablehlo.dynamic_update_slice", RaiseDynamicUpdateSlice},
    {"fusion", "func.call", RaiseCall},
    {"gather", "stablehlo.gather", RaiseGather},
    {"get-dimension-size", "stablehlo.get_dimension_size", RaisePlainly, {{{"dimension", "dimensions"}}}},
    {"get-tuple-element", "", RaiseGetTupleElement},
    {"iota", "stablehlo.iota", RaisePlainly, {{"iota_dimension"}}},
    {"map", "stablehlo.map", RaiseMap, {}, {"to_apply"}},
    {"maximum", "stablehlo.maximum", RaiseDirectly},
    {"minimum", "stablehlo.minimum", RaiseDirectly},
    {"opt-barrier", "stablehlo.optimization_barrier", RaiseDirectly},
    {"pad", "stablehlo.pad", RaisePad},
    {"ragged-dot", "chlo.ragged_dot", RaiseRaggedDot},
    {"reduce", "stablehlo.reduce", RaisePlainly, {{"dimensions"}}, {"to_apply"}},
    {"reduce-precision", "stablehlo.reduce_precision", RaiseReducePrecision},
    {"reduce-scatter",
     "stablehlo.reduce_scatter",
     RaiseCollectiveOfOne,
     {{{"scatter_dimension", "dimensions"}}},
     {"to_apply"}},
    {"reduce-window", "stablehlo.reduce_window", RaiseReduceWindow, {}, {"to_apply"}},
    {"reshape", "stablehlo.reshape", RaiseReshape},
    {"rng", "stablehlo.rng", RaiseRng},
    {"rng-bit-generator", "stablehlo.rng_bit_generator", RaiseRngBitGenerator},
    {"scatter", "stablehlo.scatter", RaiseScatter, {}, {"to_apply"}},
    {"select", "stablehlo.select", RaiseDirectly},
    {"select-and-scatter", "stablehlo.select_and_scatter", RaiseSelectAndScatter, {}, {"select", "scatter"}},
    {"set-dimension-size", "stablehlo.set_dimension_size", RaisePlainly, {{{"dimension", "dimensions"}}}},
    {"slice", "stablehlo.slice", RaiseSlice},
    {"sort", "stablehlo.sort", RaisePlainly, {{{"dimension", "dimensions"}, "is_stable"}}, {"to_apply"}},
    {"topk", "chlo.top_k", RaiseTopK, {{"k"}}},
    {"transpose", "stablehlo.transpose", RaisePlainly, {{{"permutation", "dimensions"}}}},
    {"triangular-solve", "stablehlo.triangular_solve", RaiseTriangularSolve, {{"left_side", "lower", "unit_diagonal"}}},
    {"tuple", "", RaiseTuple},
    {"while", "stablehlo.while", RaisePlainly, {}, {"condition", "body"}},
};

// Returns the value of an attribute in MLIR: a list that always has one number as this number, and a word in the
// enumeration of the attribute's name.
Attribute ValueOf(const HloInstruction& instruction, const SameAttribute& attribute) {
  const AttributeSpec& spec = *instruction.op->FindAttribute(attribute.of);
  const auto numbers = instruction.Int64s(attribute.of);
  switch (spec.kind) {
    case AttributeKind::kBool:
      return {instruction.Bool(attribute.of)};
    case AttributeKind::kEnum:
      return Word(attribute.name, instruction.String(attribute.of));
    case AttributeKind::kFloat:
      return {FloatAttribute{instruction.Float(attribute.of), F32}};
    case AttributeKind::kInt64:
      return Number(instruction.Int64(attribute.of));
    default:
      return spec.length == 1 ? Number(numbers[0]) : Numbers(numbers);
  }
}

}  // namespace

std::optional<HloRow> FindHloRow(std::string_view op) {
  const auto* row = std::ranges::lower_bound(kRows, op, {}, &HloRow::op);
  if (row != std::end(kRows) && row->op == op) return *row;
  std::string name(op);
  std::ranges::replace(name, '-', '_');
  for (const std::string_view dialect : {"stablehlo", "chlo"}) {
    const FormRow* form = FindForm(fmt::format("{}.{}", dialect, name));
    const OpRow* lowering = form == nullptr ? nullptr : FindRow(form->op);
    if (lowering == nullptr) continue;
    if (lowering->lower == LowerDirectly) return HloRow{op, form->op, RaiseDirectly};
    if (lowering->lower == LowerPlainly) return HloRow{op, form->op, RaisePlainly, lowering->attributes};
  }
  return std::nullopt;
}

Error Raising::Unsupported(std::string_view message) const {
  return {ErrorCode::kUnsupported, fmt::format("{}: {}", instruction.op->name, message), instruction.location};
}

Operation Raising::Start() const {
  Operation operation = Start(row.operation, operands);
  for (const SameAttribute& attribute : row.attributes) {
    if (!attribute.name.empty()) Set(operation, attribute.name, ValueOf(instruction, attribute));
  }
  return operation;
}

Operation Raising::Start(std::string_view name, Leaves arguments) const {
  Operation operation;
  operation.name = name;
  operation.operands = std::move(arguments);
  return operation;
}

Status Raising::Finish(Operation operation, const Shape& shape) const {
  for (const AttributeName computation : row.regions) {
    if (computation.empty()) continue;
    ASSAY_TRY(Region region, raiser.RegionOf(instruction.Computation(computation)));
    operation.regions.push_back(std::move(region));
  }
  ASSAY_TRY(operation.results, raiser.NewValues(instruction, shape));
  Leaves leaves;
  for (const Value& result : operation.results) leaves.push_back(result.id);
  raiser.Append(std::move(operation));
  raiser.Bind(instruction, std::move(leaves));
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
