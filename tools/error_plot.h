// Surveys of errors for people: text and pictures.
#pragma once

#include <string>
#include <string_view>

#include "conformance/sweeps/error_survey.h"

namespace assay {

// Counts, the largest distance with its input, wrong specials and the histogram, a line each.
std::string SurveyText(const ErrorSurvey& survey);

// An SVG picture: the largest distance in each part of the range of operand 0, on a logarithmic scale, and a mark
// below the axis where a special value is wrong.
std::string SurveyPlot(const ErrorSurvey& survey, std::string_view title);

// Text inside an element or an attribute of XML or HTML.
std::string XmlText(std::string_view text);

}  // namespace assay
