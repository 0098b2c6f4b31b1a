#include "fuzz/coverage.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

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

}  // namespace assay
