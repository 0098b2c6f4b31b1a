#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "backends/files.h"
#include "backends/json/json_text.h"
#include "conformance/certificates/certificate.h"
#include "conformance/certificates/report_differences.h"
#include "conformance/exporting/sha256.h"
#include "conformance/reports/report_files.h"
#include "tools/check_plan.h"
#include "tools/command.h"
#include "tools/command_line.h"
#include "tools/options.h"
#include "tools/progress.h"
#include "tools/report_text.h"

namespace assay {
namespace {

using nlohmann::json;

struct VerifyReportOptions {
  CheckOptions check;
  std::string folder;
  std::int64_t sample = 100, seed = 0;
};

// The files of a certificate.
struct Submission {
  json certificate, report;
  std::map<std::string, std::string> files;  // their texts, by name
};

Result<Submission> ReadSubmission(const std::string& folder) {
  Submission submission;
  ASSAY_TRY(const std::string text, ReadFile(folder + "/certificate.json"));
  ASSAY_TRY(submission.certificate, ParseJson(text));
  if (submission.certificate.at("schema") != 1) {
    return Error{ErrorCode::kInput, fmt::format("{}: the schema of the certificate must be 1, found {}", folder,
                                                JsonText(submission.certificate["schema"]))};
  }
  ASSAY_TRY(submission.files, ReadCertifiedFiles(folder));
  ASSAY_TRY(submission.report, ParseJson(submission.files["results.json"]));
  return submission;
}

// Returns the text of the profile's file in the certificate; empty for a built-in profile.
std::string ProfileTextIn(const json& certificate) {
  return certificate.contains("profile_file") ? certificate["profile_file"].at("text").get<std::string>() : "";
}

// Returns the plan of the certified check.
Result<CheckPlan> PlanOf(const json& certificate, CheckOptions& options) {
  options.filter = certificate.at("filter").get<std::string>();
  options.tags = certificate.at("tags").get<std::vector<std::string>>();
  options.is_quick = std::erase(options.tags, "quick.txt") > 0;
  ASSAY_TRY(CheckPlan plan, PlanCheck(options));
  ASSAY_TRY(plan.cases.profile, CertifiedProfile(ProfileTextIn(certificate), certificate.at("profile")));
  return plan;
}

// Judges the recorded answers again.
Result<CheckReport> JudgeAgain(const Submission& submission, const CheckPlan& plan, int jobs) {
  RecordedRuns runs;
  ASSAY_CHECK_OK(runs.Read(submission.files.at("runs.jsonl")));
  const auto files = static_cast<int>(plan.found.files.size());
  ASSAY_TRY(BackendPool pool, BackendPool::Open("reference", std::clamp(files, 1, Jobs(jobs)), 0));
  Progress progress(plan.found.files.size(), "files of cases");
  const BackendDescription description = DescriptionOf(submission.certificate);
  const auto wrap = [&](int) { return std::make_unique<ReplayingBackend>(description, runs); };
  CheckReport report(plan.expectations, plan.demands);
  for (Outcome& outcome :
       RunFiles(pool, plan.found.files, plan.cases, wrap, [&](const std::string& path) { progress.Step(path); })) {
    report.Add(std::move(outcome));
  }
  progress.Clear();
  return report;
}

// Compares everything that the certificate and its files claim with a second judging. The machine is not compared.
Result<std::vector<std::string>> DifferencesOfFiles(const Submission& submission, const CheckPlan& plan,
                                                    const CheckOptions& options) {
  const json &certificate = submission.certificate, &claimed = submission.report;
  ASSAY_TRY(const CheckReport report, JudgeAgain(submission, plan, options.jobs));
  CheckOptions certified = options;
  certified.backend = certificate.at("backend").at("option").get<std::string>();
  const CheckRun run = RunOf(certified, plan, DescriptionOf(certificate));
  // A file has null in place of infinity, and no bytes that are not UTF-8.
  ASSAY_TRY(const json found, ParseJson(JsonText(ReportDocument(run.ToJson(), report, {}))));
  json remade = MakeCertificate(run, found, plan.found.files, submission.files, ProfileTextIn(certificate));
  remade["machine"] = certificate.at("machine");
  std::vector<std::string> lines = DifferencesOf("certificate.json", certificate, remade);
  if (report.entries().empty()) lines.push_back("the certificate has no case: its filter and tags must match some");
  std::vector<std::string> of_report = DifferencesOfReports(claimed, found);
  if (of_report.empty()) {
    // The pages are made of the claimed report, which has the path of its corpus and its times.
    for (const auto& [name, text] :
         {std::pair("junit.xml", JUnitText(claimed)), std::pair("report.html", ReportPage(claimed))}) {
      if (submission.files.at(name) != text) lines.push_back(fmt::format("{}: differs from results.json", name));
    }
  }
  std::ranges::move(of_report, std::back_inserter(lines));
  return lines;
}

// Returns the names of at most `count` cases of a report, drawn by a seed.
std::set<std::string> Draw(const json& report, std::int64_t count, std::int64_t seed) {
  std::vector<std::string> names;
  for (const json& entry : report.at("cases")) names.push_back(entry.at("name"));
  std::mt19937_64 random(static_cast<std::uint64_t>(seed));
  std::ranges::shuffle(names, random);
  names.resize(std::min(names.size(), static_cast<std::size_t>(count)));
  return {names.begin(), names.end()};
}

// Runs the drawn cases on the backend of the options. Returns the differences from the description and the verdicts of
// the certificate.
Result<std::vector<std::string>> RunSample(const Submission& submission, const CheckPlan& plan,
                                           const VerifyReportOptions& options) {
  const std::set<std::string> names = Draw(submission.report, options.sample, options.seed);
  json claimed = {{"cases", json::array()}};
  for (const json& entry : submission.report.at("cases")) {
    if (names.contains(entry.at("name").get<std::string>())) claimed["cases"].push_back(entry);
  }
  CaseOptions cases = plan.cases;
  cases.names = names;
  std::vector<CaseFile> files = plan.found.files;
  std::erase_if(files, [&](const CaseFile& file) { return file.is_model || CaseNames(file.path, cases).empty(); });
  const int workers = std::clamp(static_cast<int>(files.size()), 1, Jobs(options.check.jobs));
  ASSAY_TRY(BackendPool pool, BackendPool::Open(options.check.backend, workers, options.check.case_timeout));
  RecordedRuns runs;
  const auto wrap = [&](int worker) { return std::make_unique<RecordingBackend>(pool.backend(worker), runs); };
  CheckReport report(plan.expectations, plan.demands);
  for (Outcome& outcome : RunFiles(pool, files, cases, wrap, [](const std::string&) {})) report.Add(std::move(outcome));
  const BackendDescription& found = pool.description();
  const json& backend = submission.certificate.at("backend");
  json is = backend;
  is.update({{"name", found.name},
             {"version", found.version},
             {"max_devices", found.max_devices},
             {"verification", static_cast<int>(found.verification)}});
  std::vector<std::string> lines = DifferencesOf("backend", backend, is);
  std::ranges::move(DifferencesOfVerdicts(claimed, ReportDocument(json::object(), report, {})),
                    std::back_inserter(lines));
  fmt::print("{} cases run again on {} (seed {})\n", names.size(), found.name, options.seed);
  return lines;
}

Result<int> VerifyReport(VerifyReportOptions& options) {
  ASSAY_TRY(const Submission submission, ReadSubmission(options.folder));
  const json& certificate = submission.certificate;
  ASSAY_TRY(const CheckPlan plan, PlanOf(certificate, options.check));
  ASSAY_TRY(std::vector<std::string> lines, DifferencesOfFiles(submission, plan, options.check));
  if (!options.check.backend.empty()) {
    ASSAY_TRY(std::vector<std::string> sampled, RunSample(submission, plan, options));
    std::ranges::move(sampled, std::back_inserter(lines));
  }
  const json& backend = certificate.at("backend");
  const bool is_whole = options.check.filter.empty() && certificate.at("tags").empty();
  const std::string of_profile = ProfileTextIn(certificate);
  fmt::print("{} {}, profile {}{}, {}\n", ForTerminal(backend.at("name").get<std::string>()),
             ForTerminal(backend.at("version").get<std::string>()), ForTerminal(plan.cases.profile.name()),
             of_profile.empty() ? "" : fmt::format(" of its own (sha256 {})", Sha256(of_profile)),
             is_whole ? "the whole corpus" : "a part of the corpus");
  if (lines.empty()) fmt::print("{}\n", ForTerminal(ClaimOf(submission.report)));
  for (const std::string& line : lines) fmt::print("disagrees: {}\n", ForTerminal(line));
  fmt::print("{}\n", lines.empty() ? "everything agrees" : fmt::format("{} disagreements", lines.size()));
  return lines.empty() ? 0 : 1;
}

Result<int> VerifyCertificate(VerifyReportOptions& options) {
  try {
    return VerifyReport(options);
  } catch (const json::exception& exception) {
    return Error{ErrorCode::kInput, fmt::format("{}: not a certificate: {}", options.folder, exception.what())};
  }
}

void AddVerifyReportOptions(CLI::App& command, VerifyReportOptions& options) {
  options.check.backend = "";
  AddRequiredText(command, "folder", options.folder, "the folder of a certificate");
  AddText(command, "--backend", options.check.backend, "also run a sample of the cases on this backend");
  AddNumber(command, "--sample", options.sample, "cases of the sample", 1);
  AddNumber(command, "--sample-seed", options.seed, "the seed that draws the sample", 0);
  AddCorpus(command, options.check.corpus);
  AddJobs(command, options.check.jobs);
  AddTimeout(command, options.check.case_timeout, "one case");
  AddLimits(command, options.check.common);
}

}  // namespace

const Command command_verify_report = {
    .name = "verify-report",
    .help = "check a certificate: its digests, its verdicts, and a sample of its cases",
    .example = "assay verify-report certificate --backend process:./my-chip --sample 200 --sample-seed 7",
    .bind = BindCommand<VerifyReportOptions, AddVerifyReportOptions, VerifyCertificate>,
};

}  // namespace assay
