// The errors of a value that are not those of its other uses: a compiler may compute it again, in another way.
#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/evaluate_piece.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/sets/lawful_facts.h"
#include "interpreter/acceptance/statistics/samples/decided_values.h"
#include "interpreter/acceptance/statistics/samples/few_terms.h"
#include "interpreter/acceptance/statistics/samples/sampled_run.h"
#include "interpreter/acceptance/statistics/sums/sum_samples.h"
#include "interpreter/acceptance/statistics/sums/term_sizes.h"
#include "interpreter/hlo/op.h"

namespace assay {
namespace {

// Returns the operations whose numbers an operand has, behind the instructions that move them or choose among them.
std::vector<const HloInstruction*> ProducersOf(const HloInstruction& operand) {
  std::vector<const HloInstruction*> producers, open = {&operand};
  std::unordered_set<const HloInstruction*> seen;
  while (!open.empty()) {
    const HloInstruction& value = *open.back();
    open.pop_back();
    if (!seen.insert(&value).second) continue;
    if (value.operands.empty() || !(KeepsTerms(value) || AcceptanceOf(value).Has(Trait::kChooses))) {
      if (value.op->role == OpRole::kOrdinary) producers.push_back(&value);
      continue;
    }
    const std::uint32_t selectors = AcceptanceOf(value).selectors;
    for (std::size_t i = 0; i < value.operands.size(); ++i) {
      if ((selectors >> i & 1) == 0) open.push_back(value.operands[i]);
    }
  }
  return producers;
}

// A second sum for the sizes of the terms takes longer than it is worth if it has more products than this, none zero.
constexpr double kFewProducts = 1 << 16;

}  // namespace

const HloInstruction& WithoutMoves(const HloInstruction* operand) {
  while (operand->operands.size() == 1 && KeepsTerms(*operand)) operand = operand->operands[0];
  return *operand;
}

SampledRun::Products SampledRun::ProductsOf(const JudgedInstruction& judged, TermSizes& sizes) {
  double count = NumberOfTerms(judged);
  const double roundoff = UnitRoundoff(WideAccumulator(ComplexComponentType(JudgedType(judged.instruction))));
  const SumAlgorithm precision = PrecisionErrorsOf(judged.instruction, judged.profile);
  const double step = 2 * (precision.operand_error + std::max(roundoff, precision.accumulator_roundoff));
  double error = step * std::sqrt(count) * LargestMagnitude(judged.operands[0]) * LargestMagnitude(judged.operands[1]);
  const PrimitiveType type = ComplexComponentType(judged.instruction.shape.element_type());
  std::vector<double> errors;
  // Terms that are zero round nothing, in whatever order they are added.
  const Shape& shape = judged.instruction.shape;
  const bool is_real = type == shape.element_type() && ShapeUtil::ElementsIn(shape) != 0;
  const bool has_few = count * static_cast<double>(ShapeUtil::ElementsIn(shape)) <= kFewProducts;
  const bool is_worth = is_real && (has_few || HasManyZeroTerms(judged));
  if (precision.transform_error == 0 && is_worth && sizes.AreKnown()) {
    count = sizes.LargestCount();
    errors = NumbersIn(sizes.magnitudes());
    for (double& each : errors) each = std::min(error, step * std::sqrt(count) * each);
    error = *std::ranges::max_element(errors);
  }
  const double of_addition = MayBeNarrow(judged, type) ? UnitRoundoff(type) : roundoff;
  return {count, error, std::max(precision.accumulator_roundoff, of_addition), {}, std::move(errors)};
}

// Returns the error of a sum of products, or of one times a number; 0 for other values.
double SampledRun::ErrorOfProduct(const HloInstruction& value) const {
  if (const auto products = products_.find(&value); products != products_.end()) return products->second.error;
  const auto scaled = scaled_.find(&value);
  return scaled == scaled_.end() ? 0 : scaled->second;
}

void SampledRun::SeeScaled(const HloInstruction& instruction, std::span<const Literal> operands) {
  scaled_.erase(&instruction);
  const bool is_product = AcceptanceOf(instruction).folded == Acceptance::kProduct && operands.size() == 2;
  for (std::size_t i = 0; is_product && i < 2; ++i) {
    double error = 0;
    for (const HloInstruction* producer : ProducersOf(*instruction.operands[i])) {
      error = std::max(error, ErrorOfProduct(*producer));
    }
    if (error == 0) continue;
    double& largest = scaled_[&instruction];
    largest = std::max(largest, error * LargestMagnitude(operands[1 - i]));
  }
}

// Returns the errors of the numbers of an operand that are not those of its other uses, in units of `type`; none if it
// was not computed.
std::vector<double> SampledRun::ErrorsOfUse(const HloInstruction& operand, const Literal& value,
                                            PrimitiveType type) const {
  if (!IsRealArray(value) || IsGiven(operand)) return {};
  std::vector<const HloInstruction*> producers = ProducersOf(operand);
  std::erase_if(producers, [this](const HloInstruction* producer) { return IsGiven(*producer); });
  if (producers.empty()) return {};
  const std::vector<double> numbers = NumbersIn(value);
  std::vector<double> errors(numbers.size());
  for (const HloInstruction* producer : producers) {
    // A number that is converted to a wider type may be rounded to its own type for one use, and not for another one.
    const PrimitiveType own_type = producer->shape.element_type();
    const double own_roundoff = IsInexactType(own_type) ? UnitRoundoff(ComplexComponentType(own_type)) : 0;
    const double share = 2 * std::max(own_roundoff, UnitRoundoff(type));
    const auto products = products_.find(producer);
    const double least = ErrorOfProduct(*producer);
    const bool is_sum = producer == &operand && products != products_.end();
    const bool has_own = is_sum && least != 0 && products->second.errors.size() == errors.size();
    for (std::size_t i = 0; i < errors.size(); ++i) {
      const double own = has_own ? products->second.errors[i] : least;
      if (std::isfinite(numbers[i])) errors[i] = std::max({errors[i], share * std::fabs(numbers[i]), own});
    }
  }
  return errors;
}

std::optional<Literal> SampledRun::WithErrorsOfUses(const HloInstruction& instruction,
                                                    std::span<const Literal> operands) {
  if (instruction.op->role != OpRole::kOrdinary || AcceptanceOf(instruction).rule == Acceptance::kExact) return {};
  std::vector<Literal> moved(operands.begin(), operands.end());
  bool is_moved = false;
  for (std::size_t i = 0; i < instruction.operands.size() && i < moved.size(); ++i) {
    if (!IsRealArray(moved[i])) continue;
    const PrimitiveType type = ComplexComponentType(moved[i].element_type());
    const std::vector<double> errors = ErrorsOfUse(*instruction.operands[i], moved[i], type);
    if (errors.empty()) continue;
    Literal bound(ShapeUtil::MakeShape(F64, {std::ssize(errors)}));
    std::ranges::copy(errors, bound.mutable_values<double>().begin());
    disturbance_.AddWithin(moved[i], bound);
    is_moved = true;
  }
  return is_moved ? EvaluateAlone(instruction, std::move(moved)) : std::nullopt;
}

// An operand of an addition may be the unrounded result of another instruction. If that is used twice, it may be
// rounded in one place only, so that x - x is not 0.
void SampledRun::DisturbUnrounded(const JudgedInstruction& judged, Literal& result) {
  if (!AcceptanceOf(judged.instruction).Has(Trait::kAddsTerms) || !IsRealArray(result)) return;
  const PrimitiveType type = ComplexComponentType(result.element_type());
  Literal bound(ShapeUtil::MakeShape(F64, {result.element_count() * ComponentCount(result.element_type())}));
  const std::span<double> bounds = bound.mutable_values<double>();
  bool is_unrounded = false;
  for (std::size_t i = 0; i < judged.operands.size(); ++i) {
    const std::vector<double> errors = ErrorsOfUse(*judged.instruction.operands[i], judged.operands[i], type);
    is_unrounded |= !errors.empty();
    for (std::size_t k = 0; k < std::min(bounds.size(), errors.size()); ++k) bounds[k] = std::max(bounds[k], errors[k]);
  }
  if (is_unrounded && !IsComplexType(result.element_type())) disturbance_.AddWithin(result, bound);
}

// Additions of several instructions that are grouped in another way err by the magnitudes of all terms.
void SampledRun::DisturbRegrouped(const HloInstruction& instruction, const JudgedInstruction& judged, Literal& result) {
  if (!judged.arithmetic.regroups_terms || !AcceptanceOf(judged.instruction).Has(Trait::kAddsTerms)) return;
  const TermMagnitudes::Of* const terms = magnitudes_.Find(instruction);
  if (terms == nullptr || terms->count <= 2) return;
  Literal errors = terms->sizes;
  const double share = 2 * UnitRoundoff(result.element_type()) * std::sqrt(terms->count);
  for (double& error : errors.mutable_values<double>()) error *= share;
  disturbance_.AddUpToEach(result, errors);
}

}  // namespace assay
