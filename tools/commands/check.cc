#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>

#include "conformance/cases/case_files.h"
#include "conformance/cases/golden.h"
#include "conformance/cases/module_file.h"
#include "conformance/reports/check_report.h"
#include "conformance/reports/report_files.h"
#include "conformance/running/backend_pool.h"
#include "conformance/running/check_journal.h"
#include "conformance/running/check_run.h"
#include "conformance/running/expectations.h"
#include "conformance/running/outcome.h"
#include "conformance/running/ranks.h"
#include "conformance/running/repeats.h"
#include "interpreter/types/join_text.h"
#include "tools/check_plan.h"
#include "tools/check_text.h"
#include "tools/command.h"
#include "tools/command_line.h"
#include "tools/interrupt.h"
#include "tools/options.h"
#include "tools/progress.h"
#include "tools/report_text.h"

namespace assay {
namespace {

// Writes text at once. A reader of standard output may disappear; the check continues, because it still writes its
// report.
void Write(const std::string& text) {
  const std::string shown = ForTerminal(text);
  std::fwrite(shown.data(), 1, shown.size(), stdout);
  std::fflush(stdout);
}

void ListCases(const std::vector<CaseFile>& files, const CaseOptions& options) {
  for (const CaseFile& file : files) {
    const auto names = file.is_model ? std::vector{ModelName(file.path)} : CaseNames(file.path, options);
    for (const std::string& name : names) fmt::print("{}\n", ForTerminal(name));
  }
}

class Check {
 public:
  // `journal` may be null: then nothing can be resumed.
  Check(const CheckOptions& options, CaseOptions cases, CheckRun run, CheckReport report, BackendPool& pool,
        std::vector<RunSetting> settings, CheckJournal* journal)
      : options_(options),
        cases_(std::move(cases)),
        run_(std::move(run)),
        report_(std::move(report)),
        pool_(pool),
        settings_(std::move(settings)),
        journal_(journal) {
    cases_.on_judging = line_.Observer();
    if (journal != nullptr) repeats_.Resume(journal->flips());
  }

  void Run(const std::vector<CaseFile>& files) {
    files_ = files;
    const ShutdownHook shutdown_hook(mutex_, [this](std::string_view signal) {
      progress_.Clear();
      if (!is_over_) Finish(signal);
    });
    progress_ = Progress(files.size(), "files of cases");
    pool_.ForEach(std::ssize(files), [&](int worker, std::int64_t number) {
      const CaseFile& file = files[static_cast<std::size_t>(number)];
      const std::string& path = file.path;
      Step(path);
      const std::vector<Outcome>* const known = journal_ == nullptr ? nullptr : journal_->Find(path);
      if (known != nullptr) {
        for (const Outcome& outcome : *known) Take(number, outcome);
        End(number);
        return true;
      }
      // Later files may be in the journal.
      if (HasToEnd()) return true;
      std::vector<Outcome> outcomes;
      const auto take = [&](Outcome outcome) {
        if (journal_ != nullptr) outcomes.push_back(outcome);
        CountDeath(outcome);
        Take(number, std::move(outcome));
      };
      RunCaseFile(pool_.backend(worker), file, cases_, take);
      Keep([&] { return journal_->Append(path, outcomes); });
      End(number);
      return true;
    });
    if (ended_by_.empty()) Repeat();
    progress_.Clear();
    const std::lock_guard lock(mutex_);
    if (!report_.entries().empty() || !ended_by_.empty()) Finish(ended_by_);
    is_over_ = true;
  }

  bool has_found_cases() const { return !report_.entries().empty() || !ended_by_.empty(); }
  // Returns the exit code of the cases, or of a failed write. Cases that have not run leave the check unfinished, as a
  // broken case does.
  int exit_code() const {
    if (exit_code_ != 0) return exit_code_;
    return ended_by_.empty() ? report_.exit_code() : ExitCode({ErrorCode::kInput, ""});
  }

