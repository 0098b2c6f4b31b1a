#include "interpreter/stablehlo/shardy_attributes.h"

#include <fmt/format.h>

#include "interpreter/stablehlo/print.h"
#include "interpreter/types/join_text.h"

namespace assay::stablehlo {

const Dictionary& FieldsOf(const Attribute* attribute) {
  static const Dictionary none;
  if (attribute == nullptr) return none;
  if (const auto* dialect = attribute->As<DialectAttribute>()) return dialect->fields;
  const auto* dictionary = attribute->As<Dictionary>();
  return dictionary == nullptr ? none : *dictionary;
}

const std::vector<Attribute>& ListOf(const Dictionary& fields, std::string_view name) {
  static const std::vector<Attribute> none;
  const auto* list = fields.FindAs<std::vector<Attribute>>(name);
  return list == nullptr ? none : *list;
}

std::int64_t NumberOf(const Dictionary& fields, std::string_view name, std::int64_t if_absent) {
  const auto* number = fields.FindAs<IntegerAttribute>(name);
  return number == nullptr ? if_absent : number->value;
}

std::string NameOf(const Dictionary& fields) {
  const auto* name = fields.FindAs<std::string>("name");
  return name == nullptr ? "" : *name;
}

namespace {

template <class Text>
std::string Listed(const std::vector<Attribute>& list, Text text) {
  std::vector<std::string> texts;
  for (const Attribute& item : list) texts.push_back(text(FieldsOf(&item)));
  return JoinText(texts, ", ");
}

}  // namespace

std::string AxisText(const Dictionary& axis) {
  if (axis.Find("pre_size") == nullptr) return fmt::format("\"{}\"", NameOf(axis));
  return fmt::format("\"{}\":({}){}", NameOf(axis), NumberOf(axis, "pre_size", 1), NumberOf(axis, "size", 1));
}

std::string MeshText(const Dictionary& mesh) {
  const std::string axes = Listed(ListOf(mesh, "axes"), [](const Dictionary& axis) {
    return fmt::format("\"{}\"={}", NameOf(axis), NumberOf(axis, "size", 0));
  });
  const auto* ids = mesh.FindAs<DenseArray>("device_ids");
  if (ids == nullptr || ids->values.empty()) return fmt::format("<[{}]>", axes);
  return fmt::format("<[{}], device_ids=[{}]>", axes, JoinText(ids->values, ", "));
}

namespace {

std::string DimensionText(const Dictionary& dimension) {
  std::string text = Listed(ListOf(dimension, "axes"), AxisText);
  const bool* is_closed = dimension.FindAs<bool>("is_closed");
  if (is_closed != nullptr && !*is_closed) text += text.empty() ? "?" : ", ?";
  if (dimension.Find("priority") == nullptr) return "{" + text + "}";
  return fmt::format("{{{}}}p{}", text, NumberOf(dimension, "priority", 0));
}

std::string AxesText(const std::vector<Attribute>& axes) { return "{" + Listed(axes, AxisText) + "}"; }

std::string ShardingText(const Dictionary& sharding) {
  const Attribute* mesh = sharding.Find("mesh_or_ref");
  const bool is_inline = mesh != nullptr && mesh->As<DialectAttribute>() != nullptr;
  std::string text = is_inline ? "mesh" + MeshText(FieldsOf(mesh)) : mesh == nullptr ? "" : ToText(*mesh);
  text += fmt::format(", [{}]", Listed(ListOf(sharding, "dim_shardings"), DimensionText));
  for (const std::string_view name : {"replicated", "unreduced"}) {
    const std::vector<Attribute>& axes = ListOf(sharding, fmt::format("{}_axes", name));
    const Attribute* reduction = name == "unreduced" ? sharding.Find("reduction_op") : nullptr;
    const auto* word = reduction == nullptr ? nullptr : reduction->As<std::string>();
    if (!axes.empty()) text += fmt::format(", {}={}{}", name, word == nullptr ? "" : *word, AxesText(axes));
  }
  return "<" + text + ">";
}

// Returns an item of a list: a name, an axis, an array of axes, or the parameters of an all-to-all.
std::string ListItemText(const Attribute& item) {
  const auto* parts = item.As<std::vector<Attribute>>();
  if (parts == nullptr) return item.As<std::string>() != nullptr ? ToText(item) : AxisText(FieldsOf(&item));
  const auto* axes = parts->size() != 3 ? nullptr : (*parts)[0].As<std::vector<Attribute>>();
  if (axes == nullptr) return AxesText(*parts);
  const auto dimension = [&](std::size_t i) {
    const auto* number = (*parts)[i].As<IntegerAttribute>();
    return number == nullptr ? 0 : number->value;
  };
  return fmt::format("{}: {}->{}", AxesText(*axes), dimension(1), dimension(2));
}

std::string ListText(std::string_view name, const std::vector<Attribute>& items) {
  std::vector<std::string> texts;
  for (const Attribute& item : items) texts.push_back(ListItemText(item));
  const bool is_list_of_axes = name == "sdy.manual_axes" || name == "sdy.axis_ref_list";
  return fmt::format("#sdy<{}{}{}{}>", name.substr(4), is_list_of_axes ? "{" : "[", JoinText(texts, ", "),
                     is_list_of_axes ? "}" : "]");
}

}  // namespace

std::string ShardyText(const DialectAttribute& attribute) {
  const Dictionary& fields = attribute.fields;
  if (attribute.name == "sdy.mesh") return "#sdy.mesh" + MeshText(fields);
  if (attribute.name == "sdy.sharding") return "#sdy.sharding" + ShardingText(fields);
  if (attribute.name == "sdy.sharding_per_value") {
    return fmt::format("#sdy.sharding_per_value<[{}]>", Listed(ListOf(fields, "shardings"), ShardingText));
  }
  if (const Attribute* value = fields.Find("value");
      value != nullptr && value->As<std::vector<Attribute>>() != nullptr) {
    return ListText(attribute.name, ListOf(fields, "value"));
  }
  const auto* words = fields.FindAs<std::string>("text");
  if (words == nullptr) return "#" + attribute.name;
  return words->starts_with('#') ? *words : fmt::format("#{}<{}>", attribute.name, *words);
}

std::string TextPerValue(const DialectAttribute& sharding) {
  return fmt::format("#sdy.sharding_per_value<[{}]>", ShardingText(sharding.fields));
}

}  // namespace assay::stablehlo
