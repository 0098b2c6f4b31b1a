#include "backends/process/server.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "backends/json/array_json.h"
#include "backends/json/json_text.h"
#include "backends/process/replies.h"
#include "backends/process/values.h"
#include "interpreter/hlo/parser.h"
#include "interpreter/hlo/verifier.h"
#include "interpreter/types/limits.h"
#include "interpreter/types/without_throwing.h"

namespace assay {
namespace {

using nlohmann::json;

constexpr std::int64_t kMostServedDevices = 1 << 20;

Error Wrong(std::string what) { return {ErrorCode::kInput, std::move(what)}; }

Result<std::int64_t> DeviceCount(const json& request, const char* field) {
  const json count = request.value(field, json(1));
  if (count.is_number_integer() && count >= 1 && count <= kMostServedDevices) return count.get<std::int64_t>();
  return Wrong(
      fmt::format("{} must be a number from 1 to {}, found {}", field, kMostServedDevices, Excerpt(JsonText(count))));
}

Result<CompilerOptions> OptionsOf(const json& request) {
  CompilerOptions options;
  const json given = request.value("options", json::object());
  const json passes = given.is_object() ? given.value("disable_passes", json::array()) : json();
  const json settings = given.is_object() ? given.value("settings", json::object()) : json();
  const auto is_text = [](const json& value) { return value.is_string(); };
  if (!passes.is_array() || !settings.is_object() || !std::ranges::all_of(passes, is_text) ||
      !std::ranges::all_of(settings, is_text)) {
    return Wrong("options must be {\"disable_passes\": [S...], \"settings\": {S: S}}, found " +
                 Excerpt(JsonText(given)));
  }
  options.disabled_passes = passes.get<std::vector<std::string>>();
  for (const auto& [name, value] : settings.items()) options.settings.push_back({name, value});
  return options;
}

// Returns the folder of the first data_file of a value; empty if it has none.
std::string FolderOf(const json& value) {
  if (value.is_object() && value.contains("data_file") && value["data_file"].is_string()) {
    return std::filesystem::path(value["data_file"].get<std::string>()).parent_path().string();
  }
  if (!value.is_structured()) return "";
  for (const json& part : value) {
    if (std::string folder = FolderOf(part); !folder.empty()) return folder;
  }
  return "";
}

// Returns `folder` if it is `allowed` or below it. Otherwise returns an empty path, and no file is opened.
std::string AllowedFolder(const std::string& folder, const std::filesystem::path& allowed) {
  if (folder.empty() || allowed.empty()) return "";
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(folder, error);
  const auto [end, _] = std::ranges::mismatch(allowed, real);
  return error || end != allowed.end() ? "" : real.string();
}

// The limits of one request. 0 seconds: no time limit.
struct RequestLimits {
  double seconds = 0;
  std::int64_t array_bytes = INT64_MAX;
};

Result<RequestLimits> LimitsOf(const json& request) {
  RequestLimits limits;
  const json given = request.value("limits", json::object());
  const json seconds = given.is_object() ? given.value("seconds", json(0)) : json();
  const json bytes = given.is_object() ? given.value("array_bytes", json(INT64_MAX)) : json();
  if (!seconds.is_number() || seconds.get<double>() < 0 || !bytes.is_number_integer() || bytes.get<double>() < 1) {
    return Wrong("limits must be {\"seconds\": X, \"array_bytes\": N}, not negative, found " +
                 Excerpt(JsonText(given)));
  }
  seconds.get_to(limits.seconds);
  bytes.get_to(limits.array_bytes);
  return limits;
}

std::string_view CodeName(ErrorCode code) {
  static constexpr std::string_view kNames[] = {"usage", "parse",   "illegal", "input",    "unsupported",
                                                "io",    "backend", "limit",   "deadlock", "check"};
  return kNames[static_cast<std::size_t>(code)];
}

// Returns a field of an object; null if it has none.
const json& FieldOf(const json& object, const char* name) {
  static const json none;
  const auto found = object.find(name);
  return found == object.end() ? none : *found;
}

// Returns the reply to a request that failed. Its location is that in the module's text.
json Failed(const Error& error) {
  json reply = {{"status", error.code == ErrorCode::kUnsupported ? "unsupported" : "error"},
                {"message", error.message},
                {"code", CodeName(error.code)}};
  if (error.location.line > 0) reply["place"] = {{"line", error.location.line}, {"column", error.location.column}};
  return reply;
}

}  // namespace

Server::Server(Backend& backend, std::filesystem::path files_folder)
    : backend_(backend), files_folder_(std::move(files_folder)) {
  std::error_code error;
  if (!files_folder_.empty()) files_folder_ = std::filesystem::canonical(files_folder_, error);
}

json Server::Hello(const json& message) const {
  const json versions = message.value("versions", json::array());
  const bool is_new = std::ranges::count(versions, json(kNewestVersion)) > 0;
  const BackendDescription& description = backend_.description();
  const auto words = [](const std::optional<std::vector<std::string>>& list) { return list ? json(*list) : json(); };
  return {{"hello", is_new ? kNewestVersion : 1},
          {"name", description.name},
          {"version", description.version},
          {"ops", words(description.ops)},
          {"types", words(description.types)},
          {"max_devices", description.max_devices},
          {"files", !files_folder_.empty()},
          {"options", description.takes_options},
          {"verifies", description.verification != Verification::kNone},
          {"judges", Judges()}};
}

Result<Server::Answer> Server::Take(const std::string& line) {
  const Result<json> parsed = ParseJson(line);
  const json message = parsed && parsed->is_object() ? *parsed : json::object();
  if (message.contains("bye")) return Answer{.reply = std::nullopt, .is_last = true};
  if (message.contains("hello")) return Answer{.reply = JsonText(Hello(message))};
  if (message.contains("release") && message["release"].is_string()) {
    compiled_.erase(message["release"].get<std::string>());
    return Answer{};
  }
  const Result<json> fields = WithoutThrowing([&]() -> Result<json> { return ReplyTo(message, line); });
  if (!fields && fields.error().code == ErrorCode::kBackend) return fields.error();
  json reply = fields ? *fields : Failed(fields.error());
  if (!reply.contains("status")) reply["status"] = "ok";
  reply["id"] = message.value("id", json());
  return Answer{.reply = JsonText(reply)};
}

Result<json> Server::ReplyTo(const json& request, const std::string& line) {
  ASSAY_TRY(const RequestLimits limits, LimitsOf(request));
  const TimeLimit time(limits.seconds, "limits.seconds");
  const ArrayLimit arrays(limits.array_bytes);
  const auto text = [&](const char* field) {
    return request.contains(field) && request[field].is_string() ? std::optional(request[field].get<std::string>())
                                                                 : std::nullopt;
  };
  if (const auto hlo = text("hlo")) {
    ASSAY_TRY(const Compiled compiled, Compile(request, *hlo));
    return Run(compiled, request);
  }
  if (const auto hlo = text("compile")) {
    ASSAY_TRY(Compiled compiled, Compile(request, *hlo));
    const std::string handle = fmt::format("{}", ++handles_);
    compiled_.emplace(handle, std::move(compiled));
    return json{{"executable", handle}};
  }
  if (const auto handle = text("run")) {
    const auto found = compiled_.find(*handle);
    if (found == compiled_.end()) return Wrong("nothing is compiled under the handle " + Excerpt(*handle));
    return Run(found->second, request);
  }
  if (const auto hlo = text("trace")) return Trace(request, *hlo);
  return ReplyToFurther(request, line);
}

Result<json> Server::ReplyToFurther(const json&, const std::string& line) {
  return Wrong("expected a request with hlo, compile, run or trace, found " + Excerpt(line));
}

std::string Server::FolderFor(const json& request) const {
  const json& folder = FieldOf(request, "folder");
  if (folder.is_string()) return AllowedFolder(folder.get<std::string>(), files_folder_);
  std::string of_array;
  for (const char* field : {"inputs", "outputs"}) {
    if (of_array.empty()) of_array = FolderOf(FieldOf(request, field));
  }
  return AllowedFolder(of_array, files_folder_);
}

Result<DeviceValues> Server::ReadInputs(const json& request, const HloModule& module) const {
  std::vector<Shape> shapes;
  for (const HloInstruction* parameter : module.entry->Parameters()) shapes.push_back(parameter->shape);
  return ReadLists(request, "inputs", module.device_count(), shapes);
}

Result<DeviceValues> Server::ReadLists(const json& request, const char* field, std::int64_t devices,
                                       const std::vector<Shape>& shapes) const {
  const json& lists = FieldOf(request, field);
  const std::string folder = FolderFor(request);
  const bool has_lists =
      lists.is_array() && std::ssize(lists) == devices && std::ranges::all_of(lists, [&](const json& of_device) {
        return of_device.is_array() && of_device.size() == shapes.size();
      });
  if (!has_lists) {
    return Wrong(
        fmt::format("{} must have a list for each of {} devices, each with {} values", field, devices, shapes.size()));
  }
  DeviceValues values;
  for (const json& of_device : lists) {
    std::vector<Literal> literals;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      ASSAY_TRY(Literal literal, ArrayFromJson(of_device[i], shapes[i], folder));
      literals.push_back(std::move(literal));
    }
    values.push_back(std::move(literals));
  }
  return values;
}

