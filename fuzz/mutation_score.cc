#include "fuzz/mutation_score.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include "conformance/compare.h"
#include "fuzz/second_oracle.h"
#include "generate/instructions.h"
#include "interpreter/acceptance/judge.h"
#include "interpreter/hlo/clone.h"
#include "interpreter/hlo/literal_text.h"
#include "interpreter/hlo/printer.h"

namespace assay {
namespace {

// Whether a mutant changes an instruction of a module.
bool Applies(const Mutant& mutant, const HloModule& module) {
  std::unique_ptr<HloModule> changed = CloneModule(module);
  return EditModule(mutant, changed) > 0;
}

// Random instructions of each op, drawn once.
class Probes {
 public:
  explicit Probes(std::int64_t count) : count_(count) {}
  const std::vector<JudgedCase>& Of(std::string_view op) {
    const std::lock_guard lock(mutex_);
    const auto [known, is_new] = by_op_.try_emplace(std::string(op));
    const auto drawable = DrawableOps();
    const auto drawn_op = std::ranges::find(drawable, op, &Op::name);
    if (!is_new || drawn_op == drawable.end()) return known->second;
    Random random(1);
    for (std::int64_t i = 0; i < count_; ++i) {
      DrawnInstruction drawn = DrawInstruction(random, **drawn_op);
      Result<InstructionValues> root = EvaluateRoot(*drawn.module, drawn.operands, {});
      if (!root) continue;
      known->second.push_back({fmt::format("random/{}", i), std::move(drawn.module), std::move(drawn.operands),
                               std::move(root->operands), std::move(root->want)});
    }
    return known->second;
  }

 private:
  std::int64_t count_;
  std::mutex mutex_;
  std::map<std::string, std::vector<JudgedCase>> by_op_;
};

// The module of a random instruction that kills the mutant, with its arguments.
std::string KillingProbe(const Mutant& mutant, const std::vector<JudgedCase>& probes, const Profile& profile) {
  MutantBackend backend(mutant);
  for (const JudgedCase& judged : probes) {
    if (!Applies(mutant, *judged.module)) continue;
    const auto outputs = backend.Run(*judged.module, judged.arguments);
    if (!outputs) continue;
    const Literal got = OfAllDevices(*outputs);
    if (CompareExactly(judged.want, got).verdict == Verdict::kExact) continue;
    const Judgement judgement =
        JudgeInstruction(*judged.module->entry->root, judged.root_operands, judged.want, got, profile);
    if (judgement.verdict != Verdict::kFail) continue;
    std::string text = PrintHloModule(*judged.module);
    for (const Literal& argument : judged.arguments[0]) text += fmt::format("  {}\n", PrintLiteral(argument));
    return text;
  }
  return {};
}

}  // namespace

std::string_view FateName(Fate fate) {
  static constexpr std::string_view kNames[] = {"killed", "open", "equivalent", "not applicable", "survivor"};
  return kNames[static_cast<int>(fate)];
}

MutantScore ScoreOf(const Mutant& mutant, const CaseLibrary& library, const ScoreOptions& options) {
  MutantScore score;
  score.mutant = &mutant;
  const Profile& profile = BuiltInProfile(options.profile);
  MutantBackend backend(mutant);
  std::map<const HloModule*, bool> applies;
  bool is_open = true;
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
    const HloInstruction& root = *judged->module->entry->root;
    const Judgement judgement = JudgeInstruction(root, judged->root_operands, judged->want, got, profile);
    if (judgement.verdict == Verdict::kFail) {
      score.killers.push_back(judged->name);
      if (options.stops_at_first_kill) break;
    } else if (is_open) {
      std::string excuse = ExcuseOf(root, judged->root_operands, judged->want, got, profile);
      is_open = !excuse.empty();
      score.why = std::move(excuse);
    }
  }
  if (!score.killers.empty()) {
    score.fate = Fate::kKilled;
    score.why.clear();
  } else if (!mutant.equivalent.empty()) {
    score.fate = Fate::kEquivalent;
    score.why = mutant.equivalent;
  } else if (score.applied == 0) {
    score.fate = Fate::kNotApplicable;
  } else if (score.changed > 0 && is_open) {
    score.fate = Fate::kOpen;
  }
  return score;
}

std::vector<MutantScore> ScoresOf(const std::vector<const Mutant*>& mutants, const CaseLibrary& library,
                                  const ScoreOptions& options) {
  std::vector<MutantScore> scores(mutants.size());
  Probes probes(options.probes);
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < mutants.size(); i = next++) {
      scores[i] = ScoreOf(*mutants[i], library, options);
      if (options.probes == 0 || scores[i].fate == Fate::kKilled || scores[i].fate == Fate::kOpen) continue;
      scores[i].probe = KillingProbe(*mutants[i], probes.Of(mutants[i]->op), BuiltInProfile(options.profile));
    }
  };
  std::vector<std::jthread> workers;
  for (unsigned i = 1; i < std::max(1U, std::thread::hardware_concurrency()); ++i) workers.emplace_back(work);
  work();
  workers.clear();
  return scores;
}

}  // namespace assay
