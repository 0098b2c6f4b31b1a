// contraction: a product need not be rounded before it is added. A dot of one product is one: a compiler that emits it
// as a multiplication fuses that with the addition of a bias. The freedom takes two instructions, so only sets
// through programs use it: the set of a product holds the product's range as a term (ValueSet::as_term), and
// instructions that move numbers or return an operand carry it on.
#include <algorithm>
#include <cstdint>

#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/freedom.h"
#include "interpreter/acceptance/lawful_facts.h"
#include "interpreter/acceptance/ops/common/sum_terms.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/hlo/op.h"

namespace assay {
namespace {

bool KeepsUnrounded(const InstructionFacts& instruction, PrimitiveType type) {
  const bool is_product =
      instruction.is_product || IsOneProduct(instruction.hlo) || IsComputedAsProduct(instruction.hlo);
  return is_product && IsFloatingPointType(type);
}

void CountFactors(const InstructionFacts& instruction, ValueSet& leaf) {
  if (KeepsUnrounded(instruction, leaf.value.element_type())) leaf.factor_count = instruction.factor_count;
}

bool MayContract(const LeafFacts& leaf) { return KeepsUnrounded(leaf.instruction, leaf.type); }

// True if every element of a result is that of an operand, but for the sign of a zero: -0 + 0 is 0, and yet a compiler
// elides the addition.
bool ReturnsElements(const Literal& operand, const Literal& value) {
  if (operand.element_type() != value.element_type() || operand.element_count() != value.element_count()) return false;
  for (std::int64_t i = 0; i < value.element_count(); ++i) {
    if (!SameElement(operand, value, i)) return false;
  }
  return true;
}

// Infinities and NaNs alone say nothing: inf + 1 is inf.
bool HasFinite(const Literal& value) {
  if (!IsInexactType(value.element_type())) return true;
  for (std::int64_t i = 0; i < value.element_count(); ++i) {
    if (IsFiniteElement(value, i)) return true;
  }
  return false;
}

// A compiler may elide an instruction that returns an operand unchanged, such as `x * 1`, `max(x, x)` or a reduce of a
// dimension of size 1. Unary ops are excluded: sqrt(1) == 1 is a coincidence.
bool ReturnsOperand(const InstructionFacts& instruction, const Literal& value, SetEvaluation& evaluation) {
  const Op* const folded = instruction.acceptance.folds ? evaluation.FoldedOp(instruction.hlo) : nullptr;
  const bool is_fold = folded != nullptr && AcceptanceOf(*folded).is_increasing;
  if ((!instruction.is_elementwise && !is_fold) || instruction.acceptance.image == nullptr) return false;
  if (instruction.operands.size() < 2 || !HasFinite(value)) return false;
  return std::ranges::any_of(instruction.operands, [&](const ValueSet& operand) {
    if (operand.as_term == nullptr) return false;
    const bool has_shape = is_fold || ShapeUtil::Compatible(operand.value.shape(), value.shape());
    return has_shape && ReturnsElements(operand.value, value);
  });
}

bool MayBeElided(const InstructionFacts& instruction, const Literal& value, SetEvaluation& evaluation) {
  const bool is_open = std::ranges::any_of(instruction.open, [&](const OpenWidening& freedom) {
    return freedom.widening.elides != nullptr && freedom.widening.elides(instruction);
  });
  return is_open || ReturnsOperand(instruction, value, evaluation);
}

// A compiler elides a conversion of bits to another type and back.
void CarryBits(const InstructionFacts& instruction, ValueSet& result) {
  if (!instruction.acceptance.keeps_bits || result.open != nullptr) return;
  const ValueSet& operand = instruction.operands[0];
  const PrimitiveType from = operand.value.element_type(), to = result.value.element_type();
  if (operand.bits_of != nullptr && operand.bits_type == to) result.as_term = operand.bits_of;
  if (operand.as_term == nullptr || BitWidth(from) != BitWidth(to)) return;
  result.bits_type = from;
  result.bits_of = operand.as_term;
}

void CarryProducts(const InstructionFacts& instruction, SetEvaluation& evaluation, ValueSet& result) {
  CarryBits(instruction, result);
  const auto is_unrounded = [](const ValueSet& operand) { return operand.as_term != nullptr; };
  if (std::ranges::none_of(instruction.operands, is_unrounded) || !result.value.shape().IsArray()) return;
  const bool keeps_terms = KeepsTerms(instruction.hlo) || ScalesOf(instruction);
  if (!keeps_terms && !MayBeElided(instruction, result.value, evaluation)) return;
  std::vector<ValueSet> operands(instruction.operands.begin(), instruction.operands.end());
  for (ValueSet& operand : operands) {
    if (operand.as_term) operand.open = operand.as_term;
  }
  result.as_term = instruction.acceptance.image(instruction.hlo, operands, result.value, evaluation);
  if (keeps_terms) return;
  // The instruction may also not be elided: then its own result counts, with its rounding error.
  ValueSet own, elided;
  own.value = elided.value = result.value;
  own.open = result.open;
  elided.open = result.as_term;
  result.as_term = Hull(own, elided, nullptr).open;
}

}  // namespace

const FreedomRecord freedom_contraction = {
    .name = "contraction",
    .meaning = "a product that is added or subtracted need not be rounded before",
    .noise = "unrounded products",
    .widening = {.may_open = MayContract,
                 .keeps_unrounded = KeepsUnrounded,
                 .count = CountFactors,
                 .carry = CarryProducts,
                 .takes_several_instructions = true},
};

}  // namespace assay
