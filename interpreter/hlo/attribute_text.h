// The values of attributes in HLO text, one reader and one writer for each AttributeKind.
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

// Gives the text for a computation: its name, or its body.
using ComputationWriter = std::function<std::string(const HloComputation&)>;
// `is_exact`: numbers have as many digits as they need to read back, instead of XLA's six.
std::string PrintAttributeValue(const AttributeSpec& spec, const AttributeValue& value,
                                const ComputationWriter& write_computation, bool is_exact);

// Whether XLA prints the attribute; `value` is null when the instruction does not have it.
bool IsPrinted(const AttributeSpec& spec, const AttributeValue* value);

// "{1,2}" of integers.
std::string PrintIntegers(const Int64List& values);

Result<Window> ParseWindow(TextParser& parser);
Result<ReplicaGroups> ParseReplicaGroups(TextParser& parser);

}  // namespace assay
