// The errors of a backend for many operations and types, as a table, as JSON and as a page with plots.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "conformance/sweeps/error_survey.h"
#include "interpreter/hlo/op.h"

namespace assay {

// One operation on one type. Without an answer of the backend the survey is empty.
struct AccuracyRow {
  const Op* op;
  PrimitiveType type;
  bool is_exhaustive;
  Verdict verdict;
  std::string reason;
  ErrorSurvey survey;
};

struct ReportCard {
  std::string backend;            // name and version
  std::string profile;            // by which the verdicts are
  std::vector<AccuracyRow> rows;  // by operation, then by type

  Verdict worst() const;
};

// In Markdown, a line an operation: "maximum ULP / share not exact" for the wide types and for all the narrower ones
// together; then wrong specials, and the results outside of what the profile allows, by type. A second table is for
// complex types: the maximum of the parts and of the norm.
std::string ReportCardTable(const ReportCard& card);
nlohmann::json ReportCardJson(const ReportCard& card);
std::string ReportCardPage(const ReportCard& card);

}  // namespace assay
