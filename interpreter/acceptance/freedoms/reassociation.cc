// reassociation: sums, and results computed from sums, in any order. The rules of ops that have an order query it. A
// reduction of a reduction may also be one reduction, as XLA's simplifier makes it, and one of a dot may be one dot:
// then n * m terms are added up to one number, and not n and m. Only sets through programs know of both.
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/freedom.h"
#include "interpreter/acceptance/ops/common/sum_terms.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/sets/lawful_facts.h"
#include "interpreter/acceptance/sets/operand_facts.h"
#include "interpreter/acceptance/sets/reals.h"
#include "interpreter/acceptance/sets/widen.h"
#include "interpreter/acceptance/statistics/sums/sum_samples.h"
#include "interpreter/hlo/module.h"
#include "interpreter/hlo/op.h"

namespace assay {
namespace {

bool IsReduction(const HloInstruction& instruction) {
  return AcceptanceOf(instruction).terms == SumTerms::OfReduction && instruction.operands.size() == 2 &&
         IsFloatingPointType(instruction.shape.element_type());
}

// True if an instruction moves all elements of its operand, or negates them: a compiler merges reductions before and
// after it.
bool MovesAll(const HloInstruction& instruction) {
  return instruction.operands.size() == 1 && instruction.shape.IsArray() && KeepsTerms(instruction) &&
         !IsComplexType(instruction.shape.element_type()) &&
         ShapeUtil::ElementsIn(instruction.shape) == ShapeUtil::ElementsIn(instruction.operand(0).shape);
}

bool IsReducedAgain(const HloInstruction& instruction, int most_moves = 4) {
  return instruction.parent != nullptr && std::ranges::any_of(instruction.parent->instructions, [&](const auto& user) {
           if (user->operands.empty() || user->operands[0] != &instruction) return false;
           return IsReduction(*user) || (most_moves > 0 && MovesAll(*user) && IsReducedAgain(*user, most_moves - 1));
         });
}

bool IsMovedReduction(const HloInstruction& instruction) {
  const HloInstruction* source = &instruction;
  while (MovesAll(*source)) source = source->operands[0];
  return IsReduction(*source);
}

// True if the terms of the reduction are sums of several terms. No addition of these may round, and yet one may in the
// order of a single sum: 2^24 - 2^24 + 1 is 1 by rows, and 2^24 + 1 - 2^24 is 0.
bool AddsSums(const InstructionFacts& instruction) {
  const ValueSet& array = instruction.operands[0];
  const bool are_reduced = array.terms != nullptr && IsMovedReduction(*instruction.hlo.operands[0]);
  return are_reduced || array.products != nullptr;
}

// The terms of the sums that a reduction adds up.
struct Addends {
  double count;  // of one sum
  double quantum;
  Literal magnitudes;
};

double QuantumOfSet(const ValueSet& set) { return set.open ? 0 : QuantumOf(set.value); }

std::optional<Addends> AddendsOf(const InstructionFacts& instruction) {
  const ValueSet& array = instruction.operands[0];
  if (!AddsSums(instruction)) return std::nullopt;
  if (array.products == nullptr) return {{array.term_count, array.term_quantum, *array.terms}};
  const ProductSizes& products = *array.products;
  const Literal& sizes = products.magnitudes;
  if (sizes.element_count() == array.value.element_count()) return {{products.count, products.quantum, sizes}};
  Literal everywhere(ShapeUtil::ChangeElementType(array.value.shape(), F64));
  std::ranges::fill(everywhere.mutable_values<double>(), LargestMagnitude(sizes));
  return {{products.count, products.quantum, std::move(everywhere)}};
}

// Counts the terms of a reduction, and adds up their magnitudes, if another reduction adds the result, or if it adds
// the results of another.
void CountAddends(const InstructionFacts& instruction, ValueSet& leaf) {
  if (!instruction.is_sum || !IsReduction(instruction.hlo) || !leaf.value.shape().IsArray()) return;
  const std::optional<Addends> addends = AddendsOf(instruction);
  // Merging a sum of one term with another adds no term to it.
  if (!addends && (!IsReducedAgain(instruction.hlo) || instruction.rule->AddsOneTermEach())) return;
  const Literal both[] = {addends ? addends->magnitudes : NumbersOf(instruction.reach[0]),
                          NumbersOf(instruction.reach[1])};
  CountTerms(instruction, both, addends ? addends->count : 1, leaf);
  leaf.term_quantum = std::min(addends ? addends->quantum : QuantumOfSet(instruction.operands[0]),
                               QuantumOfSet(instruction.operands[1]));
}

void CarryAddends(const InstructionFacts& instruction, SetEvaluation& evaluation, ValueSet& result) {
  if (!MovesAll(instruction.hlo) || instruction.operands[0].terms == nullptr || result.terms != nullptr) return;
  const ValueSet& from = instruction.operands[0];
  std::optional<Literal> terms = evaluation.EvaluateInF64(instruction.hlo, {*from.terms});
  if (!terms) return;
  result.terms = std::make_shared<const Literal>(*std::move(terms));
  result.term_count = from.term_count;
  result.term_quantum = from.term_quantum;
}

bool IsMerged(const LeafFacts& leaf) {
  return leaf.terms != nullptr && leaf.instruction.is_sum && IsReduction(leaf.instruction.hlo) &&
         AddsSums(leaf.instruction);
}

// Widens a sum by the bound of all terms in one accumulator.
Widening Merged(const ElementFacts& element, const Reals& number) {
  const LeafFacts& leaf = element.leaf;
  if (number.IsEmpty() || !IsMerged(leaf)) return {number};
  const PrimitiveType type = leaf.part_type;
  const bool is_narrow = MayBeNarrow(leaf.instruction.judged, type);
  const double roundoff = UnitRoundoff(is_narrow ? type : WideAccumulator(type));
  const double reach = leaf.terms->values<double>()[element.component];
  // Multiples of one power of two, few enough of it, are added without rounding.
  if (reach <= leaf.term_quantum / roundoff && leaf.term_quantum >= LeastNormal(type)) return {number};
  const double allowance = (leaf.term_count + 2) * roundoff * reach;
  if (reach + allowance >= LargestFinite(type)) return {{}, true, true};
  return {{number.low - allowance, number.high + allowance, number.may_be_nan}, true, true};
}

bool MergesNothing(const LeafFacts& leaf) { return !IsMerged(leaf); }

}  // namespace

const FreedomRecord freedom_reassociation = {
    .name = "reassociation",
    .meaning = "sums and what is made of them may take any order",
    .permits = &LawfulArithmetic::takes_any_order,
    .noise = "by the rule",
    .widening = {.before_rounding = Merged,
                 .keeps_normal = MergesNothing,
                 .count = CountAddends,
                 .carry = CarryAddends},
};

}  // namespace assay
