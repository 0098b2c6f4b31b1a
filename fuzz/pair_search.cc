#include "fuzz/pair_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "fuzz/generate/random.h"
#include "fuzz/generate/values.h"
#include "interpreter/acceptance/elements.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/float_format.h"
#include "interpreter/types/per_device.h"
#include "interpreter/types/primitive_type.h"
#include "interpreter/types/without_throwing.h"

namespace assay {
namespace {

using generate::EdgeClass;
using generate::Random;

// The distinct elements of the constants of the modules, by type, as bytes. Results change at them: they are the
// bounds of comparisons and clamps.
class Constants {
 public:
  Constants(const HloModule& before, const HloModule& after) {
    for (const HloModule* module : {&before, &after}) {
      for (const auto& computation : module->computations) {
        for (const auto& instruction : computation->instructions) {
          if (instruction->literal) Add(*instruction->literal);
        }
      }
    }
  }

  // Sets some elements of an array to constants of its type, or to numbers next to them.
  void Plant(Random& random, Literal& array) const {
    const auto found = by_type_.find(array.element_type());
    if (found == by_type_.end() || array.element_count() == 0) return;
    const auto size = static_cast<std::size_t>(StorageBytes(array.element_type()));
    for (std::int64_t i = random.Between(1, kMostPlanted); i > 0; --i) {
      std::vector<std::byte> element = random.OneOf(found->second);
      // The low byte of a float or integer: the neighbors of the constant, and numbers near it.
      if (array.element_type() != PRED) {
        element[0] = static_cast<std::byte>(static_cast<int>(element[0]) + static_cast<int>(random.Between(-1, 1)));
      }
      const auto at = static_cast<std::size_t>(random.Below(array.element_count()));
      std::memcpy(array.mutable_data() + at * size, element.data(), size);
    }
  }

 private:
  static constexpr std::int64_t kMostPlanted = 8;
  static constexpr std::int64_t kLargestArray = 64;  // larger constants are tables and weights

  void Add(const Literal& literal) {
    if (!literal.shape().IsArray() || literal.element_count() > kLargestArray || BitWidth(literal.element_type()) < 8) {
      return;
    }
    const auto size = static_cast<std::size_t>(StorageBytes(literal.element_type()));
    for (std::int64_t i = 0; i < literal.element_count(); ++i) {
      const std::byte* const begin = literal.data() + static_cast<std::size_t>(i) * size;
      std::vector<std::byte> element(begin, begin + size);
      std::vector<std::vector<std::byte>>& known = by_type_[literal.element_type()];
      if (std::ranges::find(known, element) == known.end()) known.push_back(std::move(element));
    }
  }

  std::map<PrimitiveType, std::vector<std::vector<std::byte>>> by_type_;
};

template <class Change>
void ForEachArray(Literal& value, const Change& change) {
  if (value.shape().IsArray()) change(value);
  if (!value.shape().IsTuple()) return;
  for (Literal& element : value.mutable_elements()) ForEachArray(element, change);
}

class InputDrawer {
 public:
  InputDrawer(const ModulePair& pair, std::uint64_t seed)
      : pair_(pair), constants_(pair.before(), pair.after()), random_(seed) {}

  // Draws inputs of a class. Devices that hold whole arrays have the same.
  DeviceValues Draw(EdgeClass edge_class) {
    DeviceValues inputs;
    for (std::int64_t device = 0; device < pair_.before().device_count(); ++device) {
      inputs.push_back(device > 0 && pair_.is_whole() ? inputs.front() : DrawOfDevice(edge_class));
    }
    return inputs;
  }

  // Changes some arrays of inputs in some elements.
  DeviceValues Mutate(DeviceValues inputs) {
    return Changed(std::move(inputs), [this](Literal& array) { MutateArray(array); });
  }

