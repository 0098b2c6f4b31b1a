// The annotations that every instruction may have beside its op's own attributes. An annotation is kept as the text
// that XLA prints for it; an empty text is read but not printed.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "interpreter/hlo/result_accuracy.h"
#include "interpreter/hlo/text_parser.h"

namespace assay {

struct HloInstruction;

// Returns the names in print order. `control-predecessors` is printed among them, but parsed with the instruction.
std::span<const std::string_view> AnnotationNames();
bool IsAnnotation(std::string_view name);

// Parses any annotation except result_accuracy, which is kept in parsed form.
Result<std::string> ParseAnnotation(TextParser& parser, std::string_view name);
// Returns nothing for mode=default.
Result<std::optional<ResultAccuracy>> ParseResultAccuracy(TextParser& parser);

// Prints `{key="value",key={dictionary}}` from values without their quotes; empty if there are none.
std::string PrintFrontendAttributes(const std::map<std::string, std::string>& values);
Result<std::string> ParseFrontendAttributes(TextParser& parser);
// Parses the same and returns the values: strings without quotes and escapes, dictionaries with their braces.
Result<std::map<std::string, std::string>> ParseFrontendValues(TextParser& parser);
// Returns the value of a key; nothing if the instruction, or the text of an attribute, does not have it.
std::optional<std::string> FrontendAttribute(const HloInstruction& instruction, std::string_view key);
std::optional<std::string> FrontendAttribute(std::string_view attributes, std::string_view key);
// Prints `"text"` or `{dictionary}`; empty if there is none.
std::string PrintBackendConfig(const std::string& config);
Result<std::string> ParseBackendConfig(TextParser& parser);
// Returns the characters of a string in quotes, or braces unchanged.
std::string UnquotedText(std::string_view text);
// Returns the backend_config of an instruction that way; empty if there is none.
std::string BackendConfig(const HloInstruction& instruction);

}  // namespace assay
