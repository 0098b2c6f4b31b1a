#include "fuzz/fuzzing.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <mutex>
#include <tuple>

#include "backends/claims.h"
#include "conformance/diagnosis/blame.h"
#include "conformance/diagnosis/reduce.h"
#include "fuzz/declines.h"
#include "fuzz/feature.h"
#include "fuzz/rewrites/compare_rewritten.h"
#include "interpreter/types/join_text.h"
#include "interpreter/types/split_mix.h"
#include "interpreter/types/version.h"
#include "interpreter/types/without_throwing.h"

namespace assay {
using namespace generate;
namespace {

using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// The largest number of failures that look alike and are reduced: one cause fails again and again.
constexpr std::int64_t kMostAlike = 3;
// The least time between two writes of the state, and the share of the time that writing may take: one in this many.
constexpr double kSecondsBetweenWrites = 5, kWriteOneIn = 200;
constexpr std::int64_t kMostRewrites = 3, kMostMutations = 4;
// The largest number of times that a program is drawn again because the backend is expected to decline it. A module of
// any ops may need many draws; they take less time than one program on a slow backend. Changing a large module takes
// longer.
constexpr std::int64_t kMostDraws = 256, kMostDrawsFromModules = 4;
// One program in this many may have one declined feature, to notice what the backend accepts by now.
constexpr std::int64_t kProbeOneIn = 50;
// One program in this many may have one suspect, to find out whether the backend declines it again.
constexpr std::int64_t kSuspectsOneIn = 8;
// The number of consecutive programs that a shard takes. A group has all kinds of programs.
constexpr std::int64_t kGroup = 4;

// Returns the single pass at fault; empty if there is none, the backend cannot report passes, or the search takes more
// than `budget` seconds.
std::string PassOf(Backend& backend, const Subject& subject, const CompareOptions& compare, const Failure& failure,
                   double budget) {
  if (!backend.description().takes_options) return {};
  const Clock::time_point start = Clock::now();
  const Result<CompilerTrace> trace = backend.Trace(*subject.module);
  if (!trace) return {};
  bool is_over = false;
  const TryOptions try_options = [&,
                                  try_any = TryOn(backend, subject, compare, failure)](const CompilerOptions& options) {
    is_over = is_over || (budget > 0 && SecondsSince(start) >= budget);
    return is_over ? WithOptions::kRefused : try_any(options);
  };
  const Blame blame = FindBlame(*trace, try_options, ChangesValueOf(*trace, subject, compare.limits));
  return blame.passes.size() == 1 && !is_over ? blame.passes[0] : std::string();
}

class Run {
 public:
  Run(const FuzzOptions& options, const BackendDescription& backend, FindingsFolder& folder, FuzzProgress& progress,
      const FuzzStep& on_step)
      : options_(options),
        constraints_(options.constraints),
        backend_version_(backend.version),
        folder_(folder),
        on_step_(on_step),
        mutex_(progress.guard),
        state_(progress.state),
        first_(state_.next),
        seconds_before_(state_.count.seconds),
        learner_(LearnerFrom(options, first_, backend.version)) {
    constraints_.may_have_devices = backend.max_devices > 1;
  }

  // Judges one program of the run, `item` of this call of Fuzz. Returns false if no more programs are to run.
  bool Judge(Backend& backend, std::int64_t item) {
    if (!Begins(item)) return false;
    const std::int64_t index = first_ + item;
    const auto declined = learner_->Before(index);
    if (declined == nullptr) return false;
    Program program = NextProgram(backend.description(), NumberOf(index), *declined);
    AnsweredProgram answered = {std::move(program.features), Answer::kNone, {}};
    const Result<ModuleReport> report = CompareProgram(backend, program);
    answered.answer = AnswerOf(report);
    answered.reason = report ? report->reason : "";
    const Subject& subject = program.subject;
    ProgramOutcome outcome = OutcomeOf(report, subject.module);
    if (answered.answer == Answer::kDeclined) outcome.declined_for = GroupOf(answered).ToString();
    // There is nothing to learn: no draw was within the hello.
    if (!program.is_within_hello) answered.answer = Answer::kNone;
    learner_->Add(index, std::move(answered));
    outcome.draws_before = program.origin.draw;
    outcome.mutations = program.origin.mutations;
    outcome.refused_mutants = program.origin.refused_mutants;
    if (report && (IsFailure(report->verdict) || options_.fail_on.contains(report->verdict))) {
      const Failure failure = FailureOf(*report, *subject.module);
      const Result<Found> found = LooksLikeOthers(failure, program.origin.source) ? Result<Found>(Found::kAlike)
                                                                                  : Keep(backend, program, failure);
      if (found) outcome.finding = *found;
      if (!found) Stop(found.error());
    }
    const bool goes_on = End(index, std::move(outcome));
    if (!goes_on) learner_->Stop();
    return goes_on;
  }

