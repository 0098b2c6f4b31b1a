// Control flow, calls and composites.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "interpreter/hlo/annotation_text.h"
#include "interpreter/stablehlo/print.h"
#include "interpreter/stablehlo/to_hlo_operations.h"
#include "interpreter/stablehlo/to_hlo_shardings.h"

namespace assay::stablehlo {
namespace {

Result<std::vector<HloInstruction*>> CapturedInstructions(const Lowering& lowering,
                                                          const std::vector<ValueId>& captures) {
  std::vector<HloInstruction*> instructions;
  for (const ValueId value : captures) {
    ASSAY_TRY(instructions.emplace_back(), lowering.translator.InstructionOf(lowering.operation, value));
  }
  return instructions;
}

struct Branch {
  HloInstruction* argument = nullptr;
  HloComputation* body = nullptr;
};

// Lowers a branch; the values that it uses are its only argument.
Result<Branch> LowerOneBranch(const Lowering& lowering, std::size_t index) {
  Translator& translator = lowering.translator;
  const Region& region = lowering.operation.regions[index];
  if (!region.blocks.empty() && !region.blocks[0].arguments.empty()) {
    return lowering.Illegal(fmt::format("branch {} must have no arguments", index));
  }
  ASSAY_TRY(const std::vector<ValueId> captures,
            translator.CapturesOf(lowering.operation, std::span(lowering.operation.regions).subspan(index, 1)));
  ASSAY_TRY(std::vector<HloInstruction*> arguments, CapturedInstructions(lowering, captures));
  Branch branch;
  ASSAY_TRY(branch.body, translator.LowerBranch(lowering.operation, region, {}, captures, /*returns_captures=*/false));
  branch.argument = &translator.AddTupleUnlessOne(std::move(arguments));
  return branch;
}

// Checks the results of a conditional against those of its branches: a tuple unless there is only one.
Status CheckBranchResults(const Lowering& lowering, const HloComputation& body) {
  const Shape& root = body.root->shape;
  const std::size_t expected = lowering.operation.results.size();
  const std::size_t found = root.IsTuple() ? root.tuple_shapes().size() : 1;
  if (expected == 1 || found == expected) return {};
  return lowering.Illegal(fmt::format("a region must return {} values, found {}", expected, found));
}

}  // namespace

Status LowerIf(const Lowering& lowering) {
  ASSAY_TRY(const Branch if_true, LowerOneBranch(lowering, 0));
  ASSAY_TRY(const Branch if_false, LowerOneBranch(lowering, 1));
  ASSAY_CHECK_OK(CheckBranchResults(lowering, *if_true.body));
  ASSAY_TRY(HloInstruction * conditional,
            lowering.AddResult("conditional", {lowering.operands[0], if_true.argument, if_false.argument}));
  conditional->Set("true_computation", if_true.body);
  conditional->Set("false_computation", if_false.body);
  return {};
}

Status LowerCase(const Lowering& lowering) {
  if (lowering.operation.regions.empty()) return lowering.Illegal("it must have at least one branch");
  std::vector<HloInstruction*> operands = {lowering.operands[0]};
  std::vector<HloComputation*> bodies;
  for (std::size_t i = 0; i < lowering.operation.regions.size(); ++i) {
    ASSAY_TRY(const Branch branch, LowerOneBranch(lowering, i));
    ASSAY_CHECK_OK(CheckBranchResults(lowering, *branch.body));
    operands.push_back(branch.argument);
    bodies.push_back(branch.body);
  }
  ASSAY_TRY(HloInstruction * conditional, lowering.AddResult("conditional", std::move(operands)));
  conditional->Set("branch_computations", std::move(bodies));
  return {};
}

// Values that the regions use from outside are carried through all iterations.
Status LowerWhile(const Lowering& lowering) {
  Translator& translator = lowering.translator;
  const Operation& operation = lowering.operation;
  if (operation.results.size() != operation.operands.size()) {
    return lowering.Illegal(
        fmt::format("it must have a result for each of its operands, found {} operands and {} results",
                    operation.operands.size(), operation.results.size()));
  }
  for (const Region& region : operation.regions) {
    const std::size_t count = region.blocks.size() == 1 ? region.blocks[0].arguments.size() : 0;
    if (count != operation.operands.size()) {
      return lowering.Illegal(fmt::format("a region must have one argument for each of the {} operands, found {}",
                                          operation.operands.size(), count));
    }
  }
  ASSAY_TRY(const std::vector<ValueId> captures, translator.CapturesOf(operation, operation.regions));
  ASSAY_TRY(const std::vector<HloInstruction*> captured, CapturedInstructions(lowering, captures));
  const std::vector<Argument> state = translator.ArgumentsOf(lowering.operands);
  ASSAY_TRY(HloComputation * condition,
            translator.LowerBranch(operation, operation.regions[0], state, captures, /*returns_captures=*/false));
  ASSAY_TRY(HloComputation * body,
            translator.LowerBranch(operation, operation.regions[1], state, captures, /*returns_captures=*/true));
  std::vector<HloInstruction*> operands = lowering.operands;
  operands.insert(operands.end(), captured.begin(), captured.end());
  const bool is_tuple = operands.size() != 1;
  HloInstruction& operand = translator.AddTupleUnlessOne(std::move(operands));
  HloInstruction& loop = translator.Add("while", operand.shape, {&operand});
  loop.Set("condition", condition);
  loop.Set("body", body);
  if (is_tuple) {
    translator.BindElements(operation, loop);
  } else {
    translator.BindResults(operation, loop);
  }
  return {};
}

Status LowerCall(const Lowering& lowering) {
  ASSAY_TRY(const std::vector<std::string> callee, lowering.attributes().Symbols("callee"));
  if (callee.size() != 1) return lowering.Illegal("the attribute callee must name one function");
  const Operation* function = lowering.translator.FindFunction(callee[0]);
  if (const FunctionType* type = function == nullptr ? nullptr : TypeOfFunction(*function)) {
    std::vector<ValueId> results;
    for (const Value& result : lowering.operation.results) results.push_back(result.id);
    ASSAY_CHECK_OK(lowering.translator.CheckQuantizedTypes(lowering.operation, "operand", lowering.operation.operands,
                                                           type->inputs));
    ASSAY_CHECK_OK(lowering.translator.CheckQuantizedTypes(lowering.operation, "result", results, type->results));
  }
  ASSAY_TRY(HloComputation * body,
            lowering.translator.LowerFunction(lowering.operation, callee[0],
                                              lowering.translator.ArgumentsOf(lowering.operands)));
  ASSAY_TRY(HloInstruction * call, lowering.AddResult());
  call->Set("to_apply", body);
  return {};
}

Status LowerNamedComputation(const Lowering& lowering) {
  Translator& translator = lowering.translator;
  ASSAY_TRY(HloComputation * body, translator.LowerRegion(lowering.operation, lowering.operation.regions[0], "region",
                                                          translator.ArgumentsOf(lowering.operands)));
  ASSAY_TRY(HloInstruction * call, lowering.AddResult());
  call->Set("to_apply", body);
  return {};
}

Status LowerComposite(const Lowering& lowering) {
  const AttributeReader attributes = lowering.attributes();
  ASSAY_TRY(const std::string name, attributes.String("name"));
  ASSAY_TRY(const std::int64_t version, attributes.Integer("version", 0));
  ASSAY_TRY(const Dictionary* composite_attributes, attributes.Fields("composite_attributes"));
  if (name.starts_with("chlo.") && version == 1) {
    ASSAY_TRY(const bool is_lowered, LowerNamedOperation(lowering, name, composite_attributes));
    if (is_lowered) return {};
  }
  if (!lowering.operation.regions.empty()) return lowering.Unsupported("a composite with regions has no form in HLO");
  ASSAY_TRY(const std::vector<std::string> decomposition, attributes.Symbols("decomposition"));
  if (decomposition.size() != 1) return lowering.Illegal("the attribute decomposition must name one function");
  ASSAY_TRY(HloComputation * body,
            lowering.translator.LowerFunction(lowering.operation, decomposition[0],
                                              lowering.translator.ArgumentsOf(lowering.operands)));
  ASSAY_TRY(FrontendValues values, FrontendValuesOf(lowering.operation, lowering.operation.attributes));
  values["composite.name"] = name;
  values["composite.version"] = std::to_string(version);
  values["composite.attributes"] = composite_attributes == nullptr ? "{}" : ToText(*composite_attributes);
  ASSAY_TRY(HloInstruction * call, lowering.AddResult());
  call->annotations["frontend_attributes"] = PrintFrontendAttributes(values);
  call->Set("to_apply", body);
  call->Set("is_composite", true);
  return {};
}

}  // namespace assay::stablehlo
