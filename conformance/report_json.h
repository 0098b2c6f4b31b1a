// Judgements and reports as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "conformance/compare.h"

namespace assay {

nlohmann::json JudgementToJson(const Judgement& judgement);
nlohmann::json ReportToJson(const std::string& name, const ModuleReport& report);

}  // namespace assay
