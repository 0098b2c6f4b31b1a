#include "interpreter/ops/common/call_rules.h"

#include <fmt/format.h>

#include "interpreter/ops/common/legality.h"
#include "interpreter/types/join_text.h"

namespace assay {

std::vector<Shape> OperandShapes(const HloInstruction& instruction, std::size_t first) {
  std::vector<Shape> shapes;
  for (std::size_t i = first; i < instruction.operands.size(); ++i) shapes.push_back(instruction.operands[i]->shape);
  return shapes;
}

Result<std::vector<const HloInstruction*>> ParametersOf(const HloInstruction& instruction,
                                                        const HloComputation& computation) {
  std::vector<const HloInstruction*> parameters = computation.Parameters();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i] == nullptr) return Illegal(instruction, "{} has no parameter {}", computation.name, i);
  }
  return parameters;
}

Status CheckArguments(const HloInstruction& instruction, std::string_view what, const HloComputation& computation,
                      std::span<const Shape> arguments) {
  ASSAY_TRY(const auto parameters, ParametersOf(instruction, computation));
  if (parameters.size() != arguments.size()) {
    return Illegal(instruction, "{} {} must have {} parameter{}, found {}", what, computation.name, arguments.size(),
                   arguments.size() == 1 ? "" : "s", parameters.size());
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (ShapeUtil::Compatible(parameters[i]->shape, arguments[i])) continue;  // without the words of an error
    ASSAY_CHECK_OK(CheckSameShape(instruction, fmt::format("parameter {} of {} {}", i, what, computation.name),
                                  parameters[i]->shape, "its argument", arguments[i]));
  }
  return {};
}

Status CheckSameShape(const HloInstruction& instruction, std::string_view what, const Shape& found,
                      std::string_view must_match, const Shape& expected) {
  if (ShapeUtil::Compatible(found, expected)) return {};
  return Illegal(instruction, "{} must have the shape of {}, {}, found {}", what, must_match,
                 expected.ToStringWithoutLayout(), found.ToStringWithoutLayout());
}

Status CheckSameSharding(const HloInstruction& instruction, std::span<const HloInstruction* const> instructions) {
  const HloInstruction* first = nullptr;
  for (const HloInstruction* other : instructions) {
    const auto sharding = other->annotations.find("sharding");
    if (sharding == other->annotations.end()) continue;
    if (first == nullptr) first = other;
    const std::string& expected = first->annotations.at("sharding");
    if (sharding->second == expected) continue;
    return Illegal(instruction, "{} and {} must have the same sharding, found {} and {}", first->name, other->name,
                   expected, sharding->second);
  }
  return {};
}

std::int64_t BranchIndex(const Literal& selector, std::int64_t branch_count) {
  if (selector.element_type() == PRED) return selector.BoolAt(0) ? 0 : 1;
  const std::int64_t index = selector.IntegerAt(0);
  return index >= 0 && index < branch_count ? index : branch_count - 1;
}

Status CheckAliasing(const HloInstruction& instruction, const Shape& result, std::span<const Shape> operands) {
  const auto* aliases = instruction.Find<std::vector<OutputOperandAlias>>("output_to_operand_aliasing");
  if (aliases == nullptr) return {};
  for (const OutputOperandAlias& alias : *aliases) {
    if (alias.operand < 0 || alias.operand >= std::ssize(operands)) {
      return Illegal(instruction, "output_to_operand_aliasing names operand {}, there are {}", alias.operand,
                     operands.size());
    }
    const Shape& whole = operands[static_cast<std::size_t>(alias.operand)];
    const auto output = ShapeUtil::GetSubshape(result, alias.output_index);
    const auto operand = ShapeUtil::GetSubshape(whole, alias.operand_index);
    if (!output) {
      return Illegal(instruction, "output_to_operand_aliasing names output {{{}}}, which {} does not have",
                     JoinText(alias.output_index, ","), result.ToStringWithoutLayout());
    }
    if (!operand) {
      return Illegal(instruction, "output_to_operand_aliasing names index {{{}}} of operand {}, which {} does not have",
                     JoinText(alias.operand_index, ","), alias.operand, whole.ToStringWithoutLayout());
    }
    ASSAY_CHECK_OK(CheckSameShape(instruction, fmt::format("output {{{}}}", JoinText(alias.output_index, ",")), *output,
                                  fmt::format("the aliased operand {}", alias.operand), *operand));
  }
  return {};
}

Status CheckAliasing(const HloInstruction& instruction) {
  return CheckAliasing(instruction, instruction.shape, OperandShapes(instruction));
}

}  // namespace assay
