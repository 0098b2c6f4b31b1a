#include "conformance/running/outcome.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "backends/files.h"
#include "backends/json/printable.h"
#include "conformance/cases/golden.h"
#include "conformance/cases/inputs.h"
#include "conformance/cases/module_file.h"
#include "conformance/judging/compiled_module.h"
#include "conformance/reports/report_json.h"
#include "conformance/reports/type_matrix.h"
#include "conformance/running/golden_result.h"
#include "interpreter/evaluator/device_counts.h"
#include "interpreter/hlo/fill.h"
#include "interpreter/types/limits.h"
#include "interpreter/types/without_throwing.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

const std::string kModels = "model/";

std::string_view Stripped(std::string_view line) {
  const std::size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
  return line.substr(begin, line.find_last_not_of(" \t") + 1 - begin);
}

// True for a frame or a title of a stack trace that follows the message of a crash, in the form of Abseil or LLVM.
bool IsOfStackTrace(std::string_view line) {
  return line.starts_with("@ ") || line.starts_with("*** ") ||
         (line.size() > 1 && line[0] == '#' && line[1] >= '0' && line[1] <= '9');
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

// Shows a note about a model on standard error.
void ShowNote(const std::string& path, const std::string& what) {
  fmt::print(stderr, "note: {}\n", Printable(fmt::format("{}: {}", path, what), Lines::kMany, std::string::npos));
}

Result<ModuleReport> CompareModel(Backend& backend, const std::string& path, const CaseOptions& options,
                                  std::int64_t& elided) {
  ASSAY_TRY(const ModelCase model, ReadModel(path, [&](const std::string& what) { ShowNote(path, what); }));
  elided = model.elided_constants;
  Result<ModuleReport> report = CompareModule(backend, *model.module, model.arguments,
                                              {.profile = options.profile,
                                               .limits = options.limits,
                                               .judging = options.judging,
                                               .on_judging = options.on_judging});
  if (!report) report.error().message = fmt::format("{}: {}", path, report.error().message);
  return report;
}

// Runs a failed case again, `options.retries` times.
void Retry(Outcome& outcome, const CaseOptions& options, const std::function<std::optional<Verdict>()>& run) {
  if (outcome.unjudged || !IsFailure(outcome.verdict())) return;
  for (std::int64_t i = 0; i < options.retries; ++i) {
    if (const auto verdict = run()) outcome.retries.push_back(*verdict);
  }
}

// True if the backend crashed on a case and must crash again when the case runs alone in a new process.
bool IsDeathInDoubt(const Outcome& outcome, const CaseOptions& options) {
  const bool has_died = !outcome.unjudged && outcome.verdict() == Verdict::kCrash;
  return has_died && options.retries == 0 && !(options.is_known_death && options.is_known_death(outcome.name));
}

}  // namespace

bool Outcome::is_flake() const {
  return flips || std::ranges::any_of(retries, [&](Verdict verdict) { return verdict != this->verdict(); });
}

nlohmann::json Flips::ToJson() const {
  nlohmann::json json = {
      {"runs", runs}, {"differing", differing}, {"element", element}, {"before", before}, {"after", after}};
  if (!settings.empty()) json["settings"] = settings;
  return json;
}

Flips Flips::FromJson(const nlohmann::json& json) {
  Flips flips;
  json.at("runs").get_to(flips.runs);
  json.at("differing").get_to(flips.differing);
  json.at("element").get_to(flips.element);
  json.at("before").get_to(flips.before);
  json.at("after").get_to(flips.after);
  if (json.contains("settings")) json["settings"].get_to(flips.settings);
  return flips;
}

const std::string& Outcome::reason() const {
  if (unjudged) return unjudged->message;
  if (!died_once.empty()) return died_once;
  return model ? model->reason : judgement.reason;
}

