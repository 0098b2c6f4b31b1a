#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/container/small_vector.hpp>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/coverage.h"
#include "fuzz/feature.h"
#include "interpreter/hlo/attribute_text.h"
#include "interpreter/hlo/op.h"
#include "interpreter/types/split_mix.h"

namespace assay {
namespace {

enum class Kind : std::uint64_t {
  kOp,
  kCalled,
  kOpType,
  kClass,
  kClassOfType,
  kAttribute,
  kPair,
  kTwice,
  kTwiceOfType,
  kSize,
  kType,
  kResult,
  kBait
};

// Features that programs of this thread had before, by what they are of: their names need not be built again. Each
// hash of what a feature is of has one place, for the last such feature. The table is to fit into a core's cache.
class KnownFeatures {
 public:
  template <class Make>
  Feature Of(std::uint64_t key, const Make& make) {
    Known& known = places_[key % kPlaces];
    if (known.key != key) known = {key, Feature(make())};
    return known.feature;
  }

 private:
  static constexpr std::size_t kPlaces = 1 << 16;
  struct Known {
    std::uint64_t key;  // 0 of no feature, as good as certainly
    Feature feature;
  };
  std::vector<Known> places_ = std::vector<Known>(kPlaces, Known{0, Feature("")});
};

// Multiplies by odd numbers: one SplitMix spreads the sum.
std::uint64_t KeyOf(Kind kind, const void* first, const void* second, std::uint64_t number) {
  const auto a = reinterpret_cast<std::uintptr_t>(first), b = reinterpret_cast<std::uintptr_t>(second);
  return SplitMix(static_cast<std::uint64_t>(kind) * 0x9E3779B97F4A7C15 + a * 0xD6E8FEB86659FD93 +
                  b * 0xA0761D6478BD642F + number);
}

constexpr std::string_view kResultAccuracy = "result_accuracy";

const AttributeValue* ValueOf(const HloInstruction& instruction, AttributeName name) {
  const auto found = std::ranges::find(instruction.attributes, name, &Attribute::name);
  return found == instruction.attributes.end() ? nullptr : &found->value;
}

bool HasOneValueTwice(const HloInstruction& instruction) {
  const auto& operands = instruction.operands;
  for (auto operand = operands.begin(); operand != operands.end(); ++operand) {
    if (std::find(operands.begin(), operand, *operand) != operand) return true;
  }
  return false;
}

// Returns the instruction that computes a value, behind copies and reshapes: many compilers see through them.
const HloInstruction& MakerOf(const HloInstruction& value) {
  const HloInstruction* maker = &value;
  while (maker->op->name == "copy" || maker->op->name == "reshape" || maker->op->name == "bitcast") {
    maker = maker->operands[0];
  }
  return *maker;
}

class FeatureList {
 public:
  void Add(const HloInstruction& instruction, bool is_called) {
    const Op& op = *instruction.op;
    const std::string_view name = op.name;
    const PrimitiveType type = CoveredType(instruction);
    Add(Kind::kOp, &op, nullptr, 0, [&] { return std::string(name); });
    if (is_called) Add(Kind::kCalled, &op, nullptr, 0, [&] { return fmt::format("called {}", name); });
    Add(Kind::kOpType, &op, nullptr, type, [&] { return fmt::format("{} {}", name, PrimitiveTypeName(type)); });
    ForCoveredClasses(instruction, [&](const AttributeSpec& spec, std::string_view one) {
      const std::uint64_t number = std::hash<std::string_view>()(one);
      Add(Kind::kClass, &op, &spec, number, [&] { return fmt::format("{} {} {}", name, spec.name, one); });
      Add(Kind::kClassOfType, &op, &spec, number + type,
          [&] { return fmt::format("{} {} {} {}", name, PrimitiveTypeName(type), spec.name, one); });
    });
    for (const AttributeSpec& spec : op.syntax.attributes) {
      if (!spec.required && IsPrinted(spec, ValueOf(instruction, spec.name))) AddAttribute(op, spec.name);
    }
    if (instruction.result_accuracy) AddAttribute(op, kResultAccuracy);
    AddOperands(instruction);
    AddSize(instruction);
    AddTypes(instruction.shape, op);
  }

