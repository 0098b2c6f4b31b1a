#include "interpreter/acceptance/statistics/samples/sample_runs.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/find_before.h"
#include "interpreter/acceptance/statistics/samples/decided_values.h"
#include "interpreter/acceptance/statistics/samples/open_results.h"
#include "interpreter/acceptance/statistics/samples/sampled_run.h"
#include "interpreter/numerics/round.h"

namespace assay {
namespace {

// The errors that a number may have though no sample shows them, in units of the largest intermediate one.
constexpr double kFewUnits = 8;

// An element farther from all samples than errors so many times as large move it is far by its own errors.
constexpr double kTimesLarger = 16;

// Makes the errors of an instruction's result several times as large, as far as the type has such numbers.
void Enlarge(const Literal& exact, double times, Literal& result) {
  for (std::size_t i = 0; i < exact.elements().size(); ++i) {
    Enlarge(exact.elements()[i], times, result.mutable_elements()[i]);
  }
  if (!IsRealArray(exact)) return;
  const std::vector<double> numbers = NumbersIn(exact);
  std::vector<double> moved = NumbersIn(result);
  for (std::size_t i = 0; i < moved.size(); ++i) {
    const double larger = numbers[i] + times * (moved[i] - numbers[i]);
    if (std::isfinite(larger)) moved[i] = larger;
  }
  StoreReals(ComplexComponentType(exact.element_type()), moved.data(), result.mutable_data(),
             static_cast<std::int64_t>(moved.size()));
}

// True for a function whose errors, and those of its argument, may make a result infinite: the numbers of 8 bits and
// less are far from each other.
bool NearlyOverflows(const JudgedInstruction& judged, const Literal& result) {
  constexpr double kNear = 2, kNearInFewBits = 64;
  if (AcceptanceOf(judged.instruction).rule != Acceptance::kUlp || !IsRealArray(result)) return false;
  const PrimitiveType type = ComplexComponentType(result.element_type());
  return LargestMagnitude(result) >= LargestFinite(type) / (BitWidth(type) <= 8 ? kNearInFewBits : kNear);
}

DeviceValues Flushed(DeviceValues values) {
  for (std::vector<Literal>& of_device : values) {
    for (Literal& value : of_device) value = WithSubnormalsFlushed(value);
  }
  return values;
}

}  // namespace

std::vector<SampledRun> SampleRuns::RunOfEachDevice(std::size_t order, std::uint64_t seed) const {
  constexpr int kBitsOfSeed = 20;
  std::vector<SampledRun> runs;
  for (std::uint64_t device = 0; device < arguments_.size(); ++device) {
    runs.emplace_back(order, seed + (device << kBitsOfSeed), errors_, profile_, over_devices_);
  }
  return runs;
}

Status SampleRuns::RunReference(Decisions& decisions) {
  std::vector<SampledRun> runs = RunOfEachDevice(0, 0);
  EvaluationOptions options = {.limits = limits_};
  options.disturb = [&](const HloInstruction& instruction, std::span<const Literal> operands, Literal& result,
                        DeviceId device) {
    const std::lock_guard lock(mutex_);
    const std::size_t number = FlattenedId(device, module_.num_partitions);
    SampledRun& run = runs[number];
    if (const JudgedInstruction* operation = run.See(instruction, operands, result)) {
      over_devices_.See(number, instruction, *operation);
      least_[&instruction].nearly_overflows |= NearlyOverflows(*operation, result);
      const bool is_open = run.TakeChoice() || IsLeftOpen(*operation, result);
      if (is_open || HasFreeSigns(instruction)) choices_.Add(instruction, operation->operands, result, !is_open);
    }
    VaryOpenNumbers(instruction, operands, profile_, /*seed=*/0, result);
    SampledOutput::LeastErrors& least = least_[&instruction];
    least.of_uses = std::max(least.of_uses, run.TakeOperandError());
    for (const Literal& operand : operands) SeeSubnormals(operand, least);
    SeeSubnormals(result, least);
    if (!run.IsExact(instruction)) SeeUnit(result, least);
    decisions.Apply(instruction, operands, profile_, result);
  };
  ASSAY_TRY(const Literal outputs, Evaluated(arguments_, options));
  has_rough_sums_ = std::ranges::any_of(runs, &SampledRun::has_rough_sums);
  return {};
}

Result<Literal> SampleRuns::Run(Decisions& decisions, std::size_t order, std::uint64_t seed) {
  return RunWithErrors(decisions, order, seed, 1, Uses::kAlike);
}

Result<Literal> SampleRuns::RunWithLargerErrors(Decisions& decisions, std::size_t order, std::uint64_t seed) {
  return RunWithErrors(decisions, order, seed, kTimesLarger, Uses::kDiffer);
}

Result<Literal> SampleRuns::RunWithErrorsOfUses(Decisions& decisions, std::size_t order, std::uint64_t seed) {
  return RunWithErrors(decisions, order, seed, 1, Uses::kDiffer);
}

Result<Literal> SampleRuns::RunWithErrors(Decisions& decisions, std::size_t order, std::uint64_t seed, double times,
                                          Uses uses) {
  std::vector<SampledRun> runs = RunOfEachDevice(order, seed);
  EvaluationOptions options = {.limits = limits_};
  options.disturb = [&](const HloInstruction& instruction, std::span<const Literal> operands, Literal& result,
                        DeviceId device) {
    const std::lock_guard lock(mutex_);
    SampledRun& run = runs[FlattenedId(device, module_.num_partitions)];
    const std::optional<Literal> exact = times == 1 ? std::nullopt : std::optional(result);
    if (uses == Uses::kDiffer) {
      if (auto of_uses = run.WithErrorsOfUses(instruction, operands)) result = *std::move(of_uses);
    }
    const JudgedInstruction* const operation = run.Replace(instruction, operands, result);
    if (exact && operation != nullptr) {
      run.DisturbOneRounding(*operation, result);
      Enlarge(*exact, times, result);
    }
    const std::uint64_t seed_of_open = run.NextSeed();
    VaryOpenNumbers(instruction, operands, profile_, seed_of_open, result);
    VaryOpenSigns(instruction, profile_, seed_of_open, result);
    decisions.Apply(instruction, operands, profile_, result);
    const bool is_open = operation != nullptr && AssumesFinite(*operation, result);
    if (is_open) choices_.Add(instruction, operation->operands, result, /*is_sampled=*/false);
  };
  const bool flushes = runs[0].flushes_arguments() && flushes_;
  return Evaluated(flushes ? Flushed(arguments_) : arguments_, options);
}

Result<Literal> SampleRuns::RunExactly(Decisions& decisions) {
  EvaluationOptions options = {.limits = limits_};
  options.disturb = [&](const HloInstruction& instruction, std::span<const Literal> operands, Literal& result,
                        DeviceId) {
    const std::lock_guard lock(mutex_);
    VaryOpenNumbers(instruction, operands, profile_, /*seed=*/0, result);
    decisions.Apply(instruction, operands, profile_, result);
  };
  return Evaluated(arguments_, options);
}

Result<Literal> SampleRuns::Evaluated(const DeviceValues& arguments, const EvaluationOptions& options) {
  Result<Literal> outputs = EvaluateTogether(module_, arguments, options);
  if (!outputs && outputs.error().code == ErrorCode::kLimit) limit_ = outputs.error().message;
  return outputs;
}

SampledOutput::LeastErrors SampleRuns::LeastErrorsOf(const HloInstruction& value) const {
  SampledOutput::LeastErrors least = {.assumes_finite = profile_.ArithmeticOf().assumes_finite};
  FindBefore(value, [&](const HloInstruction& instruction) {
    if (const auto own = least_.find(&instruction); own != least_.end()) {
      least.unit = std::max(least.unit, own->second.unit);
      least.of_uses = std::max(least.of_uses, own->second.of_uses);
      least.of_flushing = std::max(least.of_flushing, own->second.of_flushing);
      least.nearly_overflows |= own->second.nearly_overflows;
    }
    return false;
  });
  return least;
}

// Keeps the largest unit in the last place of an intermediate number, several times.
void SampleRuns::SeeUnit(const Literal& result, SampledOutput::LeastErrors& least) {
  for (const Literal& element : result.elements()) SeeUnit(element, least);
  if (!IsRealArray(result)) return;
  const double unit = 2 * UnitRoundoff(ComplexComponentType(result.element_type())) * LargestMagnitude(result);
  least.unit = std::max(least.unit, kFewUnits * unit);
}

// Keeps the error that flushing may cause. A root makes that of the least normal number its root.
void SampleRuns::SeeSubnormals(const Literal& value, SampledOutput::LeastErrors& least) const {
  for (const Literal& element : value.elements()) SeeSubnormals(element, least);
  if (!flushes_ || !IsRealArray(value)) return;
  const PrimitiveType type = ComplexComponentType(value.element_type());
  const double error = kFewUnits * std::sqrt(LeastNormal(type));
  if (least.of_flushing < error && HasSubnormals(value)) least.of_flushing = error;
}

}  // namespace assay