  Status Finish() {
    const DeclinedFeatures known = learner_->Known();
    if (!known.names.empty()) state_.count.declined_features = known.names;
    if (!error_) WriteState();
    if (error_) return *error_;
    return {};
  }

 private:
  using Found = ProgramOutcome::Finding;
  struct Origin {
    std::string source;
    std::int64_t number = 0, draw = 0;
    std::vector<std::string_view> mutations = {}, rewrites = {};
    std::int64_t refused_mutants = 0;

    std::string Text() const {
      std::vector<std::string_view> changes = mutations;
      changes.insert(changes.end(), rewrites.begin(), rewrites.end());
      return changes.empty() ? source : fmt::format("{}, after {}", source, JoinText(changes, ", "));
    }
  };
  struct Program {
    Subject subject;
    Origin origin;
    std::optional<Rewritten> rewritten = {};  // the rewritten subject, whose results must agree
    std::optional<Subject> before = {};  // the subject before the rewrites, if only the two results show the failure
    std::string bait = {};               // the miscompilation that it is bait for
    std::vector<Feature> features = {};
    bool is_within_hello = true;  // the backend's hello names all ops and types
  };

  // Returns a learner that continues from what the run has learnt, or a new one if it has learnt nothing, or by another
  // version of assay or of the backend.
  static std::unique_ptr<DeclineLearner> LearnerFrom(const FuzzOptions& options, std::int64_t first,
                                                     const std::string& version) {
    try {
      const nlohmann::json& learnt = options.learnt;
      if (!learnt.is_null() && learnt.at("assay") == kVersion && learnt.at("backend_version") == version) {
        return DeclineLearner::FromJson(learnt.at("answers"), first);
      }
    } catch (const nlohmann::json::exception&) {
      // A damaged file costs only the time to learn again.
    }
    return std::make_unique<DeclineLearner>(first);
  }

  // Returns the number of the shard's program `index`.
  std::int64_t NumberOf(std::int64_t index) const {
    const std::int64_t group = index / kGroup * options_.shard.count + options_.shard.number - 1;
    return group * kGroup + index % kGroup;
  }

  static Answer AnswerOf(const Result<ModuleReport>& report) {
    if (!report) return Answer::kNone;
    return report->verdict == Verdict::kUnsupported ? Answer::kDeclined : Answer::kAccepted;
  }

  // The reasons for not running a drawn program, the most important one first.
  using Faults = std::tuple<bool, std::int64_t, std::int64_t, std::int64_t>;

  static Faults FaultsOf(const Program& program, const DeclinedFeatures& declined, std::int64_t most_known,
                         std::int64_t most_suspects) {
    // A declined program tells most about an op that is the only unproven one.
    constexpr std::int64_t kMostUnproven = 1;
    const auto beyond = [](std::int64_t count, std::int64_t most) { return std::max<std::int64_t>(0, count - most); };
    return {!program.is_within_hello, beyond(declined.KnownAmong(program.features), most_known),
            beyond(declined.SuspectsAmong(program.features), most_suspects),
            beyond(declined.UnprovenAmong(program.features), kMostUnproven)};
  }

  // Draws a program until nothing speaks against it. Returns the best one after the last allowed draw.
  Program NextProgram(const BackendDescription& backend, std::int64_t number, const DeclinedFeatures& declined) const {
    const bool is_probe = Random(SeedOf(~constraints_.seed, number, -1)).OneIn(kProbeOneIn);
    const bool is_trial = Random(SeedOf(~constraints_.seed, number, -2)).OneIn(kSuspectsOneIn);
    const std::int64_t most = options_.modules.empty() ? kMostDraws : kMostDrawsFromModules;
    std::optional<Program> best;
    Faults least;
    for (std::int64_t draw = 0; draw <= most; ++draw) {
      Program program = ProgramAt(number, draw);
      program.features = FeaturesOf(*program.subject.module, program.bait);
      program.is_within_hello = !WhyNotTaken(backend, *program.subject.module);
      const Faults faults = FaultsOf(program, declined, is_probe ? 1 : 0, is_probe || is_trial ? 1 : 0);
      if (best && faults >= least) continue;
      best = std::move(program);
      least = faults;
      if (faults == Faults()) break;
    }
    return *std::move(best);
  }

