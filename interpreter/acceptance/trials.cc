#include "interpreter/acceptance/trials.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "interpreter/acceptance/choices.h"
#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/executed_operations.h"
#include "interpreter/acceptance/reals.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/types/float_format.h"

namespace assay {
namespace {

// Three trials show the errors of most elements. An error that is rounded away has another chance in each trial, so the
// last element of a large array needs more.
constexpr int kTrials = 16;
// Trials draw from the whole allowed range, but do not reach its worst combination. A result this many times farther is
// far from all of them.
constexpr double kFarther = 32;

// The integers and predicates that one run derived from real numbers, and the results of functions that jump. A run
// that repeats them takes the same branches, so that its results differ by rounding errors alone.
class Decisions {
 public:
  Decisions() = default;
  // Repeats the decisions of another run, which must outlive this object.
  explicit Decisions(const Decisions& made) : repeated_(&made) {}

  void Apply(const HloInstruction& instruction, std::span<const Literal> operands, Literal& result) {
    if (!Decides(instruction, operands)) return;
    if (repeated_ == nullptr) {
      made_.emplace_back(&instruction, result);
    } else if (next_ < repeated_->made_.size() && repeated_->made_[next_].first == &instruction) {
      Repeat(repeated_->made_[next_++].second, HasSteps(instruction), result);
    }
  }
  bool AreNone() const { return made_.empty(); }

 private:
  // True for a function of real numbers with steps: its results are integers, or real numbers such as those of floor.
  static bool Decides(const HloInstruction& instruction, std::span<const Literal> operands) {
    const bool reads_reals = std::ranges::any_of(
        operands, [](const Literal& operand) { return ShapeUtil::HasInexactLeaf(operand.shape()); });
    return reads_reals && !AcceptanceOf(instruction).keeps_bits &&
           (HasSteps(instruction) || HasDiscreteLeaf(instruction.shape));
  }
  static bool HasSteps(const HloInstruction& instruction) {
    return AcceptanceOf(instruction).jumps && instruction.operands.size() == 1 &&
           IsFloatingPointType(instruction.shape.element_type());
  }
  static bool HasDiscreteLeaf(const Shape& shape) {
    if (shape.IsTuple()) return std::ranges::any_of(shape.tuple_shapes(), HasDiscreteLeaf);
    return shape.IsArray() && !IsInexactType(shape.element_type());
  }
  static void Repeat(const Literal& made, bool has_steps, Literal& result) {
    for (std::size_t i = 0; i < made.elements().size(); ++i) {
      Repeat(made.elements()[i], has_steps, result.mutable_elements()[i]);
    }
    const bool is_repeated = made.shape().IsArray() && (has_steps || !IsInexactType(made.element_type()));
    if (is_repeated && made.shape() == result.shape()) result = made;
  }

  const Decisions* repeated_ = nullptr;
  std::vector<std::pair<const HloInstruction*, Literal>> made_;
  std::size_t next_ = 0;
};

double DistanceOf(RealElement a, RealElement b) {
  if (a.bits == b.bits || (IsNan(a) && IsNan(b))) return 0;
  const double distance = std::fabs(RealValue(a) - RealValue(b));
  return std::isnan(distance) ? INFINITY : distance;
}

// One output array that differs from the reference's, and how near the trials come to it, component by component.
class Output {
 public:
  Output(std::size_t number, OutputPath path, const Literal& want, const Literal& got)
      : number_(number), path_(std::move(path)), got_(&got) {
    const PrimitiveType type = want.element_type();
    is_real_ = IsInexactType(type);
    nearest_.assign(want.element_count() * ComponentCount(type), INFINITY);
    spread_.assign(nearest_.size(), 0);
    See(want, want);
  }

  // Takes in two runs that made the same decisions.
  void See(const Literal& a, const Literal& b) {
    for (std::size_t i = 0; i < nearest_.size(); ++i) {
      if (nearest_[i] == 0) continue;
      const auto at = static_cast<std::int64_t>(i);
      nearest_[i] = std::min({nearest_[i], Distance(*got_, a, at), Distance(*got_, b, at)});
      if (is_real_) spread_[i] = std::max(spread_[i], Distance(a, b, at));
    }
  }

