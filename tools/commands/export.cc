#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>

#include "backends/files.h"
#include "conformance/cases/case_files.h"
#include "conformance/exporting/sha256.h"
#include "conformance/exporting/suite_writer.h"
#include "conformance/running/backend_pool.h"
#include "interpreter/types/version.h"
#include "tools/check_plan.h"
#include "tools/command.h"
#include "tools/command_line.h"
#include "tools/options.h"
#include "tools/progress.h"
#include "tools/report_text.h"

namespace assay {
namespace {

struct ExportOptions {
  CheckOptions check;  // the cases and the profile
  std::string format = "stablehlo", folder;
};

const SuiteFormat& FormatCalled(const std::string& name) {
  return *std::ranges::find(SuiteFormats(), name, &SuiteFormat::name);
}

// Fails unless the folder is new or empty: the manifest would not name a file of an earlier suite.
Status CheckEmpty(const std::string& folder) {
  std::error_code error;
  if (!std::filesystem::exists(folder, error) || std::filesystem::is_empty(folder, error)) return {};
  return Error{ErrorCode::kUsage, fmt::format("--out: {} must be a new or empty folder", folder)};
}

// Exports all files on `jobs` threads. Stops at an error and returns it.
Status ExportFiles(const CheckPlan& plan, int jobs, SuiteWriter& writer) {
  const auto files = static_cast<int>(plan.found.files.size());
  ASSAY_TRY(BackendPool pool, BackendPool::Open("reference", std::clamp(files, 1, Jobs(jobs)), 0));
  Progress progress(plan.found.files.size(), "files of cases");
  std::mutex mutex;
  Status all;
  pool.ForEach(files, [&](int, std::int64_t number) {
    const CaseFile& file = plan.found.files[static_cast<std::size_t>(number)];
    {
      const std::lock_guard lock(mutex);
      progress.Step(file.path);
    }
    const Status added = writer.Add(file);
    const std::lock_guard lock(mutex);
    if (!added) all = added;
    return all.has_value();
  });
  progress.Clear();
  return all;
}

void PrintReasons(const nlohmann::json& names_by_reason, std::string_view what) {
  std::size_t count = 0;
  for (const auto& [reason, names] : names_by_reason.items()) count += names.size();
  fmt::print("{} {}\n", count, what);
  for (const auto& [reason, names] : names_by_reason.items()) {
    fmt::print("  {:5} {}\n", names.size(), ForTerminal(reason));
  }
}

Result<int> RunExport(const ExportOptions& options) {
  ASSAY_CHECK_OK(CheckEmpty(options.folder));
  ASSAY_TRY(const CheckPlan plan, PlanCheck(options.check));
  ASSAY_CHECK_OK(PrepareFolder(options.folder));
  SuiteWriter writer(FormatCalled(options.format), options.folder, plan.cases);
  ASSAY_CHECK_OK(ExportFiles(plan, options.check.jobs, writer));
  std::vector<std::string> paths;
  for (const CaseFile& file : plan.found.files) paths.push_back(file.path);
  ASSAY_TRY(const nlohmann::json manifest, writer.Finish({{"assay", kVersion},
                                                          {"profile", plan.cases.profile.name()},
                                                          {"filter", options.check.filter},
                                                          {"corpus_digest", DigestOf(paths)}}));
  if (manifest["cases"] == 0 && manifest["not_exported"].empty()) {
    return Error{ErrorCode::kUsage, fmt::format("no case matches {}", options.check.filter)};
  }
  fmt::print("{} cases in {}\n", manifest["cases"].get<std::int64_t>(), ForTerminal(options.folder));
  PrintReasons(manifest["undecided"], "of them are decided only if the result is exact:");
  PrintReasons(manifest["not_exported"], "cases are not exported:");
  ASSAY_TRY(const std::string text, ReadFile(options.folder + "/manifest.json"));
  fmt::print("sha256 of manifest.json: {}\n", Sha256(text));
  return 0;
}

void AddExportOptions(CLI::App& command, ExportOptions& options) {
  std::vector<std::string> formats;
  for (const SuiteFormat& format : SuiteFormats()) formats.emplace_back(format.name);
  AddChoice(command, "--format", options.format, formats, "modules as StableHLO or HLO; arrays as JSON or .npz");
  AddRequiredText(command, "--out", options.folder, "the folder of the suite: new or empty");
  AddGoldens(command, options.check);
}

}  // namespace

const Command command_export = {
    .name = "export",
    .help = "write the corpus as a suite of plain files that runs without assay",
    .example = "assay export --format stablehlo --out suite --filter op=add",
    .bind = BindCommand<ExportOptions, AddExportOptions, RunExport>,
};

}  // namespace assay
