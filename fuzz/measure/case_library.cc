#include "fuzz/measure/case_library.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "backends/files.h"
#include "conformance/judging/instruction_values.h"
#include "fuzz/generate/families.h"
#include "interpreter/evaluator/evaluator.h"

namespace assay {
using namespace generate;
namespace {

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

}  // namespace

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

std::vector<JudgedCase> RandomCases(std::string_view op, std::int64_t count, std::uint64_t seed) {
  std::vector<JudgedCase> cases;
  Random random(seed);
  for (std::int64_t i = 0; i < count; ++i) {
    std::optional<DrawnInstruction> drawn = DrawAsInFamily(random, *FindOp(op));
    if (!drawn) break;
    auto judged = Evaluated(fmt::format("random/{}", i), std::move(drawn->module), std::move(drawn->operands));
    if (judged) cases.push_back(*std::move(judged));
  }
  return cases;
}

}  // namespace assay
