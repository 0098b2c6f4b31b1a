#include "interpreter/acceptance/statistics/samples/judge_by_samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "interpreter/acceptance/choices.h"
#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/find_before.h"
#include "interpreter/acceptance/statistics/samples/decisions.h"
#include "interpreter/acceptance/statistics/samples/narrow_results.h"
#include "interpreter/acceptance/statistics/samples/other_decisions.h"
#include "interpreter/acceptance/statistics/samples/sample_runs.h"
#include "interpreter/acceptance/statistics/samples/sampled_factors.h"
#include "interpreter/acceptance/statistics/samples/sampled_output.h"
#include "interpreter/acceptance/statistics/samples/sampled_run.h"
#include "interpreter/acceptance/statistics/sums/orders.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/types/split_mix.h"

namespace assay {
namespace {

// Three pairs show the errors of most elements. An error that is rounded away has another chance in each run, so the
// last element of a large array needs more.
constexpr std::size_t kRuns = 16;
// The runs that may show that a result is as near to one as they are to each other.
constexpr std::size_t kRunsToBeAmong = 6;
// An output that is this many times farther than a far one is far whatever further runs show: the largest distance of
// two runs hardly grows tenfold. It may if a sum is narrow, where one order in twelve loses terms.
constexpr double kFarBeyond = 64;
constexpr std::string_view kFarFromAll = "far from lawful results: ";
// The runs that show how far larger errors move an element.
constexpr std::size_t kRunsWithLargerErrors = 8;
// The runs in which the uses of a value differ.
constexpr std::size_t kRunsOfUses = 8;
}  // namespace

class Samples::Judge {
 public:
  Judge(const HloModule& module, const DeviceValues& arguments, const Literal& want, const Literal& got,
        const Profile& profile, const EvaluationLimits& limits)
      : want_(want),
        got_(got),
        profile_(profile),
        choices_(module, want, profile, arguments.size()),
        runs_(module, arguments, profile, limits, choices_),
        decided_(runs_, outputs_, want) {
    OutputPath path;
    std::size_t number = 0;
    FindDiffering(want, got, path, number, outputs_);
    Conclude(Begin());
  }

  // Answers a question. A further one may take further runs.
  const SampleFinding& Find(SampleQuestion question) {
    if (!is_final_) GoOn(question);
    return finding_;
  }

 private:
  void Conclude(std::optional<SampleFinding> finding) {
    is_final_ = finding.has_value();
    if (finding) finding_ = *std::move(finding);
  }

  // Runs the reference. Returns what it says of choices; nullopt if samples follow.
  std::optional<SampleFinding> Begin() {
    if (const Status status = runs_.RunReference(decisions_); !status) return Failed(status.error());
    SampleFinding found;
    for (const SampledOutput& output : outputs_) {
      const HloInstruction& producer = choices_.Producer(output.path());
      least_errors_[output.number()] = runs_.LeastErrorsOf(producer);
      if (!found.suspect.empty()) continue;
      found.suspect = runs_.FaultOfMovedSums(producer, PartAt(want_, output.path()), PartAt(got_, output.path()));
    }
    if (found.suspect.empty()) found.suspect = JudgeChoices();
    if (found.suspect.empty())
      found.suspect = FaultOfFactors(outputs_, want_, got_, choices_, decisions_, decided_, runs_);
    if (!found.suspect.empty()) return found;
    for (const SampledOutput& output : outputs_) {
      found.unexplained = FaultOfOpenChoice(output);
      if (!found.unexplained.empty()) return found;
    }
    has_integers_ = std::ranges::any_of(outputs_, [](const SampledOutput& output) { return !output.is_real(); });
    has_statistics_ =
        !runs_.has_rough_sums() && decisions_.AreNone() &&
        std::ranges::any_of(outputs_, [&](const SampledOutput& output) { return FollowsFromNarrowSum(output); });
    if (has_statistics_) runs_.MakeErrorsIndependent();
    return std::nullopt;
  }

  // Takes in further runs until they answer the question.
  void GoOn(SampleQuestion question) {
    for (; run_ < AllSumOrders().size(); ++run_) {
      if (!has_statistics_)
        std::erase_if(outputs_, [this](const SampledOutput& output) { return IsExplained(output); });
      const bool is_far =
          FirstFar() || std::ranges::any_of(outputs_, [&](const auto& one) { return HasCommonErrors(one); });
      if (outputs_.empty() || (run_ == kRuns && !has_statistics_ && !is_far)) break;
      const auto stays_near = [this](const SampledOutput& output) { return StaysNear(output); };
      if (question == SampleQuestion::kAreSuspect && !has_statistics_ && std::ranges::all_of(outputs_, stays_near)) {
        finding_.has_integers = has_integers_;
        return;
      }
      if (run_ == 1 && !has_statistics_) {
        if (SampleFinding beyond = JudgeBeyond(); !beyond.suspect.empty()) return Conclude(std::move(beyond));
      }
      if (const Status status = Try(run_); !status) return Conclude(Failed(status.error()));
    }
    Conclude(Finish());
  }

