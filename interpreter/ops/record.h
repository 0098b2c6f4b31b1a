// The header that each op file includes: the record's type, the declarations of all records, and helpers to write
// records.
#pragma once

#include <utility>

#include "interpreter/hlo/op.h"

namespace assay {

#define ASSAY_OP(name) extern const Op op_##name;
#include "interpreter/ops/op_list.inc"
#undef ASSAY_OP

// Returns an attribute that must be written.
AttributeSpec Required(AttributeName name, AttributeKind kind);
// Returns an attribute that is printed if it was written.
AttributeSpec Optional(AttributeName name, AttributeKind kind);
// Returns a bool that is false unless written, and printed if true.
AttributeSpec Flag(AttributeName name);
// Returns an integer that is printed if it differs from its default.
AttributeSpec Integer(AttributeName name, std::int64_t if_absent);
// Returns an attribute whose value is one of a list of words.
AttributeSpec OneOf(AttributeName name, std::initializer_list<std::string_view> enumerators, bool required);
// Returns an attribute whose value is one of a list of words, printed if it differs from its default.
AttributeSpec OneOf(AttributeName name, std::string_view if_absent,
                    std::initializer_list<std::string_view> enumerators);
// Returns an attribute that is always printed.
AttributeSpec Printed(AttributeName name, AttributeKind kind, AttributeValue if_absent);
// Returns an attribute that is parsed but never printed.
AttributeSpec ReadOnly(AttributeName name, AttributeKind kind,
                       std::initializer_list<std::string_view> enumerators = {});
// Returns an attribute with the number of one dimension, in braces.
AttributeSpec OneDimension(AttributeName name, bool required = true);
// Returns an attribute with dimension numbers, printed unless the list is empty.
AttributeSpec DimensionList(AttributeName name);

// Attributes that several ops share.
AttributeSpec OutputToOperandAliasing();
AttributeSpec OperandPrecision();
AttributeSpec DotAlgorithm();

}  // namespace assay
