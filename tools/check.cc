#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "backends/json_text.h"
#include "tools/backends.h"
#include "tools/check_record.h"
#include "tools/commands.h"
#include "tools/files.h"
#include "tools/golden.h"
#include "tools/interrupt.h"
#include "tools/outcome.h"
#include "tools/report.h"

namespace assay {
namespace {

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
      : options_(options), cases_(std::move(cases)), record_(std::move(expectations)), backend_(backend) {}

  void Run(const CasePaths& paths) {
    const LastWord last_word(mutex_, [this](std::string_view signal) {
      progress_.Clear();
      if (!is_over_) Finish(signal);
    });
    progress_ = Progress(paths.goldens.size() + paths.models.size());
    for (const std::string& path : paths.goldens) {
      progress_.Step(path);
      RunGoldenFile(backend_, path, cases_, [this](const Outcome& outcome) { Take(outcome); });
    }
    for (const std::string& path : paths.models) {
      progress_.Step(path);
      Take(RunModel(backend_, path, cases_));
    }
    progress_.Clear();
    const std::lock_guard lock(mutex_);
    if (record_.total() > 0) Finish("");
    is_over_ = true;
  }

  int total() const { return record_.total(); }
  // Of the cases, or of what could not be written.
  int exit_code() const { return exit_code_ != 0 ? exit_code_ : record_.exit_code(); }

 private:
  void Take(const Outcome& outcome) {
    const std::lock_guard lock(mutex_);
    const std::string line = record_.Add(outcome);
    if (line.empty()) return;
    progress_.Clear();
    Write(line + "\n");
  }

  // `signal` is the one that ended the check; empty: it came to its end.
  void Finish(std::string_view signal) {
    if (!options_.report_directory.empty()) WriteReport(signal);
    const BackendDescription& backend = backend_.description();
    Write(fmt::format("{}\n{} {}: {}{}\n{}", record_.Summary(options_.show_types), backend.name, backend.version,
                      record_.Totals(), signal.empty() ? "" : fmt::format("; ended by {} before all had run", signal),
                      report_line_));
    if (exit_code_ == 0) exit_code_ = FlushOutput();
  }

  void WriteReport(std::string_view signal) {
    const BackendDescription& backend = backend_.description();
    nlohmann::json report = record_.ToJson();
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
  std::mutex mutex_;  // of the record, and of standard output
  CheckRecord record_;
  Backend& backend_;
  Progress progress_{0};
  std::string report_line_;
  bool is_over_ = false;
  int exit_code_ = 0;
};

}  // namespace

int CheckCommand(const CheckOptions& options) {
  if (const Status prepared = Prepare(options.common); !prepared) return Fail(prepared.error());
  const Result<Profile> profile = FindProfile(options.profile);
  if (!profile) return Fail(profile.error());
  const CaseOptions cases = {.profile = *profile, .limits = LimitsOf(options.common), .filter = options.filter};
  const Result<CasePaths> paths = FindCases(options);
  if (!paths) return Fail(paths.error());
  if (options.only_list) return ListCases(*paths, cases);
  const Result<Expectations> expectations = Expectations::Read(options.expectations_file);
  if (!expectations) return Fail(expectations.error());
  if (!options.report_directory.empty()) {
    if (const Status writable = PrepareFolder(options.report_directory); !writable) return Fail(writable.error());
  }
  const Result<std::unique_ptr<Backend>> backend = OpenAnyBackend(options.backend, options.case_timeout);
  if (!backend) return Fail(backend.error());
  Check check(options, cases, *expectations, **backend);
  check.Run(*paths);
  if (check.total() == 0) return Fail({ErrorCode::kUsage, fmt::format("no case matches {}", options.filter)});
  return check.exit_code();
}

}  // namespace assay
