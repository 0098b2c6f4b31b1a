#include "interpreter/acceptance/statistics/samples/few_terms.h"

#include <algorithm>
#include <cmath>

#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/ops/common/sum_algorithms.h"
#include "interpreter/acceptance/ops/common/sum_terms.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/sets/operand_facts.h"
#include "interpreter/acceptance/sets/widen.h"
#include "interpreter/acceptance/statistics/disturbance.h"
#include "interpreter/acceptance/statistics/samples/decided_values.h"
#include "interpreter/acceptance/statistics/sums/sum_samples.h"
#include "interpreter/acceptance/statistics/sums/term_sizes.h"
#include "interpreter/hlo/op.h"

namespace assay {
namespace {

// True for an array of sums of real numbers on one device whose terms have no errors of their own.
bool HasExactTerms(const JudgedInstruction& judged, const Literal& result) {
  if (!IsRealArray(result) || IsComplexType(result.element_type()) || result.element_count() == 0) return false;
  if (BitWidth(result.element_type()) < 16) return false;
  const SumAlgorithm precision = PrecisionErrorsOf(judged.instruction, judged.profile);
  const bool may_be_scaled = judged.operands.size() > 2 && AcceptanceOf(judged.instruction).rule == Acceptance::kSum;
  return !may_be_scaled && !judged.instruction.op->evaluation.depends_on_device && precision.operand_error == 0 &&
         precision.transform_error == 0 && precision.accumulator_roundoff <= UnitRoundoff(F32) &&
         std::ranges::none_of(judged.operands, &Literal::has_dynamic_sizes);
}

}  // namespace

std::optional<Literal> ErrorsOfFewTerms(const JudgedInstruction& judged, TermSizes& sizes, const Literal& result) {
  if (!HasExactTerms(judged, result)) return std::nullopt;
  const std::optional<NarrowSums> listed = NarrowSums::OfWideAccumulator(judged, 0);
  if (listed && listed->term_count() >= kFewTerms) return std::nullopt;
  const PrimitiveType type = result.element_type();
  Literal errors(ShapeUtil::MakeShape(F64, {result.element_count()}));
  Place place;
  for (place.offset = 0; place.offset < result.element_count(); ++place.offset) {
    const std::optional<TermSizes::Of> at = sizes.At(place);
    if (!at || at->count >= kFewTerms || !std::isfinite(at->magnitude)) return std::nullopt;
    const double rounded = UnitRoundoff(type) * at->magnitude + 2 * LostBelow(judged, type);
    if (at->magnitude > 0) errors.mutable_values<double>()[place.offset] = (at->count + 2) * rounded + at->flushed;
  }
  return errors;
}

std::optional<Literal> ErrorsOfCutSums(const JudgedInstruction& judged, TermSizes& sizes, const Literal& result) {
  const SumAlgorithm precision = PrecisionErrorsOf(judged.instruction, judged.profile);
  const double cut = precision.accumulator_roundoff;
  if (cut <= UnitRoundoff(F32) || !IsRealArray(result) || IsComplexType(result.element_type())) return std::nullopt;
  const PrimitiveType widest = WidestOperand(judged.instruction);
  const bool is_rounded_away = widest != PRIMITIVE_TYPE_INVALID && BitWidth(widest) <= 8;  // in the samples' operands
  const double most = NumberOfTerms(judged) * precision.products;
  if ((most * cut <= precision.operand_error && !is_rounded_away) || !sizes.AreKnown()) return std::nullopt;
  const double count = sizes.LargestCount() * precision.products;
  const double share = count * cut + (is_rounded_away ? precision.operand_error : 0);
  Literal errors = NumbersOf(result);
  const std::span<double> bounds = errors.mutable_values<double>();
  const std::vector<double> magnitudes = NumbersIn(sizes.magnitudes());
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    // Partial sums of terms of both signs grow with the root of their number.
    const double partial = std::max(std::fabs(bounds[i]), magnitudes[i] / std::sqrt(std::max(count, 1.0)));
    bounds[i] = std::isfinite(partial) ? share * partial : 0;
  }
  return errors;
}

std::optional<Literal> ErrorsOfOneRounding(const JudgedInstruction& judged, TermSizes& sizes, const Literal& result) {
  if (!HasExactTerms(judged, result) || !sizes.AreKnown()) return std::nullopt;
  const double roundoff = UnitRoundoff(result.element_type()), root = std::sqrt(std::max(sizes.LargestCount(), 1.0));
  Literal errors = NumbersOf(sizes.magnitudes());
  for (double& error : errors.mutable_values<double>()) {
    const bool is_rounded = error * roundoff > sizes.quantum();  // a partial sum is a multiple of it
    error = is_rounded && std::isfinite(error) ? roundoff * error / root : 0;
  }
  return errors;
}

bool RoundsNothing(const JudgedInstruction& judged, const Literal& result) {
  const OpAcceptance& acceptance = AcceptanceOf(judged.instruction);
  if (!HasExactTerms(judged, result)) return false;
  const std::span<const Literal> operands = judged.operands;
  if (acceptance.Has(Trait::kConverts) || (acceptance.Has(Trait::kRounds) && operands.empty())) {
    const bool is_real = !operands.empty() && IsRealArray(operands[0]);
    return is_real ? NumbersIn(operands[0]) == NumbersIn(result)
                   : LargestMagnitude(result) * UnitRoundoff(result.element_type()) < 1;
  }
  const bool multiplies = acceptance.folded == Acceptance::kProduct || AddsProducts(judged.instruction);
  const bool is_sum = judged.rule.acceptance == Acceptance::kSum;
  if (!multiplies && !is_sum && !acceptance.Has(Trait::kAddsTerms)) return false;
  double quantum = multiplies ? 1 : INFINITY, largest = multiplies ? 1 : 0, numbers = 0;
  for (const Literal& operand : operands) {
    if (!IsRealArray(operand)) continue;
    const double own = QuantumOf(operand), size = LargestMagnitude(operand);
    if (!IsFinite(operand)) return false;
    quantum = multiplies ? quantum * own : std::min(quantum, own);
    largest = multiplies ? largest * size : std::max(largest, size);
    numbers += static_cast<double>(operand.element_count());
  }
  const double terms = is_sum ? CountOfTerms(judged.instruction, operands).value_or(numbers) : multiplies ? 1 : 2;
  const double reach = quantum / UnitRoundoff(result.element_type());
  return std::isfinite(quantum) && quantum >= LeastNormal(result.element_type()) &&
         terms * largest <= std::min(reach, LargestFinite(result.element_type()));
}

double NumberOfTerms(const JudgedInstruction& judged) {
  return CountOfTerms(judged.instruction, judged.operands).value_or(64);
}

}  // namespace assay
