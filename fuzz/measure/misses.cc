#include "fuzz/measure/misses.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "backends/files.h"
#include "conformance/judging/compare.h"
#include "conformance/judging/instruction_values.h"
#include "fuzz/generate/families.h"
#include "fuzz/measure/second_oracle.h"
#include "interpreter/acceptance/judge.h"
#include "interpreter/evaluator/evaluator.h"

namespace assay {
using namespace generate;
namespace {

constexpr std::string_view kRandom = "random/";

// Returns nothing for a module that the reference cannot run with these arguments.
std::optional<JudgedCase> Evaluated(std::string name, std::shared_ptr<const HloModule> module, DeviceValues arguments) {
  Result<InstructionValues> root = EvaluateRoot(*module, arguments, {});
  if (!root) return std::nullopt;
  return JudgedCase{std::move(name), std::move(module), std::move(arguments), Flat(root->operands),
                    std::move(root->want)};
}

std::set<std::string_view> OpsOf(const HloModule& module) {
  std::set<std::string_view> ops;
  for (const auto& computation : module.computations) {
    for (const auto& instruction : computation->instructions) ops.insert(instruction->op->name);
  }
  return ops;
}

// Counts a result that the mutant has changed.
void CountChanged(const Mutant& mutant, const JudgedCase& judged, const Literal& got, const Profile& profile,
                  MutantCount& count) {
  const HloInstruction& root = *judged.module->entry->root;
  const bool was_hidden = count.changed++ == 0 || !count.hidden.empty();
  count.hidden.clear();
  const Judgement judgement = JudgeInstruction(root, judged.root_operands, judged.want, got, profile);
  if (IsFailure(judgement.verdict)) {
    count.killer = judged.name;
    return;
  }
  if (!was_hidden) return;
  count.hidden = FreedomExplaining(root, judged.root_operands, judged.want, got, profile);
  if (count.hidden.empty() && profile.name() != ExactProfile().name()) count.hidden = mutant.open;
  // The judge may leave what an operator changes undecided, but a freedom that it names needs the second oracle's word.
  const bool is_undecided = judgement.verdict == Verdict::kSpecGap || judgement.verdict == Verdict::kWeak;
  if (count.hidden.empty() && is_undecided && !mutant.made_by.empty()) count.hidden = judgement.reason;
}

}  // namespace

bool MutantCount::is_killed_by_corpus() const { return is_killed() && !killer.starts_with(kRandom); }

Result<CaseLibrary> CaseLibrary::Read(const std::string& corpus) {
  CaseLibrary library;
  ASSAY_TRY(const std::vector<std::string> paths, FindGoldenFiles(corpus));
  for (const std::string& path : paths) {
    ASSAY_TRY(const std::string text, ReadFile(path));
    ASSAY_TRY(const GoldenFile file, ParseGoldenFile(path, text));
    GoldenModules read(file);
    std::map<std::string, std::shared_ptr<const HloModule>> modules;
    for (const GoldenCase& golden : file.cases) {
      if (!golden.refused.empty() || golden.has_host()) continue;
      auto& module = modules[golden.entry];
      if (module == nullptr) {
        ASSAY_TRY(module, read.WithEntry(golden.entry));
      }
      std::optional<JudgedCase> judged =
          Evaluated(golden.name, module, ByDevice(module->device_count(), golden.arguments));
      if (!judged) continue;
      for (const std::string_view op : OpsOf(*module)) library.by_op_[std::string(op)].push_back(library.cases_.size());
      library.cases_.push_back(*std::move(judged));
    }
  }
  return library;
}

std::vector<const JudgedCase*> CaseLibrary::OfBySize(std::string_view op) const {
  std::vector<const JudgedCase*> cases;
  if (const auto found = by_op_.find(op); found != by_op_.end()) {
    for (const std::size_t i : found->second) cases.push_back(&cases_[i]);
  }
  const auto size = [](const JudgedCase* judged) {
    std::int64_t bytes = judged->want.total_byte_size();
    for (const Literal& operand : judged->root_operands) bytes += operand.total_byte_size();
    return bytes;
  };
  std::ranges::stable_sort(cases, {}, size);
  return cases;
}

std::vector<JudgedCase> CaseLibrary::Of(std::string_view op, std::int64_t random_cases, std::uint64_t seed) const {
  std::vector<JudgedCase> cases;
  if (const auto found = by_op_.find(op); found != by_op_.end()) {
    for (const std::size_t i : found->second) cases.push_back(cases_[i]);
  }
  Random random(seed);
  for (std::int64_t i = 0; i < random_cases; ++i) {
    std::optional<DrawnInstruction> drawn = DrawAsInFamily(random, *FindOp(op));
    if (!drawn) break;
    auto judged = Evaluated(fmt::format("{}{}", kRandom, i), std::move(drawn->module), std::move(drawn->operands));
    if (judged) cases.push_back(*std::move(judged));
  }
  return cases;
}

std::map<std::string, MutantCount> CountKills(const Mutant& mutant, const std::vector<JudgedCase>& cases,
                                              const std::vector<std::string_view>& profiles) {
  std::map<std::string, MutantCount> counts;
  for (const std::string_view name : profiles) counts[std::string(name)];
  MutantBackend backend(mutant);
  for (const JudgedCase& judged : cases) {
    if (std::ranges::all_of(counts, [](const auto& count) { return count.second.is_killed(); })) break;
    const auto outputs = backend.Run(*judged.module, judged.arguments);
    if (!outputs) continue;
    const Literal got = OfAllDevices(*outputs);
    if (CompareExactly(judged.want, got).verdict == Verdict::kExact) continue;
    for (auto& [name, count] : counts) {
      if (!count.is_killed()) CountChanged(mutant, judged, got, BuiltInProfile(name), count);
    }
  }
  return counts;
}

}  // namespace assay
