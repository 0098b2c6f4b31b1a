// The results of a check: outcomes, each compared with its expectation, and their totals.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/reports/type_matrix.h"
#include "conformance/running/expectations.h"
#include "conformance/running/outcome.h"

namespace assay {

// The effect of an outcome on the check.
enum class Standing {
  kPassed,
  kUnsupported,  // counted and shown; not a failure
  kExpected,     // a verdict that the expectations name
  kWeak,         // no proof, and not a failure: WEAK, and SUSPECT with --suspects-pass
  kFailed,
  kUnexpected,  // differs from the verdict that the expectations name, even if it is better
  kFlaky,       // failed, and had another verdict when it ran again, which the expectations do not name
  kUnjudged,    // the case is broken, or exceeds the limits of the reference
};

// "passed", "unsupported", ...
std::string_view StandingName(Standing standing);
std::optional<Standing> FindStanding(std::string_view name);

struct CheckEntry {
  Outcome outcome;
  Standing standing;
  std::vector<std::string> expected;  // verdicts

  nlohmann::json ToJson() const;
  // Throws like Outcome::FromJson.
  static CheckEntry FromJson(const nlohmann::json& json, bool is_model);
};

// The demands of a check besides no failures.
struct Demands {
  std::set<Verdict> fail_on;         // verdicts that count as failures unless expected: WEAK, UNSUPPORTED, SPEC-GAP
  std::int64_t least_supported = 0;  // cases that must have another verdict than UNSUPPORTED
  bool suspects_pass = false;        // SUSPECT is no failure
};

class CheckReport {
 public:
  explicit CheckReport(Expectations expectations, Demands demands = {})
      : expectations_(std::move(expectations)), demands_(std::move(demands)) {}

  // True if the expectations name the outcome's verdict.
  bool Expects(const Outcome& outcome) const;
  const CheckEntry& Add(Outcome outcome);
  // Adds an entry of another report.
  const CheckEntry& Add(CheckEntry entry);
  // Marks the outcomes of these names, whose repeated runs had different results.
  void AddFlips(const std::map<std::string, Flips>& flips);
  void AddStaleExpectation(std::string name) { stale_of_others_.push_back(std::move(name)); }

  const std::vector<CheckEntry>& entries() const { return entries_; }
  // Returns the number of outcomes with each verdict.
  std::map<Verdict, int> verdicts() const;
  // Returns the verdicts by op and element type.
  TypeMatrix types() const;
  int Count(Standing standing) const;
  // Returns the number of outcomes with a verdict that the expectations name.
  int CountExpected(Verdict verdict) const;
  // Returns the number of supported cases that are missing to Demands::least_supported; 0: none.
  std::int64_t MissingSupport() const;
  // Returns how often each gate of AllGates (judging/metrics.h) contradicts the judge, in that order.
  struct GateCount {
    std::string_view gate;
    int passed_failures = 0;  // FAIL that it passes
    int failed_lawful = 0;    // LEGAL that it fails
  };
  std::vector<GateCount> gates() const;
  // Returns the names of expectations that match no outcome.
  std::vector<std::string> StaleExpectations() const;

  // Returns 2 for broken cases, otherwise 4 for cases beyond the limits, otherwise 1 for failures of the backend or too
  // few supported cases, otherwise 0.
  int exit_code() const;
  // Returns an object with the fields cases, types, models, totals, gates, stale_expectations and exit_code.
  nlohmann::json ToJson() const;

 private:
  Expectations expectations_;
  Demands demands_;
  std::vector<CheckEntry> entries_;
  std::vector<std::string> stale_of_others_;
};

// Outcomes with the same op, verdict, standing and cause.
struct Cluster {
  std::vector<const CheckEntry*> entries;  // in the order of the report
  const CheckEntry* witness;               // the outcome with the fewest elements; the first of several

  const Outcome& outcome() const { return witness->outcome; }
};

// Returns the clusters of some standings: the worst verdict first, then the largest cluster. Causes (Outcome::cause)
// that differ only in numbers are equal.
std::vector<Cluster> ClustersOf(const CheckReport& report, std::initializer_list<Standing> standings);

// Returns the clusters of all outcomes that are not EXACT, in the form of results.json.
nlohmann::json ClustersToJson(const CheckReport& report);

}  // namespace assay
