#include "conformance/diagnosis/reduce.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <vector>

#include "backends/files.h"
#include "conformance/diagnosis/failing_module.h"
#include "conformance/diagnosis/failure.h"
#include "conformance/running/backend_pool.h"
#include "interpreter/hlo/clone.h"
#include "interpreter/hlo/printer.h"
#include "tools/command.h"
#include "tools/command_line.h"
#include "tools/options.h"
#include "tools/progress.h"
#include "tools/report_text.h"

namespace assay {
namespace {

struct ReduceOptions : ProgramOptions {
  std::string backend;
  std::string out = "reduced";
  std::string pass;     // the pass that the failure must depend on; empty: any
  std::string profile;  // a name or a file; empty: the backend's
  double case_timeout = 60;
  double budget = 0;
  int jobs = 0;
};

// A line on a terminal that is rewritten in place.
class StepLine {
 public:
  void Show(std::string_view step, const Subject& subject, std::int64_t tries) const {
    const SubjectSize size = SizeOf(subject);
    if (is_terminal_) {
      fmt::print(stderr, "\r\033[K{} instructions, {} elements, {} tries; {}", size.instructions, size.elements, tries,
                 step);
    }
  }
  void Clear() const {
    if (is_terminal_) fmt::print(stderr, "\r\033[K");
  }

 private:
  bool is_terminal_ = isatty(STDERR_FILENO) != 0;
};

FailingModule FailingModuleOf(const ReduceOptions& options, const HloModule& module, const Backend& backend) {
  return {options.out,
          options.backend,
          options.profile,
          options.common.custom_call_libraries,
          module.replica_count,
          module.num_partitions,
          backend.description().takes_stablehlo};
}

void ShowReduction(const FailingModule& written, std::string_view files, const Failure& failure,
                   const Reduction& reduction) {
  fmt::print("{}", PrintHloModule(*reduction.subject.module, PrintOptions::Exact()));
  fmt::print("{}: {}\n", VerdictName(failure.verdict), Shortened(failure.reason));
  fmt::print("  instructions: {} -> {}, elements: {} -> {}\n", reduction.before.instructions,
             reduction.after.instructions, reduction.before.elements, reduction.after.elements);
  fmt::print("  {} tries, {:.1f} s{}\n", reduction.tries, reduction.seconds,
             reduction.is_cut_short ? "; the time of --budget was up" : "");
  fmt::print("  {}: {}\n  {}\n", written.folder, files, CommandOf(written));
}

// Finds how the module fails, and shows the progress of judging it. Adds the time that this takes.
Result<Failure> FindFirstFailure(Backend& backend, const Subject& subject, CompareOptions compare, double& seconds) {
  const auto start = std::chrono::steady_clock::now();
  JudgingLine judging;
  compare.on_judging = judging.Observer();
  ASSAY_TRY(Failure failure, FindFailure(backend, *subject.module, subject.arguments, compare));
  seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return failure;
}

// Returns the test of each backend of the pool: that a module still fails like `failure`. With --pass, the subject must
// fail by that pass.
Result<std::vector<StillFails>> TestsOf(const ReduceOptions& options, BackendPool& pool, const Subject& subject,
                                        const CompareOptions& compare, const Failure& failure) {
  std::vector<StillFails> workers;
  for (int i = 0; i < pool.size(); ++i) {
    Backend& worker = pool.backend(i);
    workers.push_back(options.pass.empty() ? FailsLike(worker, compare, failure)
                                           : FailsByPass(worker, compare, failure, options.pass));
  }
  if (options.pass.empty()) return workers;
  ASSAY_TRY(const bool is_by_pass, workers[0](*subject.module, subject.arguments));
  if (is_by_pass) return workers;
  return Error{ErrorCode::kUsage, fmt::format("without the pass {} the module is not right", options.pass)};
}

Result<Verdict> RunReduce(const ReduceOptions& options, const LoadedModule& loaded, const Inputs& inputs) {
  ASSAY_TRY(const Profile profile, FindProfile(options.profile, options.backend));
  ASSAY_TRY(const std::unique_ptr<Backend> backend, OpenBackend(options.backend, options.case_timeout));
  if (!options.pass.empty() && !backend->description().takes_options) {
    return Error{ErrorCode::kBackend,
                 backend->description().name + " takes no options for its compiler: --pass needs them"};
  }
  const Subject subject = {CloneModule(*loaded.module), inputs.per_device};
  ASSAY_TRY(const EvaluationLimits limits, LimitsFor(subject, options.common.limits()));
  const CompareOptions compare = {.profile = profile, .limits = limits, .judging = {options.case_timeout, "--timeout"}};
  double seconds = 0;
  ASSAY_TRY(const Failure failure, FindFirstFailure(*backend, subject, compare, seconds));
  if (!failure.IsOne()) {
    fmt::print("{}: {}\n  nothing to reduce\n", VerdictName(failure.verdict), DisplayName(options.module.file));
    return failure.verdict;
  }
  ASSAY_TRY(BackendPool pool, BackendPool::Open(options.backend, Jobs(options.jobs),
                                                TimeoutOfTries(options.case_timeout, failure, seconds)));
  ASSAY_TRY(std::vector<StillFails> workers, TestsOf(options, pool, subject, compare, failure));
  const StepLine line;
  Search search(std::move(workers), options.budget);
  ASSAY_TRY(const Reduction reduction,
            Reduce(subject, search, limits, ReductionScope::kAll,
                   [&](std::string_view step, const Subject& now) { line.Show(step, now, search.tries()); }));
  line.Clear();
  // The reduced module may fail with another message.
  ASSAY_TRY(const Failure last,
            FindFailure(pool.backend(0), *reduction.subject.module, reduction.subject.arguments, compare));
  const FailingModule written = FailingModuleOf(options, *reduction.subject.module, pool.backend(0));
  ASSAY_TRY(const std::string files, WriteFailingModule(written, reduction.subject));
  ShowReduction(written, files, last, reduction);
  return last.verdict;
}

Result<int> ReduceFailure(const ReduceOptions& options) {
  ASSAY_CHECK_OK(options.common.Prepare());
  const Result<LoadedModule> loaded = LoadModule(options.module, options.devices, options.inputs);
  if (!loaded) return ExitCode(loaded.error());
  ASSAY_TRY(const Inputs inputs, LoadInputs(*loaded, options.inputs));
  const Result<Verdict> verdict = RunReduce(options, *loaded, inputs);
  if (!verdict) return Fail(verdict.error(), loaded->file.file_name, loaded->file.text);
  return *verdict >= Verdict::kWeak ? 1 : 0;
}

void AddReduceOptions(CLI::App& command, ReduceOptions& options) {
  AddModule(command, options.module);
  AddBackend(command, options.backend, "the backend that fails");
  AddText(command, "--out", options.out, "the folder that is written (reduced)");
  AddText(command, "--pass", options.pass, "keep only failures that disappear when the compiler skips this pass");
  AddProfile(command, options.profile);
  AddJobs(command, options.jobs);
  AddTimeout(command, options.case_timeout, "one request");
  AddSeconds(command, "--budget", options.budget, "seconds after which the search ends (default: no limit)");
  AddProgram(command, options);
}

}  // namespace

const Command command_reduce = {
    .name = "reduce",
    .help = "find the smallest module and inputs with which a backend still fails",
    .example = "assay reduce m.hlo --backend xla-cpu --seed 7 --out reduced",
    .bind = BindCommand<ReduceOptions, AddReduceOptions, ReduceFailure>,
};

}  // namespace assay
