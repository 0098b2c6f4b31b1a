#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "conformance/reports/report_files.h"
#include "conformance/running/check_run.h"
#include "tools/check_text.h"
#include "tools/command.h"
#include "tools/command_line.h"
#include "tools/options.h"
#include "tools/report_text.h"

namespace assay {
namespace {

struct MergeOptions {
  std::vector<std::string> reports;
  std::string report_directory;
  bool show_types = false;
  bool is_verbose = false;
  DemandOptions demands;
};

Result<int> RunMerge(const MergeOptions& options) {
  if (options.reports.empty()) return Error{ErrorCode::kUsage, "merge needs the reports of the shards"};
  ASSAY_TRY(const Demands demands, options.demands.Read());
  ASSAY_TRY(const MergedReport merged, MergeReports(options.reports, demands));
  const CheckReport& report = merged.report;
  if (report.entries().empty() && merged.not_run.empty()) {
    return Error{ErrorCode::kInput, fmt::format("{}: no report has a case", options.reports[0])};
  }
  const nlohmann::json document = ReportDocument(merged.run, report, {.ended_by = "", .not_run = merged.not_run});
  std::string report_line;
  if (!options.report_directory.empty()) {
    ASSAY_TRY(const auto folder, ReportFolder::Open(options.report_directory));
    ASSAY_TRY(report_line, WriteReportFiles(options.report_directory, document));
  }
  const nlohmann::json& backend = merged.run["backend"];
  const bool has_run_all = merged.not_run.empty() && merged.run["filter"] == "" && merged.run["tags"].empty();
  std::string text = CheckSummary(report, {.claim = ClaimOf(document),
                                           .is_verbose = options.is_verbose,
                                           .types = options.show_types,
                                           .stale_expectations = has_run_all}) +
                     "\n";
  for (const std::string& part : merged.not_run) text += fmt::format("not run: {}\n", part);
  text += fmt::format("{} {}: {}\n{}", backend["name"].get<std::string>(), backend["version"].get<std::string>(),
                      CheckTotals(report), report_line);
  fmt::print("{}", ForTerminal(text));
  // Cases that have not run leave the check unfinished, as a broken case does.
  return merged.not_run.empty() ? report.exit_code() : ExitCode({ErrorCode::kInput, ""});
}

void AddMergeOptions(CLI::App& command, MergeOptions& options) {
  AddTexts(command, "shard", options.reports, "results.json of a shard, or the folder that holds it");
  AddText(command, "--report", options.report_directory, "folder for the report of all");
  AddFlag(command, "--verbose", options.is_verbose, "a summary of every operation and every case");
  AddFlag(command, "--types", options.show_types, "print the worst verdict of each op with each element type");
  AddDemands(command, options.demands);
}

}  // namespace

const Command command_merge = {
    .name = "merge",
    .help = "make one report of those of the shards of a check",
    .example = "assay merge shard1 shard2 shard3 --report all",
    .bind = BindCommand<MergeOptions, AddMergeOptions, RunMerge>,
};

}  // namespace assay
