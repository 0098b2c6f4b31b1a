// What a check was asked for, and of whom: the head of its report and of its journal. Reports of shards become one.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "conformance/reports/check_report.h"

namespace assay {

// One of `count` parts of a check; shard 2/4 runs the files 1, 5, 9, ... of the list that begins with 0.
struct Shard {
  std::int64_t number = 1;
  std::int64_t count = 1;

  // "2/4"; kUsage for anything else.
  static Result<Shard> Parse(const std::string& text);
  std::string ToString() const;
  void Keep(std::vector<std::string>& files) const;
};

struct CheckRun {
  BackendDescription backend;
  std::string backend_option;  // what names the backend on the command line: "xla-cpu@0.4.30"
  std::string corpus;
  std::string profile;
  std::string filter;
  std::vector<std::string> tags;
  Shard shard;
  // Of the names and texts of all files of cases: a journal for others is of no use.
  std::string digest;

  nlohmann::json ToJson() const;
};

// A field of ToJson in which two runs differ: "profile was "xla", is "ieee"". Empty for the same run. How a command
// line names the backend makes no difference: it may be a path.
std::string DifferenceOfRuns(const nlohmann::json& before, const nlohmann::json& now);

// 16 hexadecimal digits (FNV-1a) of the files' names and texts, as far as they can be read.
std::string DigestOf(const std::vector<std::string>& files);

// The fields of results.json: those of the run, those of the report, and the signal that ended it, if one did.
nlohmann::json ReportDocument(const nlohmann::json& run, const CheckReport& report, std::string_view ended_by);

struct MergedReport {
  nlohmann::json run;  // without a shard
  CheckReport report;
  std::vector<std::string> not_run;  // "shard 2/4", or "shard 2/4 after SIGINT"
};

// One report of those of several shards, in the order of an undivided check. Each path is a results.json or the folder
// that holds it. Errors are kInput: a file that is no report, reports of different runs, a shard given twice.
Result<MergedReport> MergeReports(const std::vector<std::string>& paths, const Demands& demands);

}  // namespace assay
