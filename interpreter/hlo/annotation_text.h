// What every instruction may carry beside its op's own attributes. An annotation is kept as the text that XLA prints
// for it; an empty text means that it is read and not printed.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "interpreter/hlo/result_accuracy.h"
#include "interpreter/hlo/text_parser.h"

namespace assay {

// In print order. `control-predecessors` is printed among them and parsed with the instruction.
std::span<const std::string_view> AnnotationNames();
bool IsAnnotation(std::string_view name);

// Any but result_accuracy, which is kept parsed.
Result<std::string> ParseAnnotation(TextParser& parser, std::string_view name);
// Nothing for mode=default.
Result<std::optional<ResultAccuracy>> ParseResultAccuracy(TextParser& parser);

// `{key="value",key={dictionary}}`, from values without their quotes; empty when there are none.
std::string PrintFrontendAttributes(const std::map<std::string, std::string>& values);
Result<std::string> ParseFrontendAttributes(TextParser& parser);
// `"text"` or `{dictionary}`; empty when there is none.
std::string PrintBackendConfig(const std::string& config);
Result<std::string> ParseBackendConfig(TextParser& parser);

}  // namespace assay
