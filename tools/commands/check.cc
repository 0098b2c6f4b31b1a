#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <mutex>

#include "backends/json/json_text.h"
#include "conformance/backend_pool.h"
#include "conformance/check_report.h"
#include "conformance/files.h"
#include "conformance/golden.h"
#include "conformance/outcome.h"
#include "conformance/report_json.h"
#include "tools/check_text.h"
#include "tools/command.h"
#include "tools/command_line.h"
#include "tools/interrupt.h"
#include "tools/options.h"
#include "tools/report_text.h"

namespace assay {
namespace {

struct CheckOptions {
  std::string backend = "reference";
  std::string corpus;
  std::vector<std::string> models;  // folders of modules that are run with seeded inputs
  std::string filter;
  std::vector<std::string> tags;
  std::string report_directory;
  std::string expectations_file;  // verdicts of this backend that are known, with reasons
  std::string profile;            // a name or a file; empty: that of the backend
  int jobs = 0;                   // backends at work; 0: one a core
  bool only_list = false;         // print the names of the cases
  bool show_types = false;        // print the verdicts by op and element type
  double case_timeout = 120;
  CommonOptions common;
};

namespace fs = std::filesystem;

// What is running, on a terminal alone.
class Progress {
 public:
  explicit Progress(std::size_t total) : total_(total), is_shown_(isatty(STDERR_FILENO) != 0) {}
  void Step(const std::string& name) {
    ++done_;
    if (is_shown_) fmt::print(stderr, "\r\033[K[{}/{}] {}", done_, total_, Shortened(name));
  }
  void Clear() const {
    if (is_shown_) fmt::print(stderr, "\r\033[K");
  }

 private:
  std::size_t total_;
  std::size_t done_ = 0;
  bool is_shown_;
};

// Whoever reads may go away while the check goes on: its report is still to be written.
void Write(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

Result<std::vector<std::string>> FindModels(const std::string& folder) {
  std::vector<std::string> paths;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".hlo") paths.push_back(entry.path().string());
  }
  if (error) return Error{ErrorCode::kIo, fmt::format("{}: {}", folder, error.message())};
  std::ranges::sort(paths);
  return paths;
}

struct CasePaths {
  std::vector<std::string> goldens, models;
};

Result<CasePaths> FindCases(const CheckOptions& options, const CaseOptions& cases) {
  CasePaths paths;
  ASSAY_TRY(paths.goldens, FindGoldenFiles(options.corpus));
  if (!options.filter.empty() || !options.tags.empty()) {
    std::erase_if(paths.goldens, [&](const std::string& path) { return CaseNames(path, cases).empty(); });
  }
  for (const std::string& folder : options.models) {
    ASSAY_TRY(const std::vector<std::string> models, FindModels(folder));
    std::ranges::copy_if(models, std::back_inserter(paths.models),
                         [&](const std::string& path) { return path.find(options.filter) != std::string::npos; });
  }
  return paths;
}

int ListCases(const CasePaths& paths, const CaseOptions& options) {
  for (const std::string& path : paths.goldens) {
    for (const std::string& name : CaseNames(path, options)) fmt::print("{}\n", name);
  }
  for (const std::string& path : paths.models) fmt::print("model/{}\n", fs::path(path).stem().string());
  return FlushOutput();
}

class Check {
 public:
  Check(const CheckOptions& options, CaseOptions cases, Expectations expectations, BackendPool& pool)
      : options_(options), cases_(std::move(cases)), report_(std::move(expectations)), pool_(pool) {}

  void Run(const CasePaths& paths) {
    const LastWord last_word(mutex_, [this](std::string_view signal) {
      progress_.Clear();
      if (!is_over_) Finish(signal);
    });
    const std::size_t goldens = paths.goldens.size();
    progress_ = Progress(goldens + paths.models.size());
    pool_.ForEach(static_cast<std::int64_t>(goldens + paths.models.size()), [&](int worker, std::int64_t number) {
      const auto file = static_cast<std::size_t>(number);
      const std::string& path = file < goldens ? paths.goldens[file] : paths.models[file - goldens];
      Step(path);
      if (file < goldens) {
        RunGoldenFile(pool_.backend(worker), path, cases_, [&](Outcome outcome) { Take(number, std::move(outcome)); });
      } else {
        Take(number, RunModel(pool_.backend(worker), path, cases_));
      }
      End(number);
      return true;
    });
    progress_.Clear();
    const std::lock_guard lock(mutex_);
    if (!report_.entries().empty()) Finish("");
    is_over_ = true;
  }

  std::size_t total() const { return report_.entries().size(); }
  // Of the cases, or of what could not be written.
  int exit_code() const { return exit_code_ != 0 ? exit_code_ : report_.exit_code(); }

 private:
  void Step(const std::string& path) {
    const std::lock_guard lock(mutex_);
    progress_.Step(path);
  }

  // Files are reported in their order. What comes of one waits until those before it have ended.
  void Take(std::int64_t file, Outcome outcome) {
    const std::lock_guard lock(mutex_);
    if (file == reported_) return Report(std::move(outcome));
    waiting_[file].outcomes.push_back(std::move(outcome));
  }

  void End(std::int64_t file) {
    const std::lock_guard lock(mutex_);
    waiting_[file].has_ended = true;
    while (waiting_[reported_].has_ended) {
      waiting_.erase(reported_++);
      ReportWaiting(waiting_[reported_]);
    }
  }

