#include "interpreter/acceptance/trials.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>

#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/rule.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/numerics/round.h"
#include "interpreter/types/parallel.h"

namespace assay {
namespace {

constexpr int kTrials = 3;
// Trials draw from the whole range of what is allowed, but not its worst combination; this many times as far is far
// from all of them.
constexpr double kFarther = 32;
// Errors of sums and transforms, in units of the last place of the largest number that they are made of.
constexpr double kUlpsOfNorm = 8;
constexpr std::int64_t kGrain = 1 << 14;

bool IsRealArray(const Literal& value) { return value.shape().IsArray() && IsReal(value.element_type()); }

// Calls body(first, numbers) for the real components of an array, in blocks.
template <class Body>
void ForBlocks(const Literal& value, const Body& body) {
  const PrimitiveType type = ComplexComponentType(value.element_type());
  const std::int64_t count = value.element_count() * ComponentsOf(value.element_type());
  ParallelFor(count, kGrain, [&](std::int64_t begin, std::int64_t end) {
    std::vector<double> numbers(end - begin);
    LoadReals(type, value.data() + begin * StorageBytes(type), numbers.data(), end - begin);
    body(begin, numbers);
  });
}

// The largest finite magnitude of an array's numbers.
double NormOf(const Literal& value) {
  if (!IsRealArray(value)) return 0;
  std::mutex mutex;
  double norm = 0;
  ForBlocks(value, [&](std::int64_t, const std::vector<double>& numbers) {
    double largest = 0;
    for (const double x : numbers) largest = std::max(largest, std::isfinite(x) ? std::fabs(x) : 0);
    const std::lock_guard lock(mutex);
    norm = std::max(norm, largest);
  });
  return norm;
}

// In [-1, 1), by place.
double NoiseAt(std::uint64_t stream, std::int64_t place) {
  std::uint64_t z = stream + static_cast<std::uint64_t>(place) * 0x9E3779B97F4A7C15;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
  z = (z ^ z >> 27) * 0x94D049BB133111EB;
  return static_cast<double>(static_cast<std::int64_t>(z ^ z >> 31)) * 0x1p-63;
}

constexpr double kUlpsOfSolution = 64;

// Puts random legal errors into results.
class Disturbance {
 public:
  Disturbance(const Profile& profile, std::uint64_t seed) : profile_(profile), stream_(seed) {}

  // Whether something ran that has many legal results far from each other: random numbers, a factorization whose signs
  // or bases are free.
  bool saw_choices() const { return saw_choices_; }

  void Apply(const HloInstruction& instruction, std::span<const Literal> operands, Literal& result) {
    if (instruction.op->role != OpRole::kOrdinary) return;
    const RuleChoice rule = RuleOf(instruction, profile_);
    const bool has_properties = rule.acceptance == Acceptance::kProperties;
    // An op's own properties are those of a factor or a solution that is determined, if not ill-conditioned.
    const bool is_determined = has_properties && instruction.op->properties != nullptr;
    saw_choices_ |= rule.acceptance == Acceptance::kStatistical || (has_properties && !is_determined);
    if (is_determined) Disturb(result, kUlpsOfSolution, 0);
    if (rule.acceptance == Acceptance::kUlp) {
      Disturb(result, rule.tolerance ? rule.tolerance->ulps : rule.allowance.ulp, 0);
    }
    if (rule.acceptance == Acceptance::kDerived) {
      DisturbWithin(result, instruction.op->error_bound(instruction, operands));
    }
    // Contraction and excess precision: a rounding left out.
    if (rule.acceptance == Acceptance::kExact && instruction.op->folded != Acceptance::kExact) Disturb(result, 1, 0);
    if (rule.acceptance == Acceptance::kProduct) Disturb(result, kUlpsOfNorm, 0);
    if (rule.acceptance == Acceptance::kSum || rule.acceptance == Acceptance::kTransform) {
      double terms = 1;
      for (const Literal& operand : operands) {
        if (operand.shape().rank() > 0 && IsRealArray(operand)) terms *= NormOf(operand);
      }
      Disturb(result, 0, kUlpsOfNorm * terms);
    }
  }