  // Returns a program that depends on the options, the number and the draw only.
  Program ProgramAt(std::int64_t number, std::int64_t draw) const {
    static const std::vector<Rewrite> rewrites = AllRewrites();
    Random random(SeedOf(~constraints_.seed, number, draw));
    Program program;
    if (options_.modules.empty()) {
      DrawnProgram drawn = DrawProgram(constraints_, number, draw);
      program = {{std::move(drawn.drawn.module), std::move(drawn.drawn.arguments)}, {drawn.source, number, draw}};
      if (drawn.is_bait) program.bait = std::move(drawn.source);
    } else {
      const NamedSubject& given = options_.modules[static_cast<std::size_t>(number % std::ssize(options_.modules))];
      Mutated mutated = Mutate(given.subject, options_.modules, random, random.Below(kMostMutations + 1));
      program = {std::move(mutated.subject), {given.name, number, draw, std::move(mutated.mutations)}};
      program.origin.refused_mutants = mutated.refused;
    }
    const bool needs_rewrites = options_.oracle == Oracle::kRewrites;
    if (!needs_rewrites && !random.OneIn(3)) return program;
    std::optional<Rewritten> rewritten =
        RewriteSome(program.subject, random, random.Between(1, kMostRewrites), rewrites);
    if (!rewritten) return program;
    program.origin.rewrites = rewritten->rewrites;
    if (needs_rewrites) {
      program.rewritten = std::move(rewritten);
    } else {
      program.subject = std::move(rewritten->subject);
    }
    return program;
  }

  // Compares a program. Replaces its subject by the module that the report is about.
  Result<ModuleReport> CompareProgram(Backend& backend, Program& program) const {
    return WithoutThrowing([&]() -> Result<ModuleReport> {
      const Subject& subject = program.subject;
      if (options_.oracle == Oracle::kReference) {
        return CompareModule(backend, *subject.module, subject.arguments, options_.compare);
      }
      if (!program.rewritten) return Error{ErrorCode::kUnsupported, "no rewrite applies"};
      ASSAY_TRY(RewrittenReport report, CompareRewritten(backend, subject, *program.rewritten, options_.compare));
      if (report.is_by_results) program.before = program.subject;
      program.subject = std::move(report.subject);
      return std::move(report.report);
    });
  }

  // Returns false if the run ends before this program. A program before one that has begun always begins, even if its
  // thread was late: a gap would leave out the findings of the later programs from the counts.
  bool Begins(std::int64_t item) {
    const std::lock_guard lock(mutex_);
    const bool is_late = options_.seconds > 0 && Seconds() >= options_.seconds;
    const bool has_enough = options_.most_findings > 0 && new_findings_ >= options_.most_findings;
    if ((is_late || has_enough) && item > last_begun_) return false;
    last_begun_ = std::max(last_begun_, item);
    return true;
  }

  double Seconds() const { return SecondsSince(start_); }

  bool LooksLikeOthers(const Failure& failure, const std::string& source) {
    const std::vector<std::string> ops(failure.ops.begin(), failure.ops.end());
    const std::string looks = fmt::format("{} {} {}", VerdictName(failure.verdict), source, JoinText(ops, " "));
    const std::lock_guard lock(mutex_);
    return ++alike_[looks] > kMostAlike;
  }

  // Reduces two modules with different results. If the reference can judge the reduced ones, only one of them remains.
  void ReduceBoth(Backend& backend, Program& program, Failure& failure) const {
    EvaluationLimits limits = options_.compare.limits;
    // The reduced modules may exceed the limits, and each try would have to find that out.
    constexpr double kShare = 0.05;
    limits.seconds = std::min(limits.seconds, kShare * options_.budget);
    const auto pair = ReducePair(backend, {*program.before, *program.rewritten}, limits, options_.budget);
    if (!pair) return;
    const Result<RewrittenReport> report = CompareRewritten(backend, pair->before, pair->after, options_.compare);
    if (!report || !IsFailure(report->report.verdict)) return;
    failure = FailureOf(report->report, *report->subject.module);
    program.subject = report->subject;
    program.before = report->is_by_results ? std::optional(pair->before) : std::nullopt;
    program.origin.rewrites = pair->after.rewrites;
  }

  // Reduces a subject. `failure` becomes the failure of the result.
  Subject Reduced(Backend& backend, const Subject& subject, const CompareOptions& compare, Failure& failure) const {
    Search search({FailsLike(backend, compare, failure)}, options_.budget);
    const Result<Reduction> reduction = Reduce(subject, search, compare.limits, ReductionScope::kAll);
    if (!reduction) return subject;
    const auto& [module, arguments] = reduction->subject;
    const Result<Failure> last = FindFailure(backend, *module, arguments, compare);
    if (last && last->IsOne()) failure = *last;
    return reduction->subject;
  }