  struct Waiting {
    std::vector<Outcome> outcomes;
    bool has_ended = false;
  };

  void ReportWaiting(Waiting& file) {
    for (Outcome& outcome : file.outcomes) Report(std::move(outcome));
    file.outcomes.clear();
  }

  void Report(Outcome outcome) {
    const std::string line = FailureLine(report_.Add(std::move(outcome)));
    if (line.empty()) return;
    progress_.Clear();
    Write(line + "\n");
  }

  // `signal` is the one that ended the check; empty: it came to its end.
  void Finish(std::string_view signal) {
    for (auto& [number, file] : waiting_) ReportWaiting(file);
    if (!options_.report_directory.empty()) WriteReport(signal);
    const BackendDescription& backend = pool_.description();
    const bool has_run_all = signal.empty() && options_.filter.empty() && options_.tags.empty();
    const SummaryParts parts = {.types = options_.show_types, .stale_expectations = has_run_all};
    Write(fmt::format("{}\n{} {}: {}{}\n{}", CheckSummary(report_, parts), backend.name, backend.version,
                      CheckTotals(report_),
                      signal.empty() ? "" : fmt::format("; ended by {} before all had run", signal), report_line_));
    if (exit_code_ == 0) exit_code_ = FlushOutput();
  }

  void WriteReport(std::string_view signal) {
    const BackendDescription& backend = pool_.description();
    nlohmann::json report = report_.ToJson();
    report["backend"] = {{"name", backend.name}, {"version", backend.version}};
    if (backend.accelerated_ops) report["backend"]["accelerated_ops"] = *backend.accelerated_ops;
    report["corpus"] = options_.corpus;
    report["profile"] = cases_.profile.name();
    if (!signal.empty()) report["ended_by"] = signal;
    const std::string path = options_.report_directory + "/report.json";
    const Status written = WriteFileAtomically(path, JsonText(report, 1) + "\n");
    if (written) report_line_ = fmt::format("report: {}\n", path);
    if (!written) exit_code_ = Fail(written.error());
  }

  const CheckOptions& options_;
  const CaseOptions cases_;
  std::mutex mutex_;  // of the report, and of standard output
  CheckReport report_;
  BackendPool& pool_;
  Progress progress_{0};
  std::int64_t reported_ = 0;                // files before this one have been reported
  std::map<std::int64_t, Waiting> waiting_;  // by the number of the file
  std::string report_line_;
  bool is_over_ = false;
  int exit_code_ = 0;
};

int RunCheck(const CheckOptions& options) {
  if (const Status prepared = options.common.Prepare(); !prepared) return Fail(prepared.error());
  const Result<Profile> profile = FindProfile(options.profile, options.backend);
  if (!profile) return Fail(profile.error());
  const CaseOptions cases = {
      .profile = *profile, .limits = options.common.limits(), .filter = options.filter, .tags = options.tags};
  const Result<CasePaths> paths = FindCases(options, cases);
  if (!paths) return Fail(paths.error());
  if (options.only_list) return ListCases(*paths, cases);
  const Result<Expectations> expectations = Expectations::Read(options.expectations_file);
  if (!expectations) return Fail(expectations.error());
  if (!options.report_directory.empty()) {
    if (const Status writable = PrepareFolder(options.report_directory); !writable) return Fail(writable.error());
  }
  const auto files = static_cast<int>(paths->goldens.size() + paths->models.size());
  Result<BackendPool> pool =
      BackendPool::Open(options.backend, std::clamp(files, 1, Jobs(options.jobs)), options.case_timeout);
  if (!pool) return Fail(pool.error());
  Check check(options, cases, *expectations, *pool);
  check.Run(*paths);
  if (check.total() == 0) {
    const std::string tags =
        options.tags.empty() ? "" : fmt::format(", with the tags {}", fmt::join(options.tags, " "));
    return Fail({ErrorCode::kUsage, fmt::format("no case matches {}{}", options.filter, tags)});
  }
  return check.exit_code();
}

std::function<int()> Bind(CLI::App& command) {
  const auto options = std::make_shared<CheckOptions>();
  AddBackend(command, options->backend, "who is checked");
  AddProfile(command, options->profile);
  AddCorpus(command, options->corpus);
  AddTexts(command, "--models", options->models, "folders of modules to run with seeded inputs");
  AddText(command, "--filter", options->filter, "only cases whose name contains this");
  AddTexts(command, "--tag", options->tags, "only goldens with this tag; given several times, with all of them");
  AddFlag(command, "--list", options->only_list, "print the names of the cases and run none");
  AddFlag(command, "--types", options->show_types, "print the worst verdict of each op with each element type");
  AddText(command, "--expectations", options->expectations_file, "JSON list of known verdicts with their reasons");
  AddText(command, "--report", options->report_directory, "folder for report.json");
  AddJobs(command, options->jobs);
  AddTimeout(command, options->case_timeout, "one case");
  AddLimits(command, options->common);
  return [options] {
    options->corpus = CorpusFolder(options->corpus);
    return RunCheck(*options);
  };
}

}  // namespace

const Command command_check = {
    .name = "check",
    .help = "run the conformance corpus on a backend",
    .example = "assay check --backend process:./my-chip --report report",
    .bind = Bind,
};

}  // namespace assay
