#include "tools/serving/judging_server.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "backends/files.h"
#include "backends/json/array_json.h"
#include "backends/json/json_text.h"
#include "backends/process/process.h"
#include "backends/timed_backend.h"
#include "conformance/cases/inputs.h"
#include "conformance/cases/module_file.h"
#include "conformance/pairs/judge_pair.h"
#include "conformance/reports/report_json.h"
#include "conformance/tracing/trace.h"
#include "conformance/tracing/trace_json.h"
#include "interpreter/evaluator/device_counts.h"
#include "interpreter/hlo/clone.h"
#include "interpreter/hlo/parser.h"
#include "interpreter/hlo/printer.h"
#include "interpreter/hlo/shard_maps.h"
#include "interpreter/hlo/verifier.h"
#include "tools/command_line.h"
#include "tools/diagnosis_text.h"
#include "tools/serving/given_outputs.h"

namespace assay {
namespace {

using nlohmann::json;

Error Wrong(std::string what) { return {ErrorCode::kInput, std::move(what)}; }

// Reads an optional number of seconds of a request.
Result<double> SecondsOf(const json& request, const char* field, double standard) {
  const json seconds = request.value(field, json(standard));
  if (seconds.is_number() && seconds.get<double>() > 0) return seconds.get<double>();
  return Wrong(fmt::format("{} must be a positive number of seconds, found {}", field, JsonText(seconds)));
}

// Reads a number of devices; 0 if the request leaves it to the module.
Result<std::int64_t> DevicesOf(const json& request, const char* field) {
  const json count = request.value(field, json());
  if (count.is_null()) return std::int64_t{0};
  if (count.is_number_integer() && count >= 1 && count <= kMostDevices) return count.get<std::int64_t>();
  return Wrong(fmt::format("{} must be a number from 1 to {}, found {}", field, kMostDevices, JsonText(count)));
}

json ShapesOf(const HloModule& module) {
  json shapes = json::array();
  for (const HloInstruction* parameter : module.entry->Parameters()) {
    shapes.push_back(parameter->shape.ToStringWithoutLayout());
  }
  return shapes;
}

// Returns the text of a module that was read from a file. A module with meshes is printed anew, because reading removed
// its sharding annotations: XLA aborts the process on one of them alone.
std::string TextOf(const HloModule& module, const ModuleFile& file, bool is_changed) {
  return is_changed || HasMeshes(module) ? PrintHloModule(module, PrintOptions::Exact()) : file.text;
}

bool HasElidedConstants(const HloModule& module) {
  return std::ranges::any_of(module.computations, [](const auto& computation) {
    return std::ranges::any_of(computation->instructions, [](const auto& one) { return one->literal_is_elided; });
  });
}

// Appends the arrays of a value in order, through tuples. Tokens have no elements to judge.
void AppendArrays(const Literal& value, std::vector<const Literal*>& arrays) {
  if (value.shape().IsArray()) arrays.push_back(&value);
  for (const Literal& element : value.elements()) AppendArrays(element, arrays);
}

// Returns the judgement of each array of the root's tuple; several devices form one tuple. An array that differs has
// the module's verdict if sets did not decide its own.
json ElementsOf(const ModuleReport& report, const Literal& want, const Literal& got) {
  json elements = json::array();
  if (!want.shape().IsTuple()) return elements;
  std::vector<const Literal*> wanted, given;
  AppendArrays(want, wanted);
  AppendArrays(got, given);
  const bool has_own = report.elements.size() == wanted.size() && report.verdict == report.outputs.verdict;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    Judgement judgement = CompareExactly(*wanted[i], *given[i]);
    if (judgement.verdict != Verdict::kExact && has_own) {
      judgement = report.elements[i];
    } else if (judgement.verdict != Verdict::kExact) {
      judgement.verdict = report.verdict;
      judgement.reason = report.reason;
    }
    elements.push_back(JudgementToJson(judgement));
  }
  return elements;
}

// Returns an observer, for any number of threads, that writes the present stage and instruction to the file that a
// request names, at most twice a second; null if the request names none. A file that cannot be written is no error.
JudgingObserver StageWriter(const json& request) {
  const json file = request.value("progress_file", json());
  if (!file.is_string()) return nullptr;
  auto due = std::make_shared<std::atomic<std::int64_t>>(0);
  return [path = file.get<std::string>(), due](std::string_view stage, const HloInstruction& instruction) {
    using Clock = std::chrono::steady_clock;
    const std::int64_t now = std::chrono::floor<std::chrono::milliseconds>(Clock::now().time_since_epoch()).count();
    std::int64_t last = *due;
    if (now < last || !due->compare_exchange_strong(last, now + 500)) return;
    (void)WriteFileAtomically(path,
                              fmt::format("{}, {} (line {})", stage, instruction.name, instruction.location.line));
  };
}

}  // namespace

