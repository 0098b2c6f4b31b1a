// Converts attributes from a version of VHLO to the newest StableHLO, as StableHLO's passes do:
// stablehlo/transforms/VhloToVersion.cpp and VhloLegalizeToStablehlo.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "interpreter/stablehlo/bytecode_values.h"
#include "interpreter/stablehlo/print.h"
#include "interpreter/stablehlo/text_forms.h"
#include "interpreter/stablehlo/to_hlo_attributes.h"
#include "interpreter/stablehlo/vhlo_operations.h"

namespace assay::stablehlo {
namespace {

// Attributes of VHLO that are the fields of one attribute of StableHLO. Empty lists are omitted unless `keeps_empty`.
struct FieldGroup {
  std::string_view family;
  std::string_view name;       // of the attribute
  std::string_view attribute;  // the name of its kind
  std::string_view fields;     // "channel_id:handle" is the field handle
  bool keeps_empty = false;
};
constexpr std::string_view kConvolutionFields =
    "input_batch_dimension input_feature_dimension input_spatial_dimensions kernel_input_feature_dimension "
    "kernel_output_feature_dimension kernel_spatial_dimensions output_batch_dimension output_feature_dimension "
    "output_spatial_dimensions";
constexpr std::string_view kGatherFields =
    "offset_dims collapsed_slice_dims operand_batching_dims start_indices_batching_dims start_index_map "
    "index_vector_dim";
constexpr FieldGroup kGroups[] = {
    {"convolution", "dimension_numbers", "stablehlo.conv", kConvolutionFields, true},
    {"dynamic_conv", "dimension_numbers", "stablehlo.conv", kConvolutionFields, true},
    {"dot_general", "dot_dimension_numbers", "stablehlo.dot",
     "lhs_batching_dimensions rhs_batching_dimensions lhs_contracting_dimensions rhs_contracting_dimensions"},
    {"dot_general", "algorithm", "stablehlo.dot_algorithm",
     "lhs_precision_type rhs_precision_type accumulation_type lhs_component_count rhs_component_count "
     "num_primitive_operations allow_imprecise_accumulation"},
    {"gather", "dimension_numbers", "stablehlo.gather", kGatherFields},
    {"dynamic_gather", "dimension_numbers", "stablehlo.gather", kGatherFields},
    {"scatter", "scatter_dimension_numbers", "stablehlo.scatter",
     "update_window_dims inserted_window_dims input_batching_dims scatter_indices_batching_dims "
     "scatter_dims_to_operand_dims index_vector_dim"},
    {"recv", "channel_handle", "stablehlo.channel_handle", "channel_id:handle channel_type:type", true},
    {"send", "channel_handle", "stablehlo.channel_handle", "channel_id:handle channel_type:type", true},
};

// Converts dense<...> : tensor<NxT> to array<T: ...>.
bool ToArray(Attribute& attribute, PrimitiveType type) {
  const auto* elements = attribute.As<DenseElements>();
  if (elements == nullptr || elements->type.element_type != type || elements->type.dimensions.size() != 1) return false;
  // Such lists have one element per dimension, so a larger splat is not one.
  constexpr std::int64_t kMost = 1 << 16;
  if (elements->is_splat && elements->type.dimensions[0] > kMost) return false;
  attribute = {DenseArray{type, IntegersOf(attribute).value_or(Int64List())}};
  return true;
}

bool ToSymbol(Attribute& attribute) {
  auto* name = std::get_if<std::string>(&attribute.value);
  if (name == nullptr) return false;
  attribute = {SymbolReference{std::move(*name), {}}};
  return true;
}

bool ToSymbols(Attribute& attribute) {
  auto* names = std::get_if<std::vector<Attribute>>(&attribute.value);
  return names != nullptr && std::all_of(names->begin(), names->end(), ToSymbol);
}

bool ToChannelHandle(NamedAttribute& entry) {
  const auto* id = entry.value.As<IntegerAttribute>();
  if (id == nullptr) return false;
  const IntegerAttribute handle = {id->value, S64};
  entry.name = "channel_handle";
  entry.value =
      DialectAttributeOf("stablehlo.channel_handle", {{"handle", {handle}}, {"type", {IntegerAttribute{0, S64}}}});
  return true;
}

bool ToUnit(Attribute& attribute) {
  if (attribute.As<bool>() == nullptr) return false;
  attribute = {Unit()};
  return true;
}

bool ConvertForm(VhloForm form, NamedAttribute& entry) {
  switch (form) {
    case VhloForm::kIntegers:
      return ToArray(entry.value, S64);
    case VhloForm::kBooleans:
      return ToArray(entry.value, PRED);
    case VhloForm::kSymbol:
      return ToSymbol(entry.value);
    case VhloForm::kSymbols:
      return ToSymbols(entry.value);
    case VhloForm::kUnit:
      return ToUnit(entry.value);
    case VhloForm::kChannel:
      return ToChannelHandle(entry);
    case VhloForm::kSame:
      return true;
  }
  return true;
}

std::string_view FormName(VhloForm form) {
  constexpr std::string_view kNames[] = {"an attribute",           "a list of whole numbers", "a list of Booleans",
                                         "the name of a function", "names of functions",      "true or false",
                                         "a whole number"};
  return kNames[static_cast<int>(form)];
}

bool IsWord(const Attribute& attribute, std::string_view word) {
  const auto* enumeration = attribute.As<DialectAttribute>();
  const auto* value = enumeration == nullptr ? nullptr : enumeration->fields.FindAs<std::string>("value");
  return value != nullptr && *value == word;
}

bool IsDefaultAccuracy(const Attribute& attribute) {
  const auto* accuracy = attribute.As<DialectAttribute>();
  const Attribute* mode = accuracy == nullptr ? nullptr : accuracy->fields.Find("mode");
  return mode != nullptr && IsWord(*mode, "DEFAULT") && accuracy->fields.entries.size() == 1;
}

bool IsSplatOf(const Attribute& attribute, std::int64_t value) {
  const auto* elements = attribute.As<DenseElements>();
  if (elements == nullptr || !elements->is_splat) return false;
  const PrimitiveType type = elements->type.element_type;
  return (IsIntegralType(type) || type == PRED) && IntegerAt(*elements, 0) == value;
}

bool IsEmptyDictionary(const Attribute& attribute) {
  return attribute.As<Dictionary>() != nullptr && attribute.As<Dictionary>()->entries.empty();
}

}  // namespace

bool HasValue(const Attribute& attribute, std::string_view value) {
  if (value.empty()) return false;
  if (value == "any") return true;
  if (value == "default") return IsDefaultAccuracy(attribute);
  if (value == "ones") return IsSplatOf(attribute, 1);
  if (value == "zeros") return IsSplatOf(attribute, 0);
  if (value == "none") return attribute.As<DenseElements>() != nullptr && attribute.As<DenseElements>()->bytes.empty();
  if (value == "\"\"") return attribute.As<std::string>() != nullptr && attribute.As<std::string>()->empty();
  if (value == "{}") return IsEmptyDictionary(attribute);
  if (value == "false") return attribute.As<bool>() != nullptr && !*attribute.As<bool>();
  if (value == "NOTYPE") return IsWord(attribute, value);
  const auto* list = attribute.As<std::vector<Attribute>>();
  if (value == "[]") return list != nullptr && list->empty();
  if (value == "[{}]") return list != nullptr && std::ranges::all_of(*list, IsEmptyDictionary);
  if (value == "DEFAULT") {
    return list != nullptr && std::ranges::all_of(*list, [&](const Attribute& a) { return IsWord(a, value); });
  }
  const auto* number = attribute.As<IntegerAttribute>();
  return number != nullptr && fmt::format("{}", number->value) == value;
}

namespace {

bool IsNoneType(const Attribute& attribute) {
  const auto* type = attribute.As<Type>();
  const auto* other = type == nullptr ? nullptr : std::get_if<OtherType>(&type->value);
  return other != nullptr && other->text == "none";
}

// Returns the field of a group; none for one that StableHLO omits.
std::optional<Attribute> FieldOf(Attribute attribute, std::string_view name, const FieldGroup& group, Cursor& cursor) {
  if (attribute.As<DenseElements>() != nullptr && !ToArray(attribute, S64)) {
    cursor.Fail(fmt::format("the attribute {} must be a list of whole numbers, found {}", name, ToText(attribute)));
    return std::nullopt;
  }
  const auto* list = attribute.As<DenseArray>();
  if (list != nullptr && list->values.empty() && !group.keeps_empty) return std::nullopt;
  const auto* number = attribute.As<IntegerAttribute>();
  if (number != nullptr && number->value == 0 && !group.keeps_empty) return std::nullopt;
  return attribute;
}

// Moves the attributes of a group into one. The group is omitted if all of them are absent or have the type none.
void GatherFields(const FieldGroup& group, std::vector<NamedAttribute>& entries, Cursor& cursor) {
  std::vector<NamedAttribute> fields;
  bool is_there = false;
  for (const std::string_view word : WordsOf(group.fields)) {
    const std::size_t colon = word.find(':');
    const std::string_view name = word.substr(0, colon);
    const std::string_view field = colon == std::string_view::npos ? name : word.substr(colon + 1);
    const auto entry = std::find_if(entries.begin(), entries.end(), [&](const auto& e) { return e.name == name; });
    if (entry == entries.end()) continue;
    if (!IsNoneType(entry->value)) {
      is_there = true;
      std::optional<Attribute> value = FieldOf(std::move(entry->value), name, group, cursor);
      if (value) fields.push_back({std::string(field), *std::move(value)});
    }
    entries.erase(entry);
  }
  if (is_there) {
    entries.push_back({std::string(group.name), DialectAttributeOf(std::string(group.attribute), std::move(fields))});
  }
}

}  // namespace

void UpgradeVhloAttributes(const VhloOperation& operation, Dictionary& attributes, Cursor& cursor) {
  std::vector<NamedAttribute>& entries = attributes.entries;
  for (const VhloAttribute& row : operation.attributes) {
    const auto entry = std::find_if(entries.begin(), entries.end(), [&](const auto& e) { return e.name == row.name; });
    if (entry == entries.end()) continue;
    if (HasValue(entry->value, row.left_out)) {
      entries.erase(entry);
      continue;
    }
    if (!ConvertForm(row.form, *entry)) {
      return cursor.Fail(
          fmt::format("the attribute {} must be {}, found {}", row.name, FormName(row.form), ToText(entry->value)));
    }
  }
  for (const FieldGroup& group : kGroups) {
    if (group.family == operation.family) GatherFields(group, entries, cursor);
  }
  SortByName(attributes);
}

}  // namespace assay::stablehlo
