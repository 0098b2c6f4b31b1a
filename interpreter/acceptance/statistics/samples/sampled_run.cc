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
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/sets/lawful_facts.h"
#include "interpreter/acceptance/sets/operand_facts.h"
#include "interpreter/acceptance/sets/widen.h"
#include "interpreter/acceptance/statistics/samples/decided_values.h"
#include "interpreter/acceptance/statistics/samples/few_terms.h"
#include "interpreter/acceptance/statistics/samples/flushed_values.h"
#include "interpreter/acceptance/statistics/sums/term_sizes.h"
#include "interpreter/hlo/custom_call_target.h"
#include "interpreter/hlo/op.h"

namespace assay {
namespace {

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
    if (is_rounded) disturbance.AddOfRounding(result);
    return;
  }
  if (AcceptanceOf(instruction).Has(Trait::kRounds) && !judged.operands.empty()) {
    return disturbance.AddRelative(result, 2 * LargestChange(judged.operands[0], result), 0);
  }
  // An op whose results the profile rounds correctly may be computed in a wider type.
  const bool is_function = AcceptanceOf(instruction).rule == Acceptance::kUlp;
  if (is_function && judged.rule.acceptance == Acceptance::kExact) disturbance.AddOfRounding(result);
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

}  // namespace assay