Result<json> JudgingServer::ReplyToFurther(const json& request, const std::string& line) {
  const auto text = [&](const char* field) {
    return request.contains(field) && request[field].is_string() ? std::optional(request[field].get<std::string>())
                                                                 : std::nullopt;
  };
  if (const auto path = text("load")) return Load(request, *path);
  if (const auto path = text("judge_execution")) return JudgeExecution(request, *path);
  if (const auto hlo = text("trace_events")) return TraceEvents(request, *hlo);
  if (const auto hlo = text("judge")) {
    Result<json> reply = request.contains("after") ? JudgePair(request, *hlo) : Judge(request, *hlo);
    if (reply || reply.error().code != ErrorCode::kBackend) return reply;
    // The judged backend cannot be started. The session continues, unlike after a crash of the server's own backend.
    return json{{"status", "error"}, {"code", "backend"}, {"message", reply.error().message}};
  }
  return Server::ReplyToFurther(request, line);
}

Result<CompareOptions> JudgingServer::OptionsOf(const json& request) {
  const json backend = request.value("backend", json()), profile = request.value("profile", json(""));
  if (!profile.is_string()) return Wrong("profile must be a name or a file, found " + JsonText(profile));
  CompareOptions compare;
  ASSAY_TRY(compare.profile,
            FindProfile(profile.get<std::string>(), backend.is_string() ? backend.get<std::string>() : ""));
  ASSAY_TRY(const double budget, SecondsOf(request, "budget", 60));
  compare.judging = {budget, "budget"};
  compare.finds_all_offenders = request.value("finds_all_offenders", json(false)) == json(true);
  return compare;
}

namespace {

// Reads the module of a request `load`. Its inputs determine the sizes that a module leaves open.
Result<ModuleFile> ReadModuleOf(const json& request, const std::string& path) {
  InputOptions inputs;
  if (request.contains("inputs")) {
    inputs.recorded = JsonText({{"inputs_per_device", request["inputs"]}});
    inputs.recorded_file = "inputs";
  }
  return ReadModuleFile(path, "", inputs);
}

}  // namespace

Result<json> JudgingServer::Load(const json& request, const std::string& path) {
  ASSAY_TRY(ModuleFile file, ReadModuleOf(request, path));
  ASSAY_TRY(std::unique_ptr<HloModule> module, ParseHloModule(file.text));
  KeepSource(file, *module);
  loaded_source_ = module->source;
  ASSAY_TRY(const std::int64_t replicas, DevicesOf(request, "replicas"));
  ASSAY_TRY(const std::int64_t partitions, DevicesOf(request, "partitions"));
  if (replicas > 0) module->replica_count = replicas;
  if (partitions > 0) module->num_partitions = partitions;
  if (const std::vector<Error> errors = FindIllegal(*module, {}); !errors.empty()) return errors[0];
  const json seed = request.value("seed", json(0));
  if (!seed.is_number_integer() || seed < 0)
    return Wrong("seed must be a number, not negative, found " + JsonText(seed));
  json notes = json::array();
  if (!file.note.empty()) notes.push_back(file.note);
  const bool has_elided = HasElidedConstants(*module);
  if (has_elided) {
    FillElidedConstants(*module, seed.get<std::uint64_t>());
    notes.push_back(fmt::format("constants have no values in the text ({{...}}); filled from seed {}", JsonText(seed)));
  }
  const bool has_devices = file.recorded_devices == module->device_count();
  const auto note = has_devices ? std::nullopt : RunOnNamedDevices(*module, replicas == 0, partitions == 0);
  if (note) notes.push_back(*note);
  json reply = {{"hlo", TextOf(*module, file, note || has_elided)},
                {"replicas", module->replica_count},
                {"partitions", module->num_partitions},
                {"parameters", ShapesOf(*module)},
                {"result", module->entry->root->shape.ToStringWithoutLayout()},
                {"notes", std::move(notes)}};
  if (file.chosen_size) reply["chosen_size"] = *file.chosen_size;
  if (!request.value("makes_inputs", json(false)).is_boolean() || !request.value("makes_inputs", false)) return reply;
  InputOptions options = WithRecorded(file);
  options.seed = seed.get<std::uint64_t>();
  ASSAY_TRY(const Inputs inputs, assay::ReadInputs(*module, options));
  reply["inputs"] = json::array();
  for (const std::vector<Literal>& of_device : inputs.per_device) {
    reply["inputs"].push_back(WriteValues(of_device, request));
  }
  return reply;
}

Result<Backend*> JudgingServer::OpenNamed(const json& request) {
  ASSAY_TRY(const double timeout, SecondsOf(request, "timeout", 600));
  const json name = request.value("backend", json());
  const bool is_command =
      name.is_array() && !name.empty() && std::ranges::all_of(name, [](const json& word) { return word.is_string(); });
  if (name.is_null()) return static_cast<Backend*>(nullptr);
  if (!is_command && !name.is_string()) {
    return Wrong("backend must be a name, or the words of a command, found " + JsonText(name));
  }
  const std::string key = fmt::format("{} {}", JsonText(name), timeout);
  if (const auto found = opened_.find(key); found != opened_.end()) return found->second.get();
  std::error_code error;
  Result<std::unique_ptr<Backend>> backend =
      is_command ? ProcessBackend::Open(name.get<std::vector<std::string>>(),
                                        std::filesystem::current_path(error).string(), timeout)
                 : OpenBackend(name.get<std::string>(), timeout);
  if (!backend) return backend.error();
  return (opened_[key] = *std::move(backend)).get();
}

