#include "conformance/running/outcome.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "backends/files.h"
#include "backends/json/printable.h"
#include "conformance/cases/golden.h"
#include "conformance/cases/inputs.h"
#include "conformance/cases/module_file.h"
#include "conformance/judging/compiled_module.h"
#include "conformance/judging/judge_case.h"
#include "conformance/reports/report_json.h"
#include "conformance/reports/type_matrix.h"
#include "interpreter/evaluator/device_counts.h"
#include "interpreter/hlo/fill.h"
#include "interpreter/types/limits.h"
#include "interpreter/types/without_throwing.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

const std::string kModels = "model/";

Result<GoldenFile> ReadGoldenFile(const std::string& path) {
  ASSAY_TRY(const std::string text, ReadFile(path));
  return ParseGoldenFile(path, text);
}

// Returns "add/f32", the name that represents all cases of an unreadable file.
std::string NameOfFile(const std::string& path) {
  return fmt::format("{}/{}", fs::path(path).parent_path().filename().string(), fs::path(path).stem().string());
}

// Returns the facts that a filter can test without reading the file.
CaseFacts FactsOfFile(const std::string& path) {
  return {.name = NameOfFile(path),
          .op = fs::path(path).parent_path().filename().string(),
          .tags = std::nullopt,
          .path = "",
          .types = nullptr,
          .is_whole_file = true};
}

// True if --names names no case of the file.
bool IsUnnamed(const std::string& path, const CaseOptions& options) {
  if (!options.names) return false;
  const std::string prefix = NameOfFile(path) + "/";
  const auto first = options.names->lower_bound(prefix);
  return first == options.names->end() || !first->starts_with(prefix);
}

CaseFacts FactsOfCase(const GoldenFile& file, const GoldenCase& golden, GoldenModules& modules) {
  CaseFacts facts = {.name = golden.name, .op = file.op, .tags = file.tags, .path = "", .types = nullptr};
  facts.types = [&] {
    const auto module = WithoutThrowing([&] { return modules.WithEntry(golden.entry); });
    return module ? TypesTested(file.op, **module) : std::set<PrimitiveType>();
  };
  return facts;
}

bool Keeps(const CaseOptions& options, const GoldenFile& file, const GoldenCase& golden, GoldenModules& modules) {
  return (!options.names || options.names->contains(golden.name)) &&
         options.filter.Keeps(FactsOfCase(file, golden, modules));
}

bool HasTags(const GoldenFile& file, const std::vector<std::string>& tags) {
  return std::ranges::all_of(tags, [&](const std::string& tag) {
    return fmt::format(" {} ", file.tags).find(fmt::format(" {} ", tag)) != std::string::npos;
  });
}

// The judgement of a backend's result for a golden.
struct GoldenResult {
  Judgement judgement;
  std::string narrowest_profile;
  std::optional<Evidence> evidence = {};
};

Result<GoldenResult> JudgeGolden(const GoldenFile& file, const GoldenCase& golden, Backend& backend,
                                 CompiledModule& compiled, const CaseOptions& options) {
  const HloModule& module = compiled.module();
  ASSAY_TRY(const InstructionValues reference, EvaluateGolden(file, golden, module, options.limits));
  const DeviceValues arguments = ByDevice(module.device_count(), golden.arguments);
  Result<PerDevice<Literal>> outputs = compiled.Run(arguments);
  const auto with_evidence = [&](GoldenResult result, const Literal* got) {
    if (result.judgement.verdict >= Verdict::kFail) {
      result.evidence = EvidenceOf(module, golden.arguments, reference.want, got);
    }
    return result;
  };
  if (!outputs) return with_evidence({JudgementOf(outputs.error()), ""}, nullptr);
  const Literal got = OfAllDevices(*std::move(outputs));
  const TimeLimit time(options.judging.seconds, options.judging.option);
  if (options.on_judging) options.on_judging("the rule", *module.entry->root);
  CaseJudge judge(backend, module, arguments, reference, got, options.limits);
  GoldenResult result = {judge.Judge(options.profile), std::string(kProfileChain[0])};
  if (result.judgement.verdict == Verdict::kExact) return result;
  const auto narrowest = std::ranges::find_if(
      kProfileChain, [&](std::string_view name) { return judge.Judge(BuiltInProfile(name)).verdict < Verdict::kFail; });
  result.narrowest_profile = narrowest == std::end(kProfileChain) ? "" : *narrowest;
  return with_evidence(std::move(result), &got);
}

