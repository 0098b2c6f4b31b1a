#include "fuzz/generate/attribute_classes.h"

#include <algorithm>
#include <span>
#include <string>
#include <variant>

namespace assay::generate {
namespace {

constexpr std::string_view kPlain = "plain", kSet = "set";
constexpr std::string_view kSpatial[] = {"no spatial dimension", "one spatial dimension", "two spatial dimensions",
                                         "more spatial dimensions"};
constexpr std::string_view kBatchFirst = "batch first", kBatchNotFirst = "batch not first";

// A class of a list: true if some entry has the property.
template <class Entry>
struct EntryClass {
  std::string_view name;
  bool (*has)(const Entry&);
};

using W = WindowDimension;
constexpr EntryClass<W> kOfWindows[] = {
    {"stride", [](const W& d) { return d.stride != 1; }},
    {"padding", [](const W& d) { return d.padding_low > 0 || d.padding_high > 0; }},
    {"negative padding", [](const W& d) { return d.padding_low < 0 || d.padding_high < 0; }},
    {"window dilation", [](const W& d) { return d.window_dilation != 1; }},
    {"base dilation", [](const W& d) { return d.base_dilation != 1; }},
    {"reversal", [](const W& d) { return d.window_reversal; }}};
using P = PaddingConfigDimension;
constexpr EntryClass<P> kOfPaddings[] = {
    {"low", [](const P& d) { return d.edge_padding_low > 0; }},
    {"high", [](const P& d) { return d.edge_padding_high > 0; }},
    {"negative", [](const P& d) { return d.edge_padding_low < 0 || d.edge_padding_high < 0; }},
    {"interior", [](const P& d) { return d.interior_padding > 0; }}};
using S = SliceDimension;
constexpr EntryClass<S> kOfSlices[] = {{"start", [](const S& d) { return d.start != 0; }},
                                       {"stride", [](const S& d) { return d.stride != 1; }},
                                       {"nothing", [](const S& d) { return d.start == d.limit; }}};

template <class Entry>
ClassNames Those(std::span<const Entry> entries, std::span<const EntryClass<Entry>> classes) {
  ClassNames found;
  for (const EntryClass<Entry>& one : classes) {
    if (std::ranges::any_of(entries, one.has)) found.push_back(one.name);
  }
  if (found.empty()) found.push_back(kPlain);
  return found;
}

template <class Entry, std::size_t n>
std::vector<std::string_view> NamesOf(const EntryClass<Entry> (&classes)[n]) {
  std::vector<std::string_view> names = {kPlain};
  for (const EntryClass<Entry>& one : classes) names.push_back(one.name);
  return names;
}

struct ClassesOfValue {
  const AttributeSpec& attribute;

