// Control flow, calls, ops that apply a computation to elements, and ops that return their operands.
#include <fmt/format.h>

#include <iterator>
#include <numeric>
#include <span>

#include "interpreter/hlo/op.h"
#include "interpreter/stablehlo/from_hlo_rows.h"

namespace assay::stablehlo {

// Translates a call, a fusion, or the start of an asynchronous computation to a call of a function. The kind of a
// fusion has no meaning for results.
Status RaiseCall(const Raising& raising) {
  const std::vector<HloComputation*> called = raising.instruction.CalledComputations();
  if (called.size() != 1) return raising.Unsupported("StableHLO's call has one function");
  std::int64_t parameters = 0;
  for (const HloInstruction* parameter : called[0]->Parameters()) parameters += ShapeUtil::LeafCount(parameter->shape);
  if (parameters != std::ssize(raising.operands)) return raising.Unsupported("a later update has operands");
  ASSAY_TRY(std::string name, raising.raiser.FunctionOf(*called[0]));
  Operation operation = raising.Start();
  Set(operation, "callee", {SymbolReference{std::move(name), {}}});
  return raising.Finish(std::move(operation), called[0]->root->shape);
}

Status RaiseConditional(const Raising& raising) {
  const HloInstruction& conditional = raising.instruction;
  const bool is_if = conditional.operand(0).shape.element_type() == PRED;
  Operation operation = raising.Start(is_if ? "stablehlo.if" : "stablehlo.case", {raising.operands[0]});
  const std::vector<HloComputation*> branches = conditional.CalledComputations();
  for (std::size_t i = 0; i < branches.size(); ++i) {
    const Leaves& captured = raising.raiser.LeavesOf(*conditional.operands[i + 1]);
    ASSAY_TRY(operation.regions.emplace_back(), raising.raiser.BranchOf(*branches[i], captured));
  }
  return raising.Finish(std::move(operation));
}

// Binds the instruction to its operand: copies, ends of asynchronous pairs, and ops that only order or mark values.
Status RaiseFirstOperand(const Raising& raising) {
  raising.raiser.Bind(raising.instruction, raising.raiser.LeavesOf(raising.instruction.operand(0)));
  return {};
}

Status RaiseGetTupleElement(const Raising& raising) {
  const HloInstruction& tuple = raising.instruction.operand(0);
  const Leaves& leaves = raising.raiser.LeavesOf(tuple);
  std::int64_t first = 0;
  for (std::int64_t i = 0; i < raising.instruction.tuple_index(); ++i) {
    first += ShapeUtil::LeafCount(tuple.shape.tuple_shapes()[static_cast<std::size_t>(i)]);
  }
  const auto begin = leaves.begin() + first;
  raising.raiser.Bind(raising.instruction, Leaves(begin, begin + ShapeUtil::LeafCount(raising.instruction.shape)));
  return {};
}

Status RaiseTuple(const Raising& raising) {
  raising.raiser.Bind(raising.instruction, raising.operands);
  return {};
}

// The dimensions are all of the operands', in order.
Status RaiseMap(const Raising& raising) {
  Operation operation = raising.Start();
  Int64List all(raising.instruction.shape.rank());
  std::iota(all.begin(), all.end(), 0);
  Set(operation, "dimensions", Numbers(all));
  return raising.Finish(std::move(operation));
}

Status RaiseScatter(const Raising& raising) {
  Operation operation = raising.Start();
  Set(operation, "scatter_dimension_numbers",
      Fields("scatter", IndexNumbers(raising.instruction, PairsOf("#scatter"))));
  return raising.Finish(std::move(operation));
}

// Translates reduce_window, and select_and_scatter, which has no dilations.
Status RaiseWindowed(const Raising& raising) {
  const bool has_dilations = raising.row.operation == "stablehlo.reduce_window";
  for (const WindowDimension& d : raising.instruction.window().dimensions) {
    if (d.window_reversal) return raising.Unsupported("StableHLO has no reversed window here");
    if (!has_dilations && (d.base_dilation != 1 || d.window_dilation != 1)) {
      return raising.Unsupported("StableHLO's select_and_scatter has no dilations");
    }
  }
  Operation operation = raising.Start();
  SetWindowLists(operation, raising.instruction, std::span(kFoldLists).first(has_dilations ? 4 : 2));
  return raising.Finish(std::move(operation));
}

}  // namespace assay::stablehlo