// Judges whether the backend refuses a module that must be refused.
Result<GoldenResult> JudgeRefusal(const GoldenCase& golden, GoldenModules& modules, Backend& backend) {
  ASSAY_TRY(const std::unique_ptr<HloModule> module, modules.Refused(golden));
  const GoldenResult refused = {{}, std::string(kProfileChain[0])};
  switch (backend.description().verification) {
    case Verification::kOfAssay:  // assay's verifier has just refused the module
      return refused;
    case Verification::kNone:
      return GoldenResult{
          JudgementOf({ErrorCode::kUnsupported, "modules that must be refused: the backend has no verifier"}), ""};
    case Verification::kItsOwn:
      break;
  }
  ASSAY_TRY(const Inputs inputs, ReadInputs(*module, {}));
  const Result<PerDevice<Literal>> outputs = backend.Run(*module, inputs.per_device);
  if (outputs) {
    GoldenResult run;
    run.judgement.verdict = Verdict::kFail;
    run.judgement.reason = "a module that must be refused was run";
    return run;
  }
  const Judgement refusal = JudgementOf(outputs.error());
  const bool is_refused = refusal.verdict == Verdict::kError || refusal.verdict == Verdict::kUnsupported;
  return is_refused ? refused : GoldenResult{refusal, ""};
}

// Judges a case with a host. Only assay's own evaluator has a host.
Result<GoldenResult> JudgeWithHost(const GoldenFile& file, const GoldenCase& golden, Backend& backend,
                                   const CaseOptions& options) {
  ASSAY_TRY(const std::unique_ptr<HloModule> module, ReadGoldenModule(file, golden.entry));
  ASSAY_CHECK_OK(EvaluateGolden(file, golden, *module, options.limits));
  const OpOverrides* bodies = backend.description().bodies;
  if (bodies == nullptr) {
    return GoldenResult{
        JudgementOf({ErrorCode::kUnsupported, "infeed and outfeed: no backend but the reference has a host"}), ""};
  }
  const Result<InstructionValues> own = EvaluateGolden(file, golden, *module, options.limits, *bodies);
  if (own) return GoldenResult{{}, std::string(kProfileChain[0])};
  GoldenResult failed;
  failed.judgement.verdict = Verdict::kFail;
  failed.judgement.reason = own.error().message;
  return failed;
}

Result<ModuleReport> CompareModel(Backend& backend, const std::string& path, const CaseOptions& options,
                                  std::int64_t& elided) {
  ASSAY_TRY(const ModuleFile file, ReadModuleFile(path));
  const auto note = [&](const std::string& what) {
    fmt::print(stderr, "note: {}\n", Printable(fmt::format("{}: {}", path, what), Lines::kMany, std::string::npos));
  };
  if (!file.note.empty()) note(file.note);
  ASSAY_TRY(const std::unique_ptr<HloModule> module, ParseModuleFile(file.file_name, file.text));
  if (file.recorded_devices != module->device_count()) {
    if (const auto named = RunOnNamedDevices(*module)) note(*named);
  }
  elided = FillElidedConstants(*module, 0);
  InputOptions from_file;
  from_file.recorded = file.inputs;
  from_file.recorded_file = file.inputs_file;
  ASSAY_TRY(const Inputs inputs, ReadInputs(*module, from_file));
  if (inputs.are_recorded) note(fmt::format("inputs are those of {}", file.inputs_file));
  Result<ModuleReport> report = CompareModule(backend, *module, inputs.per_device,
                                              {.profile = options.profile,
                                               .limits = options.limits,
                                               .judging = options.judging,
                                               .on_judging = options.on_judging});
  if (!report) report.error().message = fmt::format("{}: {}", path, report.error().message);
  return report;
}

// Runs a failed case again, `options.retries` times.
void Retry(Outcome& outcome, const CaseOptions& options, const std::function<std::optional<Verdict>()>& run) {
  if (outcome.unjudged || outcome.verdict() < Verdict::kFail) return;
  for (std::int64_t i = 0; i < options.retries; ++i) {
    if (const auto verdict = run()) outcome.retries.push_back(*verdict);
  }
}

