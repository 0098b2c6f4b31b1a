#include "interpreter/acceptance/statistics/samples/sampled_run.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/evaluate_piece.h"
#include "interpreter/acceptance/find_before.h"
#include "interpreter/acceptance/ops/common/quantization.h"
#include "interpreter/acceptance/ops/common/sum_terms.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/sets/lawful_facts.h"
#include "interpreter/acceptance/sets/operand_facts.h"
#include "interpreter/acceptance/sets/widen.h"
#include "interpreter/acceptance/statistics/samples/decided_values.h"
#include "interpreter/acceptance/statistics/samples/few_terms.h"
#include "interpreter/acceptance/statistics/samples/flushed_values.h"
#include "interpreter/acceptance/statistics/samples/merged_sum.h"
#include "interpreter/acceptance/statistics/sums/orders.h"
#include "interpreter/acceptance/statistics/sums/sum_samples.h"
#include "interpreter/acceptance/statistics/sums/term_sizes.h"
#include "interpreter/hlo/custom_call_target.h"
#include "interpreter/hlo/op.h"
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

// Returns the largest relative change of a number by a rounding to fewer digits in the same type.
double LargestChange(const Literal& operand, const Literal& result) {
  double largest = 0;
  for (std::int64_t i = 0; i < result.element_count(); ++i) {
    const double before = RealValue(ComponentAt(operand, i)), after = RealValue(ComponentAt(result, i));
    const double change = std::fabs(after - before) / std::fabs(before);
    if (std::isfinite(change)) largest = std::max(largest, change);
  }
  return largest;
}

// Adds the error of a rounding, which a compiler may omit or do twice, or which goes another way because the operand
// has an error.
void DisturbRounding(const JudgedInstruction& judged, Disturbance& disturbance, Literal& result) {
  const HloInstruction& instruction = judged.instruction;
  if (!IsRealArray(result)) return;
  const auto roundoff = [](PrimitiveType type) { return UnitRoundoff(ComplexComponentType(type)); };
  const PrimitiveType type = result.element_type();
  if (AcceptanceOf(instruction).Has(Trait::kConverts)) {
    const PrimitiveType from = judged.operands[0].element_type();
    const bool is_rounded = IsInexactType(from) ? roundoff(type) > roundoff(from)
                                                : LargestMagnitude(result) * roundoff(type) >= 1;  // an integer
    if (is_rounded) disturbance.Add(result, 1);
    return;
  }
  if (AcceptanceOf(instruction).Has(Trait::kRounds) && !judged.operands.empty()) {
    return disturbance.AddRelative(result, 2 * LargestChange(judged.operands[0], result), 0);
  }
  // An op whose results the profile rounds correctly may be computed in a wider type.
  const bool is_function = AcceptanceOf(instruction).rule == Acceptance::kUlp;
  if (is_function && judged.rule.acceptance == Acceptance::kExact) disturbance.Add(result, 1);
}

// Adds random legal errors to the result of an instruction.
void DisturbLawfully(const JudgedInstruction& judged, Disturbance& disturbance, Literal& result) {
  if (judged.instruction.op->role != OpRole::kOrdinary) return;
  RecordOf(judged.rule.acceptance).disturb(judged, disturbance, result);
  // An exact fold, such as one by maximum, may flush the result of any step.
  const bool is_exact_fold =
      AcceptanceOf(judged.instruction).Has(Trait::kFolds) && judged.rule.acceptance == Acceptance::kExact;
  if (is_exact_fold && judged.arithmetic.flushes_subnormals) result = WithSubnormalsFlushed(result);
}

bool IsRealFunction(const JudgedInstruction& judged, const Literal& result) {
  return AcceptanceOf(judged.instruction).rule == Acceptance::kUlp && !judged.rule.tolerance &&
         result.shape().IsArray() && IsFloatingPointType(result.element_type());
}

// Restores the zeros of a function that are exact.
void KeepExactZeros(const JudgedInstruction& judged, const Literal& exact, Literal& result) {
  const int bytes = StorageBytes(result.element_type());
  for (std::int64_t i = 0; i < result.element_count(); ++i) {
    if (!IsZero(ComponentAt(exact, i)) || !IsExactZero(judged.operands, i)) continue;
    std::memcpy(result.mutable_data() + i * bytes, exact.data() + i * bytes, bytes);
  }
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

// Returns the magnitudes of the terms of an operand that `producer` made: the largest for all elements if it was moved.
Literal MagnitudesAt(const HloInstruction* operand, const HloInstruction* producer, const Literal& magnitudes) {
  if (operand == producer) return magnitudes;
  Literal largest(ShapeUtil::ChangeElementType(operand->shape, F64));
  std::ranges::fill(largest.mutable_values<double>(), LargestMagnitude(magnitudes));
  return largest;
}

}  // namespace

