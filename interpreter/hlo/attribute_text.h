// The values of attributes in HLO text: one parser and one printer for each AttributeKind.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "interpreter/hlo/attributes.h"
#include "interpreter/hlo/text_parser.h"

namespace assay {

// Reads a computation's name, or its body in braces.
using ComputationReader = std::function<Result<HloComputation*>()>;
Result<AttributeValue> ParseAttributeValue(TextParser& parser, const AttributeSpec& spec,
                                           const ComputationReader& read_computation);

// Returns the text of a computation: its name, or its body.
using ComputationWriter = std::function<std::string(const HloComputation&)>;
// Prints a value. `is_exact`: numbers have as many digits as reading back requires, instead of XLA's six.
std::string PrintAttributeValue(const AttributeSpec& spec, const AttributeValue& value,
                                const ComputationWriter& write_computation, bool is_exact);

// True if XLA prints the attribute; `value` is null if the instruction does not have the attribute.
bool IsPrinted(const AttributeSpec& spec, const AttributeValue* value);

// Returns integers as "{1,2}".
std::string PrintIntegers(const Int64List& values);

Result<Window> ParseWindow(TextParser& parser);
Result<ReplicaGroups> ParseReplicaGroups(TextParser& parser);

}  // namespace assay
