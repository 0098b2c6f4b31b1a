#include "interpreter/acceptance/sets/lawful_facts.h"

#include <algorithm>
#include <cmath>

#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/ops/common/sum_terms.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/sets/reals.h"
#include "interpreter/acceptance/sets/widen.h"
#include "interpreter/hlo/op.h"

namespace assay {
namespace {

bool Rounds(const OpAcceptance& acceptance) {
  return acceptance.rule != Acceptance::kExact || acceptance.folded != Acceptance::kExact ||
         acceptance.Has(Trait::kRounds);
}

std::uint32_t RuleBits(Acceptance rule) {
  if (rule == Acceptance::kExact) return 0;
  return rule == Acceptance::kUlp ? kApproximationBit : BitsPermitting(&LawfulArithmetic::takes_any_order);
}

std::vector<OpenWidening> OpenWidenings(const HloInstruction& instruction, const FreedomSources& sources) {
  std::vector<OpenWidening> open;
  for (const Freedom freedom : AllFreedoms()) {
    if (sources[static_cast<std::size_t>(freedom)].empty()) continue;
    const FreedomWidening& widening = RecordOf(freedom).widening;
    const bool applies = widening.applies_to == nullptr || widening.applies_to(instruction);
    if (applies) open.push_back({BitOf(freedom), widening});
  }
  return open;
}

std::vector<Literal> ReachOfOperands(std::span<const ValueSet> operands, bool is_exact,
                                     std::span<const OpenWidening> open) {
  const bool is_read =
      !is_exact || std::ranges::any_of(open, [](const OpenWidening& freedom) { return freedom.widening.reads_reach; });
  std::vector<Literal> reach;
  for (const ValueSet& operand : operands) reach.push_back(is_read ? ReachOf(operand) : ValueOf(operand));
  return reach;
}

std::vector<Literal> FiniteReachOfOperands(std::span<const ValueSet> operands) {
  std::vector<Literal> reach;
  for (const ValueSet& operand : operands) reach.push_back(FiniteReachOf(operand));
  return reach;
}

}  // namespace

InstructionFacts::InstructionFacts(const JudgedInstruction& instruction, std::span<const ValueSet> operands)
    : hlo(instruction.instruction),
      acceptance(AcceptanceOf(hlo)),
      operands(operands),
      is_exact(instruction.rule.acceptance == Acceptance::kExact),
      is_sum(instruction.rule.acceptance == Acceptance::kSum),
      is_elementwise(hlo.op->evaluation.kernel != nullptr),
      is_product(acceptance.folded == Acceptance::kProduct),
      is_quotient(IsQuotient(instruction)),
      rounds(Rounds(acceptance)),
      open(OpenWidenings(hlo, instruction.sources)),
      reach(ReachOfOperands(operands, is_exact, open)),
      finite_reach(is_sum ? FiniteReachOfOperands(operands) : std::vector<Literal>()),
      operand_facts(operands, reach),
      factor_count(is_product || is_quotient ? operand_facts.FactorCount() + (is_quotient ? 1 : 0) : 1),
      mixes_subnormals_and_infinities(is_sum && operand_facts.HaveSubnormalsAndInfinities()),
      rule_bits(RuleBits(instruction.rule.acceptance)),
      judged{hlo,
             is_sum ? finite_reach : reach,
             instruction.profile,
             instruction.rule,
             instruction.sources,
             instruction.arithmetic},
      rule(MakeRule(judged)) {}

bool LeafFacts::IsOpen(std::int64_t element) const {
  return image != nullptr && image->state.values<std::uint8_t>()[element] != 0;
}

LeafFacts MakeLeafFacts(const InstructionFacts& instruction, const Literal& value, std::span<const double> own,
                        const OpenElements* image, const ValueSet& set) {
  const PrimitiveType type = value.element_type();
  std::uint32_t unrounded = 0;
  for (const auto& [bit, widening] : instruction.open) {
    const bool keeps = widening.keeps_unrounded != nullptr && widening.keeps_unrounded(instruction, type);
    if (keeps) unrounded |= bit;
  }
  return {.instruction = instruction,
          .value = value,
          .image = image,
          .own = own,
          .type = type,
          .part_type = ComplexComponentType(type),
          .terms = set.terms.get(),
          .term_count = set.term_count,
          .term_quantum = set.term_quantum,
          .factors = set.factors.get(),
          .start_errors = set.start_errors.get(),
          .unrounded = unrounded};
}

ElementFacts MakeElementFacts(const LeafFacts& leaf, const Place& place, int part, const Literal* exact) {
  const std::int64_t component = place.offset * ComponentCount(leaf.type) + part;
  const bool is_open = leaf.IsOpen(place.offset);
  std::optional<double> number;
  if (exact != nullptr) number = reinterpret_cast<const double*>(exact->data())[component];
  return {.leaf = leaf,
          .place = place,
          .part = part,
          .component = component,
          .own = Reals::Point(leaf.own[component]),
          .is_open = is_open,
          .is_moved = is_open && !leaf.instruction.rounds,
          .image = is_open ? RealsAt(*leaf.image, component, place.offset) : Reals(),
          .exact = number};
}

Reals RealsAt(const OpenElements& open, std::int64_t component, std::int64_t element) {
  const int parts = ComponentCount(open.low.element_type());
  return OpenElements::Read(reinterpret_cast<const double*>(open.low.data())[component],
                            reinterpret_cast<const double*>(open.high.data())[component],
                            open.state.values<std::uint8_t>()[element], component - element * parts);
}

bool KeepsTerms(const HloInstruction& instruction) {
  const OpAcceptance& acceptance = AcceptanceOf(instruction);
  // Some ops move real numbers and compute with complex ones.
  const bool has_complex_rule = acceptance.RuleForComplex() != acceptance.rule;
  if (has_complex_rule && IsComplexType(instruction.operand(0).shape.element_type())) return false;
  if (acceptance.is_unread != nullptr && acceptance.is_unread(instruction, 0)) return false;
  return acceptance.Has(Trait::kKeepsTerms) ||
         (acceptance.forms.gives_operand != nullptr && acceptance.forms.gives_operand(instruction));
}

bool IsComputedAsProduct(const HloInstruction& instruction) {
  const auto is_product = AcceptanceOf(instruction).forms.is_product;
  return is_product != nullptr && is_product(instruction);
}

bool IsQuotient(const JudgedInstruction& judged) {
  return AcceptanceOf(judged.instruction).Has(Trait::kDivides) && judged.arithmetic.multiplies_by_reciprocals &&
         IsFloatingPointType(judged.instruction.shape.element_type());
}

void CountTerms(const InstructionFacts& sum, std::span<const Literal> operands, double terms_each, ValueSet& leaf) {
  const std::optional<double> count = CountOfTerms(sum.hlo, sum.reach);
  std::optional<Literal> total =
      EvaluateInF64(sum.hlo, operands, [](double x) { return std::isfinite(x) ? std::fabs(x) : 0; });
  if (!count || !total) return;
  leaf.term_count = *count * terms_each;
  leaf.terms = std::make_shared<const Literal>(*std::move(total));
}

std::optional<Scales> ScalesOf(const InstructionFacts& instruction) {
  if (!instruction.is_product || !instruction.is_elementwise || instruction.operands.size() != 2) return std::nullopt;
  if (!IsFloatingPointType(instruction.hlo.shape.element_type())) return std::nullopt;
  for (std::size_t k = 0; k < 2; ++k) {
    const ValueSet& factor = instruction.operands[k];
    if (!factor.IsDecided() || factor.value.element_count() == 0) continue;
    const Literal numbers = NumbersOf(factor.value);
    Scales scales = {INFINITY, 0};
    const bool are_powers = std::ranges::all_of(numbers.values<double>(), [&](double x) {
      if (x == 0) return true;
      scales.least = std::min(scales.least, std::fabs(x));
      scales.largest = std::max(scales.largest, std::fabs(x));
      return IsPowerOfTwo(x);
    });
    if (are_powers && scales.largest > 0) return scales;
  }
  return std::nullopt;
}

}  // namespace assay
