// Control flow, calls, and ops that return their operands.
#include <fmt/format.h>

#include "interpreter/hlo/op.h"
#include "interpreter/stablehlo/from_hlo_rows.h"

namespace assay::stablehlo {

// Translates a call, a fusion, or the start of an asynchronous computation to a call of a function. The kind of a
// fusion has no meaning for results.
Status RaiseCall(const Raising& raising) {
  const std::vector<HloComputation*> called = raising.instruction.CalledComputations();
  if (called.size() != 1) return raising.Unsupported("StableHLO's call has one function");
  std::size_t parameters = 0;
  for (const HloInstruction* parameter : called[0]->Parameters()) parameters += LeafCount(parameter->shape);
  if (parameters != raising.operands.size()) return raising.Unsupported("a later update has operands");
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
    ASSAY_TRY(Region region, raising.raiser.BranchOf(*branches[i], captured));
    operation.regions.push_back(std::move(region));
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
  std::size_t first = 0;
  for (std::int64_t i = 0; i < raising.instruction.tuple_index(); ++i) {
    first += LeafCount(tuple.shape.tuple_shapes()[static_cast<std::size_t>(i)]);
  }
  const auto begin = leaves.begin() + static_cast<std::ptrdiff_t>(first);
  const auto count = static_cast<std::ptrdiff_t>(LeafCount(raising.instruction.shape));
  raising.raiser.Bind(raising.instruction, Leaves(begin, begin + count));
  return {};
}

Status RaiseTuple(const Raising& raising) {
  raising.raiser.Bind(raising.instruction, raising.operands);
  return {};
}

}  // namespace assay::stablehlo
