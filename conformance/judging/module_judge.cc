#include "conformance/judging/module_judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "conformance/judging/computation_values.h"
#include "conformance/judging/joined_devices.h"
#include "conformance/judging/judged_alone.h"
#include "conformance/judging/open_sizes.h"
#include "conformance/judging/output_judgements.h"
#include "conformance/judging/pieces.h"
#include "conformance/judging/self_consistency.h"
#include "interpreter/acceptance/sets/program_sets.h"
#include "interpreter/acceptance/statistics/samples/judge_by_samples.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/types/limits.h"
#include "interpreter/types/without_throwing.h"

namespace assay {
namespace {

// Makes the verdict of a piece that of the module if it is worse.
void TakeIfWorse(const PieceReport& offender, Verdict verdict, ModuleReport& report) {
  if (verdict <= report.verdict) return;
  report.verdict = verdict;
  report.reason = fmt::format("{} (line {}): {}", offender.instruction, offender.line, offender.judgement.reason);
}

// Derives the verdict from the verdicts of the pieces. `are_all_judged` is false if a limit ended the judging.
void Conclude(const HloModule& module, bool are_all_judged, ModuleReport& report) {
  if (report.offenders.empty() && are_all_judged && IsDetermined(module)) {
    report.verdict = Verdict::kFail;
    report.reason = "no instruction has a choice, and every one alone is exact: the module as a whole is wrong";
    return;
  }
  if (report.offenders.empty()) {
    report.verdict = Verdict::kWeak;
    report.reason = !are_all_judged ? "no instruction that was judged alone explains the difference"
                    : report.pieces_of_devices > 0
                        ? "every instruction alone is exact; asynchronous operations were not judged alone"
                        : "every instruction alone is exact: the difference arises in the whole module only";
    return;
  }
  report.verdict = are_all_judged ? Verdict::kLegal : Verdict::kWeak;
  report.reason = are_all_judged ? "every instruction is legal on the operands that it had in the reference"
                                 : "every instruction that was judged is legal";
  for (const PieceReport& offender : report.offenders) {
    // A difference stays unexplained if the backend runs the instruction in the module but not alone.
    const Verdict verdict =
        offender.judgement.verdict == Verdict::kUnsupported ? Verdict::kWeak : offender.judgement.verdict;
    TakeIfWorse(offender, verdict, report);
  }
  const bool is_open = report.has_sets && report.outputs.verdict == Verdict::kWeak;
  const auto is_declined = [](const PieceReport& piece) { return piece.judgement.verdict == Verdict::kUnsupported; };
  if (is_open && report.verdict == Verdict::kWeak && std::ranges::all_of(report.offenders, is_declined)) {
    report.reason = fmt::format("{}; {}", report.outputs.reason, report.reason);
  }
}

// Judges a module whose outputs differ from the reference's: the cheap ways first, until one decides.
class ModuleJudge {
 public:
  ModuleJudge(const ModuleRun& run, const CompareOptions& options, ModuleReport& report)
      : run_(run), options_(options), report_(report) {}

