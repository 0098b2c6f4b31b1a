// What an op file includes: the record's type, the declarations of all records, and the words records are written in.
#pragma once

#include <utility>

#include "interpreter/hlo/op.h"

namespace assay {

#define ASSAY_OP(name) extern const Op op_##name;
#include "interpreter/ops/op_list.inc"
#undef ASSAY_OP

inline constexpr TypeSet kPred = TypesOf(PRED);
inline constexpr TypeSet kTokens = TypesOf(TOKEN);
inline constexpr TypeSet kTuples = TypesOf(TUPLE);
inline constexpr TypeSet kSignedIntegral = TypesOf(S1, S2, S4, S8, S16, S32, S64);
inline constexpr TypeSet kIntegral = kSignedIntegral | TypesOf(U1, U2, U4, U8, U16, U32, U64);
inline constexpr TypeSet kFloats = TypesOf(F4E2M1FN, F6E2M3FN, F6E3M2FN, F8E3M4, F8E4M3, F8E4M3B11FNUZ, F8E4M3FN,
                                           F8E4M3FNUZ, F8E5M2, F8E5M2FNUZ, F8E8M0FNU, BF16, F16, F32, F64);
inline constexpr TypeSet kComplex = TypesOf(C64, C128);
inline constexpr TypeSet kArrays = kPred | kIntegral | kFloats | kComplex;
inline constexpr TypeSet kAny = kArrays | kTuples | kTokens | TypesOf(OPAQUE_TYPE, BUFFER);

// An attribute that must be written.
inline AttributeSpec Required(std::string_view name, AttributeKind kind) {
  return {.name = name, .kind = kind, .required = true};
}
// An attribute that is printed when it was written.
inline AttributeSpec Optional(std::string_view name, AttributeKind kind) { return {.name = name, .kind = kind}; }
// A bool, false unless written, printed when true.
inline AttributeSpec Flag(std::string_view name) {
  return {.name = name, .kind = AttributeKind::kBool, .print = PrintRule::kIfNotDefault, .default_value = false};
}
// An integer, printed when it differs from its default.
inline AttributeSpec Integer(std::string_view name, std::int64_t if_absent) {
  return {.name = name, .kind = AttributeKind::kInt64, .print = PrintRule::kIfNotDefault, .default_value = if_absent};
}
// One of a list of words.
inline AttributeSpec OneOf(std::string_view name, std::vector<std::string_view> enumerators, bool required) {
  return {.name = name, .kind = AttributeKind::kEnum, .required = required, .enumerators = std::move(enumerators)};
}
// One of a list of words, printed when it differs from its default.
inline AttributeSpec OneOf(std::string_view name, std::string_view if_absent,
                           std::vector<std::string_view> enumerators) {
  return {.name = name,
          .kind = AttributeKind::kEnum,
          .print = PrintRule::kIfNotDefault,
          .default_value = std::string(if_absent),
          .enumerators = std::move(enumerators)};
}
// An attribute that is printed even when it was not written.
inline AttributeSpec Printed(std::string_view name, AttributeKind kind, AttributeValue if_absent) {
  return {.name = name, .kind = kind, .print = PrintRule::kAlways, .default_value = std::move(if_absent)};
}
// An attribute that is read and never printed.
inline AttributeSpec ReadOnly(std::string_view name, AttributeKind kind,
                              std::vector<std::string_view> enumerators = {}) {
  return {.name = name, .kind = kind, .print = PrintRule::kNever, .enumerators = std::move(enumerators)};
}

// The number of one dimension, in braces.
inline AttributeSpec OneDimension(std::string_view name, bool required = true) {
  return {.name = name, .kind = AttributeKind::kInt64List, .required = required, .length = 1};
}
// Dimension numbers, printed unless there are none.
inline AttributeSpec DimensionList(std::string_view name) {
  return {
      .name = name, .kind = AttributeKind::kInt64List, .print = PrintRule::kIfNotDefault, .default_value = Int64List()};
}

// Attributes that several ops share.
AttributeSpec OutputToOperandAliasing();
AttributeSpec OperandPrecision();
AttributeSpec DotAlgorithm();

}  // namespace assay