  void AddBait(std::string_view bait) {
    Add(Kind::kBait, nullptr, nullptr, std::hash<std::string_view>()(bait),
        [&] { return fmt::format("bait {}", bait); });
  }
  void Add(Feature feature) { features_.push_back(feature); }

  // Returns each feature once.
  std::vector<Feature> Take() {
    std::sort(features_.begin(), features_.end());
    return {features_.begin(), std::unique(features_.begin(), features_.end())};
  }

 private:
  template <class Make>
  void Add(Kind kind, const void* first, const void* second, std::uint64_t number, const Make& make) {
    thread_local KnownFeatures known;
    const std::uint64_t key = KeyOf(kind, first, second, number);
    if (std::exchange(last_[key % last_.size()], key) != key) features_.push_back(known.Of(key, make));
  }

  // A reader that does not know an attribute declines it with any value, and often in any op.
  void AddAttribute(const Op& op, std::string_view name) {
    Add(Kind::kAttribute, nullptr, name.data(), 0, [&] { return fmt::format("attribute {}", name); });
    Add(Kind::kAttribute, &op, name.data(), 0, [&] { return fmt::format("{} {}", op.name, name); });
  }

  void AddOperands(const HloInstruction& instruction) {
    const Op& op = *instruction.op;
    for (const HloInstruction* operand : instruction.operands) {
      const Op& maker = *MakerOf(*operand).op;
      if (maker.role == OpRole::kParameter) continue;
      Add(Kind::kPair, &op, &maker, 0, [&] { return fmt::format("{} of {}", op.name, maker.name); });
    }
    if (!HasOneValueTwice(instruction)) return;
    const PrimitiveType type = CoveredType(instruction);
    Add(Kind::kTwice, &op, nullptr, 0, [&] { return fmt::format("{} of one value", op.name); });
    Add(Kind::kTwiceOfType, &op, nullptr, type,
        [&] { return fmt::format("{} {} of one value", op.name, PrimitiveTypeName(type)); });
  }

  // Compilers simplify an instruction of one element, such as an iota, or do not allow one without elements.
  void AddSize(const HloInstruction& instruction) {
    const Op& op = *instruction.op;
    if (!instruction.shape.IsArray() || op.role == OpRole::kParameter || op.role == OpRole::kConstant) return;
    const std::int64_t elements = ShapeUtil::ElementsIn(instruction.shape);
    if (elements > 1) return;
    Add(Kind::kSize, &op, nullptr, elements,
        [&] { return fmt::format("{} to {}", op.name, elements == 1 ? "one element" : "no element"); });
  }

  void AddTypes(const Shape& shape, const Op& op) {
    for (const Shape& element : shape.tuple_shapes()) AddTypes(element, op);
    if (!shape.IsArray()) return;
    const PrimitiveType type = shape.element_type();
    Add(Kind::kType, nullptr, nullptr, type, [&] { return fmt::format("type {}", PrimitiveTypeName(type)); });
    Add(Kind::kResult, &op, nullptr, type, [&] { return fmt::format("{} to {}", op.name, PrimitiveTypeName(type)); });
    static const Feature other_layout("other layout");
    if (shape.has_layout() && !LayoutUtil::IsMonotonicWithDim0Major(shape.layout())) Add(other_layout);
  }

  boost::container::small_vector<Feature, 512> features_;
  std::array<std::uint64_t, 256> last_ = {};  // keys of added features, by their remainders: most repeat one of these
};

}  // namespace

std::vector<Feature> FeaturesOf(const HloModule& module, std::string_view bait) {
  FeatureList features;
  for (const auto& computation : module.computations) {
    const bool is_called = computation.get() != module.entry;
    for (const auto& instruction : computation->instructions) features.Add(*instruction, is_called);
  }
  static const Feature several_devices("several devices");
  if (!bait.empty()) features.AddBait(bait);
  if (module.device_count() > 1) features.Add(several_devices);
  return features.Take();
}

}  // namespace assay