  void Judge() {
    const TimeLimit time(options_.judging.seconds, options_.judging.option);
    const bool has_one_device = run_.arguments.size() == 1;
    // Another program's values cost a fraction of the sets, and nearly all lawful results follow from them.
    if (options_.has_aligned_values && has_one_device && IsDecidedOnOwnValues()) return;
    report_.offenders.clear();
    Within(kShareOfRule, "rule", [&] { return JudgeByRule(); });
    if (!is_decided_by_rule_) Within(kShareOfSets, "sets", [&] { return JudgeBySets(); });
    const bool is_settled = IsLawful();
    CombineWithRule();
    const bool is_proven = IsFailure(report_.verdict);
    if (is_proven && !options_.cuts_module) return;
    if (!Within(kShareOfSamples, "samples", [&] { return TakeSamples(); })) NameLimit();
    // An open value, unless it is a fold's, opens all that follows: others may be wrong on the backend's own values.
    const bool is_beside_a_gap =
        report_.verdict == Verdict::kSpecGap && report_.reason != kOpenFold && has_one_device && !is_alone_;
    if (is_beside_a_gap && FailsOnOwnValues()) return;
    if (IsLawful() || (is_settled && is_proven)) {
      if (options_.finds_all_offenders) Within(1, "pieces", [&] { return JudgePieces(); });
      return;
    }
    // Values of the backend's own may prove that outputs are lawful, also those that are far from all samples.
    const bool has_own_values = has_one_device && !is_alone_ && !options_.has_aligned_values;
    if (has_own_values && !is_proven && (report_.has_sets || !limit_.empty())) {
      if (IsDecidedOnOwnValues()) return;
      report_.offenders.clear();
    }
    if (!has_one_device && !is_proven && AreLawfulOnOwnValues()) return ConcludeLawfulOnOwnValues();
    if (!options_.cuts_module) return ConcludeOnWhole();
    const bool are_all_judged = options_.has_aligned_values || Within(1, "pieces", [&] { return JudgePieces(); });
    if (report_.verdict == Verdict::kSuspect) TakeWorstPiece();  // a piece may prove what is suspect
    if (IsFailure(report_.verdict)) return;
    Conclude(are_all_judged);
  }

 private:
  bool IsLawful() const { return report_.verdict == Verdict::kLegal || report_.verdict == Verdict::kSpecGap; }

  // Without samples a fault that they would find may be LEGAL.
  void NameLimit() {
    if (report_.verdict == Verdict::kLegal) report_.reason += fmt::format("; a limit ended the judging: {}", limit_);
  }

  // The share of the judging time after which a stage ends, so that time remains for later stages.
  static constexpr double kShareOfRule = 0.6, kShareOfSets = 0.4, kShareOfSamples = 0.5, kShareOfOwnValues = 0.7;

  // Runs a stage. Returns false if a limit ended it.
  template <class Stage>
  bool Within(double share, std::string_view name, const Stage& stage) {
    const Status status = WithoutThrowing([&]() -> Status {
      Limits limits = Limits::Current();
      constexpr double kYear = 366.0 * 24 * 3600;  // beyond it the clock's unit may overflow
      const std::chrono::duration<double> until(share * std::min(options_.judging.seconds, kYear));
      const auto end = start_ + std::chrono::duration_cast<decltype(start_)::duration>(until);
      if (options_.judging.seconds > 0) limits.deadline.at = std::min(limits.deadline.at, end);
      const LimitScope scope(std::move(limits));
      CheckLimits();
      return stage();
    });
    if (status) return true;
    if (status.error().code != ErrorCode::kLimit) throw EvaluationError{status.error()};
    if (!limit_.empty()) limit_ += "; ";
    limit_ += fmt::format("{}: {}", name, status.error().message);
    return false;
  }

  Result<ValueSet> SetsOf(const HloModule& module, const std::vector<Literal>& arguments, CallObserver on_call) {
    const EvaluationOptions evaluation = {.limits = options_.limits};
    StepObserver on_step;
    if (options_.on_judging) on_step = [this](const HloInstruction& one) { options_.on_judging("sets", one); };
    return EvaluateSets(module, arguments, options_.profile, evaluation, std::move(on_call), on_step);
  }

  // Several devices are judged as one that computes the results of all, and so is one with collectives.
  Result<ValueSet> Sets() {
    const bool is_one = run_.arguments.size() == 1;
    if (is_one) {
      Result<ValueSet> set = SetsOf(run_.module, run_.arguments[0], known_calls_.Observer());
      if (set || set.error().code != ErrorCode::kUnsupported) return set;
    }
    // The values may be those of the partitioned program.
    const PartialSums sums = options_.has_aligned_values ? PartialSums::kMayBeRounded : PartialSums::kAreWhole;
    ASSAY_TRY(joined_, JoinDevices(run_.module, options_.profile, sums));
    std::vector<Literal> arguments;
    for (const auto& own : run_.arguments) arguments.insert(arguments.end(), own.begin(), own.end());
    ASSAY_TRY(ValueSet of_all, SetsOf(*joined_, arguments, {}));
    return is_one ? std::move(of_all.elements[0]) : std::move(of_all);
  }

