// What an op file includes: the record's type, the declarations of all records, and the words records are written in.
#pragma once

#include <utility>

#include "interpreter/hlo/op.h"

namespace assay {

#define ASSAY_OP(name) extern const Op op_##name;
#include "interpreter/ops/op_list.inc"
#undef ASSAY_OP

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

}  // namespace assay