  // Returns the component that is farthest from all trials; nullopt if none is far.
  std::optional<std::size_t> Unexplained() const {
    std::optional<std::size_t> worst;
    for (std::size_t i = 0; i < nearest_.size(); ++i) {
      const bool is_near = nearest_[i] == 0 || nearest_[i] <= std::max(kFarther * spread_[i], LastPlace(i));
      if (!is_near && (!worst || nearest_[i] > nearest_[*worst])) worst = i;
    }
    return worst;
  }

  std::string Describe(std::size_t component) const {
    return fmt::format("output {} is {:.3g} off, {} trials with legal errors in every instruction {:.3g} at most",
                       number_, nearest_[component], kTrials, spread_[component]);
  }

  bool is_real() const { return is_real_; }
  std::size_t number() const { return number_; }
  const OutputPath& path() const { return path_; }

 private:
  double Distance(const Literal& a, const Literal& b, std::int64_t i) const {
    if (is_real_) return DistanceOf(ComponentAt(a, i), ComponentAt(b, i));
    return SameElement(a, b, i) ? 0 : INFINITY;
  }
  // An error of one unit in the last place may come from the last rounding alone; a few below the normal numbers, where
  // relative errors vanish.
  double LastPlace(std::size_t component) const {
    if (!is_real_) return 0;
    const RealElement element = ComponentAt(*got_, static_cast<std::int64_t>(component));
    const double value = RealValue(element), least = kFarther * SmallestSubnormal(element.type);
    return std::isfinite(value) ? std::max(UnitInTheLastPlace(element.type, value), least) : 0;
  }

  std::size_t number_;  // among the arrays of all outputs
  OutputPath path_;
  const Literal* got_;
  bool is_real_ = false;
  std::vector<double> nearest_, spread_;
};

// Returns the arrays that differ from the reference's.
void FindDiffering(const Literal& want, const Literal& got, OutputPath& path, std::size_t& number,
                   std::vector<Output>& outputs) {
  for (std::size_t i = 0; i < want.elements().size(); ++i) {
    path.push_back(i);
    FindDiffering(want.elements()[i], got.elements()[i], path, number, outputs);
    path.pop_back();
  }
  if (!want.shape().IsArray()) return;
  if (!want.BitwiseEqual(got)) outputs.emplace_back(number, path, want, got);
  ++number;
}

const Literal& PartAt(const Literal& value, const OutputPath& path) {
  const Literal* part = &value;
  for (const std::size_t i : path) part = &part->elements()[i];
  return *part;
}

class Trials {
 public:
  Trials(const HloModule& module, const DeviceValues& arguments, const Literal& want, const Literal& got,
         const Profile& profile, TrialOptions options)
      : module_(module),
        arguments_(arguments),
        want_(want),
        got_(got),
        profile_(profile),
        options_(options),
        choices_(module, profile, arguments.size()) {
    OutputPath path;
    std::size_t number = 0;
    FindDiffering(want, got, path, number, outputs_);
  }

  std::string FindUnexplained() {
    Decisions of_reference;
    if (const auto reference = Run(of_reference, std::nullopt); !reference) return ReasonOf(reference.error());
    std::erase_if(outputs_, [&](const Output& output) { return choices_.IsLawfulChoice(output.path(), got_); });
    for (const Output& output : outputs_) {
      if (std::string fault = FaultBeforeTrials(output); !fault.empty()) return fault;
    }
    for (int trial = 0; trial < kTrials; ++trial) {
      // More trials can only explain more.
      std::erase_if(outputs_, [](const Output& output) { return !output.Unexplained(); });
      if (outputs_.empty()) return {};
      if (const Status status = Try(trial, of_reference); !status) return ReasonOf(status.error());
    }
    const auto unexplained =
        std::ranges::find_if(outputs_, [](const Output& output) { return output.Unexplained().has_value(); });
    return unexplained == outputs_.end() ? "" : unexplained->Describe(*unexplained->Unexplained());
  }

