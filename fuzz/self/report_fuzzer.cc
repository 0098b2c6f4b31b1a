// The report of a check, as `assay merge` and the pages of CI read it. Legal reports are written again and read back.
#include <nlohmann/json.hpp>

#include "backends/files.h"
#include "conformance/reports/report_files.h"
#include "conformance/running/check_run.h"
#include "fuzz/self/target.h"

ASSAY_FUZZ_TARGET(report) {
  static const TargetFolder folder;
  const SmallLimits limits;
  const std::string path = folder.Write("results.json", text);
  const Result<MergedReport> merged = MergeReports({path}, {});
  if (!merged) return;
  // `assay merge` prints these.
  const nlohmann::json& run = merged->run;
  Require(run["backend"]["name"].is_string() && run["backend"]["version"].is_string(), "the backend has a name");
  Require(run["filter"].is_string() && run["tags"].is_array(), "it says which cases there are");
  merged->report.exit_code();
  const nlohmann::json document = ReportDocument(run, merged->report, {});
  JUnitText(document);
  const Result<MergedReport> again = MergeReports({folder.Write("results.json", document.dump())}, {});
  Require(again.has_value(), "a report that is written is one");
  Require(ReportDocument(again->run, again->report, {}) == document, "a report reads back");
}
