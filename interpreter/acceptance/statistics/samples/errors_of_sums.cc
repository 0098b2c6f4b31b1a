// The sums of a sampled run: by real algorithms, or with errors as large as those of their terms.
#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/evaluate_piece.h"
#include "interpreter/acceptance/ops/common/sum_terms.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/sets/widen.h"
#include "interpreter/acceptance/statistics/samples/decided_values.h"
#include "interpreter/acceptance/statistics/samples/few_terms.h"
#include "interpreter/acceptance/statistics/samples/merged_sum.h"
#include "interpreter/acceptance/statistics/samples/sampled_run.h"
#include "interpreter/acceptance/statistics/sums/sum_samples.h"
#include "interpreter/acceptance/statistics/sums/term_sizes.h"
#include "interpreter/numerics/round.h"
#include "interpreter/types/split_mix.h"

namespace assay {
namespace {

// Fewer narrow sums may be equal in all samples.
constexpr std::int64_t kFewSums = 4;
// The additions of one run by an algorithm. The errors of further sums are those of their terms' magnitudes.
constexpr std::int64_t kMostAdditions = std::int64_t{1} << 22;

// Returns the instruction's operands with the errors that its profile allows before it multiplies them.
std::vector<Literal> LessExactOperands(const JudgedInstruction& judged, Disturbance& disturbance) {
  std::vector<Literal> operands(judged.operands.begin(), judged.operands.end());
  const double error = PrecisionErrorsOf(judged.instruction, judged.profile).operand_error;
  for (Literal& operand : operands) {
    if (error > 0 && IsRealArray(operand)) disturbance.AddRelative(operand, error, 0);
  }
  return operands;
}

// Returns the first elements of an array of real numbers.
std::vector<double> FirstNumbers(const Literal& array) {
  constexpr std::int64_t kMost = 1 << 16;
  std::vector<double> numbers(IsRealArray(array) ? std::min(array.element_count(), kMost) : 0);
  LoadReals(array.element_type(), array.data(), numbers.data(), static_cast<std::int64_t>(numbers.size()));
  return numbers;
}

// Returns products such as a dot adds up: of the first elements of both operands, in order.
std::vector<double> FirstProducts(std::span<const Literal> operands) {
  std::vector<double> products = FirstNumbers(operands[0]);
  const std::vector<double> factors = FirstNumbers(operands[1]);
  for (std::size_t i = 0; i < products.size() && !factors.empty(); ++i) products[i] *= factors[i % factors.size()];
  return products;
}

}  // namespace

// Keeps what an addition of the result needs to know of its terms.
void SampledRun::SeeProducts(const HloInstruction& instruction, const JudgedInstruction& judged, TermSizes& sizes,
                             const Literal& result) {
  if (AddsProducts(instruction) && IsRealArray(result)) {
    const std::span<const Literal> operands = judged.operands;
    const Products& products = products_[&instruction] = ProductsOf(judged, sizes);
    largest_operand_error_ = std::max(largest_operand_error_, products.error);
    if (!IsComplexType(result.element_type())) {
      const double largest = LargestMagnitude(operands[0]) * LargestMagnitude(operands[1]);
      terms_[&instruction] = {NumberOfTerms(judged), largest, FirstProducts(operands)};
    }
  }
  if (auto terms = TermsOfScatter(judged, sizes)) products_[&instruction] = *std::move(terms);
  SeeScaled(instruction, judged.operands);
}

// A partial sum that is flushed loses up to the least normal number, which larger sums do not show.
void SampledRun::DisturbFlushedSums(Literal& result) {
  for (Literal& element : result.mutable_elements()) DisturbFlushedSums(element);
  if (!IsRealArray(result) || IsComplexType(result.element_type()) || !MayBeFlushed(result.element_type())) return;
  const double least = LeastNormal(result.element_type()), negligible = least / UnitRoundoff(result.element_type());
  Literal bound = NumbersOf(result);
  for (double& x : bound.mutable_values<double>()) x = x != 0 && std::fabs(x) < negligible ? least : 0;
  disturbance_.AddWithin(result, bound);
}

// A sum of sums may be one sum of all terms: XLA's simplifier merges two reduces.
void SampledRun::DisturbMerged(const HloInstruction& fold, const JudgedInstruction& judged, Literal& result) {
  if (!AcceptanceOf(fold).Has(Trait::kFolds)) return;
  const std::optional<double> count = CountOfTerms(judged.instruction, judged.operands);
  if (!count) return;
  const PrimitiveType type = judged.operands[0].element_type();
  Terms& terms = terms_[&fold] = {*count, LargestMagnitude(judged.operands[0]), FirstNumbers(judged.operands[0])};
  const auto inner = terms_.find(&WithoutMoves(fold.operands[0]));
  if (inner == terms_.end()) return;
  terms = {terms.count * inner->second.count, inner->second.largest, inner->second.numbers};
  disturbance_.Add(result, 0, ErrorOfMergedSum(type, terms.numbers, terms.count, terms.largest));
}

// Adds errors to a sum of few terms, also to one whose terms have no list, as those of a scatter. Returns false for
// others, which have further errors than those of cuts.
bool SampledRun::DisturbFewTerms(const HloInstruction& executed, const JudgedInstruction& judged, TermSizes& sizes,
                                 Literal& result) {
  const bool is_over_devices = judged.instruction.op->evaluation.depends_on_device;
  const std::optional<Literal> errors = is_over_devices
                                            ? over_devices_.ErrorsOf(executed, executions_[&executed]++, judged, result)
                                            : ErrorsOfFewTerms(judged, sizes, result);
  const std::optional<Literal> of_sums = errors ? errors : ErrorsOfCutSums(judged, sizes, result);
  if (of_sums) disturbance_.AddUpToEach(result, *of_sums);
  return errors.has_value();
}

void SampledRun::DisturbOneRounding(const JudgedInstruction& judged, Literal& result) {
  if (judged.rule.acceptance != Acceptance::kSum) return;
  TermSizes sizes(judged, AcceptanceOf(judged.instruction).rule == Acceptance::kCalled);
  if (const auto errors = ErrorsOfOneRounding(judged, sizes, result)) disturbance_.AddWithin(result, *errors);
}

std::optional<SampledRun::Products> SampledRun::TermsOfScatter(const JudgedInstruction& judged, TermSizes& sizes) {
  const bool is_scatter = AcceptanceOf(judged.instruction).Has(Trait::kStartsFromArray);
  const Shape& shape = judged.instruction.shape;
  if (!is_scatter || judged.rule.acceptance != Acceptance::kSum || !shape.IsArray()) return std::nullopt;
  if (!IsFloatingPointType(shape.element_type()) || !sizes.AreKnown()) return std::nullopt;
  const PrimitiveType type = shape.element_type();
  const double roundoff = UnitRoundoff(MayBeNarrow(judged, type) ? type : WideAccumulator(type));
  return Products{sizes.LargestCount(), 0, roundoff, sizes.magnitudes()};
}

bool SampledRun::Sum(const JudgedInstruction& judged, Literal& result) {
  const SumAlgorithm precision = PrecisionErrorsOf(judged.instruction, judged.profile);
  const bool has_errors = precision.operand_error > 0;
  const std::vector<Literal> less_exact = has_errors ? LessExactOperands(judged, disturbance_) : std::vector<Literal>();
  const JudgedInstruction of_sums = {judged.instruction, has_errors ? less_exact : judged.operands,
                                     judged.profile,     judged.rule,
                                     judged.sources,     judged.arithmetic};
  if (precision.accumulator_roundoff > UnitRoundoff(F32) && !NarrowSums::Of(of_sums, 0)) {
    // The caller adds the errors of the sum; those of its operands are here.
    if (!has_errors) return false;
    if (auto less_exact_sum = EvaluateAlone(judged.instruction, less_exact)) result = *std::move(less_exact_sum);
    return false;
  }
  const std::size_t leaves = result.shape().IsTuple() ? result.elements().size() : 1;
  bool is_rough = false;  // the caller adds further errors
  for (std::size_t leaf = 0; leaf < leaves; ++leaf) {
    const std::optional<NarrowSums> narrow = NarrowSums::Of(of_sums, leaf);
    const std::optional<NarrowSums> sums = narrow ? narrow : NarrowSums::OfWideAccumulator(of_sums, leaf);
    // The only rounding that counts is the last one if the accumulator is wider.
    const bool is_wider = sums && !narrow && WideAccumulator(sums->type()) != sums->type();
    if (!sums || (!is_wider && sums->term_count() < kFewTerms)) return false;
    is_rough |= narrow && sums->size() < kFewSums;
    additions_ += sums->size() * sums->term_count();
    if (additions_ > kMostAdditions) return false;
    if (!adds_) continue;
    Literal all = sums->AddAll(order_, SplitMix(NextSeed()), flushes_);
    if (!narrow) disturbance_.AddOfRounding(all);  // the last rounding may be omitted, or done twice
    (result.shape().IsTuple() ? result.mutable_elements()[leaf] : result) = std::move(all);
  }
  return !is_rough;
}

}  // namespace assay