 private:
  // Runs all cases again, for --repeat, --for and --vary.
  void Repeat() {
    if (settings_.size() == 1 && options_.repeats == 0 && options_.repeat_seconds == 0) return;
    const auto begin_round = [this] {
      const std::lock_guard lock(mutex_);
      progress_.Clear();
      progress_ = Progress(files_.size(), "files of repeated cases");
    };
    repeats_.RunRounds(files_, cases_, pool_,
                       {.runs = std::max<std::int64_t>(1, options_.repeats),
                        .seconds = options_.repeat_seconds,
                        .settings = settings_,
                        .on_round = begin_round,
                        .on_file = [this](const std::string& path) { Step(path); }});
  }

  // True if no further file may be started.
  bool HasToEnd() {
    const std::lock_guard lock(mutex_);
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start_;
    if (deaths_ >= options_.most_deaths) ended_by_ = fmt::format("{} deaths of the backend (--most-deaths)", deaths_);
    if (options_.budget > 0 && passed.count() > options_.budget) ended_by_ = "the end of its time (--budget)";
    return !ended_by_.empty();
  }

  // Counts a crash or timeout, unless the expectations name it.
  void CountDeath(const Outcome& outcome) {
    const std::lock_guard lock(mutex_);
    const Verdict verdict = outcome.verdict();
    const bool is_death = !outcome.unjudged && (verdict == Verdict::kTimeout || verdict == Verdict::kCrash);
    if (is_death && !report_.Expects(outcome)) ++deaths_;
  }

  void Step(const std::string& path) {
    const std::lock_guard lock(mutex_);
    progress_.Step(path);
    line_.Restart();
  }

  // Appends something to the journal. If its disk is full, the check continues without it.
  void Keep(const std::function<Status()>& append) {
    const std::lock_guard lock(mutex_);
    if (journal_ == nullptr || has_lost_journal_) return;
    const Status kept = append();
    if (kept) return;
    has_lost_journal_ = true;
    progress_.Clear();
    exit_code_ = Fail(kept.error());
  }

  // Adds an outcome. Files are reported in order: outcomes of a file wait until all files before it have ended.
  void Take(std::int64_t file, Outcome outcome) {
    const std::lock_guard lock(mutex_);
    line_.Restart();
    if (file == reported_) return Report(std::move(outcome));
    waiting_[file].outcomes.push_back(std::move(outcome));
  }