  Status JudgeBySets() {
    const Result<ValueSet> set = Sets();
    if (!set) return set.error().code == ErrorCode::kLimit ? Status(set.error()) : Status();
    JudgeOutputs(*set, run_.got, report_);
    if (report_.verdict != Verdict::kWeak || run_.arguments.size() != 1) return {};
    const auto flushed = FlushedArguments(run_.arguments[0], options_.profile);
    if (!flushed) return {};
    const Result<ValueSet> other = SetsOf(run_.module, *flushed, {});
    if (other) TakeLawfulOnFlushed(*other, run_.got, report_);
    return other || other.error().code != ErrorCode::kLimit ? Status() : Status(other.error());
  }

  // A result that the rule of the root admits on the reference's operands is lawful. A module of one instruction is
  // wrong if its rule or its set says so, and the set names the elements: it costs several times as much.
  Status JudgeByRule() {
    if (options_.on_judging) options_.on_judging("rule", *run_.module.entry->root);
    std::optional<std::vector<Literal>> operands =
        run_.operands_of_root != nullptr ? std::optional(Flat(*run_.operands_of_root))
                                         : OperandsOfOnlyInstruction(run_.module, run_.arguments, run_.want);
    if (!operands) return {};
    is_alone_ = run_.operands_of_root == nullptr || !IsProgram(run_.module);
    const ElementObserver collect = CollectFailed(failed_by_rule_);
    by_rule_ = JudgeInstruction(*run_.module.entry->root, *operands, run_.want, run_.got, options_.profile,
                                [&](const Place& place, Verdict verdict, std::string_view reason) {
                                  collect(place, verdict, reason);
                                  if (options_.on_element) options_.on_element(place, verdict, reason);
                                });
    // The set of a tuple judges each of its elements, for which `diff` has a line.
    const bool needs_set = options_.cuts_module && run_.want.shape().IsTuple();
    const bool is_settled = by_rule_->verdict == Verdict::kFail && is_alone_ && !options_.cuts_module;
    const bool is_open = by_rule_->verdict == Verdict::kSpecGap && is_alone_;
    const bool is_lawful =
        by_rule_->verdict == Verdict::kLegal && !needs_set && AskSamples(SampleQuestion::kAreSuspect).suspect.empty();
    is_decided_by_rule_ = is_lawful || is_settled || is_open;
    if (is_decided_by_rule_) TakeRule();
    return {};
  }

  // Takes what the rule says where it says more than the set: that a module of one instruction is wrong, that a result
  // is lawful, or why nothing bounds it. A result without a set has the verdict of the rule.
  void CombineWithRule() {
    if (!by_rule_ || is_decided_by_rule_) return;
    const Verdict of_rule = by_rule_->verdict, of_set = report_.verdict;
    const bool is_wrong = IsFailure(of_rule) && is_alone_ && !IsFailure(of_set);
    const bool says_more = of_set == Verdict::kWeak && of_rule <= Verdict::kWeak;
    const bool are_both_wrong = of_rule == Verdict::kFail && of_set == Verdict::kFail && !options_.cuts_module;
    if (is_wrong || says_more || are_both_wrong) TakeRule();
  }

  const SampleFinding& AskSamples(SampleQuestion question) {
    if (!samples_)
      samples_.emplace(run_.module, run_.arguments, run_.want, run_.got, options_.profile, options_.limits);
    return samples_->Find(question);
  }

  // Makes a verdict that is no failure SUSPECT if the outputs are far from all samples.
  Status TakeSamples() {
    const bool may_be_suspect = report_.verdict <= Verdict::kWeak && report_.verdict != Verdict::kSpecGap;
    if (!may_be_suspect) return {};
    const SampleFinding& found = AskSamples(SampleQuestion::kAreSuspect);
    if (!found.limit.empty()) return Error{ErrorCode::kLimit, found.limit};
    if (found.suspect.empty()) return {};
    report_.verdict = Verdict::kSuspect;
    report_.reason = found.suspect;
    return {};
  }