bool HasOneFactorization(const HloInstruction& instruction) {
  if (AcceptanceOf(instruction).Fact<PropertiesFunction>() != nullptr) return true;
  if (AcceptanceOf(instruction).rule != Acceptance::kTarget) return false;
  const Result<const CustomCallTarget*> target = FindCustomCallTarget(instruction);
  return target && (*target)->has_one_result != nullptr && (*target)->has_one_result(instruction);
}

bool HasFreeSigns(const HloInstruction& instruction) {
  if (AcceptanceOf(instruction).rule != Acceptance::kTarget) return false;
  const Result<const CustomCallTarget*> target = FindCustomCallTarget(instruction);
  return target && (*target)->another != nullptr && !HasOneFactorization(instruction);
}

SampledRun::SampledRun(std::size_t order, std::uint64_t seed, Disturbance::Errors errors, const Profile& profile,
                       const SumsOverDevices& over_devices)
    : order_(order),
      over_devices_(over_devices),
      disturbance_(seed, errors),
      operations_(profile),
      flushes_(seed % 2 != 0),
      flushes_arguments_(seed % 4 == 1),
      starts_from_addend_(seed % 4 < 2),
      seed_(seed << 32) {}

const JudgedInstruction* SampledRun::Replace(const HloInstruction& instruction, std::span<const Literal> operands,
                                             Literal& result) {
  const JudgedInstruction* operation = operations_.Completed(instruction, operands);
  if (operation == nullptr) {
    SeeGivenCall(instruction);
    return nullptr;
  }
  if (flushes_arguments_) FlushConstants(*operation, result);
  const Acceptance rule = operation->rule.acceptance;
  SeeExact(instruction, *operation, result);
  const bool is_exact = IsExact(instruction);
  TermSizes sizes(*operation, AcceptanceOf(operation->instruction).rule == Acceptance::kCalled);
  const std::optional<Literal> of_function = IsRealFunction(*operation, result) ? std::optional(result) : std::nullopt;
  SeeProducts(instruction, *operation, sizes, result);
  if (rule == Acceptance::kProperties) Factorize(*operation, result);
  if (!is_exact && (rule != Acceptance::kSum || !Sum(*operation, result))) {
    has_rough_sums_ |= rule == Acceptance::kSum;
    const bool has_few_terms = rule == Acceptance::kSum && DisturbFewTerms(instruction, *operation, sizes, result);
    if (!has_few_terms) DisturbLawfully(*operation, disturbance_, result);
  }
  if (rule == Acceptance::kSum) DisturbMerged(instruction, *operation, result);
  if (operation->arithmetic.regroups_terms) magnitudes_.See(instruction, *operation);
  if (!is_exact) DisturbUnrounded(*operation, result);
  DisturbRegrouped(instruction, *operation, result);
  DisturbStart(*operation, result);
  DisturbFixedPoint(*operation, result);
  if (!is_exact) DisturbRounding(*operation, disturbance_, result);
  if (of_function) KeepExactZeros(*operation, *of_function, result);
  if (flushes_ && operation->arithmetic.flushes_subnormals) {
    if (rule == Acceptance::kSum) DisturbFlushedSums(result);
    result = WithSubnormalsFlushed(result, /*is_least_normal_flushed=*/flushes_arguments_);
    FlushReciprocals(*operation, result);
  }
  return operation;
}

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

// An operand of an addition or a conversion may be a result that another run does not round: it must be exact, too.
void SampledRun::SeeExact(const HloInstruction& instruction, const JudgedInstruction& judged, const Literal& result) {
  exact_.erase(&instruction);
  const bool rounds_nothing = RoundsNothing(judged, result);
  SeeGiven(instruction, rounds_nothing);
  const OpAcceptance& acceptance = AcceptanceOf(judged.instruction);
  if (!rounds_nothing) return;
  const bool may_be_unrounded = acceptance.Has(Trait::kAddsTerms) || acceptance.Has(Trait::kConverts);
  const bool are_exact = std::ranges::all_of(judged.instruction.operands, [this](const HloInstruction* operand) {
    const HloInstruction& producer = WithoutMoves(operand);
    return producer.op->role != OpRole::kOrdinary || IsExact(producer) || IsGiven(producer);
  });
  if (are_exact || !may_be_unrounded) exact_.insert(&instruction);
}

// A number that is moved, or chosen among given ones, is no result of its own. Neither is one that counts: the sum of
// given numbers that rounds nothing, unless it may start from a number that is added to it.
void SampledRun::SeeGiven(const HloInstruction& instruction, bool rounds_nothing) {
  given_.erase(&instruction);
  const bool may_start = AddsProducts(instruction) || AcceptanceOf(instruction).Has(Trait::kStartsFromArray);
  const bool computes_none = KeepsTerms(instruction) || AcceptanceOf(instruction).Has(Trait::kChooses);
  if (!computes_none && (!rounds_nothing || may_start)) return;
  if (std::ranges::all_of(instruction.operands, [this](const auto* one) { return IsGiven(*one); })) {
    given_.insert(&instruction);
  }
}

