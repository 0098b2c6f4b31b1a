#include "interpreter/stablehlo/from_hlo_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "interpreter/hlo/op.h"
#include "interpreter/stablehlo/text_forms.h"
#include "interpreter/stablehlo/to_hlo_operations.h"

namespace assay::stablehlo {
namespace {

// Sorted by op. An op that is absent is raised directly if the operation of its name is lowered directly; others have
// no equivalent, or need a host.
constexpr HloRow kRows[] = {
    {"add-dependency", "", RaiseFirstOperand},
    {"all-gather", "stablehlo.all_gather", RaiseCollective},
    {"all-gather-done", "", RaiseFirstOperand},
    {"all-gather-start", "stablehlo.all_gather", RaiseCollective},
    {"all-reduce", "stablehlo.all_reduce", RaiseCollective, {"to_apply"}},
    {"all-reduce-done", "", RaiseFirstOperand},
    {"all-reduce-start", "stablehlo.all_reduce", RaiseCollective, {"to_apply"}},
    {"all-to-all", "stablehlo.all_to_all", RaiseAllToAll},
    {"async-done", "", RaiseFirstOperand},
    {"async-start", "func.call", RaiseCall},
    {"async-update", "", RaiseFirstOperand},
    {"bitcast", "stablehlo.reshape", RaiseBitcast},
    {"bitcast-convert", "stablehlo.bitcast_convert", RaiseBitcastConvert},
    {"broadcast", "stablehlo.broadcast_in_dim", RaiseDirectly},
    {"call", "func.call", RaiseCall},
    {"clamp", "stablehlo.clamp", RaiseDirectly},
    {"collective-broadcast", "stablehlo.collective_broadcast", RaiseCollectiveBroadcast},
    {"collective-permute", "stablehlo.collective_permute", RaiseCollectiveOfOne},
    {"collective-permute-done", "", RaiseFirstOperand},
    {"collective-permute-start", "stablehlo.collective_permute", RaiseCollectiveOfOne},
    {"compare", "stablehlo.compare", RaiseCompare},
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
    {"dynamic-slice", "stablehlo.dynamic_slice", RaiseDynamicSlice},
    {"dynamic-update-slice", "stablehlo.dynamic_update_slice", RaiseDynamicUpdateSlice},
    {"fusion", "func.call", RaiseCall},
    {"gather", "stablehlo.gather", RaiseGather},
    {"get-dimension-size", "stablehlo.get_dimension_size", RaiseDirectly},
    {"get-tuple-element", "", RaiseGetTupleElement},
    {"iota", "stablehlo.iota", RaiseDirectly},
    {"map", "stablehlo.map", RaiseMap, {"to_apply"}},
    {"maximum", "stablehlo.maximum", RaiseDirectly},
    {"minimum", "stablehlo.minimum", RaiseDirectly},
    {"opt-barrier", "stablehlo.optimization_barrier", RaiseDirectly},
    {"pad", "stablehlo.pad", RaisePad},
    {"ragged-dot", "chlo.ragged_dot", RaiseRaggedDot},
    {"reduce", "stablehlo.reduce", RaiseDirectly, {"to_apply"}},
    {"reduce-scatter", "stablehlo.reduce_scatter", RaiseCollectiveOfOne, {"to_apply"}},
    {"reduce-window", "stablehlo.reduce_window", RaiseWindowed, {"to_apply"}},
    {"reshape", "stablehlo.reshape", RaiseReshape},
    {"rng", "stablehlo.rng", RaiseRng},
    {"rng-bit-generator", "stablehlo.rng_bit_generator", RaiseRngBitGenerator},
    {"scatter", "stablehlo.scatter", RaiseScatter, {"to_apply"}},
    {"select", "stablehlo.select", RaiseDirectly},
    {"select-and-scatter", "stablehlo.select_and_scatter", RaiseWindowed, {"select", "scatter"}},
    {"set-dimension-size", "stablehlo.set_dimension_size", RaiseDirectly},
    {"slice", "stablehlo.slice", RaiseSlice},
    {"sort", "stablehlo.sort", RaiseDirectly, {"to_apply"}},
    {"topk", "chlo.top_k", RaiseTopK},
    {"transpose", "stablehlo.transpose", RaiseDirectly},
    {"tuple", "", RaiseTuple},
    {"while", "stablehlo.while", RaiseDirectly, {"condition", "body"}},
};

}  // namespace

std::optional<HloRow> FindHloRow(std::string_view op) {
  const auto* row = std::ranges::lower_bound(kRows, op, {}, &HloRow::op);
  if (row != std::end(kRows) && row->op == op) return *row;
  std::string name(op);
  std::ranges::replace(name, '-', '_');
  for (const std::string_view dialect : {"stablehlo", "chlo"}) {
    const Form* form = FindForm(fmt::format("{}.{}", dialect, name));
    const OpRow* lowering = form == nullptr ? nullptr : FindRow(form->op);
    if (lowering != nullptr && lowering->lower == LowerDirectly) return HloRow{op, form->op, RaiseDirectly};
  }
  return std::nullopt;
}

Error Raising::Unsupported(std::string_view message) const {
  return {ErrorCode::kUnsupported, fmt::format("{}: {}", instruction.op->name, message), instruction.location};
}

Operation Raising::Start() const {
  Operation operation = Start(row.operation, operands);
  operation.attributes.entries = EntriesOf(instruction, PairsOf(row.operation.substr(row.operation.find('.') + 1)));
  return operation;
}

Operation Raising::Start(std::string_view name, Leaves arguments) const {
  Operation operation;
  operation.name = name;
  operation.operands = std::move(arguments);
  return operation;
}

Status Raising::Finish(Operation operation, const Shape& shape) const {
  SortByName(operation.attributes);
  for (const AttributeName computation : row.computations) {
    if (computation.empty()) continue;
    ASSAY_TRY(operation.regions.emplace_back(), raiser.RegionOf(instruction.Computation(computation)));
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

DenseElements WholeNumbers(std::span<const std::int64_t> values, std::vector<std::int64_t> dimensions) {
  DenseElements elements{{S64, std::move(dimensions), {}}, {}};
  elements.bytes.assign(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  return elements;
}

Attribute RowsOf(const std::vector<Int64List>& rows, std::int64_t width) {
  Int64List numbers;
  for (const Int64List& row : rows) numbers.insert(numbers.end(), row.begin(), row.end());
  return {WholeNumbers(numbers, {std::ssize(rows), width})};
}

Attribute Word(std::string_view enumeration, std::string_view word) {
  return Fields(enumeration, {{"value", {std::string(word)}}});
}

Attribute Fields(std::string_view name, std::vector<NamedAttribute> fields) {
  return {DialectAttribute{fmt::format("stablehlo.{}", name), {std::move(fields)}}};
}

std::vector<NamedAttribute> IndexNumbers(const HloInstruction& instruction, std::span<const AttributePair> numbers) {
  std::vector<NamedAttribute> entries = EntriesOf(instruction, numbers);
  std::erase_if(entries, [](const NamedAttribute& entry) {
    const auto* list = entry.value.As<DenseArray>();
    return list != nullptr && list->values.empty();
  });
  return entries;
}

WindowLists WindowOf(const HloInstruction& instruction) {
  WindowLists lists;
  for (const WindowDimension& d : instruction.window().dimensions) {
    lists.sizes.push_back(d.size);
    lists.strides.push_back(d.stride);
    lists.base_dilations.push_back(d.base_dilation);
    lists.window_dilations.push_back(d.window_dilation);
    lists.padding.push_back({d.padding_low, d.padding_high});
    lists.reversal.push_back(d.window_reversal);
  }
  return lists;
}

}  // namespace assay::stablehlo
