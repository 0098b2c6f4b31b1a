#include "fuzz/measure/mutation_score.h"

#include <algorithm>
#include <atomic>
#include <map>

#include "conformance/judging/compare.h"
#include "fuzz/measure/second_oracle.h"
#include "interpreter/acceptance/judge.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/hlo/clone.h"
#include "interpreter/types/parallel.h"
#include "interpreter/types/thread.h"

namespace assay {
namespace {

// True if a mutant changes an instruction of a module, or may change its result by another op record.
bool Applies(const Mutant& mutant, const HloModule& module) {
  if (mutant.break_op != nullptr) return true;
  std::unique_ptr<HloModule> changed = CloneModule(module);
  return EditModule(mutant, changed);
}

// The judge's view of the results that a mutant has changed.
struct ChangedResults {
  bool is_open = true;   // each has a reason for which it may be lawful
  bool is_weak = false;  // the judge cannot decide about some
};

// Returns a freedom that the judge names, a gap of the specification, or the second oracle's reason; empty if there is
// none.
std::string ReasonForChange(const Mutant& mutant, const JudgedCase& judged, const Literal& got,
                            const Judgement& judgement, const Profile& profile, bool doubts_judge) {
  const bool is_named = judgement.verdict == Verdict::kLegal || judgement.verdict == Verdict::kSpecGap;
  if (is_named && !doubts_judge) return judgement.reason;
  std::string reason = FreedomExplaining(*judged.module->entry->root, judged.root_operands, judged.want, got, profile);
  // The judge may leave what an operator changes undecided. The second oracle knows nothing of several instructions.
  const bool is_undecided = judgement.verdict == Verdict::kSpecGap || judgement.verdict == Verdict::kWeak ||
                            AcceptanceOf(*judged.module->entry->root).RunsComputations();
  return reason.empty() && is_undecided && !mutant.made_by.empty() ? judgement.reason : reason;
}

void AddChanged(const Mutant& mutant, const JudgedCase& judged, const Literal& got, const ScoreOptions& options,
                ChangedResults& changed, MutantScore& score) {
  const Profile& profile = BuiltInProfile(options.profile);
  const HloInstruction& root = *judged.module->entry->root;
  const Judgement judgement = JudgeInstruction(root, judged.root_operands, judged.want, got, profile);
  if (IsFailure(judgement.verdict)) {
    score.killers.push_back(judged.name);
  } else if (judgement.verdict == Verdict::kWeak && !options.doubts_judge) {
    changed.is_weak = true;
    score.why = judgement.reason;
  } else if (changed.is_open) {
    std::string reason = ReasonForChange(mutant, judged, got, judgement, profile, options.doubts_judge);
    changed.is_open = !reason.empty();
    if (!changed.is_weak) score.why = std::move(reason);
  }
}

// Sets the status, and the reason that the mutant brings with it.
void Conclude(const Mutant& mutant, const ChangedResults& changed, MutantScore& score) {
  const auto end_as = [&](MutantStatus status, std::string_view why) {
    score.status = status;
    score.why = why;
  };
  if (!score.killers.empty()) {
    end_as(MutantStatus::kKilled, "");
  } else if (score.applied == 0) {
    end_as(MutantStatus::kNotApplicable, "");
  } else if (score.changed > 0 && changed.is_open) {
    score.status = changed.is_weak ? MutantStatus::kWeak : MutantStatus::kOpen;
  } else if (!mutant.open.empty()) {
    end_as(MutantStatus::kOpen, mutant.open);
  } else if (!mutant.equivalent.empty() && score.changed == 0) {
    end_as(MutantStatus::kEquivalent, mutant.equivalent);
  } else if (!mutant.beyond_goldens.empty()) {
    end_as(MutantStatus::kBeyond, mutant.beyond_goldens);
  }
}

}  // namespace

std::string_view StatusName(MutantStatus status) {
  static constexpr std::string_view kNames[] = {"killed", "open",           "equivalent", "beyond goldens",
                                                "weak",   "not applicable", "survivor"};
  return kNames[static_cast<int>(status)];
}

std::vector<MutantScore> ScoreOf(const Mutant& mutant, const std::vector<const JudgedCase*>& cases,
                                 const std::vector<ScoreOptions>& options) {
  std::vector<MutantScore> scores(options.size(), MutantScore{.mutant = &mutant});
  std::vector<ChangedResults> changed(options.size());
  MutantBackend backend(mutant);
  std::map<const HloModule*, bool> applies;
  const auto is_done = [&](std::size_t i) { return options[i].stops_at_first_kill && !scores[i].killers.empty(); };
  for (const JudgedCase* judged : cases) {
    std::vector<std::size_t> open;  // numbers of the options that want more cases
    for (std::size_t i = 0; i < options.size(); ++i) {
      if (!is_done(i)) open.push_back(i);
    }
    if (open.empty()) break;
    const auto [known, is_new] = applies.try_emplace(judged->module.get());
    if (is_new) known->second = Applies(mutant, *judged->module);
    if (!known->second) continue;
    const auto outputs = backend.Run(*judged->module, judged->arguments);
    for (const std::size_t i : open) ++(outputs ? scores[i].applied : scores[i].errors);
    if (!outputs) continue;
    const Literal got = OfAllDevices(*outputs);
    if (CompareExactly(judged->want, got).verdict == Verdict::kExact) continue;
    for (const std::size_t i : open) {
      ++scores[i].changed;
      AddChanged(mutant, *judged, got, options[i], changed[i], scores[i]);
    }
  }
  for (std::size_t i = 0; i < options.size(); ++i) Conclude(mutant, changed[i], scores[i]);
  return scores;
}

void ForEachOnAllCores(std::size_t count, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next = 0;
  const auto run = [&] {
    for (std::size_t i = next++; i < count; i = next++) work(i);
  };
  JoinedThreads threads;
  for (int i = 1; i < ParallelThreads() && threads.Start(run); ++i) {
  }
  run();
}

std::vector<MutantScore> ScoresOf(const std::vector<const Mutant*>& mutants, const CaseLibrary& library,
                                  const ScoreOptions& options) {
  std::vector<MutantScore> scores(mutants.size());
  ForEachOnAllCores(mutants.size(), [&](std::size_t i) {
    scores[i] = ScoreOf(*mutants[i], library.OfBySize(mutants[i]->op), {options})[0];
  });
  return scores;
}

}  // namespace assay
