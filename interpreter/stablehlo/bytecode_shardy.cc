// The encoding of Shardy's dialect sdy: shardy/dialect/sdy/ir/bytecode.td.
#include <fmt/format.h>

#include <utility>

#include "interpreter/stablehlo/bytecode_values.h"

namespace assay::stablehlo {
namespace {

constexpr EncodedFields kShardyFields[] = {
    {0, "sdy.manual_axes", "value:attributes"},
    {1, "sdy.mesh_axis", "name:string size:integer"},
    {2, "sdy.mesh", "axes:attributes device_ids:integers?"},
    {3, "sdy.sub_axis_info", "pre_size:integer size:integer"},
    {6, "sdy.sharding", "mesh_or_ref:attribute dim_shardings:attributes replicated_axes:attributes?"},
    {7, "sdy.sharding_per_value", "shardings:attributes"},
    {15, "sdy.sharding",
     "mesh_or_ref:attribute dim_shardings:attributes replicated_axes:attributes? unreduced_axes:attributes?"},
    {16, "sdy.sharding_per_value", "shardings:attributes"},
};
constexpr EncodedFields kReducedSharding = {17, "sdy.sharding", kShardyFields[6].fields};

enum ShardyCode {
  kAxisReference = 4,
  kDimensionSharding = 5,
  kDimensionMapping = 8,
  kTensorMapping = 9,
  kShardingRule = 10,
};

// Reads a reference to an axis. A part of an axis has the fields name, pre_size and size: "x":(1)2.
Attribute ReadAxisReference(Cursor& cursor, BytecodeValues& values) {
  std::vector<NamedAttribute> fields = ReadFields(cursor, values, "name:string");
  if (std::optional<Attribute> part = values.ReadOptionalAttribute(cursor)) {
    auto* sub_axis = std::get_if<DialectAttribute>(&part->value);
    if (sub_axis == nullptr) cursor.Fail("expected the index of a part of an axis");
    if (!cursor.ok()) return {};
    for (NamedAttribute& field : sub_axis->fields.entries) fields.push_back(std::move(field));
  }
  return DialectAttributeOf("sdy.axis_ref", std::move(fields));
}

Attribute ReadDimensionSharding(Cursor& cursor, BytecodeValues& values) {
  std::vector<NamedAttribute> fields = ReadFields(cursor, values, "axes:attributes is_closed:flag");
  const Cursor::Flagged priority = cursor.FlaggedVarint();
  if (priority.flag) {
    fields.push_back({"priority", {IntegerAttribute{static_cast<std::int64_t>(priority.value), S64}}});
  }
  return DialectAttributeOf("sdy.dimension_sharding", std::move(fields));
}

Attribute ReadReducedSharding(Cursor& cursor, BytecodeValues& values) {
  std::vector<NamedAttribute> fields = ReadFields(cursor, values, kReducedSharding.fields);
  const std::int64_t reduction = cursor.SignedVarint();
  if (reduction != 1 && reduction != 2)
    cursor.Fail("the axes of a sharding are reduced by a maximum, 1, or a minimum, 2");
  fields.push_back({"reduction_op", {std::string(reduction == 1 ? "max" : "min")}});
  return DialectAttributeOf(kReducedSharding.name, std::move(fields));
}

// Returns the name of a factor of a sharding rule: i, j, ..., z, z_1, z_2, ...
std::string FactorName(std::int64_t factor) {
  constexpr std::int64_t kLetters = 'z' - 'i' + 1;
  if (factor >= 0 && factor < kLetters) return std::string(1, static_cast<char>('i' + factor));
  return fmt::format("z_{}", static_cast<std::uint64_t>(factor) - kLetters + 1);
}

std::string FactorNames(const std::vector<std::int64_t>& factors, std::string_view separator) {
  std::string names;
  for (const std::int64_t factor : factors) names += (names.empty() ? "" : std::string(separator)) + FactorName(factor);
  return names;
}

// Reads mappings as text of a sharding rule: [ij, k].
std::string ReadMappings(Cursor& cursor, BytecodeValues& values) {
  std::string text;
  for (const Attribute& mapping : values.ReadAttributes(cursor)) {
    const auto* part = mapping.As<std::string>();
    if (part == nullptr) cursor.Fail("expected the index of a mapping of dimensions");
    if (!cursor.ok()) return {};
    text += (text.empty() ? "" : ", ") + *part;
    cursor.file().Charge(part->size(), cursor.offset());
  }
  return text;
}

// Reads a sharding rule as the text between the brackets in Shardy: ([i, j])->([i]) {i=4, j=2} reduction={j}.
Attribute ReadShardingRule(Cursor& cursor, BytecodeValues& values) {
  const std::vector<std::int64_t> sizes = cursor.SignedVarints();
  const std::string operands = ReadMappings(cursor, values);
  std::string text = fmt::format("({})->({})", operands, ReadMappings(cursor, values));
  std::string factors;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    factors += fmt::format("{}{}={}", i == 0 ? "" : ", ", FactorName(static_cast<std::int64_t>(i)), sizes[i]);
  }
  if (!factors.empty()) text += fmt::format(" {{{}}}", factors);
  for (const std::string_view kind : {"reduction", "need_replication", "permutation", "blocked_propagation"}) {
    const std::string names = FactorNames(cursor.SignedVarints(), ", ");
    if (!names.empty()) text += fmt::format(" {}={{{}}}", kind, names);
  }
  if (cursor.Byte() != 0) text += ", custom";
  return DialectAttributeOf("sdy.op_sharding_rule", {{"text", {std::move(text)}}});
}

}  // namespace

Attribute DecodeShardyAttribute(Cursor& cursor, BytecodeValues& values) {
  const std::uint64_t code = cursor.Varint();
  for (const EncodedFields& row : kShardyFields) {
    if (row.code == code) return DialectAttributeOf(row.name, ReadFields(cursor, values, row.fields));
  }
  switch (code) {
    case kAxisReference:
      return ReadAxisReference(cursor, values);
    case kDimensionSharding:
      return ReadDimensionSharding(cursor, values);
    case kReducedSharding.code:
      return ReadReducedSharding(cursor, values);
    case kDimensionMapping:
      return {FactorNames(cursor.SignedVarints(), "")};
    case kTensorMapping:
      return {fmt::format("[{}]", ReadMappings(cursor, values))};
    case kShardingRule:
      return ReadShardingRule(cursor, values);
    default:
      cursor.Fail(fmt::format("attribute {} of sdy is not supported", code), ErrorCode::kUnsupported);
      return {};
  }
}

}  // namespace assay::stablehlo
