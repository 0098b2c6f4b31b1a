#include "interpreter/stablehlo/from_hlo_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "interpreter/hlo/op.h"
#include "interpreter/stablehlo/text_forms.h"
#include "interpreter/stablehlo/to_hlo_operations.h"

namespace assay::stablehlo {
namespace {

// Sorted by op: ops that no operation of StableHLO stands for (to_hlo_rows.cc) or that one stands for under another
// name. An op that is absent from both is raised directly if the operation of its name is lowered directly; others have
// no equivalent, or need a host.
constexpr HloRow kRows[] = {
    {"add-dependency", "", RaiseFirstOperand},
    {"all-gather-done", "", RaiseFirstOperand},
    {"all-gather-start", "stablehlo.all_gather", RaiseCollective},
    {"all-reduce-done", "", RaiseFirstOperand},
    {"all-reduce-start", "stablehlo.all_reduce", RaiseCollective, {"to_apply"}},
    {"async-done", "", RaiseFirstOperand},
    {"async-start", "func.call", RaiseCall},
    {"async-update", "", RaiseFirstOperand},
    {"bitcast", "stablehlo.reshape", RaiseBitcast},
    {"bitcast-convert", "stablehlo.bitcast_convert", RaiseBitcastConvert},
    {"call", "func.call", RaiseCall},
    {"collective-permute-done", "", RaiseFirstOperand},
    {"collective-permute-start", "stablehlo.collective_permute", RaiseCollectiveOfOne},
    {"copy", "", RaiseFirstOperand},
    {"copy-done", "", RaiseFirstOperand},
    {"copy-start", "", RaiseFirstOperand},
    {"domain", "", RaiseFirstOperand},
    {"dynamic-update-slice", "stablehlo.dynamic_update_slice", RaiseDynamicUpdateSlice},
    {"fusion", "func.call", RaiseCall},
    {"get-tuple-element", "", RaiseGetTupleElement},
    {"ragged-dot", "chlo.ragged_dot", RaiseRaggedDot},
    {"reshape", "stablehlo.reshape", RaiseReshape},
    {"topk", "chlo.top_k", RaiseTopK},
    {"tuple", "", RaiseTuple},
};

}  // namespace

std::optional<HloRow> FindHloRow(std::string_view op) {
  const auto* row = std::ranges::lower_bound(kRows, op, {}, &HloRow::op);
  if (row != std::end(kRows) && row->op == op) return *row;
  if (const auto* raised = FindRaisedRow(op)) {
    return HloRow{op, raised->first, raised->second.raise, raised->second.computations};
  }
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

void SetWindowLists(Operation& operation, const HloInstruction& instruction, std::span<const WindowList> lists) {
  const std::vector<WindowDimension>& dimensions = instruction.window().dimensions;
  for (const WindowList& list : lists) {
    Int64List numbers;
    for (const WindowDimension& d : dimensions) {
      numbers.push_back(list.flag == nullptr ? d.*list.number : std::int64_t{d.*list.flag});
    }
    Set(operation, list.name, {DenseArray{list.flag == nullptr ? S64 : PRED, std::move(numbers)}});
  }
  std::vector<Int64List> padding;
  for (const WindowDimension& d : dimensions) padding.push_back({d.padding_low, d.padding_high});
  Set(operation, "padding", RowsOf(padding, 2));
}

}  // namespace assay::stablehlo