 private:
  static std::string ReasonOf(const Error& error) {
    return fmt::format("{}: {}", error.code == ErrorCode::kLimit ? "the trials met a limit" : "a trial failed",
                       error.message);
  }

  static DeviceValues Flushed(DeviceValues values) {
    for (std::vector<Literal>& of_device : values) {
      for (Literal& value : of_device) value = WithSubnormalsFlushed(value);
    }
    return values;
  }

  // Returns the reason why trials cannot explain an output; empty if they can.
  std::string FaultBeforeTrials(const Output& output) const {
    if (const HloInstruction* choice = choices_.FindBefore(output.path())) {
      return fmt::format("output {} follows from {} (line {}), which has many lawful results: trials do not vary them",
                         output.number(), choice->name, choice->location.line);
    }
    // Trials may find another order or choice, but do not show that this one is lawful.
    if (!options_.explains_integers && !output.is_real()) {
      return fmt::format("output {} holds integers, and what decides about them is too close to tell", output.number());
    }
    return {};
  }

  // Runs the module. Without a seed it has no errors, and the choices on the way are recorded. With an odd seed all
  // subnormal numbers are zeros, if the profile allows that.
  Result<Literal> Run(Decisions& decisions, std::optional<std::uint64_t> seed) {
    const bool flushes = seed.value_or(0) % 2 != 0 && profile_.ArithmeticOf().flushes_subnormals;
    Disturbance disturbance(seed.value_or(0));
    ExecutedOperations operations(profile_);
    EvaluationOptions options;
    options.disturb = [&](const HloInstruction& instruction, std::span<const Literal> operands, Literal& result) {
      const Literal exact = result;
      if (const JudgedInstruction* operation = operations.Completed(instruction, operands)) {
        DisturbLawfully(*operation, disturbance, result);
        if (disturbance.TakeChoice() && !seed) choices_.Add(instruction, operation->operands, exact);
        if (flushes && operation->arithmetic.flushes_subnormals) result = WithSubnormalsFlushed(result);
      }
      if (!seed) result = exact;
      decisions.Apply(instruction, operands, result);
    };
    return EvaluateTogether(module_, flushes ? Flushed(arguments_) : arguments_, options);
  }

  // Compares two runs that make the same decisions: in the first trial the reference's, in later ones those of another
  // run with errors.
  Status Try(int trial, const Decisions& of_reference) {
    const auto seed = static_cast<std::uint64_t>(trial);
    if (trial == 0 || of_reference.AreNone()) {
      Decisions same(of_reference);
      ASSAY_TRY(const Literal outputs, Run(same, seed));
      See(want_, outputs);
      return {};
    }
    Decisions other;
    ASSAY_TRY(const Literal first, Run(other, seed));
    Decisions same(other);
    ASSAY_TRY(const Literal second, Run(same, seed + kTrials + 1));
    See(first, second);
    return {};
  }

  void See(const Literal& first, const Literal& second) {
    for (Output& output : outputs_) output.See(PartAt(first, output.path()), PartAt(second, output.path()));
  }

  const HloModule& module_;
  const DeviceValues& arguments_;
  const Literal& want_;
  const Literal& got_;
  const Profile& profile_;
  const TrialOptions options_;
  Choices choices_;
  std::vector<Output> outputs_;
};

}  // namespace

void DisturbLawfully(const JudgedInstruction& judged, Disturbance& disturbance, Literal& result) {
  if (judged.instruction.op->role != OpRole::kOrdinary) return;
  RecordOf(judged.rule.acceptance).disturb(judged, disturbance, result);
  // An exact fold, such as one by maximum, may flush the result of any step.
  const bool is_exact_fold = AcceptanceOf(judged.instruction).folds && judged.rule.acceptance == Acceptance::kExact;
  if (is_exact_fold && judged.arithmetic.flushes_subnormals) result = WithSubnormalsFlushed(result);
}

std::string FindUnexplained(const HloModule& module, const DeviceValues& arguments, const Literal& want,
                            const Literal& got, const Profile& profile, TrialOptions options) {
  return Trials(module, arguments, want, got, profile, options).FindUnexplained();
}

}  // namespace assay
