// The plan of an `assay check`, made from its options before a backend starts.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "conformance/cases/case_files.h"
#include "conformance/reports/check_report.h"
#include "conformance/reports/report_files.h"
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
  bool is_quick = false;  // only the cases that CORPUS/quick.txt names
  std::string shard;
  std::string report_directory;
  bool resume = false;     // from the journal in the report's folder
  bool is_shared = false;  // with other processes that mpirun started
  DemandOptions demands;
  std::string expectations_file;  // the expected verdicts of this backend, with reasons
  bool updates_expectations = false;
  std::string profile;      // a name or a file; empty: the backend's
  int jobs = 0;             // number of backends; 0: one for each core
  bool only_list = false;   // print the names of the cases
  bool show_types = false;  // print the verdicts by op and element type
  bool is_verbose = false;
  double case_timeout = 120;
  std::int64_t retries = 0;
  std::int64_t repeats = 0;        // further runs of every case, whose bits are compared
  double repeat_seconds = 0;       // rounds of such runs begin until then; 0: one round, if there are repeats
  std::vector<std::string> vary;   // settings of these runs, as SETTING=VALUE,VALUE
  double budget = 0;               // seconds after which no file is started; 0: no limit
  std::int64_t most_deaths = 100;  // of the backend, by TIMEOUT or CRASH
  CommonOptions common;
};

// Declares the options that choose goldens and a profile, for commands that take no models.
void AddGoldens(CLI::App& command, CheckOptions& options);

// Everything that is read before a backend starts.
struct CheckPlan {
  CaseOptions cases;
  CaseFiles found;
  Shard shard;
  Demands demands;
  Expectations expectations;
  Rank rank;
  std::shared_ptr<const ReportFolder> report_folder;  // locked; null without a report, and for all ranks but the first
};

// Fails with kUsage for options that contradict each other, otherwise with the error of the file or folder that they
// name.
Result<CheckPlan> PlanCheck(const CheckOptions& options);
// Returns the fields of results.json that describe the run.
CheckRun RunOf(const CheckOptions& options, const CheckPlan& plan, const BackendDescription& backend);

}  // namespace assay
