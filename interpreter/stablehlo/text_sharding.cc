// Meshes and shardings of Shardy.
#include <fmt/format.h>

#include "interpreter/stablehlo/text_parser.h"

namespace assay::stablehlo {
namespace {

Attribute SortedFields(DialectAttribute attribute) {
  std::string_view twice;
  SortEntries(attribute.fields, twice);
  return {std::move(attribute)};
}

}  // namespace

// Parses <["x"=4, "y"=2], device_ids=[3, 2, 1, 0]>.
Result<Attribute> MlirParser::ParseMesh() {
  DialectAttribute mesh{"sdy.mesh", {}};
  std::vector<Attribute> axes;
  Take("#sdy.mesh");
  ASSAY_CHECK_OK(Expect("<"));
  ASSAY_CHECK_OK(ParseList("[", "]", [&]() -> Status {
    DialectAttribute axis{"sdy.mesh_axis", {}};
    ASSAY_TRY(std::string name, ParseString());
    ASSAY_CHECK_OK(Expect("="));
    ASSAY_TRY(const std::int64_t size, ParseInteger());
    axis.fields.entries.push_back({"name", {std::move(name)}});
    axis.fields.entries.push_back({"size", {IntegerAttribute{size, S64}}});
    axes.push_back({std::move(axis)});
    return {};
  }));
  mesh.fields.entries.push_back({"axes", {std::move(axes)}});
  if (Take(",")) {
    ASSAY_CHECK_OK(Expect("device_ids"));
    ASSAY_CHECK_OK(Expect("="));
    ASSAY_TRY(std::vector<std::int64_t> devices, ParseIntegers());
    mesh.fields.entries.push_back({"device_ids", {DenseArray{S64, std::move(devices)}}});
  }
  ASSAY_CHECK_OK(Expect(">"));
  return Attribute{std::move(mesh)};
}

// Parses "x", or a part of it: "x":(1)2.
Result<Attribute> MlirParser::ParseAxis() {
  DialectAttribute axis{"sdy.axis_ref", {}};
  ASSAY_TRY(std::string name, ParseString());
  axis.fields.entries.push_back({"name", {std::move(name)}});
  if (Take(":")) {
    ASSAY_CHECK_OK(Expect("("));
    ASSAY_TRY(const std::int64_t pre_size, ParseInteger());
    ASSAY_CHECK_OK(Expect(")"));
    ASSAY_TRY(const std::int64_t size, ParseInteger());
    axis.fields.entries.push_back({"pre_size", {IntegerAttribute{pre_size, S64}}});
    axis.fields.entries.push_back({"size", {IntegerAttribute{size, S64}}});
  }
  return Attribute{std::move(axis)};
}

Result<Attribute> MlirParser::ParseAxes() {
  std::vector<Attribute> axes;
  ASSAY_CHECK_OK(ParseItems("{", "}", axes, [&] { return ParseAxis(); }));
  return Attribute{std::move(axes)};
}

// Parses {"x", "y", ?}p1.
Result<Attribute> MlirParser::ParseDimensionSharding() {
  DialectAttribute sharding{"sdy.dimension_sharding", {}};
  std::vector<Attribute> axes;
  bool is_closed = true;
  ASSAY_CHECK_OK(ParseList("{", "}", [&]() -> Status {
    if (is_closed && At("?")) {
      is_closed = false;
      Next();
      return {};
    }
    if (!is_closed) return Expected("'}'");
    ASSAY_TRY(axes.emplace_back(), ParseAxis());
    return {};
  }));
  sharding.fields.entries.push_back({"axes", {std::move(axes)}});
  sharding.fields.entries.push_back({"is_closed", {is_closed}});
  if (Is(MlirTokenKind::kWord) && token().text.size() > 1 && token().text[0] == 'p') {
    lexer_.MoveTo(token().begin + 1);
    ASSAY_TRY(const std::int64_t priority, ParseInteger());
    sharding.fields.entries.push_back({"priority", {IntegerAttribute{priority, S64}}});
  }
  return Attribute{std::move(sharding)};
}

// Parses the axes that shard no dimension: , replicated={"y"}, unreduced={"z"}; unreduced=max{"z"} is a maximum over
// "z".
Status MlirParser::ParseFurtherAxes(Dictionary& fields) {
  for (const std::string_view kind : {"replicated", "unreduced"}) {
    if (!At(",") || !IsBefore(kind)) continue;
    Next();
    Next();
    ASSAY_CHECK_OK(Expect("="));
    const bool has_reduction = kind == "unreduced" && (At("max") || At("min"));
    std::string reduction(token().text);
    if (has_reduction) Next();
    ASSAY_TRY(Attribute axes, ParseAxes());
    if (axes.As<std::vector<Attribute>>()->empty()) continue;
    fields.entries.push_back({fmt::format("{}_axes", kind), std::move(axes)});
    if (has_reduction) fields.entries.push_back({"reduction_op", {std::move(reduction)}});
  }
  return {};
}

// Parses <@mesh, [{"x"}, {?}], replicated={"y"}, unreduced={"z"}>.
Result<Attribute> MlirParser::ParseSharding() {
  DialectAttribute sharding{"sdy.sharding", {}};
  const auto add = [&](std::string name, Attribute value) {
    sharding.fields.entries.push_back({std::move(name), std::move(value)});
  };
  Take("#sdy.sharding");
  ASSAY_CHECK_OK(Expect("<"));
  if (Is(MlirTokenKind::kSymbol)) {
    ASSAY_TRY(Attribute mesh, ParseSymbol());
    add("mesh_or_ref", std::move(mesh));
  } else {
    ASSAY_CHECK_OK(Expect("mesh"));
    ASSAY_TRY(Attribute mesh, ParseMesh());
    add("mesh_or_ref", std::move(mesh));
  }
  ASSAY_CHECK_OK(Expect(","));
  std::vector<Attribute> dimensions;
  ASSAY_CHECK_OK(ParseItems("[", "]", dimensions, [&] { return ParseDimensionSharding(); }));
  add("dim_shardings", {std::move(dimensions)});
  ASSAY_CHECK_OK(ParseFurtherAxes(sharding.fields));
  ASSAY_CHECK_OK(Expect(">"));
  return SortedFields(std::move(sharding));
}

// Parses [<@mesh, [{"x"}]>, <@mesh, [{}]>].
Result<Attribute> MlirParser::ParseShardings() {
  DialectAttribute per_value{"sdy.sharding_per_value", {}};
  std::vector<Attribute> shardings;
  ASSAY_CHECK_OK(ParseItems("[", "]", shardings, [&] { return ParseSharding(); }));
  per_value.fields.entries.push_back({"shardings", {std::move(shardings)}});
  return Attribute{std::move(per_value)};
}

// Parses {"x", "y"}: 0->1, the axes that move from one dimension to another.
Result<Attribute> MlirParser::ParseAllToAllParameter() {
  ASSAY_TRY(Attribute axes, ParseAxes());
  ASSAY_CHECK_OK(Expect(":"));
  ASSAY_TRY(const std::int64_t source, ParseInteger());
  ASSAY_CHECK_OK(Expect("->"));
  ASSAY_TRY(const std::int64_t target, ParseInteger());
  return Attribute{
      std::vector<Attribute>{std::move(axes), {IntegerAttribute{source, S64}}, {IntegerAttribute{target, S64}}}};
}

bool MlirParser::IsShardyList(std::string_view name) {
  return name == "sdy.manual_axes" || name == "sdy.axis_ref_list" || name == "sdy.list_of_axis_ref_lists" ||
         name == "sdy.all_to_all_param_list";
}

Result<Attribute> MlirParser::ParseShardyList(std::string_view name) {
  const auto parse = [&]() -> Result<Attribute> {
    if (name == "sdy.axis_ref_list") return ParseAxis();
    if (name == "sdy.list_of_axis_ref_lists") return ParseAxes();
    if (name == "sdy.all_to_all_param_list") return ParseAllToAllParameter();
    ASSAY_TRY(std::string axis, ParseString());
    return Attribute{std::move(axis)};
  };
  const bool is_list_of_axes = name == "sdy.manual_axes" || name == "sdy.axis_ref_list";
  std::vector<Attribute> values;
  ASSAY_CHECK_OK(ParseItems(is_list_of_axes ? "{" : "[", is_list_of_axes ? "}" : "]", values, [&] { return parse(); }));
  DialectAttribute list{std::string(name), {}};
  list.fields.entries.push_back({"value", {std::move(values)}});
  return Attribute{std::move(list)};
}

}  // namespace assay::stablehlo
