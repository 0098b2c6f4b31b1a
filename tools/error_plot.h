// Surveys of errors as text and as pictures.
#pragma once

#include <string>
#include <string_view>

#include "conformance/sweeps/error_survey.h"

namespace assay {

// Returns lines with the counts, the largest distance and its input, wrong specials, and the histogram.
std::string SurveyText(const ErrorSurvey& survey);

// Returns an SVG picture: the largest distance in each part of the range of operand 0 on a logarithmic scale. A mark
// below the axis shows a wrong special value.
std::string SurveyPlot(const ErrorSurvey& survey, std::string_view title);

// Escapes text for an element or an attribute of XML or HTML.
std::string XmlText(std::string_view text);

}  // namespace assay
