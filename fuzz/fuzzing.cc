#include "fuzz/fuzzing.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <mutex>

#include "diagnosis/blame.h"
#include "diagnosis/reduce.h"
#include "diagnosis/search.h"

namespace assay {
namespace {

using Clock = std::chrono::steady_clock;

// One cause fails again and again: of failures that look alike before they are reduced, so many are.
constexpr std::int64_t kMostAlike = 3;
constexpr double kSecondsBetweenWrites = 2;

// The one pass that makes it; empty where none does, or the backend cannot say.
std::string PassOf(Backend& backend, const Subject& subject, const CompareOptions& compare, const Failure& failure) {
  if (!backend.description().takes_options) return {};
  const Result<CompilerTrace> trace = backend.Trace(*subject.module);
  if (!trace) return {};
  const Blame blame =
      FindBlame(*trace, TryOn(backend, subject, compare, failure), ChangesValueOf(*trace, subject, compare.limits));
  return blame.passes.size() == 1 ? blame.passes[0] : std::string();
}

class Run {
 public:
  Run(const FuzzOptions& options, bool has_devices, FindingsFolder& folder, const FuzzStep& on_step)
      : options_(options), wishes_(options.wishes), folder_(folder), on_step_(on_step), state_(options.from) {
    wishes_.may_have_devices |= has_devices;
  }

  // False: no more programs.
  bool Judge(Backend& backend, std::int64_t number) {
    if ((options_.seconds > 0 && Seconds() >= options_.seconds) || HasEnough()) return false;
    DrawnProgram program = DrawProgram(wishes_, number);
    const Subject subject = {std::move(program.drawn.module), std::move(program.drawn.arguments)};
    const Result<ModuleReport> report = CompareModule(backend, *subject.module, subject.arguments, options_.compare);
    ProgramOutcome outcome = OutcomeOf(report, subject);
    if (report && report->verdict >= Verdict::kFail) {
      const Failure failure = FailureOf(*report, *subject.module);
      const Result<Found> found = LooksLikeOthers(failure, program.source)
                                      ? Result<Found>(Found::kAlike)
                                      : Keep(backend, subject, failure, {.source = program.source, .number = number});
      if (found) outcome.finding = *found;
      if (!found) Stop(found.error());
    }
    return End(number, std::move(outcome));
  }

  Result<FuzzCount> Take() {
    if (!error_) WriteState();
    if (error_) return *error_;
    return state_.count;
  }

 private:
  using Found = ProgramOutcome::Finding;
  struct Origin {
    std::string source;
    std::int64_t number = 0;
  };

  bool HasEnough() {
    const std::lock_guard lock(mutex_);
    return options_.most_findings > 0 && new_findings_ >= options_.most_findings;
  }

  double Seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  static ProgramOutcome OutcomeOf(const Result<ModuleReport>& report, const Subject& subject) {
    ProgramOutcome outcome;
    outcome.module = subject.module;
    outcome.is_evaluated = report.has_value();
    if (!report) return outcome;
    outcome.verdict = report->verdict;
    outcome.differs = report->outputs.not_exact > 0;
    outcome.relative_difference = report->relative_difference;
    const auto& distinct = report->distinct_values;
    outcome.is_uniform = !distinct.empty() && std::ranges::count(distinct, 1) == std::ssize(distinct);
    outcome.real_numbers = report->real_numbers.count;
    outcome.nans = report->real_numbers.nans;
    outcome.reference_seconds = report->reference_seconds;
    outcome.backend_seconds = report->backend_seconds;
    return outcome;
  }

  bool LooksLikeOthers(const Failure& failure, const std::string& source) {
    const std::lock_guard lock(mutex_);
    const std::string looks =
        fmt::format("{} {} {}", VerdictName(failure.verdict), source, fmt::join(failure.ops, " "));
    return ++alike_[looks] > kMostAlike;
  }

  Result<Found> Keep(Backend& backend, const Subject& subject, const Failure& first, const Origin& origin) {
    CompareOptions compare = options_.compare;
    if (const Result<EvaluationLimits> limits = LimitsFor(subject, compare.limits)) compare.limits = *limits;
    Search search({FailsLike(backend, compare, first)}, options_.budget);
    const Result<Reduction> reduction = Reduce(subject, search, compare.limits, Extent::kAll);
    const Subject& reduced = reduction ? reduction->subject : subject;
    const Result<Failure> last = FindFailure(backend, *reduced.module, reduced.arguments, compare);
    const Failure& failure = last && last->IsOne() ? *last : first;
    Finding finding = {.signature = {},
                       .verdict = std::string(VerdictName(failure.verdict)),
                       .reason = failure.reason,
                       .backend = options_.backend,
                       .version = backend.description().version,
                       .profile = options_.profile,
                       .pass = PassOf(backend, reduced, compare, failure),
                       .source = origin.source,
                       .seed = options_.wishes.seed,
                       .number = origin.number,
                       .instructions = SizeOf(reduced).instructions};
    finding.signature = SignatureOf(failure, reduced, finding.pass);
    const std::lock_guard lock(mutex_);
    if (folder_.Has(finding.signature)) return Found::kKnown;
    ++new_findings_;
    ASSAY_CHECK_OK(folder_.Add(finding, reduced));
    return Found::kNew;
  }

  void Stop(const Error& error) {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = error;
  }

  // Programs are counted in their order, so that what is written down is true of all before the next one.
  bool End(std::int64_t number, ProgramOutcome outcome) {
    const std::lock_guard lock(mutex_);
    ended_.emplace(number, std::move(outcome));
    for (auto first = ended_.begin(); first != ended_.end() && first->first == state_.next; first = ended_.begin()) {
      state_.count.Add(first->second);
      ended_.erase(first);
      ++state_.next;
    }
    state_.count.seconds = options_.from.count.seconds + Seconds();
    if (Seconds() - last_write_ >= kSecondsBetweenWrites) {
      WriteState();
      last_write_ = Seconds();
    }
    if (on_step_) on_step_(state_.count);
    return !error_;
  }

  void WriteState() {
    if (const Status written = folder_.WriteState(RunName(options_), state_); !written) error_ = written.error();
  }

  const FuzzOptions& options_;
  ProgramWishes wishes_;
  FindingsFolder& folder_;
  const FuzzStep& on_step_;
  const Clock::time_point start_ = Clock::now();
  std::mutex mutex_;
  RunState state_;
  std::int64_t new_findings_ = 0;
  std::map<std::string, std::int64_t> alike_;
  std::map<std::int64_t, ProgramOutcome> ended_;  // by their numbers: state_.next and behind it
  double last_write_ = 0;
  std::optional<Error> error_;
};

}  // namespace

std::string RunName(const FuzzOptions& options) {
  std::vector<std::string_view> ops;
  for (const Op* op : options.wishes.ops) ops.push_back(op->name);
  return fmt::format("{} {} seed {}{}{}", options.backend, options.compare.profile.name(), options.wishes.seed,
                     options.wishes.may_have_devices ? " devices" : "",
                     ops.empty() ? "" : fmt::format(" ops {}", fmt::join(ops, ",")));
}

Result<FuzzCount> Fuzz(BackendPool& pool, const FuzzOptions& options, FindingsFolder& folder, const FuzzStep& on_step) {
  Run run(options, pool.description().max_devices > 1, folder, on_step);
  const std::int64_t count = options.count > 0 ? options.count : std::numeric_limits<std::int64_t>::max();
  pool.ForEach(
      count, [&](int worker, std::int64_t item) { return run.Judge(pool.backend(worker), options.from.next + item); });
  return run.Take();
}

}  // namespace assay
