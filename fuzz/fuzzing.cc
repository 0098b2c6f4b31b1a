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

void Cover(const HloModule& module, FuzzCount& count) {
  for (const auto& computation : module.computations) {
    for (const auto& instruction : computation->instructions) {
      const Shape& shape = instruction->shape;
      const std::string_view type = shape.IsArray() ? PrimitiveTypeName(shape.element_type()) : "no array";
      count.covered.emplace(instruction->op->name, type);
    }
  }
}

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
  Run(const FuzzOptions& options, FindingsFolder& folder, const FuzzStep& on_step)
      : options_(options), folder_(folder), on_step_(on_step), next_(options.first) {}

  // False: no more programs.
  bool Judge(Backend& backend, std::int64_t number) {
    if ((options_.seconds > 0 && Seconds() >= options_.seconds) || HasEnough()) return false;
    DrawnProgram program = DrawProgram(options_.wishes, number);
    const Subject subject = {std::move(program.drawn.module), std::move(program.drawn.arguments)};
    const Result<ModuleReport> report = CompareModule(backend, *subject.module, subject.arguments, options_.compare);
    std::optional<Failure> failure;
    {
      const std::lock_guard lock(mutex_);
      Count(report, *subject.module);
      if (report && report->verdict >= Verdict::kFail) {
        failure = FailureOf(*report, *subject.module);
        const std::string looks =
            fmt::format("{} {} {}", VerdictName(failure->verdict), program.source, fmt::join(failure->ops, " "));
        if (++alike_[looks] > kMostAlike) {
          ++count_.alike;
          failure.reset();
        }
      }
    }
    Status written;
    if (failure) written = Keep(backend, subject, *failure, {.source = program.source, .number = number});
    const std::lock_guard lock(mutex_);
    if (!written && !error_) error_ = written.error();
    End(number);
    count_.seconds = Seconds();
    if (on_step_) on_step_(count_);
    return !error_;
  }

  Result<FuzzCount> Take() {
    if (!error_) WriteNext();
    if (error_) return *error_;
    count_.seconds = Seconds();
    return count_;
  }

 private:
  struct Origin {
    std::string source;
    std::int64_t number = 0;
  };

  bool HasEnough() {
    const std::lock_guard lock(mutex_);
    return options_.most_findings > 0 && count_.findings >= options_.most_findings;
  }

  double Seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  void Count(const Result<ModuleReport>& report, const HloModule& module) {
    if (!report) {
      ++count_.not_evaluated;
      return;
    }
    ++count_.programs;
    ++count_.by_verdict[report->verdict];
    count_.differing += report->outputs.not_exact > 0 ? 1 : 0;
    const auto& distinct = report->distinct_values;
    count_.uniform += !distinct.empty() && std::ranges::count(distinct, 1) == std::ssize(distinct) ? 1 : 0;
    if (report->verdict != Verdict::kUnsupported) Cover(module, count_);
  }

  Status Keep(Backend& backend, const Subject& subject, const Failure& first, const Origin& origin) {
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
    if (folder_.Has(finding.signature)) {
      ++count_.known;
      return {};
    }
    ++count_.findings;
    return folder_.Add(finding, reduced);
  }

  void End(std::int64_t number) {
    ended_.insert(number);
    while (ended_.erase(next_) > 0) ++next_;
    if (Seconds() - last_write_ < kSecondsBetweenWrites) return;
    last_write_ = Seconds();
    WriteNext();
  }

  void WriteNext() {
    if (const Status written = folder_.WriteNext(RunName(options_), next_); !written) error_ = written.error();
  }

  const FuzzOptions& options_;
  FindingsFolder& folder_;
  const FuzzStep& on_step_;
  const Clock::time_point start_ = Clock::now();
  std::mutex mutex_;
  FuzzCount count_;
  std::map<std::string, std::int64_t> alike_;
  std::set<std::int64_t> ended_;  // behind next_
  std::int64_t next_;
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
  Run run(options, folder, on_step);
  const std::int64_t count = options.count > 0 ? options.count : std::numeric_limits<std::int64_t>::max();
  pool.ForEach(count,
               [&](int worker, std::int64_t item) { return run.Judge(pool.backend(worker), options.first + item); });
  return run.Take();
}

}  // namespace assay
