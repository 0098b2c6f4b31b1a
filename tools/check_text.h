// The report of a check as text for a terminal.
#pragma once

#include <string>

#include "conformance/reports/check_report.h"

namespace assay {

// A line for the user where the outcome makes the check fail, else nothing.
std::string FailureLine(const CheckEntry& entry);

// A line an op and a model, then what did not simply pass, by standing, and which profile is met. It fits a screen,
// unless it is verbose.
struct SummaryParts {
  bool is_verbose = false;          // every op and every case, where else the most important ones stand
  bool types = false;               // the worst verdict of each op with each element type
  bool stale_expectations = false;  // those that fit no case, which says something only where all cases ran
};
std::string CheckSummary(const CheckReport& report, const SummaryParts& parts);

// "12 cases, 11 EXACT, 1 FAIL (expected)"
std::string CheckTotals(const CheckReport& report);

}  // namespace assay