// Returns the backend that a request names, or a backend with the outputs that it gives. In the second case the named
// backend runs the rest of the module: it is opened at once, or with `opens_late` when the first part runs.
Result<Backend*> JudgingServer::BackendOf(const json& request, const HloModule& module, const DeviceValues& inputs,
                                          std::optional<GivenOutputs>& given) {
  if (!request.contains("outputs")) {
    ASSAY_TRY(Backend * backend, OpenNamed(request));
    if (backend == nullptr) return Wrong("expected a backend, or its outputs");
    return backend;
  }
  ASSAY_TRY(PerDevice<Literal> outputs, ReadOutputs(request, module));
  const bool has_backend = !request.value("backend", json()).is_null();
  BackendOpener open = [this, &request] { return OpenNamed(request); };
  given.emplace(has_backend ? std::move(open) : nullptr, module, inputs, std::move(outputs));
  const bool opens_late = request.value("opens_late", json(false)) == json(true);
  if (has_backend && !opens_late) ASSAY_CHECK_OK(given->Open());
  return &*given;
}

Result<json> JudgingServer::Judge(const json& request, const std::string& text) {
  ASSAY_TRY(const std::unique_ptr<HloModule> module, ReadModule(request, text));
  module->source = loaded_source_;
  ASSAY_TRY(const DeviceValues inputs, ReadInputs(request, *module));
  std::optional<GivenOutputs> given;
  ASSAY_TRY(Backend * backend, BackendOf(request, *module, inputs, given));
  ASSAY_TRY(CompareOptions compare, OptionsOf(request));
  compare.on_judging = StageWriter(request);
  Diagnosis diagnosis;
  ASSAY_TRY(diagnosis.run, JudgeRun(*backend, *module, inputs, compare));
  const auto& [report, want, got] = diagnosis.run;
  if (given && given->opening_error()) return *given->opening_error();
  json reply = {{"report", ReportToJson(module->name, report)},
                {"backend", {{"name", backend->description().name}, {"version", backend->description().version}}},
                {"profile", compare.profile.name()}};
  if (IsFailure(report.verdict) && request.value("finds_region", json(false)) == json(true)) {
    FindPart(*backend, *module, inputs, compare, compare.judging.seconds, diagnosis);
    if (diagnosis.part) reply["report"]["region"] = PartToJson(*diagnosis.part);
  }
  if (want) AddOutputs(request, report, *want, *got, reply);
  return reply;
}

void JudgingServer::AddOutputs(const json& request, const ModuleReport& report, const Literal& want, const Literal& got,
                               json& reply) {
  reply["report"]["elements"] = ElementsOf(report, want, got);
  if (request.value("returns_outputs", json(true)) == json(false)) return;
  reply["want"] = WriteValues({want}, request)[0];
  reply["got"] = WriteValues({got}, request)[0];
}

Result<json> JudgingServer::JudgePair(const json& request, const std::string& text) {
  const json& changed = request["after"];
  if (!changed.is_object() || !changed.value("hlo", json()).is_string()) {
    return Wrong("after must have the text of a module as hlo, found " + JsonText(changed));
  }
  ASSAY_TRY(const std::unique_ptr<HloModule> before, ReadModule(request, text));
  ASSAY_TRY(const std::unique_ptr<HloModule> after, ReadModule(changed, changed["hlo"].get<std::string>()));
  ASSAY_TRY(const DeviceValues inputs, ReadInputs(request, *before));
  ASSAY_TRY(const EntryBridge bridge, EntryBridge::Make(*before, *after));
  ASSAY_TRY(CompareOptions compare, OptionsOf(request));
  compare.on_judging = StageWriter(request);
  ASSAY_TRY(Backend * backend, OpenNamed(request));
  const ModulePair pair(*before, *after, bridge, backend);
  ASSAY_TRY(const PairReport judged, pair.Judge(inputs, compare));
  json reply = {{"report", PairToJson({before->name, after->name}, judged)},
                {"backend", {{"name", after->name}, {"version", ""}}},
                {"profile", compare.profile.name()}};
  if (judged.want) AddOutputs(request, judged.report, *judged.want, *judged.got, reply);
  return reply;
}

Result<json> JudgingServer::TraceEvents(const json& request, const std::string& text) {
  ASSAY_TRY(const std::unique_ptr<HloModule> module, ReadModule(request, text));
  ASSAY_TRY(DeviceValues inputs, ReadInputs(request, *module));
  std::vector<TracedEvent> events;
  for (const json& name : request.value("events", json::array({"nan"}))) {
    if (!name.is_string()) return Wrong("events must be a list of names, found " + JsonText(name));
    ASSAY_TRY(const TracedEvent event, ParseTracedEvent(name.get<std::string>()));
    events.push_back(event);
  }
  const std::vector<DeviceValues> runs = {std::move(inputs)};
  ASSAY_TRY(const EventTrace trace, TraceModule(*module, runs, events, {}));
  return TraceToJson(trace, events);
}

}  // namespace assay
