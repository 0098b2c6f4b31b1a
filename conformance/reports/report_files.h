// The files of a check's report: results.json, junit.xml for what shows tests, report.html for people.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "interpreter/types/result.h"

namespace assay {

// Writes them into the folder, each of them whole or not at all; what cannot be written is an error. `document` is that
// of ReportDocument. Returns the line that names them.
Result<std::string> WriteReportFiles(const std::string& folder, const nlohmann::json& document);

// JUnit's XML: a suite for each op, a test for each case. Failures and errors of the backend are failures, what is
// unjudged is an error, what is unsupported or expected is skipped with its reason.
std::string JUnitText(const nlohmann::json& document);

// One page of the document's text that needs nothing else: matrix of ops and types, causes, cases, and a comparison
// with another report.
std::string ReportPage(const std::string& data);

}  // namespace assay