  bool HasReals() const {
    return std::ranges::any_of(pair_.before().entry->Parameters(), [](const HloInstruction* parameter) {
      return ShapeUtil::HasInexactLeaf(parameter->shape);
    });
  }

  // Multiplies some arrays by a power of ten: a constant that is added to small numbers decides what they become, and
  // vanishes beside others.
  DeviceValues Scale(DeviceValues inputs) {
    constexpr std::int64_t kMostDigits = 6;
    const double factor = std::pow(10, static_cast<double>(random_.Between(-kMostDigits, kMostDigits)));
    return Changed(std::move(inputs), [factor](Literal& array) { Multiply(array, factor); });
  }

  // Adds a step, small or large, to elements of some arrays.
  DeviceValues Step(DeviceValues inputs) {
    return Changed(std::move(inputs), [this](Literal& array) { StepInArray(array); });
  }

 private:
  template <class Change>
  DeviceValues Changed(DeviceValues inputs, const Change& change) {
    for (std::vector<Literal>& arguments : inputs) {
      for (Literal& argument : arguments) {
        if (arguments.size() > 1 && random_.Flip()) continue;
        ForEachArray(argument, change);
      }
      if (!pair_.is_whole()) continue;
      std::ranges::fill(inputs, arguments);
      break;
    }
    return inputs;
  }

  std::vector<Literal> DrawOfDevice(EdgeClass edge_class) {
    std::vector<Literal> arguments;
    for (const HloInstruction* parameter : pair_.before().entry->Parameters()) {
      Literal& argument = arguments.emplace_back(generate::DrawValue(random_, parameter->shape, ClassFor(edge_class)));
      if (random_.Flip()) ForEachArray(argument, [this](Literal& array) { constants_.Plant(random_, array); });
    }
    return arguments;
  }

  // One extreme argument beside moderate ones shows more than several that all overflow.
  EdgeClass ClassFor(EdgeClass edge_class) {
    const bool is_only = pair_.before().entry->Parameters().size() == 1;
    return !is_only && random_.OneIn(3) ? EdgeClass::kNormal : edge_class;
  }

  void MutateArray(Literal& array) {
    if (array.element_count() == 0) return;
    const EdgeClass edge_class = random_.OneOf(generate::AllEdgeClasses());
    const Literal drawn = generate::DrawValue(random_, array.shape(), edge_class);
    const auto size = static_cast<std::size_t>(StorageBytes(array.element_type()));
    for (std::int64_t i = random_.Between(1, 4); i > 0; --i) {
      const auto at = static_cast<std::size_t>(random_.Below(array.element_count())) * size;
      std::memcpy(array.mutable_data() + at, drawn.data() + at, size);
    }
    if (random_.Flip()) constants_.Plant(random_, array);
  }

  static void Multiply(Literal& array, double factor) {
    const PrimitiveType type = array.element_type();
    if (!IsFloatingPointType(type) || BitWidth(type) < 8) return;
    const auto size = static_cast<std::size_t>(StorageBytes(type));
    for (std::int64_t i = 0; i < array.element_count(); ++i) {
      const Literal product = generate::ScalarOf(type, RealValue(ComponentAt(array, i)) * factor);
      std::memcpy(array.mutable_data() + static_cast<std::size_t>(i) * size, product.data(), size);
    }
  }

  void StepInArray(Literal& array) {
    const PrimitiveType type = array.element_type();
    const bool is_float = IsFloatingPointType(type);
    if (array.element_count() == 0 || (!is_float && !IsIntegralType(type)) || BitWidth(type) < 8) return;
    const std::int64_t at = random_.Below(array.element_count());
    double number = is_float ? RealValue(ComponentAt(array, at)) : static_cast<double>(array.IntegerAt(at));
    if (!std::isfinite(number)) number = 0;
    // Powers of two from a unit of an integer, or the last place of a float, on.
    const int least = is_float ? std::ilogb(std::max(std::fabs(number), 1.0)) - FloatFormatOf(type).mantissa_bits : 0;
    const double step = std::ldexp(1, static_cast<int>(least + random_.Below(is_float ? 30 : BitWidth(type) - 1)));
    const Literal changed = generate::ScalarOf(type, random_.Flip() ? number + step : number - step);
    const auto size = static_cast<std::size_t>(StorageBytes(type));
    std::memcpy(array.mutable_data() + static_cast<std::size_t>(at) * size, changed.data(), size);
  }

