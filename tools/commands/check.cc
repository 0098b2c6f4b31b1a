#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "backends/backend.h"
#include "backends/json/json_text.h"
#include "conformance/check_report.h"
#include "conformance/files.h"
#include "conformance/golden.h"
#include "conformance/outcome.h"
#include "conformance/report_json.h"
#include "tools/check_text.h"
#include "tools/command.h"
#include "tools/command_line.h"
#include "tools/interrupt.h"
#include "tools/report_text.h"

namespace assay {
namespace {

struct CheckOptions {
  std::string backend = "reference";
  std::string corpus;
  std::vector<std::string> models;  // folders of modules that are run with seeded inputs
  std::string filter;
  std::string report_directory;
  std::string expectations_file;  // verdicts of this backend that are known, with reasons
  std::string profile;            // a name or a file; empty: that of the backend
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

Result<CasePaths> FindCases(const CheckOptions& options) {
  CasePaths paths;
  ASSAY_TRY(paths.goldens, FindGoldenFiles(options.corpus));
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
  Check(const CheckOptions& options, CaseOptions cases, Expectations expectations, Backend& backend)
      : options_(options), cases_(std::move(cases)), report_(std::move(expectations)), backend_(backend) {}

  void Run(const CasePaths& paths) {
    const LastWord last_word(mutex_, [this](std::string_view signal) {
      progress_.Clear();
      if (!is_over_) Finish(signal);
    });
    progress_ = Progress(paths.goldens.size() + paths.models.size());
    for (const std::string& path : paths.goldens) {
      progress_.Step(path);
      RunGoldenFile(backend_, path, cases_, [this](Outcome outcome) { Take(std::move(outcome)); });
    }
    for (const std::string& path : paths.models) {
      progress_.Step(path);
      Take(RunModel(backend_, path, cases_));
    }
    progress_.Clear();
    const std::lock_guard lock(mutex_);
    if (!report_.entries().empty()) Finish("");
    is_over_ = true;
  }

  std::size_t total() const { return report_.entries().size(); }
  // Of the cases, or of what could not be written.
  int exit_code() const { return exit_code_ != 0 ? exit_code_ : report_.exit_code(); }

 private:
  void Take(Outcome outcome) {
    const std::lock_guard lock(mutex_);
    const std::string line = FailureLine(report_.Add(std::move(outcome)));
    if (line.empty()) return;
    progress_.Clear();
    Write(line + "\n");
  }

  // `signal` is the one that ended the check; empty: it came to its end.
  void Finish(std::string_view signal) {
    if (!options_.report_directory.empty()) WriteReport(signal);
    const BackendDescription& backend = backend_.description();
    Write(fmt::format("{}\n{} {}: {}{}\n{}", CheckSummary(report_, options_.show_types), backend.name, backend.version,
                      CheckTotals(report_),
                      signal.empty() ? "" : fmt::format("; ended by {} before all had run", signal), report_line_));
    if (exit_code_ == 0) exit_code_ = FlushOutput();
  }

  void WriteReport(std::string_view signal) {
    const BackendDescription& backend = backend_.description();
    nlohmann::json report = report_.ToJson();
    report["backend"] = {{"name", backend.name}, {"version", backend.version}};
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
  Backend& backend_;
  Progress progress_{0};
  std::string report_line_;
  bool is_over_ = false;
  int exit_code_ = 0;
};

int RunCheck(const CheckOptions& options) {
  if (const Status prepared = options.common.Prepare(); !prepared) return Fail(prepared.error());
  const Result<Profile> profile = FindProfile(options.profile, options.backend);
  if (!profile) return Fail(profile.error());
  const CaseOptions cases = {.profile = *profile, .limits = options.common.limits(), .filter = options.filter};
  const Result<CasePaths> paths = FindCases(options);
  if (!paths) return Fail(paths.error());
  if (options.only_list) return ListCases(*paths, cases);
  const Result<Expectations> expectations = Expectations::Read(options.expectations_file);
  if (!expectations) return Fail(expectations.error());
  if (!options.report_directory.empty()) {
    if (const Status writable = PrepareFolder(options.report_directory); !writable) return Fail(writable.error());
  }
  const Result<std::unique_ptr<Backend>> backend = OpenBackend(options.backend, options.case_timeout);
  if (!backend) return Fail(backend.error());
  Check check(options, cases, *expectations, **backend);
  check.Run(*paths);
  if (check.total() == 0) return Fail({ErrorCode::kUsage, fmt::format("no case matches {}", options.filter)});
  return check.exit_code();
}

std::function<int()> Bind(CLI::App& command) {
  const auto options = std::make_shared<CheckOptions>();
  AddBackend(command, options->backend, "who is checked");
  AddProfile(command, options->profile);
  AddCorpus(command, options->corpus);
  command.add_option("--models", options->models, "folders of modules to run with seeded inputs");
  command.add_option("--filter", options->filter, "only cases whose name contains this");
  command.add_flag("--list", options->only_list, "print the names of the cases and run none");
  command.add_flag("--types", options->show_types, "print the worst verdict of each op with each element type");
  command.add_option("--expectations", options->expectations_file, "JSON list of known verdicts with their reasons");
  command.add_option("--report", options->report_directory, "folder for report.json");
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
