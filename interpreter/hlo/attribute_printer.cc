#include <fmt/format.h>

#include <algorithm>

#include "interpreter/hlo/attribute_text.h"
#include "interpreter/hlo/literal_text.h"
#include "interpreter/hlo/result_accuracy.h"
#include "interpreter/types/join_text.h"

namespace assay {
namespace {

std::string PrintWindow(const Window& window) {
  std::string text;
  const auto field = [&](const char* name, const WindowDimension& unset, auto same, auto print) {
    const bool is_default =
        std::ranges::all_of(window.dimensions, [&](const WindowDimension& d) { return same(d, unset); });
    if (is_default) return;
    std::vector<std::string> values;
    for (const WindowDimension& d : window.dimensions) values.push_back(print(d));
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, JoinText(values, "x"));
  };
  const auto number = [&](const char* name, auto member, std::int64_t if_unset) {
    WindowDimension unset;
    unset.*member = if_unset;
    field(
        name, unset, [=](const WindowDimension& a, const WindowDimension& b) { return a.*member == b.*member; },
        [=](const WindowDimension& d) { return std::to_string(d.*member); });
  };
  // The size is always written: no value counts as its default.
  constexpr std::int64_t kNoSize = INT64_MIN;
  number("size", &WindowDimension::size, kNoSize);
  number("stride", &WindowDimension::stride, 1);
  field(
      "pad", {},
      [](const WindowDimension& a, const WindowDimension& b) {
        return a.padding_low == b.padding_low && a.padding_high == b.padding_high;
      },
      [](const WindowDimension& d) { return fmt::format("{}_{}", d.padding_low, d.padding_high); });
  number("lhs_dilate", &WindowDimension::base_dilation, 1);
  number("rhs_dilate", &WindowDimension::window_dilation, 1);
  field(
      "rhs_reversal", {},
      [](const WindowDimension& a, const WindowDimension& b) { return a.window_reversal == b.window_reversal; },
      [](const WindowDimension& d) { return std::to_string(static_cast<int>(d.window_reversal)); });
  return "{" + text + "}";
}

std::string PrintPadding(const PaddingConfig& padding) {
  const bool interior = std::ranges::any_of(padding, [](const auto& d) { return d.interior_padding != 0; });
  std::vector<std::string> dimensions;
  for (const PaddingConfigDimension& d : padding) {
    dimensions.push_back(fmt::format("{}_{}", d.edge_padding_low, d.edge_padding_high));
    if (interior) dimensions.back() += fmt::format("_{}", d.interior_padding);
  }
  return JoinText(dimensions, "x");
}

std::string PrintSlice(const SliceConfig& slice) {
  const bool strides = std::ranges::any_of(slice, [](const auto& d) { return d.stride != 1; });
  std::vector<std::string> dimensions;
  for (const SliceDimension& d : slice) {
    dimensions.push_back(strides ? fmt::format("[{}:{}:{}]", d.start, d.limit, d.stride)
                                 : fmt::format("[{}:{}]", d.start, d.limit));
  }
  return fmt::format("{{{}}}", JoinText(dimensions, ", "));
}

std::string PrintLabels(std::int64_t first, char first_letter, std::int64_t second, char second_letter,
                        const Int64List& spatial) {
  std::int64_t size = std::max(first, second) + 1;
  for (const std::int64_t place : spatial) size = std::max(size, place + 1);
  std::string labels(size, '?');
  labels[first] = first_letter;
  labels[second] = second_letter;
  for (std::size_t i = 0; i < spatial.size(); ++i) labels[spatial[i]] = static_cast<char>('0' + i);
  return labels;
}

std::string PrintDimLabels(const ConvolutionDimensionNumbers& d) {
  return fmt::format(
      "{}_{}->{}",
      PrintLabels(d.input_batch_dimension, 'b', d.input_feature_dimension, 'f', d.input_spatial_dimensions),
      PrintLabels(d.kernel_input_feature_dimension, 'i', d.kernel_output_feature_dimension, 'o',
                  d.kernel_spatial_dimensions),
      PrintLabels(d.output_batch_dimension, 'b', d.output_feature_dimension, 'f', d.output_spatial_dimensions));
}

std::string PrintListOfLists(const std::vector<Int64List>& lists) {
  std::vector<std::string> texts;
  for (const Int64List& list : lists) texts.push_back(PrintIntegers(list));
  return fmt::format("{{{}}}", JoinText(texts, ","));
}

std::string PrintAliasing(const std::vector<OutputOperandAlias>& aliases) {
  std::vector<std::string> texts;
  for (const OutputOperandAlias& alias : aliases) {
    texts.push_back(fmt::format("{{{}}}: ({}, {{{}}})", JoinText(alias.output_index, ","), alias.operand,
                                JoinText(alias.operand_index, ",")));
  }
  return fmt::format("{{{}}}", JoinText(texts, ", "));
}

std::string PrintShapes(const std::vector<Shape>& shapes) {
  std::vector<std::string> texts;
  for (const Shape& shape : shapes) texts.push_back(shape.ToString());
  return fmt::format("{{{}}}", JoinText(texts, ", "));
}

// A visitor of AttributeValue, with one overload per alternative.
struct Printer {
  const AttributeSpec& spec;
  const ComputationWriter& write_computation;
  bool is_exact;