  const ModulePair& pair_;
  Constants constants_;
  Random random_;
};

// Orders reports by how near they are to a failure.
auto Badness(const PairReport& pair) {
  const ModuleReport& report = pair.report;
  return std::tuple(report.verdict, report.outputs.not_exact > 0 ? report.outputs.worst.share : 0.0,
                    report.relative_difference);
}

// Limits the time of a run: an integer that is drawn may be the number of a loop's iterations.
CompareOptions WithTimeLimit(CompareOptions options, const ModuleReport& of_given) {
  constexpr double kFreeSeconds = 1, kFactor = 10;
  const double seconds = kFreeSeconds + kFactor * (of_given.reference_seconds + of_given.backend_seconds);
  options.limits.seconds = options.limits.seconds > 0 ? std::min(options.limits.seconds, seconds) : seconds;
  return options;
}

// The outcomes of a module's comparisons that inputs have not shown, and the inputs that came nearest to them.
class BranchGoals {
 public:
  // The module must outlive the goals.
  BranchGoals(const HloModule& module, const EvaluationLimits& limits) : module_(module), limits_(limits) {}

  // Evaluates the module on the reference. Returns true if a comparison of integers or real numbers has an outcome for
  // the first time. Inputs that fail show nothing.
  bool Take(const DeviceValues& inputs);
  // Returns the inputs that came nearest to an outcome of a comparison that has only had the other one: each call takes
  // the comparison that has been tried least. Null if there is none. Valid until the next call of Take.
  const DeviceValues* Next();

 private:
  struct Goal {
    std::array<bool, 2> seen = {};
    double distance = INFINITY;  // of the operands, in the inputs that came nearest
    DeviceValues inputs;
    std::int64_t tries = 0;

    bool IsOpen() const { return seen[0] != seen[1] && std::isfinite(distance); }
  };

