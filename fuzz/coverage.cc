#include "fuzz/coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <variant>
#include <vector>

#include "interpreter/hlo/op.h"

namespace assay {
namespace {

using nlohmann::json;
using Classes = std::set<std::string>;

Classes Plain(Classes found) { return found.empty() ? Classes{"plain"} : found; }

// The classes that the value of an attribute is of: a bug shows with one, and not with another one.
struct ClassesOf {
  Classes operator()(std::monostate) const { return {"unset"}; }
  Classes operator()(bool value) const { return {value ? "true" : "false"}; }
  Classes operator()(std::int64_t value) const {
    return {value < 0 ? "negative" : value == 0 ? "0" : value == 1 ? "1" : "more"};
  }
  Classes operator()(double value) const { return {value == 0 ? "0" : "other"}; }
  Classes operator()(const std::string& value) const { return {value}; }
  Classes operator()(const Int64List& list) const {
    if (list.size() < 2) return {list.empty() ? "none" : "one"};
    return {std::ranges::is_sorted(list) ? "ascending" : "in another order"};
  }
  Classes operator()(const Window& window) const {
    Classes found;
    for (const WindowDimension& dimension : window.dimensions) {
      if (dimension.stride != 1) found.insert("stride");
      if (dimension.padding_low > 0 || dimension.padding_high > 0) found.insert("padding");
      if (dimension.padding_low < 0 || dimension.padding_high < 0) found.insert("negative padding");
      if (dimension.window_dilation != 1) found.insert("window dilation");
      if (dimension.base_dilation != 1) found.insert("base dilation");
      if (dimension.window_reversal) found.insert("reversal");
    }
    return Plain(found);
  }
  Classes operator()(const PaddingConfig& padding) const {
    Classes found;
    for (const PaddingConfigDimension& dimension : padding) {
      if (dimension.edge_padding_low > 0) found.insert("low");
      if (dimension.edge_padding_high > 0) found.insert("high");
      if (dimension.edge_padding_low < 0 || dimension.edge_padding_high < 0) found.insert("negative");
      if (dimension.interior_padding > 0) found.insert("interior");
    }
    return Plain(found);
  }
  Classes operator()(const SliceConfig& slice) const {
    Classes found;
    for (const SliceDimension& dimension : slice) {
      if (dimension.start != 0) found.insert("start");
      if (dimension.stride != 1) found.insert("stride");
      if (dimension.start == dimension.limit) found.insert("nothing");
    }
    return Plain(found);
  }
  Classes operator()(const ConvolutionDimensionNumbers& numbers) const {
    const bool is_usual = numbers.input_batch_dimension == 0 && numbers.output_batch_dimension == 0;
    return {fmt::format("{} spatial dimensions{}", numbers.input_spatial_dimensions.size(),
                        is_usual ? "" : ", batch not first")};
  }
  Classes operator()(const std::vector<std::string>& words) const { return {words.begin(), words.end()}; }
  template <class T>
  Classes operator()(const T&) const {
    return {"set"};
  }
};

PrimitiveType TypeOf(const HloInstruction& instruction) {
  const Shape& shape = instruction.operands.empty() ? instruction.shape : instruction.operand(0).shape;
  return shape.IsArray() ? shape.element_type() : PRIMITIVE_TYPE_INVALID;
}

std::set<std::string> SetFrom(const json& from) { return from.get<std::set<std::string>>(); }

}  // namespace

void Coverage::Add(const HloModule& module) {
  for (const auto& computation : module.computations) {
    for (const auto& instruction : computation->instructions) {
      const Op& op = *instruction->op;
      if (const PrimitiveType type = TypeOf(*instruction); IsNew(op, nullptr, type)) {
        types.insert(fmt::format("{} {}", op.name, PrimitiveTypeName(type == PRIMITIVE_TYPE_INVALID ? TUPLE : type)));
      }
      for (const AttributeSpec& spec : op.syntax.attributes) {
        const auto value = std::ranges::find(instruction->attributes, spec.name, &Attribute::name);
        const bool is_absent = value == instruction->attributes.end();
        if (is_absent && !IsNew(op, &spec, 0)) continue;
        const Classes found = is_absent ? Classes{"absent"} : std::visit(ClassesOf(), value->value);
        for (const std::string& one : found) attributes.insert(fmt::format("{} {} {}", op.name, spec.name, one));
      }
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
