// What `assay check` is to do, read from its options before a backend starts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/cases/case_files.h"
#include "conformance/reports/check_report.h"
#include "conformance/running/check_run.h"
#include "conformance/running/outcome.h"
#include "conformance/running/ranks.h"
#include "interpreter/types/result.h"
#include "tools/options.h"

namespace assay {

struct CheckOptions {
  std::string backend = "reference";
  std::string corpus;
  std::vector<std::string> models;  // folders of modules that are run with seeded inputs
  std::string filter;
  std::vector<std::string> tags;
  bool is_quick = false;  // the cases that CORPUS/quick.txt names
  std::string shard;
  std::string report_directory;
  bool resume = false;     // from the journal in the report's folder
  bool is_shared = false;  // among processes that mpirun started
  DemandOptions demands;
  std::string expectations_file;  // verdicts of this backend that are known, with reasons
  bool updates_expectations = false;
  std::string profile;      // a name or a file; empty: that of the backend
  int jobs = 0;             // backends at work; 0: one a core
  bool only_list = false;   // print the names of the cases
  bool show_types = false;  // print the verdicts by op and element type
  bool is_verbose = false;
  double case_timeout = 120;
  std::int64_t retries = 0;
  double budget = 0;               // seconds after which no file is begun; 0: any number
  std::int64_t most_deaths = 100;  // of the backend, by TIMEOUT or CRASH
  CommonOptions common;
};

// All that is read before a backend starts.
struct CheckPlan {
  CaseOptions cases;
  CaseFiles found;
  Shard shard;
  Demands demands;
  Expectations expectations;
  Rank rank;
};

// Errors are kUsage for options that contradict each other, else those of the file or the folder that they name.
Result<CheckPlan> PlanCheck(const CheckOptions& options);
// What results.json says of the run.
CheckRun RunOf(const CheckOptions& options, const CheckPlan& plan, const BackendDescription& backend);

}  // namespace assay