  std::string operator()(std::monostate) const { return ""; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return PrintFloat(value, is_exact); }
  std::string operator()(const std::string& value) const {
    return spec.kind == AttributeKind::kString ? "\"" + Escape(value) + "\"" : value;
  }
  std::string operator()(const Int64List& values) const { return PrintIntegers(values); }
  std::string operator()(const std::vector<bool>& values) const { return fmt::format("{{{}}}", JoinText(values, ",")); }
  std::string operator()(const std::vector<Int64List>& lists) const { return PrintListOfLists(lists); }
  std::string operator()(const Window& window) const { return PrintWindow(window); }
  std::string operator()(const PaddingConfig& padding) const { return PrintPadding(padding); }
  std::string operator()(const SliceConfig& slice) const { return PrintSlice(slice); }
  std::string operator()(const ConvolutionDimensionNumbers& labels) const { return PrintDimLabels(labels); }
  std::string operator()(const std::vector<std::string>& words) const {
    return fmt::format("{{{}}}", JoinText(words, ","));
  }
  std::string operator()(const HloComputation* computation) const { return write_computation(*computation); }
  std::string operator()(const std::vector<HloComputation*>& computations) const {
    std::vector<std::string> texts;
    for (const HloComputation* computation : computations) texts.push_back(write_computation(*computation));
    const bool has_bodies = !texts.empty() && texts[0].starts_with('\n');
    return has_bodies ? fmt::format("{{{}\n}}", JoinText(texts, ",")) : fmt::format("{{{}}}", JoinText(texts, ", "));
  }
  std::string operator()(const ReplicaGroups& groups) const {
    return groups.iota_text.empty() ? PrintListOfLists(groups.groups) : groups.iota_text;
  }
  std::string operator()(const std::vector<OutputOperandAlias>& aliases) const { return PrintAliasing(aliases); }
  std::string operator()(const Shape& shape) const { return shape.ToString(); }
  std::string operator()(const std::vector<Shape>& shapes) const { return PrintShapes(shapes); }
  std::string operator()(const Literal& literal) const { return PrintTypedLiteral(literal); }
};

}  // namespace

std::string PrintIntegers(const Int64List& values) { return fmt::format("{{{}}}", JoinText(values, ",")); }

std::string PrintAttributeValue(const AttributeSpec& spec, const AttributeValue& value,
                                const ComputationWriter& write_computation, bool is_exact) {
  return std::visit(Printer{spec, write_computation, is_exact}, value);
}

bool IsPrinted(const AttributeSpec& spec, const AttributeValue* value) {
  switch (spec.print) {
    case PrintRule::kNever:
      return false;
    case PrintRule::kAlways:
      return true;
    case PrintRule::kIfSet:
    case PrintRule::kIfNotDefault:
      break;
  }
  if (value == nullptr) return false;
  if (const auto* window = std::get_if<Window>(value)) return !window->dimensions.empty();
  if (const auto* words = std::get_if<std::vector<std::string>>(value)) {
    return std::ranges::any_of(*words, [](const std::string& word) { return word != "default"; });
  }
  if (spec.print == PrintRule::kIfSet) return true;
  const ComputationWriter names = [](const HloComputation&) { return std::string("computation"); };
  return PrintAttributeValue(spec, *value, names, true) != PrintAttributeValue(spec, spec.default_value, names, true);
}

}  // namespace assay
