// Converts judgements and reports to JSON, and back.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "conformance/judging/compare.h"

namespace assay {

nlohmann::json JudgementToJson(const Judgement& judgement);
nlohmann::json ReportToJson(const std::string& name, const ModuleReport& report);

// Adds the fields metrics and gate_errors to an object, unless there are none. A number that JSON does not have is
// null.
void AddMetrics(Verdict verdict, std::span<const ArrayMetrics> metrics, nlohmann::json& json);

// The inverse conversions. They throw nlohmann::json::exception if a field is absent or has another type.
Judgement JudgementFromJson(const nlohmann::json& json);
ModuleReport ReportFromJson(const nlohmann::json& json);
std::vector<ArrayMetrics> MetricsFromJson(
    const nlohmann::json& json);  // of an object with the field metrics or without
// Returns the verdict with that name. Throws like the functions above.
Verdict VerdictFromJson(const nlohmann::json& json);

}  // namespace assay
