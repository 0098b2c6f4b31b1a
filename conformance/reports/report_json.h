// Judgements and reports as JSON, and back.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "conformance/judging/compare.h"

namespace assay {

nlohmann::json JudgementToJson(const Judgement& judgement);
nlohmann::json ReportToJson(const std::string& name, const ModuleReport& report);

// The same the other way. They throw nlohmann::json::exception where something is missing or of another kind.
Judgement JudgementFromJson(const nlohmann::json& json);
ModuleReport ReportFromJson(const nlohmann::json& json);
// The verdict of that name; throws as well.
Verdict VerdictFromJson(const nlohmann::json& json);

}  // namespace assay