  void TakeRule() {
    report_.outputs = *by_rule_;
    report_.verdict = report_.outputs.verdict;
    report_.reason = report_.outputs.reason;
    report_.elements.clear();
    report_.failed = failed_by_rule_;
  }

  // Concludes without a run of each instruction.
  void ConcludeOnWhole() {
    const bool is_undecided = report_.verdict == Verdict::kExact || report_.verdict == Verdict::kWeak;
    if (is_undecided && !limit_.empty()) {
      report_.verdict = Verdict::kWeak;
      report_.reason = "a limit ended the judging: " + limit_;
    } else if (report_.verdict == Verdict::kExact && by_rule_) {
      TakeRule();  // several devices whose program has no set
      if (is_alone_ || report_.verdict != Verdict::kFail || IsDetermined(run_.module)) return;
      report_.verdict = Verdict::kWeak;
      report_.reason = "the program has no set, and its rounded operands may differ from the reference's";
    }
  }

  // Judges the backend's own intermediate values, for outputs that the sets leave undecided.
  Status JudgeOnValues(bool& is_decided) {
    const auto own =
        JudgeSelfConsistency(run_.backend, run_.module, run_.arguments[0], run_.got, options_, report_, known_calls_);
    // If a piece is undecided or leads to another result, the reference's operands may show more.
    if (!own || !own->leads_to_result || own->verdict == Verdict::kWeak) return {};
    if (options_.has_aligned_values && IsFailure(own->verdict)) return {};
    is_decided = true;
    report_.was_cut = report_.on_own_values = true;
    report_.pieces = own->pieces;
    report_.pieces_exact = own->pieces_exact;
    report_.verdict = std::max(own->verdict, Verdict::kLegal);
    report_.reason = report_.verdict == Verdict::kLegal ? std::string(kLawfulOnOwnValues) : own->reason;
    if (options_.has_aligned_values) report_.reason = FreedomsOfPieces(report_);
    return {};
  }

  bool IsDecidedOnOwnValues() {
    bool is_decided = false;
    Within(kShareOfOwnValues, "the backend's own values", [&] { return JudgeOnValues(is_decided); });
    return is_decided;
  }

  // Judges the own values of several devices.
  bool AreLawfulOnOwnValues() {
    bool are_lawful = false;
    Within(kShareOfOwnValues, "the backend's own values", [&]() -> Status {
      are_lawful = IsLawfulOnOwnValues(run_.backend, run_.module, run_.arguments, run_.got, options_, report_);
      return {};
    });
    if (are_lawful) return true;
    report_.pieces = report_.pieces_exact = 0;
    report_.offenders.clear();
    return false;
  }

  // True if the backend's own values prove a failure.
  bool FailsOnOwnValues() {
    if (options_.has_aligned_values) return false;
    ModuleReport before = report_;
    if (IsDecidedOnOwnValues() && report_.verdict == Verdict::kFail) return true;
    report_ = std::move(before);
    return false;
  }

  // The verdict is LEGAL, or SPEC-GAP if an instruction has that verdict.
  void ConcludeLawfulOnOwnValues() {
    report_.was_cut = report_.on_own_values = true;
    report_.verdict = Verdict::kLegal;
    report_.reason = kLawfulOnOwnValues;
    TakeWorstPiece();
  }

  void TakeWorstPiece() {
    for (const PieceReport& offender : report_.offenders) TakeIfWorse(offender, offender.judgement.verdict, report_);
  }

  // Judges every instruction that the reference executes, alone.
  Status JudgePieces() {
    report_.was_cut = true;
    PieceJudge judge(run_.backend, options_, run_.arguments.size(), report_);
    EvaluationOptions evaluation;
    evaluation.limits = options_.limits;
    evaluation.limits.seconds = 0;
    evaluation.observer = [&](const HloInstruction& instruction, std::span<const Literal> operands,
                              const Literal& result, DeviceId device) {
      if (options_.on_judging) options_.on_judging("pieces", instruction);
      judge.Observe(instruction, operands, result, FlattenedId(device, run_.module.num_partitions));
    };
    ASSAY_TRY(const Literal again, EvaluateTogether(run_.module, run_.arguments, evaluation));
    judge.Flush();
    return {};
  }

