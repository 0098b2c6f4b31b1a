// JSON text from and for strangers.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "interpreter/types/result.h"

namespace assay {

// Errors are kInput: no JSON, or nested deeper than any value needs (what reads the document recurses into it).
Result<nlohmann::json> ParseJson(std::string_view text);

// One line, or indented. Bytes that are no UTF-8 (file names, error output of programs) become U+FFFD.
std::string JsonText(const nlohmann::json& json, int indent = -1);

}  // namespace assay