 private:
  // Adds errors to every finite number: so many units of its last place, and so many of an absolute size.
  void Disturb(Literal& value, double ulps, double terms) {
    for (Literal& element : value.mutable_elements()) Disturb(element, ulps, terms);
    if (!IsRealArray(value) || value.element_count() == 0) return;
    const PrimitiveType type = ComplexComponentType(value.element_type());
    const double unit = 2 * UnitRoundoff(type);
    const double absolute = terms > 0 ? unit * std::max(terms, kUlpsOfNorm * NormOf(value)) : 0;
    const std::uint64_t stream = stream_ += 0xD1B54A32D192ED03;
    std::byte* data = value.mutable_data();
    ForBlocks(value, [&](std::int64_t first, std::vector<double>& numbers) {
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        const double x = numbers[i];
        const double error =
            (ulps * unit * std::fabs(x) + absolute) * NoiseAt(stream, first + static_cast<std::int64_t>(i));
        if (std::isfinite(x + error)) numbers[i] = x + error;
      }
      StoreReals(type, numbers.data(), data + first * StorageBytes(type), static_cast<std::int64_t>(numbers.size()));
    });
  }

  // Adds errors up to a bound of each element; without one the element may be anything.
  void DisturbWithin(Literal& value, const Literal& bound) {
    for (std::size_t i = 0; i < value.elements().size(); ++i) {
      DisturbWithin(value.mutable_elements()[i], bound.elements()[i]);
    }
    if (!IsRealArray(value) || value.element_count() == 0) return;
    const std::span<const double> bounds = bound.values<double>();
    saw_choices_ |= !std::ranges::all_of(bounds, [](double b) { return std::isfinite(b); });
    const PrimitiveType type = value.element_type();
    const std::uint64_t stream = stream_ += 0xD1B54A32D192ED03;
    std::byte* data = value.mutable_data();
    ForBlocks(value, [&](std::int64_t first, std::vector<double>& numbers) {
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        const std::int64_t place = first + static_cast<std::int64_t>(i);
        const double error = bounds[place] * NoiseAt(stream, place);
        if (std::isfinite(numbers[i] + error)) numbers[i] += error;
      }
      StoreReals(type, numbers.data(), data + first * StorageBytes(type), static_cast<std::int64_t>(numbers.size()));
    });
  }

  const Profile& profile_;
  std::uint64_t stream_;
  bool saw_choices_ = false;
};

// How far a leaf lies from the exact one: for real numbers the largest distance, for others whether they differ.
double DistanceOf(const Literal& want, const Literal& other) {
  if (want.BitwiseEqual(other)) return 0;
  const PrimitiveType type = want.element_type();
  if (!IsFloatingPointType(type) && !IsComplexType(type)) return INFINITY;
  double distance = 0;
  for (std::int64_t i = 0; i < want.element_count() * ComponentsOf(type); ++i) {
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

}  // namespace

std::string FindUnexplained(const HloModule& module, const std::vector<Literal>& arguments, const Literal& want,
                            const Literal& got, const Profile& profile) {
  std::vector<double> actual;
  LeafDistances(want, got, actual);
  std::vector<double> tried(actual.size(), 0);
  for (int trial = 0; trial < kTrials; ++trial) {
    Disturbance disturbance(profile, static_cast<std::uint64_t>(trial));
    EvaluationOptions options;
    options.disturb = [&](const HloInstruction& instruction, std::span<const Literal> operands, Literal& result) {
      disturbance.Apply(instruction, operands, result);
    };
    const Result<Literal> outputs = EvaluateTogether(module, arguments, options);
    if (!outputs || disturbance.saw_choices()) return {};
    std::vector<double> distances;
    LeafDistances(want, *outputs, distances);
    for (std::size_t i = 0; i < tried.size(); ++i) tried[i] = std::max(tried[i], distances[i]);
  }
  for (std::size_t i = 0; i < actual.size(); ++i) {
    if (actual[i] == 0 || actual[i] <= kFarther * tried[i]) continue;
    return fmt::format("output {} is {:.3g} off, {} trials with legal errors in every instruction {:.3g} at most", i,
                       actual[i], kTrials, tried[i]);
  }
  return {};
}

}  // namespace assay