  Result<Found> Keep(Backend& backend, Program& program, Failure failure) {
    if (program.before) ReduceBoth(backend, program, failure);
    const Subject& subject = program.subject;
    CompareOptions compare = options_.compare;
    if (const Result<EvaluationLimits> limits = LimitsFor(subject, compare.limits)) compare.limits = *limits;
    const Subject reduced = program.before ? subject : Reduced(backend, subject, compare, failure);
    Finding finding = {.signature = {},
                       .verdict = std::string(VerdictName(failure.verdict)),
                       .reason = failure.reason,
                       .backend = options_.backend,
                       .version = backend.description().version,
                       .profile = options_.profile,
                       .pass = PassOf(backend, reduced, compare, failure, options_.budget),
                       .source = program.origin.Text(),
                       .seed = options_.constraints.seed,
                       .number = program.origin.number,
                       .draw = program.origin.draw,
                       .instructions = SizeOf(reduced).instructions,
                       .replicas = reduced.module->replica_count,
                       .partitions = reduced.module->num_partitions,
                       .takes_stablehlo = backend.description().takes_stablehlo};
    finding.signature = SignatureOf(failure, reduced, finding.pass);
    const std::lock_guard lock(mutex_);
    ASSAY_TRY(const bool is_new, folder_.Add(finding, reduced, program.before));
    if (!is_new) return Found::kKnown;
    ++new_findings_;
    return Found::kNew;
  }

  void Stop(const Error& error) {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = error;
  }

  // Counts programs in their order, so that the recorded state covers all programs before the next one.
  bool End(std::int64_t number, ProgramOutcome outcome) {
    const std::lock_guard lock(mutex_);
    ended_.emplace(number, std::move(outcome));
    for (auto first = ended_.begin(); first != ended_.end() && first->first == state_.next; first = ended_.begin()) {
      state_.count.Add(first->second);
      ended_.erase(first);
      ++state_.next;
    }
    learner_->Record(state_.next);
    state_.count.seconds = seconds_before_ + Seconds();
    if (Seconds() >= next_write_) {
      const double start = Seconds();
      WriteState();
      next_write_ = Seconds() + std::max(kSecondsBetweenWrites, kWriteOneIn * (Seconds() - start));
    }
    if (on_step_) on_step_(state_.count);
    return !error_;
  }

  void WriteState() {
    const std::string name = RunName(options_);
    const nlohmann::json learnt = {
        {"assay", kVersion}, {"backend_version", backend_version_}, {"answers", learner_->StateAt(state_.next)}};
    Status written = folder_.WriteLearnt(name, state_.next, learnt);
    if (written) written = folder_.WriteState(name, state_);
    if (!written) error_ = written.error();
  }

  const FuzzOptions& options_;
  ProgramWishes constraints_;
  const std::string backend_version_;
  FindingsFolder& folder_;
  const FuzzStep& on_step_;
  const Clock::time_point start_ = Clock::now();
  std::mutex& mutex_;
  RunState& state_;
  const std::int64_t first_;
  const double seconds_before_;
  const std::unique_ptr<DeclineLearner> learner_;
  std::int64_t new_findings_ = 0, last_begun_ = -1;
  std::map<std::string, std::int64_t> alike_;
  std::map<std::int64_t, ProgramOutcome> ended_;  // by number, from state_.next on
  double next_write_ = kSecondsBetweenWrites;
  std::optional<Error> error_;
};

}  // namespace

std::string RunName(const FuzzOptions& options) {
  std::vector<std::string_view> ops;
  for (const Op* op : options.constraints.ops) ops.push_back(op->name);
  const Shard& shard = options.shard;
  const std::string& kind = options.constraints.kind;
  return fmt::format("{} {} seed {}{}{}{}{}{}", options.backend, options.compare.profile.name(),
                     options.constraints.seed, shard.count == 1 ? "" : " shard " + shard.ToString(),
                     ops.empty() ? "" : fmt::format(" ops {}", JoinText(ops, ",")), kind.empty() ? "" : " kind " + kind,
                     options.modules_from.empty() ? "" : " from " + options.modules_from,
                     options.oracle == Oracle::kRewrites ? " by rewrites" : "");
}

Status Fuzz(BackendPool& pool, const FuzzOptions& options, FindingsFolder& folder, FuzzProgress& progress,
            const FuzzStep& on_step) {
  Run run(options, pool.description(), folder, progress, on_step);
  const std::int64_t count = options.count > 0 ? options.count : std::numeric_limits<std::int64_t>::max();
  pool.ForEach(count, [&](int worker, std::int64_t item) { return run.Judge(pool.backend(worker), item); });
  return run.Finish();
}

}  // namespace assay
