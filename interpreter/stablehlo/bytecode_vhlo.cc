// The encoding of VHLO, the versioned form of StableHLO. Each attribute and type is converted to that of StableHLO.
#include <fmt/format.h>

#include <array>
#include <span>
#include <utility>

#include "interpreter/stablehlo/bytecode_values.h"
#include "interpreter/stablehlo/print.h"
#include "interpreter/stablehlo/vhlo_operations.h"

namespace assay::stablehlo {
namespace {

enum VhloAttributeCode {
  kVhloArray = 1,
  kVhloBoolean = 2,
  kComparisonDirection = 3,
  kComparisonType = 4,
  kApiVersion = 5,
  kVhloDictionary = 6,
  kFftType = 7,
  kVhloFloat = 8,
  kVhloInteger = 9,
  kOutputOperandAlias = 10,
  kPrecision = 11,
  kRngAlgorithm = 12,
  kRngDistribution = 13,
  kVhloString = 14,
  kVhloTensor = 15,
  kTranspose = 16,
  kVhloTypeAttribute = 17,
  kTypeExtensions = 18,
  kResultAccuracyMode = 19,
  kResultAccuracy = 20,
  kSubAxisInfo = 21,
  kAxisRef = 22,
  kReplicaGroupMeshAxes = 23,
  kVhloMeshAxis = 24,
  kVhloMesh = 25,
};

struct Enumeration {
  std::uint64_t code;
  std::string_view name;
  std::uint64_t first;
  std::span<const std::string_view> words;
};
constexpr std::string_view kDirections[] = {"EQ", "NE", "GE", "GT", "LE", "LT"};
constexpr std::string_view kComparisonTypes[] = {"NOTYPE", "FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"};
constexpr std::string_view kFftTypes[] = {"FFT", "IFFT", "RFFT", "IRFFT"};
constexpr std::string_view kPrecisions[] = {"DEFAULT", "HIGH", "HIGHEST"};
constexpr std::string_view kAlgorithms[] = {"DEFAULT", "THREE_FRY", "PHILOX"};
constexpr std::string_view kDistributions[] = {"UNIFORM", "NORMAL"};
constexpr std::string_view kTransposes[] = {"TRANSPOSE_INVALID", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"};
constexpr std::string_view kAccuracyModes[] = {"DEFAULT", "HIGHEST", "TOLERANCE"};
constexpr Enumeration kEnumerations[] = {
    {kComparisonDirection, "comparison_direction", 0, kDirections},
    {kComparisonType, "comparison_type", 0, kComparisonTypes},
    {kFftType, "fft_type", 0, kFftTypes},
    {kPrecision, "precision", 0, kPrecisions},
    {kRngAlgorithm, "rng_algorithm", 0, kAlgorithms},
    {kRngDistribution, "rng_distribution", 1, kDistributions},
    {kTranspose, "transpose", 0, kTransposes},
    {kResultAccuracyMode, "result_accuracy_mode", 0, kAccuracyModes},
};

// The types without parameters, by their code.
constexpr std::array<std::string_view, 41> kTypeWords = {
    "i1",
    "",
    "bf16",
    "f16",
    "f32",
    "f64",
    "f8E4M3FN",
    "f8E5M2",
    "",
    "index",  // from 0
    "i4",
    "i8",
    "i16",
    "i32",
    "i64",
    "ui4",
    "ui8",
    "ui16",
    "ui32",
    "ui64",  // from 10
    "",
    "",
    "",
    "",
    "",
    "",
    "!shape.witness",
    "f8E4M3FNUZ",
    "f8E5M2FNUZ",
    "f8E4M3B11FNUZ",  // from 20
    "",
    "i2",
    "ui2",
    "none",
    "tf32",
    "f8E4M3",
    "f8E3M4",
    "f4E2M1FN",
    "f6E2M3FN",
    "f6E3M2FN",   // from 30
    "f8E8M0FNU",  // from 40
};
enum VhloTypeCode {
  kVhloComplexType = 1,
  kVhloFunctionType = 8,
  kVhloTensorType = 20,
  kVhloTensorTypeWithEncoding = 21,
  kVhloTokenType = 22,
  kVhloTupleType = 23,
  kQuantizedType = 24,
  kUnrankedTensorType = 25,
  kPerAxisQuantizedType = 30,
  kBufferType = 41,
  kFutureType = 42,
};

Attribute ReadEnumeration(const Enumeration& enumeration, Cursor& cursor) {
  const std::uint64_t value = cursor.Varint();
  if (value - enumeration.first >= enumeration.words.size()) {
    cursor.Fail(fmt::format("{} must be in [{}, {}], found {}", enumeration.name, enumeration.first,
                            enumeration.first + enumeration.words.size() - 1, value));
    return {};
  }
  return EnumerationOf(fmt::format("stablehlo.{}", enumeration.name), enumeration.words[value - enumeration.first]);
}

Attribute ReadOutputOperandAlias(Cursor& cursor) {
  std::vector<std::int64_t> outputs = cursor.SignedVarints();
  const std::int64_t operand = cursor.SignedVarint();
  std::vector<std::int64_t> operands = cursor.SignedVarints();
  return DialectAttributeOf("stablehlo.output_operand_alias",
                            {{"output_tuple_indices", IntegerList(std::move(outputs))},
                             {"operand_index", {IntegerAttribute{operand, S64}}},
                             {"operand_tuple_indices", IntegerList(std::move(operands))}});
}

// A bound of 0 means no bound: its field is omitted, as in the text.
Attribute ReadResultAccuracy(Cursor& cursor, BytecodeValues& values) {
  std::vector<NamedAttribute> fields;
  for (const std::string_view name : {"atol", "rtol"}) {
    const double bound = cursor.Double();
    if (bound != 0) fields.push_back({std::string(name), {FloatAttribute{bound, F64}}});
  }
  const std::int64_t ulps = cursor.SignedVarint();
  if (ulps != 0) fields.push_back({"ulps", {IntegerAttribute{ulps, S64}}});
  fields.push_back({"mode", values.ReadAttribute(cursor)});
  return DialectAttributeOf("stablehlo.result_accuracy", std::move(fields));
}

Attribute ReadMeshAxis(Cursor& cursor, BytecodeValues& values) {
  Attribute name = values.ReadAttribute(cursor);
  return DialectAttributeOf("stablehlo.mesh_axis",
                            {{"name", std::move(name)}, {"size", {IntegerAttribute{cursor.SignedVarint(), S64}}}});
}

Attribute ReadAxisRef(Cursor& cursor, BytecodeValues& values) {
  std::vector<NamedAttribute> fields = {{"name", values.ReadAttribute(cursor)}};
  if (cursor.Varint() != 0) fields.push_back({"sub_axis_info", values.ReadAttribute(cursor)});
  return DialectAttributeOf("stablehlo.axis_ref", std::move(fields));
}

Attribute ReadVhloMesh(Cursor& cursor, BytecodeValues& values) {
  std::vector<NamedAttribute> fields = {{"axes", values.ReadAttribute(cursor)}};
  if (std::optional<Attribute> devices = values.ReadOptionalAttribute(cursor)) {
    fields.push_back({"device_ids", *std::move(devices)});
  }
  return DialectAttributeOf("stablehlo.mesh", std::move(fields));
}

Attribute ReadReplicaGroups(Cursor& cursor, BytecodeValues& values) {
  Attribute mesh = values.ReadAttribute(cursor);
  if (const auto* name = mesh.As<std::string>()) mesh = {SymbolReference{*name, {}}};
  return DialectAttributeOf("stablehlo.replica_group_mesh_axes",
                            {{"mesh", std::move(mesh)}, {"axes", values.ReadAttribute(cursor)}});
}

Attribute DecodeMeshAttribute(std::uint64_t code, Cursor& cursor, BytecodeValues& values) {
  switch (code) {
    case kSubAxisInfo: {
      const std::int64_t pre_size = cursor.SignedVarint();
      return DialectAttributeOf("stablehlo.sub_axis_info", {{"pre_size", {IntegerAttribute{pre_size, S64}}},
                                                            {"size", {IntegerAttribute{cursor.SignedVarint(), S64}}}});
    }
    case kAxisRef:
      return ReadAxisRef(cursor, values);
    case kReplicaGroupMeshAxes:
      return ReadReplicaGroups(cursor, values);
    case kVhloMeshAxis:
      return ReadMeshAxis(cursor, values);
    case kVhloMesh:
      return ReadVhloMesh(cursor, values);
    default:
      cursor.Fail(
          fmt::format("attribute {} of vhlo is not known: it is newer than StableHLO {}", code, kNewestStableHlo),
          ErrorCode::kUnsupported);
      return {};
  }
}

Attribute DecodeOperationAttribute(std::uint64_t code, Cursor& cursor, BytecodeValues& values) {
  for (const Enumeration& enumeration : kEnumerations) {
    if (enumeration.code == code) return ReadEnumeration(enumeration, cursor);
  }
  switch (code) {
    case kApiVersion:
      return {IntegerAttribute{static_cast<std::int64_t>(cursor.Varint()), S32}};
    case kOutputOperandAlias:
      return ReadOutputOperandAlias(cursor);
    case kTypeExtensions:
      return DialectAttributeOf("stablehlo.bounds", {{"value", IntegerList(cursor.SignedVarints())}});
    case kResultAccuracy:
      return ReadResultAccuracy(cursor, values);
    default:
      return DecodeMeshAttribute(code, cursor, values);
  }
}

Type ReadBufferType(Cursor& cursor, BytecodeValues& values) {
  std::vector<std::int64_t> dimensions = cursor.SignedVarints();
  Type type = TensorOf(std::move(dimensions), values.ReadType(cursor), {}, cursor);
  if (auto* tensor = std::get_if<TensorType>(&type.value)) tensor->is_buffer = true;
  return type;
}

Type ReadFutureType(Cursor& cursor, BytecodeValues& values) {
  std::string text = "!stablehlo.future<";
  bool is_first = true;
  for (const Type& type : values.ReadTypes(cursor)) {
    text += (is_first ? "" : ", ") + ToText(type);
    is_first = false;
  }
  return {OtherType{text + ">"}};
}

Type ReadCompositeType(std::uint64_t code, Cursor& cursor, BytecodeValues& values) {
  switch (code) {
    case kQuantizedType:
      return ReadQuantizedType(cursor, values, QuantizedForm::kPerTensor);
    case kPerAxisQuantizedType:
      return ReadQuantizedType(cursor, values, QuantizedForm::kPerAxis);
    case kUnrankedTensorType:
      return {OtherType{fmt::format("tensor<*x{}>", ToText(values.ReadType(cursor)))}};
    case kBufferType:
      return ReadBufferType(cursor, values);
    case kFutureType:
      return ReadFutureType(cursor, values);
    default:
      cursor.Fail(fmt::format("type {} of vhlo is not known: it is newer than StableHLO {}", code, kNewestStableHlo),
                  ErrorCode::kUnsupported);
      return {};
  }
}

}  // namespace

Attribute DecodeVhloAttribute(Cursor& cursor, BytecodeValues& values) {
  const std::uint64_t code = cursor.Varint();
  switch (code) {
    case kVhloArray:
      return {values.ReadAttributes(cursor)};
    case kVhloBoolean:
      return {cursor.Varint() != 0};
    case kVhloDictionary:
      return ReadDictionary(cursor, values);
    case kVhloFloat:
      return FloatOf(values.ReadType(cursor), cursor);
    case kVhloInteger:
      return IntegerOf(values.ReadType(cursor), cursor);
    case kVhloString:
      return {values.ReadString(cursor)};
    case kVhloTensor: {
      const Type type = values.ReadType(cursor);
      return ElementsOf(type, cursor.Blob(), cursor);
    }
    case kVhloTypeAttribute:
      return {values.ReadType(cursor)};
    default:
      return DecodeOperationAttribute(code, cursor, values);
  }
}

Type DecodeVhloType(Cursor& cursor, BytecodeValues& values) {
  const std::uint64_t code = cursor.Varint();
  switch (code) {
    case kVhloComplexType:
      return ComplexOf(values.ReadType(cursor));
    case kVhloFunctionType:
      return ReadFunctionType(cursor, values);
    case kVhloTensorType:
    case kVhloTensorTypeWithEncoding:
      return ReadTensorType(cursor, values, code == kVhloTensorTypeWithEncoding);
    case kVhloTokenType:
      return {TokenType()};
    case kVhloTupleType:
      return {TupleType{values.ReadTypes(cursor)}};
    default:
      if (code < kTypeWords.size() && !kTypeWords[code].empty()) return TypeOfWord(kTypeWords[code]);
      return ReadCompositeType(code, cursor, values);
  }
}

}  // namespace assay::stablehlo
