// The encoding of Shardy's dialect sdy: shardy/dialect/sdy/ir/bytecode.td.
#include <fmt/format.h>

#include <utility>

#include "interpreter/stablehlo/bytecode_values.h"

namespace assay::stablehlo {
namespace {

enum ShardyCode {
  kManualAxes = 0,
  kMeshAxis = 1,
  kMesh = 2,
  kSubAxis = 3,
  kAxisReference = 4,
  kDimensionSharding = 5,
  kSharding = 6,
  kShardings = 7,
  kShardingWithUnreducedAxes = 15,
  kShardingsWithUnreducedAxes = 16,
};

void AddUnlessEmpty(std::vector<NamedAttribute>& fields, std::string name, std::vector<Attribute> values) {
  if (!values.empty()) fields.push_back({std::move(name), {std::move(values)}});
}

Attribute ReadMesh(Cursor& cursor, BytecodeValues& values) {
  std::vector<NamedAttribute> fields;
  fields.push_back({"axes", {values.ReadAttributes(cursor)}});
  std::vector<std::int64_t> devices = cursor.SignedVarints();
  if (!devices.empty()) fields.push_back({"device_ids", IntegerList(std::move(devices))});
  return DialectAttributeOf("sdy.mesh", std::move(fields));
}

std::vector<NamedAttribute> ReadNameAndSize(Cursor& cursor, BytecodeValues& values) {
  std::string name = values.ReadString(cursor);
  return {{"name", {std::move(name)}}, {"size", {IntegerAttribute{cursor.SignedVarint(), S64}}}};
}

std::vector<NamedAttribute> ReadSubAxis(Cursor& cursor) {
  const std::int64_t pre_size = cursor.SignedVarint();
  return {{"pre_size", {IntegerAttribute{pre_size, S64}}}, {"size", {IntegerAttribute{cursor.SignedVarint(), S64}}}};
}

// The fields of a part of an axis are those of the reference: "x":(1)2 has name, pre_size and size.
Attribute ReadAxisReference(Cursor& cursor, BytecodeValues& values) {
  std::vector<NamedAttribute> fields = {{"name", {values.ReadString(cursor)}}};
  if (std::optional<Attribute> part = values.ReadOptionalAttribute(cursor)) {
    auto* sub_axis = std::get_if<DialectAttribute>(&part->value);
    if (sub_axis == nullptr) cursor.Fail("expected the index of a part of an axis");
    if (!cursor.ok()) return {};
    for (NamedAttribute& field : sub_axis->fields.entries) fields.push_back(std::move(field));
  }
  return DialectAttributeOf("sdy.axis_ref", std::move(fields));
}

Attribute ReadDimensionSharding(Cursor& cursor, BytecodeValues& values) {
  std::vector<NamedAttribute> fields;
  fields.push_back({"axes", {values.ReadAttributes(cursor)}});
  fields.push_back({"is_closed", {cursor.Byte() != 0}});
  const Cursor::Flagged priority = cursor.FlaggedVarint();
  if (priority.flag) {
    fields.push_back({"priority", {IntegerAttribute{static_cast<std::int64_t>(priority.value), S64}}});
  }
  return DialectAttributeOf("sdy.dimension_sharding", std::move(fields));
}

Attribute ReadSharding(Cursor& cursor, BytecodeValues& values, bool has_unreduced_axes) {
  std::vector<NamedAttribute> fields;
  fields.push_back({"mesh_or_ref", values.ReadAttribute(cursor)});
  fields.push_back({"dim_shardings", {values.ReadAttributes(cursor)}});
  AddUnlessEmpty(fields, "replicated_axes", values.ReadAttributes(cursor));
  if (has_unreduced_axes) AddUnlessEmpty(fields, "unreduced_axes", values.ReadAttributes(cursor));
  return DialectAttributeOf("sdy.sharding", std::move(fields));
}

}  // namespace

Attribute DecodeShardyAttribute(Cursor& cursor, BytecodeValues& values) {
  const std::uint64_t code = cursor.Varint();
  switch (code) {
    case kManualAxes:
      return DialectAttributeOf("sdy.manual_axes", {{"value", {values.ReadAttributes(cursor)}}});
    case kMeshAxis:
      return DialectAttributeOf("sdy.mesh_axis", ReadNameAndSize(cursor, values));
    case kMesh:
      return ReadMesh(cursor, values);
    case kSubAxis:
      return DialectAttributeOf("sdy.sub_axis_info", ReadSubAxis(cursor));
    case kAxisReference:
      return ReadAxisReference(cursor, values);
    case kDimensionSharding:
      return ReadDimensionSharding(cursor, values);
    case kSharding:
      return ReadSharding(cursor, values, /*has_unreduced_axes=*/false);
    case kShardingWithUnreducedAxes:
      return ReadSharding(cursor, values, /*has_unreduced_axes=*/true);
    case kShardings:
    case kShardingsWithUnreducedAxes:
      return DialectAttributeOf("sdy.sharding_per_value", {{"shardings", {values.ReadAttributes(cursor)}}});
    default:
      cursor.Fail(fmt::format("attribute {} of sdy is not supported", code), ErrorCode::kUnsupported);
      return {};
  }
}

}  // namespace assay::stablehlo
