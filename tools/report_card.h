// A backend's errors for many operations and types, as a table, as JSON and as a page, and the plots of one survey.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "backends/backend.h"
#include "conformance/sweeps/error_survey.h"
#include "interpreter/hlo/op.h"

namespace assay {

// The results of one operation on one type. The survey is empty if the backend returned nothing.
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
  std::string profile;            // that the verdicts use
  std::vector<AccuracyRow> rows;  // by operation, then by type

  Verdict worst() const;
};

// Returns Markdown with a line for each operation. It has "maximum ULP / share not exact" for each wide type and for
// all narrower ones together, then by type the wrong specials and the number of results beyond the profile's allowance.
// A second table is for complex types: the maximum of the parts and of the norm.
std::string ReportCardTable(const ReportCard& card);
nlohmann::json ReportCardJson(const ReportCard& card);
std::string ReportCardPage(const ReportCard& card);

// Returns lines with the counts, the largest distance and its input, wrong specials, and the histogram.
std::string SurveyText(const ErrorSurvey& survey);

// Returns an SVG picture: the largest distance in each part of the range of operand 0 on a logarithmic scale. A mark
// below the axis shows a wrong special value.
std::string SurveyPlot(const ErrorSurvey& survey, std::string_view title);

// Escapes text for an element or an attribute of XML or HTML.
std::string XmlText(std::string_view text);

}  // namespace assay
