// JSON text from and for untrusted programs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "interpreter/types/result.h"

namespace assay {

// Parses JSON. Fails with kInput for invalid JSON, or for deeper nesting than any value needs (readers of the document
// are recursive).
Result<nlohmann::json> ParseJson(std::string_view text);

// Returns the JSON as one line, or indented. Bytes that are not UTF-8 (file names, error output of programs) become
// U+FFFD.
std::string JsonText(const nlohmann::json& json, int indent = -1);

}  // namespace assay