// True if the backend crashed on a case and must crash again when the case runs alone in a new process.
bool IsDeathInDoubt(const Outcome& outcome, const CaseOptions& options) {
  const bool has_died = !outcome.unjudged && outcome.verdict() == Verdict::kCrash;
  return has_died && options.retries == 0 && !(options.is_known_death && options.is_known_death(outcome.name));
}

Result<GoldenResult> RunAgain(Backend& backend, const GoldenFile& file, const GoldenCase& golden,
                              const CaseOptions& options) {
  return WithoutThrowing([&]() -> Result<GoldenResult> {
    ASSAY_TRY(std::unique_ptr<HloModule> module, ReadGoldenModule(file, golden.entry));
    CompiledModule compiled(backend, std::move(module));
    return JudgeGolden(file, golden, backend, compiled, options);
  });
}

}  // namespace

bool Outcome::is_flake() const {
  return std::ranges::any_of(retries, [&](Verdict verdict) { return verdict != this->verdict(); });
}

const std::string& Outcome::reason() const {
  if (unjudged) return unjudged->message;
  if (!died_once.empty()) return died_once;
  return model ? model->reason : judgement.reason;
}

std::string Outcome::cause() const {
  const std::string& whole = reason();
  const std::string first = whole.substr(0, whole.find('\n'));
  const std::size_t last = whole.find_last_not_of(" \t\n");
  if (!first.ends_with(':') || last == std::string::npos || last < first.size()) return first;
  const std::size_t begin = whole.find_first_not_of(" \t", whole.rfind('\n', last) + 1);
  return fmt::format("{} {}", first, whole.substr(begin, last + 1 - begin));
}

nlohmann::json Outcome::ToJson() const {
  nlohmann::json entry = model ? ReportToJson(name.substr(kModels.size()), *model) : JudgementToJson(judgement);
  if (unjudged) entry = {{"reason", reason()}, {"is_limit", unjudged->code == ErrorCode::kLimit}};
  entry["verdict"] = VerdictText();
  for (const Verdict verdict : retries) entry["retries"].push_back(VerdictName(verdict));
  if (!died_once.empty()) entry["died_once"] = died_once;
  if (!is_model()) {
    entry["name"] = name;
    entry["op"] = op;
    entry["place"] = place;
    if (!narrowest_profile.empty()) entry["narrowest_profile"] = narrowest_profile;
    if (evidence) entry["evidence"] = evidence->ToJson();
    entry["types"] = nlohmann::json::array();
    for (const PrimitiveType type : types) entry["types"].push_back(PrimitiveTypeName(type));
  } else {
    entry["name"] = name.substr(kModels.size());
    entry["elided_constants_filled"] = elided_constants;
  }
  return entry;
}

Outcome Outcome::FromJson(const nlohmann::json& json, bool is_model) {
  Outcome outcome;
  json.at("name").get_to(outcome.name);
  if (json.at("verdict") == kUnjudged) {
    const ErrorCode code = json.at("is_limit").get<bool>() ? ErrorCode::kLimit : ErrorCode::kInput;
    outcome.unjudged = Error{code, json.at("reason").get<std::string>()};
  }
  for (const nlohmann::json& verdict : json.value("retries", nlohmann::json::array())) {
    outcome.retries.push_back(VerdictFromJson(verdict));
  }
  outcome.died_once = json.value("died_once", "");
  if (is_model) {
    outcome.name = kModels + outcome.name;
    json.at("elided_constants_filled").get_to(outcome.elided_constants);
    if (!outcome.unjudged) outcome.model = ReportFromJson(json);
    return outcome;
  }
  json.at("op").get_to(outcome.op);
  json.at("place").get_to(outcome.place);
  outcome.narrowest_profile = json.value("narrowest_profile", "");
  if (json.contains("evidence")) outcome.evidence = Evidence::FromJson(json["evidence"]);
  for (const nlohmann::json& type : json.at("types")) {
    // Tuples and tokens are included.
    for (int i = 0; i < kPrimitiveTypeCount; ++i) {
      if (PrimitiveTypeName(static_cast<PrimitiveType>(i)) == type) outcome.types.insert(static_cast<PrimitiveType>(i));
    }
  }
  if (!outcome.unjudged) outcome.judgement = JudgementFromJson(json);
  return outcome;
}