  ClassNames operator()(bool value) const { return {value ? "true" : "false"}; }
  ClassNames operator()(std::int64_t value) const {
    return {value < 0 ? "negative" : value == 0 ? "0" : value == 1 ? "1" : "more"};
  }
  ClassNames operator()(double value) const { return {value == 0 ? "0" : "other"}; }
  ClassNames operator()(const std::string& value) const {
    return {attribute.kind == AttributeKind::kEnum ? std::string_view(value) : kSet};
  }
  ClassNames operator()(const Int64List& list) const {
    if (list.size() < 2) return {list.empty() ? "none" : "one"};
    return {std::ranges::is_sorted(list) ? "ascending" : "in another order"};
  }
  ClassNames operator()(const Window& window) const { return Those<W>(window.dimensions, kOfWindows); }
  ClassNames operator()(const PaddingConfig& padding) const { return Those<P>(padding, kOfPaddings); }
  ClassNames operator()(const SliceConfig& slice) const { return Those<S>(slice, kOfSlices); }
  ClassNames operator()(const ConvolutionDimensionNumbers& numbers) const {
    const bool is_first = numbers.input_batch_dimension == 0 && numbers.output_batch_dimension == 0;
    return {kSpatial[std::min<std::size_t>(numbers.input_spatial_dimensions.size(), std::size(kSpatial) - 1)],
            is_first ? kBatchFirst : kBatchNotFirst};
  }
  ClassNames operator()(const std::vector<std::string>& words) const {
    ClassNames found;
    for (const std::string& word : words) {
      if (found.size() < found.capacity() && std::ranges::find(found, word) == found.end()) found.push_back(word);
    }
    return found;
  }
  template <class T>
  ClassNames operator()(const T&) const {
    return {kSet};
  }
};

std::vector<std::string_view> ClassesOfKind(const AttributeSpec& attribute) {
  switch (attribute.kind) {
    case AttributeKind::kBool:
      return {"false", "true"};
    case AttributeKind::kInt64:
      return {"0", "1", "more"};  // no op uses a negative one
    case AttributeKind::kFloat:
      return {"0", "other"};
    case AttributeKind::kEnum:
      return attribute.enumerators;
    case AttributeKind::kInt64List:
      if (attribute.length == 1) return {"one"};
      return {"none", "one", "ascending", "in another order"};
    case AttributeKind::kWindow:
      return NamesOf(kOfWindows);
    case AttributeKind::kPadding:
      return NamesOf(kOfPaddings);
    case AttributeKind::kSlice:
      return NamesOf(kOfSlices);
    case AttributeKind::kDimLabels: {
      std::vector<std::string_view> names = {kBatchFirst, kBatchNotFirst};
      names.insert(names.end(), std::begin(kSpatial), std::end(kSpatial));
      return names;
    }
    case AttributeKind::kPrecision:
      return {"default", "high", "highest"};
    default:
      return {kSet};
  }
}

}  // namespace

ClassNames ClassesOf(const HloInstruction& instruction, const AttributeSpec& attribute) {
  const auto found = std::ranges::find(instruction.attributes, attribute.name, &Attribute::name);
  if (found == instruction.attributes.end()) return {kAbsent};
  return std::visit(ClassesOfValue{attribute}, found->value);
}

bool IsOf(const HloInstruction& instruction, const AttributeClass& wanted) {
  return std::ranges::count(ClassesOf(instruction, *wanted.attribute), wanted.name) > 0;
}

bool IsOf(const AttributeSpec& attribute, const AttributeValue& value, std::string_view name) {
  return std::ranges::count(std::visit(ClassesOfValue{attribute}, value), name) > 0;
}

std::vector<AttributeClass> ClassesOfRecord(const Op& op) {
  std::vector<AttributeClass> found;
  for (const AttributeSpec& attribute : op.syntax.attributes) {
    if (attribute.print == PrintRule::kNever) continue;  // read and dropped
    if (!attribute.required) found.push_back({&attribute, kAbsent});
    for (const std::string_view name : ClassesOfKind(attribute)) found.push_back({&attribute, name});
  }
  return found;
}

AttributeValue DrawAttributeValue(Random& random, const AttributeSpec& spec) {
  if (spec.print == PrintRule::kNever) return {};
  switch (spec.kind) {
    case AttributeKind::kBool:
      return random.Flip();
    case AttributeKind::kEnum:
      return std::string(random.OneOf(spec.enumerators));
    case AttributeKind::kInt64:
      if (random.OneIn(12)) return std::int64_t{0};
      return random.Between(1, random.OneIn(6) ? 60 : 10);
    case AttributeKind::kPrecision: {
      const auto precision = [&] { return std::string(random.OneOf({"default", "high", "highest"})); };
      return std::vector<std::string>{precision(), precision()};
    }
    default:
      return {};
  }
}

ResultAccuracy DrawResultAccuracy(Random& random) {
  if (random.Flip()) return {.is_highest = true};
  const double tolerances[] = {0, 0.5, 0.25};
  return {.atol = random.OneOf(tolerances), .rtol = random.OneOf(tolerances), .ulps = random.Below(8)};
}

}  // namespace assay::generate
