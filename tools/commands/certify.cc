#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "backends/default_profile.h"
#include "backends/files.h"
#include "backends/json/json_text.h"
#include "conformance/certificates/certificate.h"
#include "conformance/exporting/sha256.h"
#include "conformance/reports/report_files.h"
#include "tools/check_plan.h"
#include "tools/check_text.h"
#include "tools/command.h"
#include "tools/command_line.h"
#include "tools/options.h"
#include "tools/progress.h"
#include "tools/report_text.h"

namespace assay {
namespace {

struct CertifyOptions {
  CheckOptions check;
  std::string folder;
};

// Runs all cases, and records what the backend answers.
std::vector<Outcome> RunRecorded(BackendPool& pool, const CheckPlan& plan, RecordedRuns& runs) {
  Progress progress(plan.found.files.size(), "files of cases");
  const auto wrap = [&](int worker) { return std::make_unique<RecordingBackend>(pool.backend(worker), runs); };
  std::vector<Outcome> outcomes =
      RunFiles(pool, plan.found.files, plan.cases, wrap, [&](const std::string& path) { progress.Step(path); });
  progress.Clear();
  return outcomes;
}

Status WriteFolder(const std::string& folder, const CheckRun& run, const nlohmann::json& document,
                   const CheckPlan& plan, const std::string& profile_text, const RecordedRuns& runs) {
  ASSAY_TRY([[maybe_unused]] const std::string line, WriteReportFiles(folder, document));
  ASSAY_CHECK_OK(WriteFileAtomically(folder + "/runs.jsonl", runs.ToText()));
  ASSAY_TRY(const auto files, ReadCertifiedFiles(folder));
  const nlohmann::json certificate = MakeCertificate(run, document, plan.found.files, files, profile_text);
  return WriteFileAtomically(folder + "/certificate.json", JsonText(certificate, 1) + "\n");
}

Result<int> RunCertify(CertifyOptions& options) {
  std::string& profile = options.check.profile;
  if (profile.empty()) profile = DefaultProfile(options.check.backend);
  options.check.report_directory = options.folder;
  ASSAY_TRY(const CheckPlan plan, PlanCheck(options.check));
  ASSAY_TRY(const std::string profile_text, ProfileTextOf(profile));
  ASSAY_CHECK_OK(CertifiedProfile(profile_text, profile));
  const auto files = static_cast<int>(plan.found.files.size());
  ASSAY_TRY(BackendPool pool, BackendPool::Open(options.check.backend, std::clamp(files, 1, Jobs(options.check.jobs)),
                                                options.check.case_timeout));
  RecordedRuns runs;
  CheckReport report(plan.expectations, plan.demands);
  for (Outcome& outcome : RunRecorded(pool, plan, runs)) report.Add(std::move(outcome));
  if (report.entries().empty()) {
    return Error{ErrorCode::kUsage, fmt::format("no case matches {}", options.check.filter)};
  }
  const CheckRun run = RunOf(options.check, plan, pool.description());
  const nlohmann::json document = ReportDocument(run.ToJson(), report, {});
  ASSAY_CHECK_OK(WriteFolder(options.folder, run, document, plan, profile_text, runs));
  ASSAY_TRY(const std::string certificate, ReadFile(options.folder + "/certificate.json"));
  fmt::print("{}\n{} {}: {}\nsha256 of certificate.json: {}\n", CheckSummary(report, {.claim = ClaimOf(document)}),
             pool.description().name, pool.description().version, CheckTotals(report), Sha256(certificate));
  return report.exit_code();
}

void AddCertifyOptions(CLI::App& command, CertifyOptions& options) {
  AddBackend(command, options.check.backend, "the backend to certify");
  AddRequiredText(command, "--out", options.folder, "the folder of the certificate");
  AddGoldens(command, options.check);
  AddTimeout(command, options.check.case_timeout, "one case");
}

}  // namespace

const Command command_certify = {
    .name = "certify",
    .help = "check a backend and record its answers, for others to verify with verify-report",
    .example = "assay certify --backend process:./my-chip --out certificate",
    .bind = BindCommand<CertifyOptions, AddCertifyOptions, RunCertify>,
};

}  // namespace assay