std::vector<std::string> CaseNames(const std::string& path, const CaseOptions& options) {
  // Most filters reject most files by name; those files are not read.
  if (IsUnnamed(path, options) || !options.filter.Keeps(FactsOfFile(path))) return {};
  const Result<GoldenFile> file = ReadGoldenFile(path);
  std::vector<std::string> names;
  if (!file) names.push_back(NameOfFile(path));
  if (!file || !HasTags(*file, options.tags)) return names;
  GoldenModules modules(*file);
  for (const GoldenCase& golden : file->cases) {
    if (Keeps(options, *file, golden, modules)) names.push_back(golden.name);
  }
  return names;
}

std::string ModelName(const std::string& path) { return kModels + ModuleNameOf(path); }

bool KeepsModel(const std::string& path, const CaseOptions& options) {
  return options.filter.Keeps(
      {.name = ModelName(path), .op = "", .tags = "", .path = path, .types = [] { return std::set<PrimitiveType>(); }});
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
    if (options.filter.Keeps(FactsOfFile(path))) take(std::move(unread));
    return;
  }
  if (!HasTags(*file, options.tags)) return;
  GoldenModules modules(*file);
  std::map<std::string, Result<CompiledModule>> compiled;
  for (const GoldenCase& golden : file->cases) {
    if (!Keeps(options, *file, golden, modules)) continue;
    Outcome outcome = unread;
    outcome.name = golden.name;
    outcome.place = fmt::format("{}:{}", path, golden.line);
    const auto take_result = [&](Result<GoldenResult> result) {
      if (result) {
        outcome.judgement = std::move(result->judgement);
        outcome.narrowest_profile = std::move(result->narrowest_profile);
        outcome.evidence = std::move(result->evidence);
      } else {
        outcome.unjudged = result.error();
      }
    };
    if (!golden.refused.empty() || golden.has_host()) {
      take_result(WithoutThrowing([&] {
        return golden.has_host() ? JudgeWithHost(*file, golden, backend, options)
                                 : JudgeRefusal(golden, modules, backend);
      }));
      take(std::move(outcome));
      continue;
    }
    auto module = compiled.find(golden.entry);
    if (module == compiled.end()) {
      module = compiled
                   .emplace(golden.entry, WithoutThrowing([&]() -> Result<CompiledModule> {
                              ASSAY_TRY(std::unique_ptr<HloModule> read, modules.WithEntry(golden.entry));
                              return CompiledModule(backend, std::move(read));
                            }))
                   .first;
    }
    if (module->second) {
      outcome.types = TypesTested(file->op, module->second->module());
      take_result(WithoutThrowing([&] { return JudgeGolden(*file, golden, backend, *module->second, options); }));
      const auto run_again = [&] { return RunAgain(backend, *file, golden, options); };
      if (IsDeathInDoubt(outcome, options)) {
        Result<GoldenResult> alone = run_again();
        if (alone && alone->judgement.verdict != Verdict::kCrash) {
          outcome.died_once = outcome.judgement.reason;
          take_result(std::move(alone));
        }
      }
      Retry(outcome, options, [&]() -> std::optional<Verdict> {
        const Result<GoldenResult> again = run_again();
        return again ? std::optional(again->judgement.verdict) : std::nullopt;
      });
    } else {
      outcome.unjudged = module->second.error();
    }
    take(std::move(outcome));
  }
}

Outcome RunModel(Backend& backend, const std::string& path, const CaseOptions& options) {
  Outcome outcome;
  outcome.name = ModelName(path);
  const auto run = [&] {
    return WithoutThrowing([&] { return CompareModel(backend, path, options, outcome.elided_constants); });
  };
  Result<ModuleReport> report = run();
  if (report) {
    outcome.model = *std::move(report);
    if (IsDeathInDoubt(outcome, options)) {
      Result<ModuleReport> alone = run();
      if (alone && alone->verdict != Verdict::kCrash) {
        outcome.died_once = outcome.model->reason;
        outcome.model = *std::move(alone);
      }
    }
    Retry(outcome, options, [&]() -> std::optional<Verdict> {
      const Result<ModuleReport> again = run();
      return again ? std::optional(again->verdict) : std::nullopt;
    });
  } else {
    outcome.unjudged = report.error();
  }
  return outcome;
}

void RunCaseFile(Backend& backend, const CaseFile& file, const CaseOptions& options,
                 const std::function<void(Outcome)>& take) {
  if (file.is_model) return take(RunModel(backend, file.path, options));
  RunGoldenFile(backend, file.path, options, take);
}

}  // namespace assay
