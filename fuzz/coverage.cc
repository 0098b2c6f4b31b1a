#include "fuzz/coverage.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <numeric>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "fuzz/generate/element_wise.h"
#include "fuzz/generate/instructions.h"
#include "interpreter/hlo/op.h"
#include "interpreter/types/split_mix.h"

namespace assay {
namespace {

using nlohmann::json;

std::set<std::string> SetFrom(const json& from) { return from.get<std::set<std::string>>(); }

}  // namespace

PrimitiveType CoveredType(const HloInstruction& instruction) {
  const Shape& shape = instruction.operands.empty() ? instruction.shape : instruction.operand(0).shape;
  return shape.IsArray() ? shape.element_type() : TUPLE;
}

bool Coverage::IsNew(const Op& op, const void* other, std::uint64_t number) {
  const auto first = reinterpret_cast<std::uintptr_t>(&op), second = reinterpret_cast<std::uintptr_t>(other);
  const std::uint64_t triple = SplitMix(first * 0x9E3779B97F4A7C15 + second * 0xD6E8FEB86659FD93 + number);
  if (recent_.empty()) recent_.resize(kRecent);
  std::uint64_t& recent = recent_[triple % kRecent];
  if (std::exchange(recent, triple) == triple) return false;
  return seen_.insert(triple).second;
}

void Coverage::Add(const HloModule& module) {
  for (const auto& computation : module.computations) {
    for (const auto& instruction : computation->instructions) {
      const Op& op = *instruction->op;
      const PrimitiveType type = CoveredType(*instruction);
      if (IsNew(op, nullptr, type)) types.insert(fmt::format("{} {}", op.name, PrimitiveTypeName(type)));
      ForCoveredClasses(*instruction, [&](const AttributeSpec& spec, std::string_view one) {
        if (!IsNew(op, &spec, std::hash<std::string_view>()(one) + type)) return;
        attributes.insert(fmt::format("{} {} {} {}", op.name, PrimitiveTypeName(type), spec.name, one));
      });
      for (const HloInstruction* operand : instruction->operands) {
        if (IsNew(op, operand->op, 0)) neighbours.insert(fmt::format("{} {}", operand->op->name, op.name));
      }
    }
  }
}

void Coverage::Add(const Coverage& other) {
  types.insert(other.types.begin(), other.types.end());
  attributes.insert(other.attributes.begin(), other.attributes.end());
  neighbours.insert(other.neighbours.begin(), other.neighbours.end());
}

std::int64_t Coverage::ops() const {
  std::set<std::string_view> ops;
  for (const std::string& cell : types) ops.insert(std::string_view(cell).substr(0, cell.find(' ')));
  return std::ssize(ops);
}

std::int64_t Coverage::classes() const {
  std::set<std::string> classes;
  for (const std::string& cell : attributes) {
    const std::size_t type = cell.find(' ');
    classes.insert(cell.substr(0, type) + cell.substr(cell.find(' ', type + 1)));
  }
  return std::ssize(classes);
}

json ToJson(const Coverage& coverage) {
  return {{"types", coverage.types}, {"attributes", coverage.attributes}, {"neighbours", coverage.neighbours}};
}

Coverage CoverageFromJson(const json& from) {
  Coverage coverage;
  coverage.types = SetFrom(from.at("types"));
  coverage.attributes = SetFrom(from.at("attributes"));
  coverage.neighbours = SetFrom(from.at("neighbours"));
  return coverage;
}

using namespace generate;
namespace {

// An op with an element type, and the index of the type among all types of the op.
struct Cell {
  Target target;
  std::int64_t place = 0;
};

// Returns every op that can be drawn, with each type that its first operand may have.
const std::vector<Cell>& Cells() {
  static const std::vector<Cell> cells = [] {
    std::vector<Cell> found;
    for (const Op* op : DrawableOps()) {
      const TypeSet types = op->evaluation.kernel == nullptr ? op->legality.types : ElementWiseOf(*op).types;
      std::int64_t place = 0;
      for (const PrimitiveType type : ArrayTypes()) {
        if (types.contains(type)) found.push_back({{.op = op, .type = type}, place++});
      }
      if (place == 0) found.push_back({{.op = op}});
    }
    return found;
  }();
  return cells;
}

// Returns element i of a permutation of 0, 1, ..., n - 1 that the seed determines: a + b i modulo n, with b prime to n.
std::int64_t PlaceInOrder(std::uint64_t seed, std::int64_t i, std::int64_t n) {
  Random random(SplitMix(seed));
  const std::int64_t first = random.Below(n);
  std::int64_t step = random.Between(n / 3, n - 1);
  while (std::gcd(step, n) != 1) step = step % n + 1;
  __extension__ using Wide = __int128;
  return static_cast<std::int64_t>((first + static_cast<Wide>(step) * i) % n);
}

Target WithClass(Target target, std::int64_t place, std::int64_t walk) {
  const std::vector<AttributeClass>& classes = ClassesDrawn(*target.op);
  if (!classes.empty()) target.attribute_class = classes[(place + walk) % std::ssize(classes)];
  return target;
}

}  // namespace

Target TargetAt(std::uint64_t seed, std::int64_t number) {
  if (number % 3 == 0) {
    const std::int64_t i = number / 3, count = std::ssize(Cells());
    const Cell& cell = Cells()[PlaceInOrder(seed, i, count)];
    return WithClass(cell.target, cell.place, i / count);
  }
  const std::int64_t i = number / 3 * 2 + number % 3 - 1;
  const std::span<const Op* const> ops = DrawableOps();
  const std::int64_t count = std::ssize(ops), pair = PlaceInOrder(seed, i, count * count);
  return WithClass({.op = ops[pair / count], .producer = ops[pair % count]}, pair % count, i / (count * count));
}

}  // namespace assay
