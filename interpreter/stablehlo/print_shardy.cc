#include "interpreter/stablehlo/print_shardy.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "interpreter/stablehlo/print.h"
#include "interpreter/types/join_text.h"

namespace assay::stablehlo {
namespace {

const std::vector<Attribute>& ListIn(const Dictionary& fields, std::string_view name) {
  static const std::vector<Attribute> none;
  const Attribute* attribute = fields.Find(name);
  const auto* list = attribute == nullptr ? nullptr : attribute->As<std::vector<Attribute>>();
  return list == nullptr ? none : *list;
}

const Dictionary& ShardyFieldsOf(const Attribute& attribute) {
  static const Dictionary none;
  const auto* dialect = attribute.As<DialectAttribute>();
  return dialect == nullptr ? none : dialect->fields;
}

std::int64_t NumberIn(const Dictionary& fields, std::string_view name) {
  const Attribute* attribute = fields.Find(name);
  const auto* number = attribute == nullptr ? nullptr : attribute->As<IntegerAttribute>();
  return number == nullptr ? 0 : number->value;
}

std::string NameIn(const Dictionary& fields) {
  const Attribute* name = fields.Find("name");
  return name == nullptr ? "\"\"" : ToText(*name);
}

// The texts of attributes between commas.
template <class F>
std::string Joined(const std::vector<Attribute>& list, F text) {
  std::vector<std::string> texts;
  for (const Attribute& item : list) texts.push_back(text(item));
  return JoinText(texts, ", ");
}

std::string AxisText(const Attribute& axis) {
  const Dictionary& fields = ShardyFieldsOf(axis);
  if (fields.Find("pre_size") == nullptr) return NameIn(fields);
  return fmt::format("{}:({}){}", NameIn(fields), NumberIn(fields, "pre_size"), NumberIn(fields, "size"));
}

std::string MeshText(const Dictionary& fields) {
  std::string text =
      "<[" +
      Joined(ListIn(fields, "axes"),
             [](const Attribute& axis) {
               return fmt::format("{}={}", NameIn(ShardyFieldsOf(axis)), NumberIn(ShardyFieldsOf(axis), "size"));
             }) +
      "]";
  const Attribute* devices = fields.Find("device_ids");
  const auto* ids = devices == nullptr ? nullptr : devices->As<DenseArray>();
  if (ids != nullptr) text += fmt::format(", device_ids=[{}]", JoinText(ids->values, ", "));
  return text + ">";
}

std::string DimensionText(const Attribute& dimension) {
  const Dictionary& fields = ShardyFieldsOf(dimension);
  std::string text = Joined(ListIn(fields, "axes"), AxisText);
  const Attribute* is_closed = fields.Find("is_closed");
  if (is_closed != nullptr && is_closed->As<bool>() != nullptr && !*is_closed->As<bool>()) {
    text += text.empty() ? "?" : ", ?";
  }
  const std::string priority =
      fields.Find("priority") == nullptr ? "" : fmt::format("p{}", NumberIn(fields, "priority"));
  return fmt::format("{{{}}}{}", text, priority);
}

std::string ShardingText(const Dictionary& fields) {
  const Attribute* mesh = fields.Find("mesh_or_ref");
  const bool is_inlined = mesh != nullptr && mesh->As<DialectAttribute>() != nullptr;
  std::string text =
      is_inlined ? "<mesh" + MeshText(ShardyFieldsOf(*mesh)) : "<" + (mesh == nullptr ? "" : ToText(*mesh));
  text += fmt::format(", [{}]", Joined(ListIn(fields, "dim_shardings"), DimensionText));
  for (const std::string_view name : {"replicated", "unreduced"}) {
    const std::vector<Attribute>& axes = ListIn(fields, fmt::format("{}_axes", name));
    if (!axes.empty()) text += fmt::format(", {}={{{}}}", name, Joined(axes, AxisText));
  }
  return text + ">";
}

}  // namespace

std::string ShardyText(const DialectAttribute& attribute) {
  const Dictionary& fields = attribute.fields;
  if (attribute.name == "sdy.mesh") return "#sdy.mesh" + MeshText(fields);
  if (attribute.name == "sdy.sharding") return "#sdy.sharding" + ShardingText(fields);
  if (attribute.name == "sdy.sharding_per_value") {
    const std::string shardings = Joined(
        ListIn(fields, "shardings"), [](const Attribute& sharding) { return ShardingText(ShardyFieldsOf(sharding)); });
    return fmt::format("#sdy.sharding_per_value<[{}]>", shardings);
  }
  if (attribute.name == "sdy.manual_axes") {
    const std::string axes = Joined(ListIn(fields, "value"), [](const Attribute& axis) { return ToText(axis); });
    return fmt::format("#sdy<manual_axes{{{}}}>", axes);
  }
  const Attribute* text = fields.Find("text");
  const bool has_text = text != nullptr && text->As<std::string>() != nullptr;
  return fmt::format("#{}<{}>", attribute.name, has_text ? *text->As<std::string>() : "");
}

}  // namespace assay::stablehlo
