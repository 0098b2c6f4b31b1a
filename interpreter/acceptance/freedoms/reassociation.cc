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

bool IsReducedAgain(const HloInstruction& instruction) {
  return instruction.parent != nullptr && std::ranges::any_of(instruction.parent->instructions, [&](const auto& user) {
           return IsReduction(*user) && user->operands[0] == &instruction;
         });
}

// True if the terms of the reduction are sums that may be rounded.
bool AddsSums(const InstructionFacts& instruction) {
  const ValueSet& array = instruction.operands[0];
  const bool are_reduced = array.terms != nullptr && IsReduction(*instruction.hlo.operands[0]);
  return array.open != nullptr && (are_reduced || array.products != nullptr);
}

// The terms of the sums that a reduction adds up.
struct Addends {
  double count;  // of one sum
  Literal magnitudes;
};

std::optional<Addends> AddendsOf(const InstructionFacts& instruction) {
  const ValueSet& array = instruction.operands[0];
  if (!AddsSums(instruction)) return std::nullopt;
  if (array.products == nullptr) return {{array.term_count, *array.terms}};
  const Literal& sizes = array.products->magnitudes;
  if (sizes.element_count() == array.value.element_count()) return {{array.products->count, sizes}};
  Literal everywhere(ShapeUtil::ChangeElementType(array.value.shape(), F64));
  std::ranges::fill(everywhere.mutable_values<double>(), LargestMagnitude(sizes));
  return {{array.products->count, std::move(everywhere)}};
}

// Counts the terms of a reduction, and adds up their magnitudes, if another reduction adds the result, or if it adds
// the results of another.
void CountAddends(const InstructionFacts& instruction, ValueSet& leaf) {
  if (!instruction.is_sum || !IsReduction(instruction.hlo) || !leaf.value.shape().IsArray()) return;
  const std::optional<Addends> addends = AddendsOf(instruction);
  if (!addends && !IsReducedAgain(instruction.hlo)) return;
  const Literal both[] = {addends ? addends->magnitudes : NumbersOf(instruction.reach[0]),
                          NumbersOf(instruction.reach[1])};
  CountTerms(instruction, both, addends ? addends->count : 1, leaf);
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
  const double allowance = (leaf.term_count + 2) * roundoff * reach;
  if (reach + allowance >= LargestFinite(type)) return {{}, true};
  return {{number.low - allowance, number.high + allowance, number.may_be_nan}, true};
}

bool MergesNothing(const LeafFacts& leaf) { return !IsMerged(leaf); }

}  // namespace

const FreedomRecord freedom_reassociation = {
    .name = "reassociation",
    .meaning = "sums and what is made of them may take any order",
    .permits = &LawfulArithmetic::takes_any_order,
    .noise = "by the rule",
    .widening = {.before_rounding = Merged, .keeps_normal = MergesNothing, .count = CountAddends},
};

}  // namespace assay
