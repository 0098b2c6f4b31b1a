// Meshes and shardings of Shardy.
#include <fmt/format.h>

#include "interpreter/stablehlo/text_parser.h"

namespace assay::stablehlo {
// Parses <["x"=4, "y"=2], device_ids=[3, 2, 1, 0]>.
Result<Attribute> MlirParser::ParseMesh() {
  std::vector<NamedAttribute> mesh;
  std::vector<Attribute> axes;
  Take("#sdy.mesh");
  ASSAY_CHECK_OK(Expect("<"));
  ASSAY_CHECK_OK(ParseList("[", "]", [&]() -> Status {
    ASSAY_TRY(std::string name, ParseString());
    ASSAY_CHECK_OK(Expect("="));
    ASSAY_TRY(const std::int64_t size, ParseInteger());
    axes.push_back(
        DialectAttributeOf("sdy.mesh_axis", {{"name", {std::move(name)}}, {"size", {IntegerAttribute{size, S64}}}}));
    return {};
  }));
  mesh.push_back({"axes", {std::move(axes)}});
  if (Take(",")) {
    ASSAY_CHECK_OK(ExpectAll({"device_ids", "="}));
    ASSAY_TRY(std::vector<std::int64_t> devices, ParseIntegers());
    mesh.push_back({"device_ids", IntegerList(std::move(devices))});
  }
  ASSAY_CHECK_OK(Expect(">"));
  return DialectAttributeOf("sdy.mesh", std::move(mesh));
}

// Parses (1)2: the fields pre_size and size.
Result<Attribute> MlirParser::ParseSubAxis(std::string_view name) {
  ASSAY_CHECK_OK(Expect("("));
  ASSAY_TRY(const std::int64_t pre_size, ParseInteger());
  ASSAY_CHECK_OK(Expect(")"));
  ASSAY_TRY(const std::int64_t size, ParseInteger());
  return DialectAttributeOf(name,
                            {{"pre_size", {IntegerAttribute{pre_size, S64}}}, {"size", {IntegerAttribute{size, S64}}}});
}

// Parses "x", or a part of it: "x":(1)2.
Result<Attribute> MlirParser::ParseAxis() {
  std::vector<NamedAttribute> axis;
  ASSAY_TRY(std::string name, ParseString());
  axis.push_back({"name", {std::move(name)}});
  if (Take(":")) {
    ASSAY_TRY(Attribute part, ParseSubAxis("sdy.sub_axis_info"));
    std::ranges::move(std::get<DialectAttribute>(part.value).fields.entries, std::back_inserter(axis));
  }
  return DialectAttributeOf("sdy.axis_ref", std::move(axis));
}

Result<Attribute> MlirParser::ParseAxes() {
  std::vector<Attribute> axes;
  ASSAY_CHECK_OK(ParseItems("{", "}", axes, [&] { return ParseAxis(); }));
  return Attribute{std::move(axes)};
}

// Parses {"x", "y", ?}p1.
Result<Attribute> MlirParser::ParseDimensionSharding() {
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
  std::vector<NamedAttribute> sharding = {{"axes", {std::move(axes)}}, {"is_closed", {is_closed}}};
  if (Is(MlirTokenKind::kWord) && token().text.size() > 1 && token().text[0] == 'p') {
    lexer_.MoveTo(token().begin + 1);
    ASSAY_TRY(const std::int64_t priority, ParseInteger());
    sharding.push_back({"priority", {IntegerAttribute{priority, S64}}});
  }
  return DialectAttributeOf("sdy.dimension_sharding", std::move(sharding));
}

// Parses the axes that shard no dimension: , replicated={"y"}, unreduced={"z"}; unreduced=max{"z"} is a maximum over
// "z".
Status MlirParser::ParseFurtherAxes(std::vector<NamedAttribute>& fields) {
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
    fields.push_back({fmt::format("{}_axes", kind), std::move(axes)});
    if (has_reduction) fields.push_back({"reduction_op", {std::move(reduction)}});
  }
  return {};
}

// Parses <@mesh, [{"x"}, {?}], replicated={"y"}, unreduced={"z"}>.
Result<Attribute> MlirParser::ParseSharding() {
  Take("#sdy.sharding");
  ASSAY_CHECK_OK(Expect("<"));
  const bool is_named = Is(MlirTokenKind::kSymbol);
  if (!is_named) ASSAY_CHECK_OK(Expect("mesh"));
  ASSAY_TRY(Attribute mesh, is_named ? ParseSymbol() : ParseMesh());
  ASSAY_CHECK_OK(Expect(","));
  std::vector<Attribute> dimensions;
  ASSAY_CHECK_OK(ParseItems("[", "]", dimensions, [&] { return ParseDimensionSharding(); }));
  std::vector<NamedAttribute> sharding = {{"mesh_or_ref", std::move(mesh)}, {"dim_shardings", {std::move(dimensions)}}};
  ASSAY_CHECK_OK(ParseFurtherAxes(sharding));
  ASSAY_CHECK_OK(Expect(">"));
  return DialectAttributeOf("sdy.sharding", std::move(sharding));
}

// Parses [<@mesh, [{"x"}]>, <@mesh, [{}]>].
Result<Attribute> MlirParser::ParseShardings() {
  std::vector<Attribute> shardings;
  ASSAY_CHECK_OK(ParseItems("[", "]", shardings, [&] { return ParseSharding(); }));
  return DialectAttributeOf("sdy.sharding_per_value", {{"shardings", {std::move(shardings)}}});
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
  return DialectAttributeOf(name, {{"value", {std::move(values)}}});
}

}  // namespace assay::stablehlo