  const HloModule& module_;
  EvaluationLimits limits_;
  std::map<const HloInstruction*, Goal> goals_;
};

// True for an instruction that compares two arrays of integers or real numbers, element by element.
bool ComparesNumbers(const HloInstruction& instruction, std::span<const Literal> operands) {
  if (operands.size() != 2 || !instruction.shape.IsArray() || instruction.shape.element_type() != PRED) return false;
  return std::ranges::all_of(operands, [&](const Literal& operand) {
    return operand.shape().IsArray() && operand.element_count() == operands[0].element_count() &&
           (IsFloatingPointType(operand.element_type()) || IsIntegralType(operand.element_type()));
  });
}

double NumberOfElement(const Literal& array, std::int64_t offset) {
  if (IsFloatingPointType(array.element_type())) return RealValue(ComponentAt(array, offset));
  return static_cast<double>(array.IntegerAt(offset));
}

bool BranchGoals::Take(const DeviceValues& inputs) {
  bool is_new = false;
  std::map<const HloInstruction*, double> distances;
  EvaluationOptions options = {.limits = limits_};
  options.observer = [&](const HloInstruction& instruction, std::span<const Literal> operands, const Literal& result,
                         DeviceId) {
    if (result.promise() != nullptr || !ComparesNumbers(instruction, operands)) return;
    Goal& goal = goals_[&instruction];
    double& distance = distances.try_emplace(&instruction, INFINITY).first->second;
    for (std::int64_t i = 0; i < result.element_count(); ++i) {
      bool& seen = goal.seen[result.BoolAt(i) ? 1 : 0];
      is_new |= !std::exchange(seen, true);
      const double apart = std::fabs(NumberOfElement(operands[0], i) - NumberOfElement(operands[1], i));
      if (apart < distance) distance = apart;  // not for NaN
    }
  };
  if (!WithoutThrowing([&] { return EvaluateOnDevices(module_, inputs, options); })) return false;
  for (const auto& [instruction, distance] : distances) {
    Goal& goal = goals_[instruction];
    if (distance > goal.distance) continue;
    goal.distance = distance;
    goal.inputs = inputs;
  }
  return is_new;
}

const DeviceValues* BranchGoals::Next() {
  Goal* next = nullptr;
  for (auto& [instruction, goal] : goals_) {
    if (goal.IsOpen() && (next == nullptr || goal.tries < next->tries)) next = &goal;
  }
  if (next == nullptr) return nullptr;
  ++next->tries;
  return &next->inputs;
}

// Looks for inputs that give a comparison of BEFORE its other outcome, from those that came nearest; returns the last
// ones that it has tried. Nothing if every comparison has had both.
std::optional<DeviceValues> TowardsBranch(BranchGoals& goals, InputDrawer& drawer) {
  constexpr int kMostSteps = 64;
  std::optional<DeviceValues> inputs;
  for (int step = 0; step < kMostSteps; ++step) {
    const DeviceValues* const nearest = goals.Next();
    if (nearest == nullptr) break;
    inputs = drawer.Step(*nearest);
    if (goals.Take(*inputs)) break;
  }
  return inputs;
}

constexpr std::string_view kBranch = "a branch";

// Draws the inputs of the next try, and names their kind.
std::pair<DeviceValues, std::string> NextInputs(const PairSearch& search, const DeviceValues& given,
                                                InputDrawer& drawer, BranchGoals& goals) {
  const std::span<const EdgeClass> classes = generate::AllEdgeClasses();
  const std::int64_t number = search.tried;
  if (number % 4 == 3) {
    if (auto toward = TowardsBranch(goals, drawer)) return {*std::move(toward), std::string(kBranch)};
  }
  if (number % 5 == 2 && drawer.HasReals()) return {drawer.Scale(given), "scaled"};
  if (number % 2 == 0 && search.equal < number) return {drawer.Mutate(search.inputs), "mutation"};
  // Specials show most: every third input has them.
  const EdgeClass edge_class =
      number % 3 == 1 ? EdgeClass::kSpecials : classes[static_cast<std::size_t>(number) % classes.size()];
  return {drawer.Draw(edge_class), std::string(generate::EdgeClassName(edge_class))};
}

}  // namespace

Result<PairSearch> SearchInputs(const ModulePair& pair, const DeviceValues& given, std::int64_t count,
                                std::uint64_t seed, const CompareOptions& options) {
  PairSearch search = {given, {}, 1, 0, 0, "given"};
  ASSAY_TRY(search.report, pair.Judge(given, options));
  search.equal = search.report.report.verdict == Verdict::kExact ? 1 : 0;
  const CompareOptions drawn = WithTimeLimit(options, search.report.report);
  InputDrawer drawer(pair, seed);
  BranchGoals goals(pair.before(), drawn.limits);
  if (count > 1) goals.Take(given);
  while (search.tried < count && !IsFailure(search.report.report.verdict)) {
    auto [inputs, kind] = NextInputs(search, given, drawer, goals);
    ++search.tried;
    if (kind != kBranch) goals.Take(inputs);
    const Result<PairReport> report = WithoutThrowing([&, &values = inputs] { return pair.Judge(values, drawn); });
    if (!report) ++search.skipped;
    if (!report) continue;
    if (report->report.verdict == Verdict::kExact) ++search.equal;
    if (Badness(*report) <= Badness(search.report)) continue;
    search.report = *report;
    search.inputs = std::move(inputs);
    search.kind = std::move(kind);
  }
  return search;
}

}  // namespace assay