std::string Outcome::cause() const {
  const std::string_view whole = reason();
  const std::string_view first = whole.substr(0, whole.find('\n'));
  if (!first.ends_with(':')) return std::string(first);
  std::string_view last;
  // The rest begins with the end of the first line.
  for (std::string_view rest = whole.substr(first.size()); !rest.empty();) {
    const std::size_t end = rest.rfind('\n');
    const std::string_view line = Stripped(rest.substr(end + 1));
    rest = rest.substr(0, end);
    if (last.empty()) last = line;
    if (!line.empty() && !IsOfStackTrace(line)) return fmt::format("{} {}", first, line);
  }
  return last.empty() ? std::string(first) : fmt::format("{} {}", first, last);
}

nlohmann::json Outcome::ToJson() const {
  nlohmann::json entry = model ? ReportToJson(name.substr(kModels.size()), *model) : JudgementToJson(judgement);
  if (unjudged) entry = {{"reason", reason()}, {"is_limit", unjudged->code == ErrorCode::kLimit}};
  entry["verdict"] = VerdictText();
  for (const Verdict verdict : retries) entry["retries"].push_back(VerdictName(verdict));
  if (flips) entry["flips"] = flips->ToJson();
  if (!bits.empty()) entry["bits"] = bits;
  if (!died_once.empty()) entry["died_once"] = died_once;
  if (!is_model()) {
    entry["name"] = name;
    entry["op"] = op;
    entry["place"] = place;
    if (!narrowest_profile.empty()) entry["narrowest_profile"] = narrowest_profile;
    if (evidence) entry["evidence"] = evidence->ToJson();
    AddMetrics(verdict(), golden_metrics, entry);
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
  if (json.contains("flips")) outcome.flips = Flips::FromJson(json["flips"]);
  outcome.bits = json.value("bits", "");
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
  for (const std::string& type : json.at("types").get<std::vector<std::string>>()) {
    // Tuples and tokens are included.
    for (int i = 0; i < kPrimitiveTypeCount; ++i) {
      if (PrimitiveTypeName(static_cast<PrimitiveType>(i)) == type) outcome.types.insert(static_cast<PrimitiveType>(i));
    }
  }
  if (!outcome.unjudged) outcome.judgement = JudgementFromJson(json);
  outcome.golden_metrics = MetricsFromJson(json);
  return outcome;
}

std::vector<std::string> CaseNames(const std::string& path, const CaseOptions& options) {
  // Most filters reject most files by name; those files are not read.
  if (IsUnnamed(path, options) || !options.filter.Keeps(FactsOfFile(path))) return {};
  std::vector<std::string> names;
  const Status read = VisitCases(path, options, [&](const GoldenFile&, GoldenModules&, const GoldenCase& golden) {
    names.push_back(golden.name);
  });
  if (!read) names.push_back(NameOfFile(path));
  return names;
}

Status VisitCases(const std::string& path, const CaseOptions& options, const CaseVisitor& visit) {
  ASSAY_TRY(const GoldenFile file, WithoutThrowing([&] { return ReadGoldenFile(path); }));
  if (!HasTags(file, options.tags)) return {};
  GoldenModules modules(file);
  for (const GoldenCase& golden : file.cases) {
    if (Keeps(options, file, golden, modules)) visit(file, modules, golden);
  }
  return {};
}

std::string ModelName(const std::string& path) { return kModels + ModuleNameOf(path); }

Result<ModelCase> ReadModel(const std::string& path, const std::function<void(const std::string&)>& note) {
  ASSAY_TRY(const ModuleFile file, ReadModuleFile(path));
  if (!file.note.empty()) note(file.note);
  ModelCase model;
  ASSAY_TRY(model.module, ParseModuleFile(file.file_name, file.text));
  KeepSource(file, *model.module);
  if (file.recorded_devices != model.module->device_count()) {
    if (const auto named = RunOnNamedDevices(*model.module)) note(*named);
  }
  model.elided_constants = FillElidedConstants(*model.module, 0);
  ASSAY_TRY(Inputs inputs, ReadInputs(*model.module, WithRecorded(file)));
  if (inputs.are_recorded) note(fmt::format("inputs are those of {}", file.inputs_file));
  model.arguments = std::move(inputs.per_device);
  return model;
}

bool KeepsModel(const std::string& path, const CaseOptions& options) {
  return options.filter.Keeps(
      {.name = ModelName(path), .op = "", .tags = "", .path = path, .types = [] { return std::set<PrimitiveType>(); }});
}

namespace {

void SetResult(Result<GoldenResult> result, Outcome& outcome) {
  if (!result) {
    outcome.unjudged = result.error();
    return;
  }
  outcome.judgement = std::move(result->judgement);
  outcome.narrowest_profile = std::move(result->narrowest_profile);
  outcome.evidence = std::move(result->evidence);
  outcome.golden_metrics = std::move(result->metrics);
  outcome.bits = std::move(result->bits);
}

// The cases of one golden file on a backend. Each of its modules is compiled once.
class GoldenRun {
 public:
  GoldenRun(Backend& backend, const GoldenFile& file, GoldenModules& modules, const CaseOptions& options)
      : backend_(backend), file_(file), modules_(modules), options_(options), neighbours_(backend, file, options) {}

  // Fills in the outcome of a case.
  void Run(const GoldenCase& golden, Outcome& outcome) {
    if (golden.has_host()) {
      return SetResult(WithoutThrowing([&] { return JudgeWithHost(file_, golden, backend_, options_); }), outcome);
    }
    if (!golden.refused.empty()) {
      return SetResult(WithoutThrowing([&] { return JudgeRefusal(golden, modules_, backend_, neighbours_); }), outcome);
    }
    Result<CompiledModule>& module = ModuleOf(golden);
    if (!module) {
      outcome.unjudged = module.error();
      return;
    }
    outcome.types = TypesTested(file_.op, module->module());
    SetResult(WithoutThrowing([&] { return JudgeGolden(file_, golden, backend_, *module, options_); }), outcome);
    RepeatIfInDoubt(golden, outcome);
  }

 private:
  Result<CompiledModule>& ModuleOf(const GoldenCase& golden) {
    if (const auto known = compiled_.find(golden.entry); known != compiled_.end()) return known->second;
    return compiled_
        .emplace(golden.entry, WithoutThrowing([&]() -> Result<CompiledModule> {
                   ASSAY_TRY(std::unique_ptr<HloModule> read, modules_.WithEntry(golden.entry));
                   return CompiledModule(backend_, std::move(read));
                 }))
        .first->second;
  }

  void RepeatIfInDoubt(const GoldenCase& golden, Outcome& outcome) {
    const auto run_again = [&] {
      return WithoutThrowing([&] { return JudgeAlone(file_, golden, backend_, options_); });
    };
    if (IsDeathInDoubt(outcome, options_)) {
      Result<GoldenResult> alone = run_again();
      if (alone && alone->judgement.verdict != Verdict::kCrash) {
        outcome.died_once = outcome.judgement.reason;
        SetResult(std::move(alone), outcome);
      }
    }
    Retry(outcome, options_, [&]() -> std::optional<Verdict> {
      const Result<GoldenResult> again = run_again();
      return again ? std::optional(again->judgement.verdict) : std::nullopt;
    });
  }

  Backend& backend_;
  const GoldenFile& file_;
  GoldenModules& modules_;
  const CaseOptions& options_;
  Neighbours neighbours_;
  std::map<std::string, Result<CompiledModule>> compiled_;  // by entry
};

}  // namespace

void RunGoldenFile(Backend& backend, const std::string& path, const CaseOptions& options,
                   const std::function<void(Outcome)>& take) {
  Outcome unread;
  unread.name = NameOfFile(path);
  unread.op = fs::path(path).parent_path().filename().string();
  unread.place = path;
  std::optional<GoldenRun> run;
  const Status read =
      VisitCases(path, options, [&](const GoldenFile& file, GoldenModules& modules, const GoldenCase& golden) {
        if (!run) run.emplace(backend, file, modules, options);
        Outcome outcome = unread;
        outcome.name = golden.name;
        outcome.place = fmt::format("{}:{}", path, golden.line);
        run->Run(golden, outcome);
        take(std::move(outcome));
      });
  if (read || !options.filter.Keeps(FactsOfFile(path))) return;
  unread.unjudged = read.error();
  take(std::move(unread));
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
