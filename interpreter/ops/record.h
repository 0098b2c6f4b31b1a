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
AttributeSpec Required(AttributeName name, AttributeKind kind);
// An attribute that is printed when it was written.
AttributeSpec Optional(AttributeName name, AttributeKind kind);
// A bool, false unless written, printed when true.
AttributeSpec Flag(AttributeName name);
// An integer, printed when it differs from its default.
AttributeSpec Integer(AttributeName name, std::int64_t if_absent);
// One of a list of words.
AttributeSpec OneOf(AttributeName name, std::initializer_list<std::string_view> enumerators, bool required);
// One of a list of words, printed when it differs from its default.
AttributeSpec OneOf(AttributeName name, std::string_view if_absent,
                    std::initializer_list<std::string_view> enumerators);
// An attribute that is printed even when it was not written.
AttributeSpec Printed(AttributeName name, AttributeKind kind, AttributeValue if_absent);
// An attribute that is read and never printed.
AttributeSpec ReadOnly(AttributeName name, AttributeKind kind,
                       std::initializer_list<std::string_view> enumerators = {});
// The number of one dimension, in braces.
AttributeSpec OneDimension(AttributeName name, bool required = true);
// Dimension numbers, printed unless there are none.
AttributeSpec DimensionList(AttributeName name);

// Attributes that several ops share.
AttributeSpec OutputToOperandAliasing();
AttributeSpec OperandPrecision();
AttributeSpec DotAlgorithm();
// What the attribute says of the sums of an instruction that has it.
std::optional<SumAlgorithm> SumAlgorithmOf(const HloInstruction& product);

}  // namespace assay
