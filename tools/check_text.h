// The report of a check as text for a terminal.
#pragma once

#include <string>

#include "conformance/reports/check_report.h"

namespace assay {

// Returns a line for the user if the outcome makes the check fail, otherwise nothing.
std::string FailureLine(const CheckEntry& entry);

// The parts of the summary: a line for each op and model, the outcomes that did not simply pass, by standing, and the
// claim. It fits a screen unless it is verbose.
struct SummaryParts {
  std::string claim;                // of ClaimOf
  bool is_verbose = false;          // every op and every case, instead of the most important ones
  bool types = false;               // the worst verdict of each op with each element type
  bool stale_expectations = false;  // those that match no case, which is meaningful only if all cases ran
};
std::string CheckSummary(const CheckReport& report, const SummaryParts& parts);

// Returns "12 cases, 11 EXACT, 1 FAIL (expected)".
std::string CheckTotals(const CheckReport& report);

}  // namespace assay
