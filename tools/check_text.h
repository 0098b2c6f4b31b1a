// The report of a check as text for a terminal.
#pragma once

#include <string>

#include "conformance/check_report.h"

namespace assay {

// A line for the user where the outcome makes the check fail, else nothing.
std::string FailureLine(const CheckEntry& entry);

// A line an op and a model, then what did not simply pass, by standing.
std::string CheckSummary(const CheckReport& report, bool with_types);

// "12 cases, 11 EXACT, 1 FAIL"
std::string CheckTotals(const CheckReport& report);

}  // namespace assay