  void End(std::int64_t file) {
    const std::lock_guard lock(mutex_);
    ended_.insert(file);
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

  // `ended_by` is the reason for an early end, such as a signal; empty if all files ran.
  void Finish(std::string_view ended_by) {
    for (auto& [number, file] : waiting_) ReportWaiting(file);
    report_.AddFlips(repeats_.Found());
    report_line_ = repeats_.ToString();
    const nlohmann::json document = ReportDocument(run_.ToJson(), report_, UnfinishedBy(ended_by));
    if (!options_.report_directory.empty()) WriteReport(document);
    const bool has_run_all = ended_by.empty() && options_.filter.empty() && options_.tags.empty() &&
                             !options_.is_quick && run_.shard.count == 1;
    if (options_.updates_expectations) UpdateExpectations(has_run_all);
    const BackendDescription& backend = pool_.description();
    const SummaryParts parts = {.claim = ClaimOf(document),
                                .is_verbose = options_.is_verbose,
                                .types = options_.show_types,
                                .stale_expectations = has_run_all};
    Write(fmt::format("{}\n{} {}: {}{}\n{}", CheckSummary(report_, parts), backend.name, backend.version,
                      CheckTotals(report_), EndedText(ended_by), report_line_));
    if (exit_code_ == 0) exit_code_ = FlushOutput();
  }

  void UpdateExpectations(bool has_run_all) {
    const Result<std::string> line = assay::UpdateExpectations(options_.expectations_file, report_, has_run_all);
    if (line) report_line_ += *line;
    if (!line) exit_code_ = Fail(line.error());
  }

  // Returns the files of cases that have not run to their end.
  Unfinished UnfinishedBy(std::string_view ended_by) const {
    Unfinished unfinished = {.ended_by = std::string(ended_by), .not_run = {}};
    if (ended_by.empty()) return unfinished;
    for (std::int64_t file = 0; file < std::ssize(files_); ++file) {
      if (!ended_.contains(file)) unfinished.not_run.push_back(files_[static_cast<std::size_t>(file)].path);
    }
    return unfinished;
  }

  // Says what has not run, and how to continue.
  std::string EndedText(std::string_view ended_by) const {
    if (ended_by.empty()) return "";
    const bool has_report = !options_.report_directory.empty();
    return fmt::format(
        "; ended by {} before all had run\nnot run: {} of {} files of cases{}; to continue, run the "
        "same command with {}",
        ended_by, std::ssize(files_) - std::ssize(ended_), files_.size(), has_report ? ", which the report names" : "",
        has_report ? "--resume" : "--report FOLDER, and then with --resume");
  }

  void WriteReport(const nlohmann::json& document) {
    const Result<std::string> line = WriteReportFiles(options_.report_directory, document);
    if (line) report_line_ += *line;
    if (!line) exit_code_ = Fail(line.error());
  }

  const CheckOptions& options_;
  CaseOptions cases_;
  const CheckRun run_;
  std::mutex mutex_;  // guards the report, the journal, and standard output
  CheckReport report_;
  BackendPool& pool_;
  const std::vector<RunSetting> settings_;  // of the check, and of --vary
  CheckJournal* const journal_;
  bool has_lost_journal_ = false;
  Progress progress_{0, ""};
  JudgingLine line_;  // shown if no case ends for a long time
  std::vector<CaseFile> files_;
  std::set<std::int64_t> ended_;             // numbers of the files that have run, or are in the journal
  std::int64_t reported_ = 0;                // files before this one have been reported
  std::map<std::int64_t, Waiting> waiting_;  // by the number of the file
  std::string report_line_;
  Repeats repeats_{[this](const std::string& name, const Flips& flips) {
    Keep([&] { return journal_->AppendFlips(name, flips); });
  }};
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::int64_t deaths_ = 0;
  std::string ended_by_;  // a reason other than a signal
  bool is_over_ = false;
  int exit_code_ = 0;
};

// Opens the journal. Returns null without a report: then nothing can be resumed.
Result<std::unique_ptr<CheckJournal>> OpenJournal(const CheckOptions& options, const CheckPlan& plan,
                                                  const CheckRun& run) {
  if (options.report_directory.empty()) return std::unique_ptr<CheckJournal>();
  const std::string name = options.is_shared ? Rank::JournalName(plan.rank.number) : CheckJournal::kName;
  ASSAY_TRY(std::unique_ptr<CheckJournal> journal,
            CheckJournal::Open(options.report_directory, run.ToJson(), options.resume, name, plan.rank.job));
  if (options.is_shared && options.resume) PeekAtOthers(options.report_directory, *journal);
  if (options.resume) {
    fmt::print(stderr, "note: {} of {} files have been checked before\n", journal->size(), plan.found.files.size());
  }
  return journal;
}

Status RunShareOf(const CheckOptions& options, const CheckPlan& plan, BackendPool& pool, CheckJournal& journal) {
  Progress progress(plan.found.files.size(), "files of cases");
  const auto on_begin = [&](std::size_t begun, const std::string& path) { progress.StepTo(begun, path); };
  Status done = RunShare(options.report_directory, plan.rank, pool, plan.cases, plan.found.files, journal, on_begin);
  progress.Clear();
  return done;
}

// Runs the check and returns the exit code.
Result<int> RunPlan(const CheckOptions& options, CheckPlan& plan) {
  const auto files = static_cast<int>(plan.found.files.size());
  ASSAY_TRY(BackendPool pool,
            BackendPool::Open(options.backend, std::clamp(files, 1, Jobs(options.jobs)), options.case_timeout));
  CheckRun run = RunOf(options, plan, pool.description());
  ASSAY_TRY(const std::unique_ptr<CheckJournal> journal, OpenJournal(options, plan, run));
  plan.cases.is_known_death = [&](const std::string& name) {
    return std::ranges::count(plan.expectations.Of(name), VerdictName(Verdict::kCrash)) > 0;
  };
  if (options.is_shared) {
    ASSAY_CHECK_OK(RunShareOf(options, plan, pool, *journal));
    if (plan.rank.number > 0) return 0;
  }
  ASSAY_TRY(std::vector<RunSetting> settings,
            OpenRunSettings(options.vary, options.backend, pool, options.case_timeout));
  settings.insert(settings.begin(), RunSetting());
  Check check(options, plan.cases, std::move(run), CheckReport(plan.expectations, plan.demands), pool,
              std::move(settings), journal.get());
  check.Run(plan.found.files);
  if (check.has_found_cases()) return check.exit_code();
  const std::string tags = options.tags.empty() ? "" : fmt::format(" --tag {}", JoinText(options.tags, " --tag "));
  const std::string filter = options.filter.empty() ? "" : fmt::format(" --filter {}", options.filter);
  const std::string shard = options.shard.empty() ? "" : fmt::format(" --shard {}", options.shard);
  return Error{ErrorCode::kUsage, fmt::format("no case matches{}{}{}", filter, tags, shard)};
}

Result<int> RunCheck(const CheckOptions& options) {
  ASSAY_TRY(CheckPlan plan, PlanCheck(options));
  if (!options.only_list) return RunPlan(options, plan);
  ListCases(plan.found.files, plan.cases);
  return 0;
}

void AddRepeats(CLI::App& command, CheckOptions& options) {
  AddNumber(command, "--retries", options.retries, "times that a failing case is repeated, to detect flakes", 0);
  AddNumber(command, "--repeat", options.repeats, "further runs of every case, which must return the same bits", 0);
  AddSeconds(command, "--for", options.repeat_seconds, "seconds in which rounds of such runs begin, or 30m, 8h");
  AddTexts(command, "--vary", options.vary,
           "threads=1,2, devices=2 or VARIABLE=VALUE,...: such runs under these settings too");
}

void AddCheckOptions(CLI::App& command, CheckOptions& options) {
  AddBackend(command, options.backend, "the backend to check");
  AddProfile(command, options.profile);
  AddCorpus(command, options.corpus);
  AddTexts(command, "--models", options.models, "folders of modules, to run with recorded or seeded inputs");
  AddText(command, "--filter", options.filter,
          "only these cases: a part of the name, or e.g. op=reduce* & type=bf16 & !dynamic");
  AddTexts(command, "--tag", options.tags, "only goldens with this tag; given several times, with all of them");
  AddFlag(command, "--quick", options.is_quick, "only the goldens that the corpus names in quick.txt: ten seconds");
  AddFlag(command, "--list", options.only_list, "print the names of the cases and run none");
  AddFlag(command, "--verbose", options.is_verbose, "a summary of every operation and every case");
  AddFlag(command, "--types", options.show_types, "print the worst verdict of each op with each element type");
  AddText(command, "--expectations", options.expectations_file, "JSON list of known verdicts with their reasons");
  AddFlag(command, "--update-expectations", options.updates_expectations,
          "rewrite that file so that it says what this check finds");
  AddRepeats(command, options);
  AddText(command, "--shard", options.shard, "I/N: only part I of N of the files of cases");
  AddText(command, "--report", options.report_directory, "folder for results.json, junit.xml and the journal");
  AddFlag(command, "--resume", options.resume, "continue from the journal in the folder of --report");
  AddFlag(command, "--mpi", options.is_shared, "share the cases among the processes that mpirun or srun has started");
  AddDemands(command, options.demands);
  AddJobs(command, options.jobs);
  AddTimeout(command, options.case_timeout, "one case");
  AddSeconds(command, "--budget", options.budget, "seconds after which no file of cases is begun (default: no limit)");
  AddNumber(command, "--most-deaths", options.most_deaths,
            "unexpected TIMEOUT and CRASH after which no file of cases is begun", 1);
  AddLimits(command, options.common);
}

}  // namespace

const Command command_check = {
    .name = "check",
    .help = "run the conformance corpus on a backend",
    .example = "assay check --backend process:./my-chip --report report",
    .bind = BindCommand<CheckOptions, AddCheckOptions, RunCheck>,
};

}  // namespace assay