  void Conclude(bool are_all_judged) {
    assay::Conclude(run_.module, are_all_judged, report_);
    if (options_.has_aligned_values && report_.verdict == Verdict::kWeak) {
      report_.reason = "neither the sets of lawful results nor the aligned instructions decide";
    }
    const bool is_of_whole = report_.verdict == Verdict::kWeak && report_.offenders.empty() && are_all_judged;
    if (is_of_whole && AskSamples(SampleQuestion::kAreExplained).is_among_samples) {
      report_.verdict = Verdict::kLegal;
      report_.reason =
          "every instruction alone is exact, and the whole is as near to samples with legal errors as they "
          "are to each other";
    }
    if (report_.verdict == Verdict::kFail) NameFailed();
    if (report_.verdict == Verdict::kLegal) {
      const SampleFinding& found = AskSamples(SampleQuestion::kAreExplained);
      std::string unexplained = found.unexplained;
      if (unexplained.empty() && found.has_integers && report_.has_sets) {
        unexplained = "integers differ, and what decides about them is too close to tell";
      }
      if (!unexplained.empty()) {
        report_.verdict = Verdict::kWeak;
        report_.reason = "every instruction alone is legal, but " + unexplained;
      }
    }
    // The reason of an instruction that a limit left undecided says so itself.
    constexpr std::string_view kLimited = "a limit ended the judging";
    const bool says_so = report_.reason.find(kLimited) != std::string::npos;
    if (report_.verdict == Verdict::kWeak && !limit_.empty() && !says_so) {
      report_.reason += fmt::format(" ({}: {})", kLimited, limit_);
    }
  }

  // Names the outputs' elements that fail although no set excludes them: those that the rule of the only instruction
  // excludes, or all that differ if nothing in the module has a choice.
  void NameFailed() {
    const bool is_by_rule = by_rule_ && by_rule_->verdict == Verdict::kFail;
    if (is_by_rule && !report_.has_sets) {
      report_.outputs = *by_rule_;
      report_.failed = failed_by_rule_;
    } else if (report_.offenders.empty()) {
      CollectDiffering(run_.want, run_.got, report_.failed);
    }
  }

  const ModuleRun& run_;
  const CompareOptions& options_;
  ModuleReport& report_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  KnownCalls known_calls_;
  std::unique_ptr<HloModule> joined_;  // whose instructions the sets name
  std::optional<Judgement> by_rule_;   // of the root, on the reference's operands
  bool is_alone_ = false;              // the root is the only instruction that computes, and has a rule
  bool is_decided_by_rule_ = false;
  std::vector<Place> failed_by_rule_;
  std::optional<Samples> samples_;
  std::string limit_;  // the stages that a limit ended, and which limit
};

// Concludes about outputs that are equal, or differ in their sizes alone.
void ConcludeWithoutElements(const HloModule& module, ModuleReport& report) {
  const bool are_sizes_open = report.outputs.verdict != Verdict::kExact && DoRealNumbersDecideSizes(module);
  report.verdict = are_sizes_open ? Verdict::kWeak : report.outputs.verdict;
  report.reason = report.outputs.reason;
  if (are_sizes_open) report.reason += "; sizes follow from real numbers, which may be rounded otherwise";
}

}  // namespace

Result<ModuleReport> JudgeRun(const ModuleRun& run, const CompareOptions& options, ModuleReport report) {
  return WithoutThrowing([&]() -> Result<ModuleReport> {
    report.outputs = CompareExactly(run.want, run.got);
    if (report.outputs.not_exact == 0) {
      ConcludeWithoutElements(run.module, report);
    } else {
      ModuleJudge(run, options, report).Judge();
    }
    return ConsideringHiddenSizes(run.module, run.want, run.got, std::move(report));
  });
}

}  // namespace assay
