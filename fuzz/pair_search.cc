#include "fuzz/pair_search.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "fuzz/generate/random.h"
#include "fuzz/generate/values.h"
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
    for (std::vector<Literal>& arguments : inputs) {
      for (Literal& argument : arguments) {
        if (arguments.size() > 1 && random_.Flip()) continue;
        ForEachArray(argument, [this](Literal& array) { MutateArray(array); });
      }
      if (!pair_.is_whole()) continue;
      std::ranges::fill(inputs, arguments);
      break;
    }
    return inputs;
  }

 private:
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

}  // namespace

Result<PairSearch> SearchInputs(const ModulePair& pair, const DeviceValues& given, std::int64_t count,
                                std::uint64_t seed, const CompareOptions& options) {
  PairSearch search = {given, {}, 1, 0, 0, "given"};
  ASSAY_TRY(search.report, pair.Judge(given, options));
  search.equal = search.report.report.verdict == Verdict::kExact ? 1 : 0;
  const CompareOptions drawn = WithTimeLimit(options, search.report.report);
  InputDrawer drawer(pair, seed);
  const std::span<const EdgeClass> classes = generate::AllEdgeClasses();
  while (search.tried < count && !IsFailure(search.report.report.verdict)) {
    const bool is_mutation = search.tried % 2 == 0 && search.equal < search.tried;
    // Specials show most: every third input has them.
    const EdgeClass edge_class =
        search.tried % 3 == 1 ? EdgeClass::kSpecials : classes[static_cast<std::size_t>(search.tried) % classes.size()];
    ++search.tried;
    DeviceValues inputs = is_mutation ? drawer.Mutate(search.inputs) : drawer.Draw(edge_class);
    const Result<PairReport> report = WithoutThrowing([&] { return pair.Judge(inputs, drawn); });
    if (!report) ++search.skipped;
    if (!report) continue;
    if (report->report.verdict == Verdict::kExact) ++search.equal;
    if (Badness(*report) <= Badness(search.report)) continue;
    search.report = *report;
    search.inputs = std::move(inputs);
    search.kind = is_mutation ? "mutation" : generate::EdgeClassName(edge_class);
  }
  return search;
}

}  // namespace assay