  // More runs can only explain more.
  bool IsExplained(const SampledOutput& output) {
    if (output.Unexplained() || Far(output, SampledOutput::Errors::kRoundings) || HasCommonErrors(output)) return false;
    if (!output.IsAmongSamples() && run_ < kRunsToBeAmong) return false;
    SeeExplained(output);
    return true;
  }

  SampleFinding Finish() {
    SampleFinding finding = JudgeAll();
    if (finding.suspect.empty() && !runs_.limit().empty()) return Failed({ErrorCode::kLimit, runs_.limit()});
    if (finding.unexplained.empty()) finding.unexplained = explained_by_signs_;
    finding.has_integers = has_integers_;
    finding.is_among_samples =
        finding.unexplained.empty() && finding.suspect.empty() && !has_integers_ && is_among_samples_;
    return finding;
  }

  // Drops the outputs that are lawful results of a choice. Returns the fault of an output of random numbers; empty if
  // there is none.
  std::string JudgeChoices() {
    std::string fault;
    std::erase_if(outputs_, [&](const SampledOutput& output) {
      const std::optional<Judgement> choice = choices_.JudgeChoice(output.path(), got_);
      if (!choice) return false;
      if (fault.empty() && IsFailure(choice->verdict) && choices_.IsRandom(output.path())) fault = choice->reason;
      return choice->verdict <= Verdict::kSpecGap;
    });
    return fault;
  }

  static SampleFinding Failed(const Error& error) {
    const bool is_limit = error.code == ErrorCode::kLimit;
    SampleFinding finding;
    finding.unexplained =
        fmt::format("{}: {}", is_limit ? "the samples met a limit" : "a sample failed", error.message);
    if (is_limit) finding.limit = error.message;
    return finding;
  }

  // Returns the reason why samples cannot explain an output; empty if they can.
  std::string FaultOfOpenChoice(const SampledOutput& output) const {
    if (const HloInstruction* choice = choices_.FindBefore(output.path())) {
      return fmt::format("output {} follows from {} (line {}), which has many lawful results: samples do not vary them",
                         output.number(), choice->op->name, choice->location.line);
    }
    return {};
  }

  // Notes how much the samples say of an output that they explain.
  void SeeExplained(const SampledOutput& output) {
    is_among_samples_ &= output.IsAmongSamples();
    const HloInstruction* const choice = choices_.FindBefore(output.path(), /*is_sampled=*/true);
    if (choice == nullptr || !output.HasJumps()) return;
    explained_by_signs_ = fmt::format("output {} depends on signs that {} (line {}) may choose", output.number(),
                                      choice->op->name, choice->location.line);
  }

  // The errors of functions alone may be biased, so statistics of an output need such sums.
  bool FollowsFromNarrowSum(const SampledOutput& output) const {
    return FindBefore(choices_.Producer(output.path()), [&](const HloInstruction& instruction) {
             return MayBeNarrowSum(instruction, profile_);
           }) != nullptr;
  }

  // Compares two runs that make the same decisions: in the first place with the reference's, later with those of
  // another run.
  Status Try(std::size_t run) {
    const std::size_t order = OrderOf(run);
    if (run == 0 || decisions_.AreNone()) {
      Decisions same(&decisions_);
      ASSAY_TRY(const Literal outputs, runs_.Run(same, order, order));
      for (SampledOutput& output : outputs_) {
        output.See(PartAt(want_, output.path()), PartAt(outputs, output.path()));
        if (has_statistics_ && FollowsFromNarrowSum(output)) {
          output.SeeSums(PartAt(outputs, output.path()), AllSumOrders()[order].IsSequential());
        }
      }
      return {};
    }
    Decisions other;
    ASSAY_TRY(const Literal first, runs_.Run(other, order, run));
    Decisions same(&other);
    ASSAY_TRY(const Literal second, runs_.Run(same, OrderOf(run + 1), run + AllSumOrders().size()));
    for (SampledOutput& output : outputs_) output.See(PartAt(first, output.path()), PartAt(second, output.path()));
    return {};
  }