Result<PerDevice<Literal>> Server::ReadOutputs(const json& request, const HloModule& module) const {
  const json& outputs = FieldOf(request, "outputs");
  if (!outputs.is_array() || std::ssize(outputs) != module.device_count()) {
    return Wrong(fmt::format("outputs must have a value for each of {} devices", module.device_count()));
  }
  PerDevice<Literal> values;
  for (const json& output : outputs) {
    ASSAY_TRY(Literal value, ArrayFromJson(output, module.entry->root->shape, FolderFor(request)));
    values.push_back(std::move(value));
  }
  return values;
}

json Server::WriteValues(const std::vector<Literal>& values, const json& request) {
  const std::string folder = FolderFor(request);
  ArrayWriter write;
  if (!folder.empty()) {
    write = [&](const Literal& array) -> std::optional<std::string> {
      std::string path = (std::filesystem::path(folder) / fmt::format("output-{}", files_written_++)).string();
      return WriteElements(path, array) ? std::optional(std::move(path)) : std::nullopt;
    };
  }
  json written = json::array();
  for (const Literal& value : values) written.push_back(ValueJson(value, write));
  return written;
}

Result<std::unique_ptr<HloModule>> Server::ReadModule(const json& request, const std::string& text) const {
  ASSAY_TRY(std::unique_ptr<HloModule> module, ParseHloModule(text));
  ASSAY_TRY(module->replica_count, DeviceCount(request, "replicas"));
  ASSAY_TRY(module->num_partitions, DeviceCount(request, "partitions"));
  if (backend_.description().verification == Verification::kItsOwn) return module;
  if (const std::vector<Error> errors = FindIllegal(*module, {}); !errors.empty()) return errors[0];
  return module;
}

