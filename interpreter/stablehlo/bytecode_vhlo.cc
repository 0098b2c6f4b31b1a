// The encoding of VHLO, the versioned form of StableHLO. Each attribute and type is converted to that of StableHLO.
#include <fmt/format.h>

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
  kPrecision = 11,
  kRngAlgorithm = 12,
  kRngDistribution = 13,
  kVhloString = 14,
  kVhloTensor = 15,
  kTranspose = 16,
  kVhloTypeAttribute = 17,
  kResultAccuracyMode = 19,
  kAxisRef = 22,
  kReplicaGroupMeshAxes = 23,
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
constexpr std::string_view kTypeWords =
    "i1 - bf16 f16 f32 f64 f8E4M3FN f8E5M2 - index i4 i8 i16 i32 i64 ui4 ui8 ui16 ui32 ui64 - - - - - - "
    "!shape.witness f8E4M3FNUZ f8E5M2FNUZ f8E4M3B11FNUZ - i2 ui2 none tf32 f8E4M3 f8E3M4 f4E2M1FN f6E2M3FN f6E3M2FN "
    "f8E8M0FNU";
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

// A bound of 0 means no bound: its field is omitted, as in the text.
constexpr EncodedFields kVhloFields[] = {
    {10, "stablehlo.output_operand_alias",
     "output_tuple_indices:integers operand_index:integer operand_tuple_indices:integers"},
    {18, "stablehlo.bounds", "value:integers"},
    {20, "stablehlo.result_accuracy", "atol:real? rtol:real? ulps:integer? mode:attribute"},
    {21, "stablehlo.sub_axis_info", "pre_size:integer size:integer"},
    {24, "stablehlo.mesh_axis", "name:attribute size:integer"},
    {25, "stablehlo.mesh", "axes:attribute device_ids:attribute?"},
};

Attribute ReadAxisRef(Cursor& cursor, BytecodeValues& values) {
  std::vector<NamedAttribute> fields = ReadFields(cursor, values, "name:attribute");
  if (cursor.Varint() != 0) fields.push_back({"sub_axis_info", values.ReadAttribute(cursor)});
  return DialectAttributeOf("stablehlo.axis_ref", std::move(fields));
}

Attribute ReadReplicaGroups(Cursor& cursor, BytecodeValues& values) {
  std::vector<NamedAttribute> fields = ReadFields(cursor, values, "mesh:attribute axes:attribute");
  Attribute& mesh = fields[0].value;
  if (const auto* name = mesh.As<std::string>()) mesh = {SymbolReference{*name, {}}};
  return DialectAttributeOf("stablehlo.replica_group_mesh_axes", std::move(fields));
}

Attribute DecodeOperationAttribute(std::uint64_t code, Cursor& cursor, BytecodeValues& values) {
  for (const Enumeration& enumeration : kEnumerations) {
    if (enumeration.code == code) return ReadEnumeration(enumeration, cursor);
  }
  for (const EncodedFields& row : kVhloFields) {
    if (row.code == code) return DialectAttributeOf(row.name, ReadFields(cursor, values, row.fields));
  }
  switch (code) {
    case kApiVersion:
      return {IntegerAttribute{static_cast<std::int64_t>(cursor.Varint()), S32}};
    case kAxisRef:
      return ReadAxisRef(cursor, values);
    case kReplicaGroupMeshAxes:
      return ReadReplicaGroups(cursor, values);
    default:
      cursor.Fail(
          fmt::format("attribute {} of vhlo is not known: it is newer than StableHLO {}", code, kNewestStableHlo),
          ErrorCode::kUnsupported);
      return {};
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
      if (std::optional<Type> type = TypeOfCode(code, kTypeWords)) return *std::move(type);
      return ReadCompositeType(code, cursor, values);
  }
}

}  // namespace assay::stablehlo