  // Returns the first output with an element that is far from the samples; null if there is none.
  const SampledOutput* FirstFar(SampledOutput::Errors errors = SampledOutput::Errors::kRoundings) const {
    const auto far = std::ranges::find_if(outputs_, [&](const SampledOutput& output) {
      return Far(output, errors) && FaultOfOpenChoice(output).empty();
    });
    return far == outputs_.end() ? nullptr : &*far;
  }
  std::optional<std::size_t> Far(const SampledOutput& output, SampledOutput::Errors errors, double times = 1) const {
    return output.Far(least_errors_.at(output.number()), errors, times);
  }

  // True if an output is not far, whatever further runs show. The least error of numbers that no run varies says
  // nothing once another run varies them.
  bool StaysNear(const SampledOutput& output) const {
    if (output.Unexplained() || HasCommonErrors(output)) return false;
    SampledOutput::LeastErrors least = least_errors_.at(output.number());
    least.unit = 0;
    return !output.Far(least, SampledOutput::Errors::kRoundings);
  }

  // Returns the first output that is far beyond the samples.
  const SampledOutput* FirstBeyond() const {
    const auto beyond = std::ranges::find_if(outputs_, [&](const SampledOutput& output) {
      return output.is_real() && Far(output, SampledOutput::Errors::kRoundings, kFarBeyond) &&
             FaultOfOpenChoice(output).empty() && !FollowsFromNarrowSum(output) &&
             FindBefore(choices_.Producer(output.path()), Narrows) == nullptr;
    });
    return beyond == outputs_.end() ? nullptr : &*beyond;
  }

  // Returns SUSPECT if an output is so far that further runs cannot explain it, and no decision is open.
  SampleFinding JudgeBeyond() {
    SampleFinding finding;
    if (FirstBeyond() == nullptr) return finding;
    const std::optional<Margins> margins = decided_.FindMargins();
    const SampledOutput* const beyond = FirstBeyond();
    if (beyond == nullptr || !margins || margins->open_elements() != 0) return finding;
    finding.unexplained = beyond->Describe(*Far(*beyond, SampledOutput::Errors::kRoundings));
    finding.suspect = fmt::format("{}{}", kFarFromAll, finding.unexplained);
    return finding;
  }

  // Returns the output that is far from all samples although the decisions that are open are taken in every way.
  const SampledOutput* FarWhateverDecides(SampledOutput::Errors& errors) {
    const std::optional<Margins> margins = decided_.FindMargins();
    if (!margins || !margins->open_elements()) return nullptr;
    if (margins->open_elements() == 0) return FirstFar();
    if (!decided_.SeeOthers(*margins) || !decided_.SeeEach(*margins)) return nullptr;
    // Runs do not take all ways through many decisions or values, nor those of a loop that goes on.
    const bool are_many = *margins->open_elements() > Margins::kFewOpen ||
                          std::ranges::any_of(margins->open(), &Margins::OpenElement::has_many_values);
    if (are_many || decided_.is_flow_open()) errors = SampledOutput::Errors::kDecisions;
    return FirstFar(errors);
  }

  // Returns SUSPECT if an element of an output is far by its own errors, which those of other elements may hide.
  SampleFinding JudgeEachByItself() {
    SampleFinding finding;
    const auto may_be_far = [&](const SampledOutput& output) {
      return output.is_real() && output.Unexplained() && FaultOfOpenChoice(output).empty();
    };
    if (std::ranges::none_of(outputs_, may_be_far)) return finding;
    const std::optional<Margins> margins = decided_.FindMargins();
    if (!margins || !margins->open_elements()) return finding;
    if (margins->open_elements() != 0) {
      const bool are_listed = *margins->open_elements() == std::ssize(margins->open());
      if (!are_listed || !decided_.SeeEach(*margins) || decided_.is_flow_open()) return finding;
    }
    for (std::size_t run = 0; run < kRunsWithLargerErrors; ++run) {
      Decisions same(&decisions_);
      const Result<Literal> larger = runs_.RunWithLargerErrors(same, OrderOf(run), kSeedOfMargins + run);
      if (!larger) return finding;
      for (SampledOutput& output : outputs_) output.SeeLargerErrors(PartAt(*larger, output.path()));
    }
    for (const SampledOutput& output : outputs_) {
      const auto far = may_be_far(output) ? output.FarByItself(least_errors_.at(output.number())) : std::nullopt;
      if (!far) continue;
      finding.unexplained = output.Describe(*far);
      finding.suspect = fmt::format("{}{}", kFarFromAll, finding.unexplained);
      break;
    }
    return finding;
  }

