// Converts judgements and reports to JSON, and back.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "conformance/judging/compare.h"

namespace assay {

nlohmann::json JudgementToJson(const Judgement& judgement);
nlohmann::json ReportToJson(const std::string& name, const ModuleReport& report);

// The inverse conversions. They throw nlohmann::json::exception if a field is absent or has another type.
Judgement JudgementFromJson(const nlohmann::json& json);
ModuleReport ReportFromJson(const nlohmann::json& json);
// Returns the verdict with that name. Throws like the functions above.
Verdict VerdictFromJson(const nlohmann::json& json);

}  // namespace assay
