#include "interpreter/acceptance/trials.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/executed_operations.h"
#include "interpreter/evaluator/evaluator.h"

namespace assay {
namespace {

constexpr int kTrials = 3;
// Trials draw from the whole allowed range, but do not reach its worst combination. A result this many times farther is
// far from all of them.
constexpr double kFarther = 32;

// The random legal errors in the results of one run.
class Disturber {
 public:
  Disturber(const Profile& profile, Disturbance& disturbance) : disturbance_(disturbance), operations_(profile) {}

  void Disturb(const HloInstruction& instruction, std::span<const Literal> operands, Literal& result) {
    const JudgedInstruction* operation = operations_.Completed(instruction, operands);
    if (operation != nullptr) DisturbLawfully(*operation, disturbance_, result);
  }

 private:
  Disturbance& disturbance_;
  ExecutedOperations operations_;
};

// Returns the distance of a leaf from the exact one: the largest distance of real numbers; 0 or infinity for other
// types.
double DistanceOf(const Literal& want, const Literal& other) {
  if (want.BitwiseEqual(other)) return 0;
  const PrimitiveType type = want.element_type();
  if (!IsInexactType(type)) return INFINITY;
  double distance = 0;
  for (std::int64_t i = 0; i < want.element_count() * ComponentCount(type); ++i) {
    const RealElement a = ComponentAt(want, i), b = ComponentAt(other, i);
    if (a.bits == b.bits || (IsNan(a) && IsNan(b))) continue;
    const double step = std::fabs(RealValue(a) - RealValue(b));
    distance = std::max(distance, std::isnan(step) ? INFINITY : step);
  }
  return distance;
}

void LeafDistances(const Literal& want, const Literal& other, std::vector<double>& distances) {
  for (std::size_t i = 0; i < want.elements().size(); ++i) {
    LeafDistances(want.elements()[i], other.elements()[i], distances);
  }
  if (want.shape().IsArray()) distances.push_back(DistanceOf(want, other));
}

// Returns the first leaf that is far from all trials; the number of leaves if none is.
std::size_t FindFartherThan(const std::vector<double>& tried, const std::vector<double>& actual) {
  std::size_t i = 0;
  while (i < actual.size() && (actual[i] == 0 || actual[i] <= kFarther * tried[i])) ++i;
  return i;
}

}  // namespace

void DisturbLawfully(const JudgedInstruction& judged, Disturbance& disturbance, Literal& result) {
  if (judged.instruction.op->role != OpRole::kOrdinary) return;
  RecordOf(judged.rule.acceptance).disturb(judged, disturbance, result);
  // An exact fold, such as one by maximum, may flush the result of any step.
  const bool is_exact_fold = AcceptanceOf(judged.instruction).folds && judged.rule.acceptance == Acceptance::kExact;
  if (is_exact_fold && judged.arithmetic.flushes_subnormals) result = WithSubnormalsFlushed(result);
}

std::string FindUnexplained(const HloModule& module, const DeviceValues& arguments, const Literal& want,
                            const Literal& got, const Profile& profile) {
  std::vector<double> actual;
  LeafDistances(want, got, actual);
  std::vector<double> tried(actual.size(), 0);
  for (int trial = 0; trial < kTrials; ++trial) {
    Disturbance disturbance(static_cast<std::uint64_t>(trial));
    EvaluationOptions options;
    Disturber disturber(profile, disturbance);
    options.disturb = [&](const HloInstruction& instruction, std::span<const Literal> operands, Literal& result) {
      disturber.Disturb(instruction, operands, result);
    };
    const Result<Literal> outputs = EvaluateTogether(module, arguments, options);
    if (!outputs && outputs.error().code == ErrorCode::kLimit)
      return "the trials met a limit: " + outputs.error().message;
    if (!outputs || disturbance.saw_choices()) return {};
    std::vector<double> distances;
    LeafDistances(want, *outputs, distances);
    for (std::size_t i = 0; i < tried.size(); ++i) tried[i] = std::max(tried[i], distances[i]);
    // More trials can only explain more.
    if (FindFartherThan(tried, actual) == actual.size()) return {};
  }
  const std::size_t i = FindFartherThan(tried, actual);
  return fmt::format("output {} is {:.3g} off, {} trials with legal errors in every instruction {:.3g} at most", i,
                     actual[i], kTrials, tried[i]);
}

}  // namespace assay
