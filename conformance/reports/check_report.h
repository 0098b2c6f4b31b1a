// What a check has found: outcomes, each held against what was expected of it, and their totals.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <vector>

#include "conformance/reports/type_matrix.h"
#include "conformance/running/expectations.h"
#include "conformance/running/outcome.h"

namespace assay {

// What an outcome does to the check.
enum class Standing {
  kPassed,
  kUnsupported,  // counted and shown, no failure
  kExpected,     // a verdict that the expectations name
  kWeak,         // proves nothing and fails nothing
  kFailed,
  kUnexpected,  // another verdict than the expectations name, be it a better one
  kFlaky,       // failed, and came to another verdict when it ran again; the expectations do not name that
  kUnjudged,    // the case is broken, or beyond the limits of the reference
};

// "passed", "unsupported", ...
std::string_view StandingName(Standing standing);
std::optional<Standing> FindStanding(std::string_view name);

struct CheckEntry {
  Outcome outcome;
  Standing standing;
  std::vector<std::string> expected;  // verdicts

  nlohmann::json ToJson() const;
  // As Outcome::FromJson.
  static CheckEntry FromJson(const nlohmann::json& json, bool is_model);
};

// What a check asks for beyond no failures.
struct Demands {
  std::set<Verdict> fail_on;         // verdicts that are failures too, unless expected: WEAK, UNSUPPORTED, SPEC-GAP
  std::int64_t least_supported = 0;  // cases that must have another verdict than UNSUPPORTED
};

class CheckReport {
 public:
  explicit CheckReport(Expectations expectations, Demands demands = {})
      : expectations_(std::move(expectations)), demands_(std::move(demands)) {}

  // True if the expectations name the outcome's verdict.
  bool Expects(const Outcome& outcome) const;
  const CheckEntry& Add(Outcome outcome);
  // Of another report.
  const CheckEntry& Add(CheckEntry entry);
  void AddStaleExpectation(std::string name) { stale_of_others_.push_back(std::move(name)); }

  const std::vector<CheckEntry>& entries() const { return entries_; }
  // How many outcomes have each verdict.
  std::map<Verdict, int> verdicts() const;
  // By op and element type.
  TypeMatrix types() const;
  int Count(Standing standing) const;
  // How many outcomes of a verdict the expectations name.
  int CountExpected(Verdict verdict) const;
  // What is missing to the demanded number of supported cases; 0: nothing.
  std::int64_t MissingSupport() const;
  // Expectations that fit no outcome.
  std::vector<std::string> StaleExpectations() const;

  // 1 for failures of the backend. What has no verdict leaves the check unfinished: 2 for broken cases, 4 for limits.
  int exit_code() const;
  // Its fields cases, types, models, totals, stale_expectations and exit_code.
  nlohmann::json ToJson() const;

 private:
  Expectations expectations_;
  Demands demands_;
  std::vector<CheckEntry> entries_;
  std::vector<std::string> stale_of_others_;
};

}  // namespace assay