Result<std::unique_ptr<HloModule>> Server::Prepare(const json& request, const std::string& text) {
  ASSAY_TRY(std::unique_ptr<HloModule> module, ReadModule(request, text));
  if (backend_.description().takes_options) {
    ASSAY_TRY(CompilerOptions options, OptionsOf(request));
    backend_.SetOptions(std::move(options));
  }
  return module;
}

Result<Server::Compiled> Server::Compile(const json& request, const std::string& text) {
  Compiled compiled;
  ASSAY_TRY(compiled.module, Prepare(request, text));
  ASSAY_TRY(compiled.executable, backend_.Compile(*compiled.module));
  return compiled;
}

Result<json> Server::Run(const Compiled& compiled, const json& request) {
  ASSAY_TRY(const DeviceValues inputs, ReadInputs(request, *compiled.module));
  ASSAY_TRY(const PerDevice<Literal> outputs, compiled.executable->Run(inputs));
  return json{{"outputs", WriteValues({outputs.begin(), outputs.end()}, request)}};
}

Result<json> Server::Trace(const json& request, const std::string& text) {
  ASSAY_TRY(const std::unique_ptr<HloModule> module, Prepare(request, text));
  ASSAY_TRY(const CompilerTrace trace, backend_.Trace(*module));
  json passes = json::array(), settings = json::object();
  for (const PassRun& pass : trace.passes) {
    passes.push_back({{"name", pass.name}, {"before", pass.before}, {"after", pass.after}});
  }
  for (const CompilerSetting& setting : trace.settings) settings[setting.name] = setting.value;
  return json{{"passes", std::move(passes)}, {"settings", std::move(settings)}};
}

}  // namespace assay
