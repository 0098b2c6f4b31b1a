#include "tools/outcome.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>

#include "interpreter/evaluator/device_counts.h"
#include "interpreter/hlo/fill.h"
#include "interpreter/types/without_throwing.h"
#include "tools/files.h"
#include "tools/golden.h"
#include "tools/inputs.h"
#include "tools/report.h"
#include "tools/type_matrix.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

Result<GoldenFile> ReadGoldenFile(const std::string& path) {
  ASSAY_TRY(const std::string text, ReadFile(path));
  return ParseGoldenFile(path, text);
}

// A whole file stands for the cases that cannot be read in it.
std::string NameOfFile(const std::string& path) {
  return fmt::format("{}/{}", fs::path(path).parent_path().filename().string(), fs::path(path).stem().string());
}

bool Keeps(const std::string& filter, const std::string& name) { return name.find(filter) != std::string::npos; }

bool KeepsFile(const std::string& filter, const std::string& path) {
  return Keeps(filter, NameOfFile(path)) || filter.starts_with(NameOfFile(path));
}

Result<Judgement> JudgeGolden(Backend& backend, const GoldenFile& file, const GoldenCase& golden,
                              const HloModule& module, const CaseOptions& options) {
  ASSAY_TRY(const InstructionValues reference, EvaluateGolden(file, golden, module, options.limits));
  Result<std::vector<Literal>> outputs = backend.Run(module, ByDevice(module, golden.arguments));
  if (outputs) {
    return JudgeInstruction(*module.entry->root, reference.operands, reference.want, OfAllDevices(*std::move(outputs)),
                            options.profile);
  }
  return JudgementOf(outputs.error());
}

Result<ModuleReport> CompareModel(Backend& backend, const std::string& path, const CaseOptions& options,
                                  std::int64_t& elided) {
  ASSAY_TRY(const std::string text, ReadFile(path));
  ASSAY_TRY(const std::unique_ptr<HloModule> module, ParseModuleFile(path, text));
  if (const auto note = RunOnNamedDevices(*module)) fmt::print(stderr, "note: {}: {}\n", path, *note);
  elided = FillElidedConstants(*module, 0);
  ASSAY_TRY(const Inputs inputs, ReadInputs(*module, {}));
  Result<ModuleReport> report =
      CompareModule(backend, *module, inputs.per_device, {.profile = options.profile, .limits = options.limits});
  if (!report) report.error().message = fmt::format("{}: {}", path, report.error().message);
  return report;
}

}  // namespace

const std::string& Outcome::reason() const {
  if (unjudged) return unjudged->message;
  return model ? model->reason : judgement.reason;
}

nlohmann::json Outcome::ToJson() const {
  nlohmann::json entry = model ? ReportToJson(fs::path(name).filename().string(), *model) : JudgementToJson(judgement);
  if (unjudged) entry = {{"reason", reason()}};
  entry["verdict"] = VerdictText();
  if (!op.empty()) {
    entry["name"] = name;
    entry["op"] = op;
  } else {
    entry["name"] = fs::path(name).filename().string();
    entry["elided_constants_filled"] = elided_constants;
  }
  return entry;
}

std::vector<std::string> CaseNames(const std::string& path, const CaseOptions& options) {
  const Result<GoldenFile> file = ReadGoldenFile(path);
  std::vector<std::string> names;
  if (!file && KeepsFile(options.filter, path)) names.push_back(NameOfFile(path));
  if (!file) return names;
  for (const GoldenCase& golden : file->cases) {
    if (Keeps(options.filter, golden.name)) names.push_back(golden.name);
  }
  return names;
}

void RunGoldenFile(Backend& backend, const std::string& path, const CaseOptions& options,
                   const std::function<void(Outcome)>& take) {
  Outcome unread;
  unread.name = NameOfFile(path);
  unread.op = fs::path(path).parent_path().filename().string();
  unread.place = path;
  const Result<GoldenFile> file = WithoutThrowing([&] { return ReadGoldenFile(path); });
  if (!file) {
    unread.unjudged = file.error();
    if (KeepsFile(options.filter, path)) take(std::move(unread));
    return;
  }
  std::map<std::string, Result<std::unique_ptr<HloModule>>> modules;
  for (const GoldenCase& golden : file->cases) {
    if (!Keeps(options.filter, golden.name)) continue;
    Outcome outcome = unread;
    outcome.name = golden.name;
    outcome.place = fmt::format("{}:{}", path, golden.line);
    auto module = modules.find(golden.entry);
    if (module == modules.end()) {
      module =
          modules.emplace(golden.entry, WithoutThrowing([&] { return ReadGoldenModule(*file, golden.entry); })).first;
    }
    if (module->second) {
      const HloModule& run = **module->second;
      outcome.types = TypesTested(file->op, run);
      Result<Judgement> judgement = WithoutThrowing([&] { return JudgeGolden(backend, *file, golden, run, options); });
      judgement ? void(outcome.judgement = *std::move(judgement)) : void(outcome.unjudged = judgement.error());
    } else {
      outcome.unjudged = module->second.error();
    }
    take(std::move(outcome));
  }
}

Outcome RunModel(Backend& backend, const std::string& path, const CaseOptions& options) {
  Outcome outcome;
  outcome.name = "model/" + fs::path(path).stem().string();
  Result<ModuleReport> report =
      WithoutThrowing([&] { return CompareModel(backend, path, options, outcome.elided_constants); });
  if (report) {
    outcome.model = *std::move(report);
  } else {
    outcome.unjudged = report.error();
  }
  return outcome;
}

}  // namespace assay
