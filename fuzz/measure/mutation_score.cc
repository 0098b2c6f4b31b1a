#include "fuzz/measure/mutation_score.h"

#include <algorithm>
#include <atomic>

#include "conformance/judging/compare.h"
#include "fuzz/measure/second_oracle.h"
#include "interpreter/acceptance/judge.h"
#include "interpreter/hlo/clone.h"
#include "interpreter/types/parallel.h"
#include "interpreter/types/thread.h"

namespace assay {
namespace {

// True if a mutant changes an instruction of a module.
bool Applies(const Mutant& mutant, const HloModule& module) {
  std::unique_ptr<HloModule> changed = CloneModule(module);
  return EditModule(mutant, changed);
}

// The judge's view of the results that a mutant has changed.
struct ChangedResults {
  bool is_open = true;   // each has a reason for which it may be lawful
  bool is_weak = false;  // the judge cannot decide about some
};

void AddChanged(const JudgedCase& judged, const Literal& got, const Profile& profile, ChangedResults& changed,
                MutantScore& score) {
  const HloInstruction& root = *judged.module->entry->root;
  const Judgement judgement = JudgeInstruction(root, judged.root_operands, judged.want, got, profile);
  if (IsFailure(judgement.verdict)) {
    score.killers.push_back(judged.name);
  } else if (judgement.verdict == Verdict::kWeak) {
    changed.is_weak = true;
    score.why = judgement.reason;
  } else if (changed.is_open) {
    // The reason is a freedom that the judge names, a gap of the specification, or the second oracle's.
    const bool is_named = judgement.verdict == Verdict::kLegal || judgement.verdict == Verdict::kSpecGap;
    std::string freedom_found =
        is_named ? judgement.reason : FreedomExplaining(root, judged.root_operands, judged.want, got, profile);
    changed.is_open = !freedom_found.empty();
    if (!changed.is_weak) score.why = std::move(freedom_found);
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

MutantScore ScoreOf(const Mutant& mutant, const CaseLibrary& library, const ScoreOptions& options) {
  MutantScore score;
  score.mutant = &mutant;
  const Profile& profile = BuiltInProfile(options.profile);
  MutantBackend backend(mutant);
  std::map<const HloModule*, bool> applies;
  ChangedResults changed;
  for (const JudgedCase* judged : library.OfBySize(mutant.op)) {
    const auto [known, is_new] = applies.try_emplace(judged->module.get());
    if (is_new) known->second = Applies(mutant, *judged->module);
    if (!known->second) continue;
    const auto outputs = backend.Run(*judged->module, judged->arguments);
    if (!outputs) {
      ++score.errors;
      continue;
    }
    ++score.applied;
    const Literal got = OfAllDevices(*outputs);
    if (CompareExactly(judged->want, got).verdict == Verdict::kExact) continue;
    ++score.changed;
    AddChanged(*judged, got, profile, changed, score);
    if (!score.killers.empty() && options.stops_at_first_kill) break;
  }
  Conclude(mutant, changed, score);
  return score;
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
  ForEachOnAllCores(mutants.size(), [&](std::size_t i) { scores[i] = ScoreOf(*mutants[i], library, options); });
  return scores;
}

}  // namespace assay
