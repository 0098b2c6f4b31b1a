#include "interpreter/acceptance/sets/part_updates.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "interpreter/acceptance/freedom.h"
#include "interpreter/acceptance/ops/common/images.h"

namespace assay {
namespace {

bool OpensMoved(const HloInstruction& instruction, const Profile& profile) {
  const PrimitiveType type = instruction.shape.element_type();
  return std::ranges::any_of(AllFreedoms(), [&](Freedom freedom) {
    const auto opens_moved = RecordOf(freedom).widening.opens_moved;
    return opens_moved != nullptr && opens_moved(type) && profile.Allows(freedom, instruction.op->name);
  });
}

// Moves the ends and states out of a set. They are not shared if the set was their last owner.
OpenElements TakeElements(ValueSet& set) {
  OpenElements elements;
  if (set.open) {
    elements = *std::exchange(set.open, nullptr);
  } else {
    elements.low = elements.high = NumbersOf(set.value);
    elements.state = Literal(ShapeUtil::ChangeElementType(set.value.shape(), U8));
  }
  return elements;
}

bool HasOpen(const OpenElements& elements) {
  return std::ranges::any_of(elements.state.values<std::uint8_t>(), [](std::uint8_t state) { return state != 0; });
}

// Evaluates the instruction on `whole`, `part` and the values of its other operands.
Literal Replaced(const HloInstruction& instruction, PrimitiveType type, Literal whole, Literal part,
                 const std::vector<ValueSet>& operands, SetEvaluation& evaluation) {
  const InstructionWithTypes retyped(instruction, {0, 1}, type);
  std::vector<Literal> values;
  values.push_back(std::move(whole));
  values.push_back(std::move(part));
  for (std::size_t i = 2; i < operands.size(); ++i) values.push_back(operands[i].value);
  return evaluation.Evaluate(retyped.instruction(), std::move(values));
}

}  // namespace

bool TakesPart(const HloInstruction& instruction) {
  return AcceptanceOf(instruction).Has(Trait::kKeepsTerms) && instruction.shape.IsArray() &&
         ShapeUtil::ElementsIn(instruction.shape) < ShapeUtil::ElementsIn(instruction.operand(0).shape);
}

bool IsUpdateOfPart(const HloInstruction& instruction, const std::vector<ValueSet>& operands, const Profile& profile) {
  if (!AcceptanceOf(instruction).Has(Trait::kReplacesPart) || !IsInexactType(instruction.shape.element_type()))
    return false;
  const auto is_plain = [](const ValueSet& operand) {
    return operand.as_term == nullptr && !operand.value.has_dynamic_sizes();
  };
  const auto has_own_type = [&](const ValueSet& operand) {
    return operand.value.element_type() == instruction.shape.element_type();
  };
  return std::ranges::all_of(operands, is_plain) && has_own_type(operands[0]) && has_own_type(operands[1]) &&
         std::all_of(operands.begin() + 2, operands.end(), [](const ValueSet& set) { return set.IsDecided(); }) &&
         !OpensMoved(instruction, profile);
}

ValueSet UpdatePart(const HloInstruction& instruction, std::vector<ValueSet> operands, SetEvaluation& evaluation) {
  const PrimitiveType type = instruction.shape.element_type(), numbers = NumberType(type);
  ValueSet set;
  set.is_flushed = operands[0].is_flushed && operands[1].is_flushed;
  for (const ValueSet& operand : operands) {
    if (!operand.open) continue;
    set.freedoms |= operand.freedoms;
    if (set.widest == nullptr) set.widest = operand.widest;
  }
  if (operands[0].open || operands[1].open) {
    OpenElements whole = TakeElements(operands[0]), part = TakeElements(operands[1]);
    const auto replaced = [&](PrimitiveType as, Literal& a, Literal& b) {
      a = Replaced(instruction, as, std::move(a), std::move(b), operands, evaluation);
    };
    replaced(numbers, whole.low, part.low);
    replaced(numbers, whole.high, part.high);
    replaced(U8, whole.state, part.state);
    if (HasOpen(whole)) set.open = std::make_shared<const OpenElements>(std::move(whole));
  }
  set.value =
      Replaced(instruction, type, std::move(operands[0].value), std::move(operands[1].value), operands, evaluation);
  return set;
}

}  // namespace assay
