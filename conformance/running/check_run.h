// The options of a check and its backend: the head of its report and of its journal. Also merges reports of shards.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "conformance/reports/check_report.h"

namespace assay {

// One of `count` parts of a check. Shard 2/4 runs the files 1, 5, 9, ... of a list that begins with file 0.
struct Shard {
  std::int64_t number = 1;
  std::int64_t count = 1;

  // Parses "2/4"; fails with kUsage for anything else.
  static Result<Shard> Parse(const std::string& text);
  std::string ToString() const;
  void Keep(std::vector<std::string>& files) const;
};

struct CheckRun {
  BackendDescription backend;
  std::string backend_option;  // the backend's name on the command line: "xla-cpu@0.4.30"
  std::string corpus;
  std::string profile;
  std::string filter;
  std::vector<std::string> tags;
  Shard shard;
  // A digest of the names and texts of all case files. A journal with another digest cannot be used.
  std::string digest;

  nlohmann::json ToJson() const;
};

// Returns a field of ToJson in which two runs differ: "profile was "xla", is "ieee"". Returns an empty text for the
// same run. The backend's name on the command line is ignored: it may be a path.
std::string DifferenceOfRuns(const nlohmann::json& before, const nlohmann::json& now);

// Returns 16 hexadecimal digits (FNV-1a) of the names and texts of the files. Unreadable files count by name only.
std::string DigestOf(const std::vector<std::string>& files);

// The cases of a check that have not run, and why.
struct Unfinished {
  std::string ended_by;              // a signal, or an option; empty: nothing ended the check early
  std::vector<std::string> not_run;  // files of cases, or "shard 2/4"

  bool IsWhole() const { return ended_by.empty() && not_run.empty(); }
};

// Returns "failed: 2 new failures, 3 expected failures". The first word is "passed", "incomplete" if nothing failed but
// cases are unjudged or have not run, or "failed".
std::string OutcomeText(const CheckReport& report, const Unfinished& unfinished);
// Returns the fields of results.json: those of the run, those of the report, its claim, and what has not run.
nlohmann::json ReportDocument(const nlohmann::json& run, const CheckReport& report, const Unfinished& unfinished);
// Returns the sentence of a document that says which profile the backend meets; empty without goldens.
std::string ClaimOf(const nlohmann::json& document);

struct MergedReport {
  nlohmann::json run;  // without a shard
  CheckReport report;
  std::vector<std::string> not_run;  // "shard 2/4", or "shard 2/4 after SIGINT"
};

// Merges the reports of several shards in the order of an undivided check. Each path is a results.json or the folder
// that holds it. Fails with kInput: a file is not a report, the reports are of different runs, or a shard occurs twice.
Result<MergedReport> MergeReports(const std::vector<std::string>& paths, const Demands& demands);

}  // namespace assay