// Parameters of a called computation are given if the operands of the call are.
void SampledRun::SeeGivenCall(const HloInstruction& call) {
  if (call.op->role != OpRole::kCall) return;
  given_.erase(&call);
  const bool are_given = std::ranges::all_of(call.operands, [this](const auto* one) { return IsGiven(*one); });
  if (are_given && IsGiven(*call.CalledComputations().front()->root)) given_.insert(&call);
}

bool SampledRun::IsGiven(const HloInstruction& value) const {
  const OpRole role = value.op->role;
  const HloInstruction& whole = role == OpRole::kGetTupleElement ? *value.operands[0] : value;
  const bool is_given = whole.op->role == OpRole::kParameter || whole.op->role == OpRole::kConstant;
  return is_given || !ShapeUtil::HasInexactLeaf(value.shape) || given_.contains(&value);
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

// True if another operand of an addition follows from this one. No compiler starts a sum from a number that it knows
// only after it: the difference of scores from the largest of them, or of a sum from the mean.
bool SampledRun::FollowsFromOther(const HloInstruction& addition, const HloInstruction* operand) {
  const auto [known, is_new] = follows_.try_emplace({&addition, operand}, false);
  if (!is_new) return known->second;
  const HloInstruction& sum = WithoutMoves(operand);
  known->second = std::ranges::count(addition.operands, operand) > 1 ||
                  std::ranges::any_of(addition.operands, [&](const HloInstruction* other) {
                    return other != operand && FollowsFrom(*other, sum);
                  });
  return known->second;
}

// A sum of n products that starts from a number added to it rounds n times at the magnitude of that number. Only half
// of the runs do so: the statistics of an array that does not would be unlike those of runs with such large errors.
void SampledRun::DisturbStart(const JudgedInstruction& judged, Literal& result) {
  if (!starts_from_addend_ || !judged.arithmetic.sums_into_addend) return;
  if (!AcceptanceOf(judged.instruction).Has(Trait::kAddsTerms)) return;
  for (const HloInstruction* operand : judged.instruction.operands) {
    const auto products = products_.find(&WithoutMoves(operand));
    if (products == products_.end() || !IsRealArray(result) || FollowsFromOther(judged.instruction, operand)) continue;
    Literal starts(ShapeUtil::MakeShape(F64, {result.element_count() * ComponentCount(result.element_type())}));
    const std::span<double> sizes = starts.mutable_values<double>();
    const double error = 2 * products->second.roundoff * products->second.count;
    std::vector<Literal> all(judged.operands.begin(), judged.operands.end());
    all.push_back(result);
    if (products->second.magnitudes)
      all.push_back(MagnitudesAt(operand, products->first, *products->second.magnitudes));
    for (const Literal& one : all) {
      const std::vector<double> numbers = NumbersIn(one);
      for (std::size_t i = 0; i < sizes.size(); ++i) {
        if (std::isfinite(numbers[i])) sizes[i] = std::max(sizes[i], error * std::fabs(numbers[i]));
      }
    }
    disturbance_.AddUpToEach(result, starts);
  }
}

// A quantization may round the numbers of a fixed-point multiplier in place of those of the expressed type. Both ends
// of their errors show which integers they round to; an end may be a tie, which may be rounded either way.
void SampledRun::DisturbFixedPoint(const JudgedInstruction& judged, Literal& result) {
  if (!judged.arithmetic.computes_with_integers) return;
  const std::optional<FixedPointError> error = FixedPointErrorOf(judged.instruction);
  if (!error) return;
  Literal bound = NumbersOf(result);
  for (double& number : bound.mutable_values<double>()) {
    number = error->At(number) + UnitInTheLastPlace(result.element_type(), number);
  }
  disturbance_.AddWithin(result, bound, Disturbance::Sizes::kLargest);
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

// The algorithms of factors and solutions are stable: their results are those of operands with small errors. Signs and
// bases that are free differ from run to run.
void SampledRun::Factorize(const JudgedInstruction& judged, Literal& result) {
  constexpr double kUlpsOfOperand = 4;
  const HloInstruction& instruction = judged.instruction;
  if (!HasOneFactorization(instruction) && !HasFreeSigns(instruction)) return disturbance_.SeeChoice();
  std::vector<Literal> operands(judged.operands.begin(), judged.operands.end());
  for (Literal& operand : operands) disturbance_.Add(operand, kUlpsOfOperand);
  if (HasFreeSigns(instruction)) {
    const auto another = (*FindCustomCallTarget(instruction))->another;
    std::optional<Literal> factors = another(instruction, operands, NextSeed());
    if (!factors) return disturbance_.SeeChoice();
    result = *std::move(factors);
  } else if (auto factors = EvaluateAlone(instruction, std::move(operands))) {
    result = *std::move(factors);
  }
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
    if (!narrow) disturbance_.Add(all, 1);  // the last rounding may be omitted, or done twice
    (result.shape().IsTuple() ? result.mutable_elements()[leaf] : result) = std::move(all);
  }
  return !is_rough;
}

}  // namespace assay
