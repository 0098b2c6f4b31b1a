// What a check has found: outcomes, each held against what was expected of it, and their totals.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "conformance/expectations.h"
#include "conformance/outcome.h"
#include "conformance/type_matrix.h"

namespace assay {

// What an outcome does to the check.
enum class Standing {
  kPassed,
  kUnsupported,  // counted and shown, no failure
  kExpected,     // a verdict that the expectations name
  kWeak,         // proves nothing and fails nothing
  kFailed,
  kUnexpected,  // another verdict than the expectations name, be it a better one
  kUnjudged,    // the case is broken, or beyond the limits of the reference
};

// "passed", "unsupported", ...
std::string_view StandingName(Standing standing);

struct CheckEntry {
  Outcome outcome;
  Standing standing;
  std::vector<std::string> expected;  // verdicts
};

class CheckReport {
 public:
  explicit CheckReport(Expectations expectations) : expectations_(std::move(expectations)) {}

  const CheckEntry& Add(Outcome outcome);

  const std::vector<CheckEntry>& entries() const { return entries_; }
  // How many outcomes have each verdict.
  std::map<Verdict, int> verdicts() const;
  // By op and element type.
  TypeMatrix types() const;
  int Count(Standing standing) const;
  // How many outcomes of a verdict the expectations name.
  int CountExpected(Verdict verdict) const;
  // Expectations that fit no outcome.
  std::vector<std::string> StaleExpectations() const;

  // 1 for failures of the backend. What has no verdict leaves the check unfinished: 2 for broken cases, 4 for limits.
  int exit_code() const;
  // Its fields cases, types, models, totals and exit_code.
  nlohmann::json ToJson() const;

 private:
  Expectations expectations_;
  std::vector<CheckEntry> entries_;
};

}  // namespace assay