  // Returns the fault of an output's statistics, also beside runs in which the uses of a value differ.
  std::string FaultOfSums(SampledOutput& output) {
    for (std::size_t run = 0; run < kRunsOfUses && !output.FaultOfSums().empty(); ++run) {
      Decisions same(&decisions_);
      const Result<Literal> of_uses = runs_.RunWithErrorsOfUses(same, OrderOf(run), kSeedOfMargins + run);
      if (of_uses) output.SeeSums(PartAt(*of_uses, output.path()), /*is_noisy=*/false);
    }
    return output.FaultOfSums();
  }

  // Statistics judge an output's sums by errors that no run has in common.
  bool HasCommonErrors(const SampledOutput& output) const {
    return !has_statistics_ && !output.FaultOfCommonErrors().empty() && FaultOfOpenChoice(output).empty();
  }

  // Returns SUSPECT if the elements of an output have an error in common that is far from those of all runs, also of
  // some in which the uses of a value differ. No decision may be open.
  SampleFinding JudgeCommonErrors() {
    SampleFinding finding;
    const auto first = [&] {
      return std::ranges::find_if(outputs_, [&](const auto& one) { return HasCommonErrors(one); });
    };
    if (first() == outputs_.end()) return finding;
    const std::optional<Margins> margins = decided_.FindMargins();
    if (!margins || margins->open_elements() != 0) return finding;
    for (std::size_t run = 0; run < kRunsOfUses; ++run) {
      Decisions same(&decisions_);
      const Result<Literal> of_uses = runs_.RunWithErrorsOfUses(same, OrderOf(run), kSeedOfMargins + run);
      if (!of_uses) return finding;
      for (SampledOutput& output : outputs_) output.SeeUses(PartAt(*of_uses, output.path()));
    }
    if (const auto far = first(); far != outputs_.end()) {
      finding.unexplained = fmt::format("output {}: {}", far->number(), far->FaultOfCommonErrors());
      finding.suspect = fmt::format("{}{}", kFarFromAll, finding.unexplained);
    }
    return finding;
  }

  SampleFinding JudgeAll() {
    SampleFinding finding;
    for (SampledOutput& output : outputs_) {
      finding.suspect = finding.unexplained = FaultOfSums(output);
      if (!finding.suspect.empty()) return finding;
    }
    if (const SampledOutput* far = FirstFar(); far != nullptr) {
      auto errors = SampledOutput::Errors::kRoundings;
      finding.unexplained = far->Describe(*Far(*far, errors));
      if (const SampledOutput* farther = FarWhateverDecides(errors); farther != nullptr) {
        finding.suspect = fmt::format("{}{}", kFarFromAll, farther->Describe(*Far(*farther, errors)));
      }
      return finding;
    }
    if (finding = JudgeEachByItself(); !finding.suspect.empty()) return finding;
    if (finding = JudgeCommonErrors(); !finding.suspect.empty()) return finding;
    for (const SampledOutput& output : outputs_) {
      if (const std::optional<std::size_t> component = output.Unexplained()) {
        finding.unexplained = output.Describe(*component);
        break;
      }
      SeeExplained(output);
    }
    return finding;
  }

  const Literal& want_;
  const Literal& got_;
  const Profile& profile_;
  Choices choices_;
  Decisions decisions_;
  SampleRuns runs_;
  std::vector<SampledOutput> outputs_;
  std::unordered_map<std::size_t, SampledOutput::LeastErrors> least_errors_;  // by the number of the output
  OtherDecisions decided_;
  SampleFinding finding_;
  bool is_final_ = false;
  std::size_t run_ = 0;  // the next one
  bool has_integers_ = false;
  bool has_statistics_ = false;
  bool is_among_samples_ = true;
  std::string explained_by_signs_;  // the reason why the samples explain an output too easily
};

Samples::Samples(const HloModule& module, const DeviceValues& arguments, const Literal& want, const Literal& got,
                 const Profile& profile, const EvaluationLimits& limits)
    : judge_(std::make_unique<Judge>(module, arguments, want, got, profile, limits)) {}

Samples::~Samples() = default;

const SampleFinding& Samples::Find(SampleQuestion question) { return judge_->Find(question); }

SampleFinding JudgeBySamples(const HloModule& module, const DeviceValues& arguments, const Literal& want,
                             const Literal& got, const Profile& profile, const EvaluationLimits& limits) {
  return Samples(module, arguments, want, got, profile, limits).Find(SampleQuestion::kAreExplained);
}

}  // namespace assay
