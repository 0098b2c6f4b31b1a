// contraction: a product need not be rounded before it is added. A dot of one product is one: a compiler that emits it
// as a multiplication fuses that with the addition of a bias. So is a dot whose other products are zero. The freedom
// takes two instructions, so only sets through programs use it: the set of a product holds the product's range as a
// term (ValueSet::as_term), and instructions that move numbers or return an operand carry it on.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/freedom.h"
#include "interpreter/acceptance/ops/common/sum_terms.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/sets/lawful_facts.h"
#include "interpreter/acceptance/sets/widen.h"
#include "interpreter/hlo/op.h"

namespace assay {
namespace {

bool KeepsUnrounded(const InstructionFacts& instruction, PrimitiveType type) {
  const bool is_product =
      instruction.is_product || IsOneProduct(instruction.hlo) || IsComputedAsProduct(instruction.hlo) ||
      ((AddsProducts(instruction.hlo) || MultipliesIntegers(instruction.hlo)) && instruction.rule->AddsOneTermEach());
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
  const Op* const folded = instruction.acceptance.Has(Trait::kFolds) ? evaluation.FoldedOp(instruction.hlo) : nullptr;
  const bool is_fold = folded != nullptr && AcceptanceOf(*folded).Has(Trait::kIsIncreasing);
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

// Returns the terms of a result that is the products of `terms` if a compiler elides instructions. If it does not, the
// result itself counts.
std::shared_ptr<const OpenElements> TermsIfElided(const ValueSet& result, std::shared_ptr<const OpenElements> terms) {
  ValueSet own, elided;
  own.value = elided.value = result.value;
  own.open = result.open;
  elided.open = std::move(terms);
  return Hull(own, elided, nullptr).open;
}

// Returns the products of this type whose bits an instruction on integers moves.
std::shared_ptr<const ProductBits> MovedBits(const InstructionFacts& instruction, PrimitiveType type,
                                             SetEvaluation& evaluation) {
  std::vector<ValueSet> operands(instruction.operands.begin(), instruction.operands.end());
  std::vector<Literal> bits;
  for (ValueSet& operand : operands) {
    bits.push_back(operand.value);
    if (operand.bits_of == nullptr || operand.bits_of->value.element_type() != type) continue;
    bits.back() = operand.bits_of->value.WithShape(operand.value.shape());
    operand.open = operand.bits_of->terms;
    operand.value = operand.bits_of->value;
  }
  ProductBits moved;
  moved.value = evaluation.Evaluate(instruction.hlo, std::move(bits))
                    .WithShape(ShapeUtil::ChangeElementType(instruction.hlo.shape, type));
  moved.terms = instruction.acceptance.image(instruction.hlo, operands, moved.value, evaluation);
  return std::make_shared<const ProductBits>(std::move(moved));
}

// A compiler elides conversions of bits to integers and back, and instructions on the integers that restore or move
// them.
void CarryBits(const InstructionFacts& instruction, SetEvaluation& evaluation, ValueSet& result) {
  const PrimitiveType to = result.value.element_type();
  const auto has_bits = [](const ValueSet& operand) { return operand.bits_of != nullptr; };
  const auto operand = std::ranges::find_if(instruction.operands, has_bits);
  if (operand == instruction.operands.end()) {
    const ValueSet& product = instruction.operands[0];
    const bool are_bits = instruction.acceptance.Has(Trait::kKeepsBits) && product.as_term != nullptr &&
                          BitWidth(product.value.element_type()) == BitWidth(to) && IsIntegralType(to);
    if (are_bits) result.bits_of = std::make_shared<const ProductBits>(ProductBits{product.value, product.as_term});
    return;
  }
  const ProductBits& bits = *operand->bits_of;
  if (instruction.acceptance.Has(Trait::kKeepsBits) && bits.value.element_type() == to) {
    if (ReturnsElements(bits.value, result.value)) result.as_term = TermsIfElided(result, bits.terms);
  } else if (IsIntegralType(to) && KeepsTerms(instruction.hlo)) {
    result.bits_of = MovedBits(instruction, bits.value.element_type(), evaluation);
  } else if (IsIntegralType(to) && BitWidth(bits.value.element_type()) == BitWidth(to) &&
             bits.value.element_count() == result.value.element_count()) {
    result.bits_of = operand->bits_of;
  }
}

void CarryProducts(const InstructionFacts& instruction, SetEvaluation& evaluation, ValueSet& result) {
  if (!result.value.shape().IsArray()) return;
  if (!instruction.operands.empty()) CarryBits(instruction, evaluation, result);
  const auto is_unrounded = [](const ValueSet& operand) { return operand.as_term != nullptr; };
  if (std::ranges::none_of(instruction.operands, is_unrounded)) return;
  const bool keeps_terms = KeepsTerms(instruction.hlo) || ScalesOf(instruction);
  if (!keeps_terms && !MayBeElided(instruction, result.value, evaluation)) return;
  std::vector<ValueSet> operands(instruction.operands.begin(), instruction.operands.end());
  for (ValueSet& operand : operands) {
    if (operand.as_term) operand.open = operand.as_term;
  }
  result.as_term = instruction.acceptance.image(instruction.hlo, operands, result.value, evaluation);
  if (!keeps_terms) result.as_term = TermsIfElided(result, result.as_term);
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
