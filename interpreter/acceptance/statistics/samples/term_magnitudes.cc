#include "interpreter/acceptance/statistics/samples/term_magnitudes.h"

#include <cmath>
#include <optional>
#include <utility>

#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/sets/lawful_facts.h"
#include "interpreter/acceptance/sets/widen.h"
#include "interpreter/acceptance/statistics/samples/few_terms.h"
#include "interpreter/hlo/op.h"

namespace assay {
namespace {

double FiniteSize(double x) { return std::isfinite(x) ? std::fabs(x) : 0; }

bool IsArrayOfReals(const Shape& shape) { return shape.IsArray() && IsFloatingPointType(shape.element_type()); }

}  // namespace

const TermMagnitudes::Of* TermMagnitudes::Find(const HloInstruction& value) const {
  const auto found = terms_.find(&value);
  return found == terms_.end() ? nullptr : &found->second;
}

TermMagnitudes::Of TermMagnitudes::OfOperand(const JudgedInstruction& judged, std::size_t operand) const {
  if (const Of* const known = Find(judged.instruction.operand(static_cast<std::int64_t>(operand)))) return *known;
  Literal sizes = NumbersOf(judged.operands[operand]);
  for (double& x : sizes.mutable_values<double>()) x = FiniteSize(x);
  return {std::move(sizes), 1};
}

void TermMagnitudes::See(const HloInstruction& instruction, const JudgedInstruction& judged) {
  terms_.erase(&instruction);
  if (!IsArrayOfReals(judged.instruction.shape) || judged.operands.empty()) return;
  const OpAcceptance& acceptance = AcceptanceOf(judged.instruction);
  if (judged.rule.acceptance == Acceptance::kSum) {
    auto sizes = EvaluateInF64(judged.instruction, judged.operands, FiniteSize);
    if (sizes) terms_.emplace(&instruction, Of{*std::move(sizes), NumberOfTerms(judged)});
    return;
  }
  if (judged.operands.size() == 1 && KeepsTerms(judged.instruction)) {
    const Of* const known = Find(judged.instruction.operand(0));
    if (known == nullptr) return;
    const double count = known->count;
    auto sizes = EvaluateInF64(judged.instruction, {&known->sizes, 1}, FiniteSize);
    if (sizes) terms_.emplace(&instruction, Of{*std::move(sizes), count});
    return;
  }
  const bool is_product = acceptance.folded == Acceptance::kProduct && judged.instruction.op->evaluation.kernel;
  if (judged.operands.size() != 2 || (!is_product && !acceptance.Has(Trait::kAddsTerms))) return;
  Of a = OfOperand(judged, 0);
  const Of b = OfOperand(judged, 1);
  if (is_product && a.count * b.count == 1) return;
  const auto sizes = a.sizes.mutable_values<double>();
  const auto others = b.sizes.values<double>();
  for (std::size_t i = 0; i < sizes.size(); ++i) sizes[i] = is_product ? sizes[i] * others[i] : sizes[i] + others[i];
  a.count = is_product ? a.count * b.count : a.count + b.count;
  terms_.emplace(&instruction, std::move(a));
}

}  // namespace assay
