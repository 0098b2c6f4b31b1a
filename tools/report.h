// Reports as text and JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "tools/compare.h"

namespace assay {

nlohmann::json JudgementToJson(const Judgement& judgement);
nlohmann::json ReportToJson(const std::string& name, const ModuleReport& report);

// At most 160 characters of a line, the cut marked.
std::string Shortened(const std::string& line);

}  // namespace assay
