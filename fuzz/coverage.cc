#include "fuzz/coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/container/static_vector.hpp>
#include <functional>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "interpreter/hlo/op.h"
#include "interpreter/types/split_mix.h"

namespace assay {
namespace {

using nlohmann::json;
using Classes = boost::container::static_vector<std::string_view, 8>;

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
    using D = WindowDimension;
    return Those<D>(window.dimensions,
                    {{"stride", [](const D& d) { return d.stride != 1; }},
                     {"padding", [](const D& d) { return d.padding_low > 0 || d.padding_high > 0; }},
                     {"negative padding", [](const D& d) { return d.padding_low < 0 || d.padding_high < 0; }},
                     {"window dilation", [](const D& d) { return d.window_dilation != 1; }},
                     {"base dilation", [](const D& d) { return d.base_dilation != 1; }},
                     {"reversal", [](const D& d) { return d.window_reversal; }}});
  }
  Classes operator()(const PaddingConfig& padding) const {
    using D = PaddingConfigDimension;
    return Those<D>(padding,
                    {{"low", [](const D& d) { return d.edge_padding_low > 0; }},
                     {"high", [](const D& d) { return d.edge_padding_high > 0; }},
                     {"negative", [](const D& d) { return d.edge_padding_low < 0 || d.edge_padding_high < 0; }},
                     {"interior", [](const D& d) { return d.interior_padding > 0; }}});
  }
  Classes operator()(const SliceConfig& slice) const {
    using D = SliceDimension;
    return Those<D>(slice, {{"start", [](const D& d) { return d.start != 0; }},
                            {"stride", [](const D& d) { return d.stride != 1; }},
                            {"nothing", [](const D& d) { return d.start == d.limit; }}});
  }
  Classes operator()(const ConvolutionDimensionNumbers& numbers) const {
    static constexpr std::string_view kSpatial[] = {"no spatial dimension", "one spatial dimension",
                                                    "two spatial dimensions", "more spatial dimensions"};
    const bool is_usual = numbers.input_batch_dimension == 0 && numbers.output_batch_dimension == 0;
    return {kSpatial[std::min<std::size_t>(numbers.input_spatial_dimensions.size(), 3)],
            is_usual ? "batch first" : "batch not first"};
  }
  Classes operator()(const std::vector<std::string>& words) const {
    Classes found;
    for (const std::string& word : words) {
      if (found.size() < found.capacity() && std::ranges::find(found, word) == found.end()) found.push_back(word);
    }
    return found;
  }
  template <class T>
  Classes operator()(const T&) const {
    return {"set"};
  }

 private:
  template <class Dimension>
  struct Class {
    std::string_view name;
    bool (*has)(const Dimension&);
  };
  // The classes that any dimension is of.
  template <class Dimension>
  static Classes Those(std::span<const Dimension> dimensions, std::initializer_list<Class<Dimension>> classes) {
    Classes found;
    for (const Class<Dimension>& one : classes) {
      if (std::ranges::any_of(dimensions, one.has)) found.push_back(one.name);
    }
    if (found.empty()) found.push_back("plain");
    return found;
  }
};

PrimitiveType TypeOf(const HloInstruction& instruction) {
  const Shape& shape = instruction.operands.empty() ? instruction.shape : instruction.operand(0).shape;
  return shape.IsArray() ? shape.element_type() : PRIMITIVE_TYPE_INVALID;
}

std::set<std::string> SetFrom(const json& from) { return from.get<std::set<std::string>>(); }

}  // namespace

bool Coverage::IsNew(const Op& op, const void* other, std::uint64_t number) {
  const auto first = reinterpret_cast<std::uintptr_t>(&op), second = reinterpret_cast<std::uintptr_t>(other);
  return seen_.insert(SplitMix(SplitMix(SplitMix(first) + second) + number)).second;
}

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
        for (const std::string_view one : is_absent ? Classes{"absent"} : std::visit(ClassesOf(), value->value)) {
          if (!IsNew(op, &spec, std::hash<std::string_view>()(one))) continue;
          attributes.insert(fmt::format("{} {} {}", op.name, spec.name, one));
        }
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
