#include "backends/process/process.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "backends/json/array_json.h"
#include "backends/json/json_text.h"
#include "backends/json/printable.h"
#include "backends/kind.h"
#include "backends/process/temporary_folder.h"
#include "interpreter/hlo/printer.h"
#include "interpreter/types/device_values.h"

namespace assay {
namespace {

using nlohmann::json;

// The program's start may load gigabytes of libraries.
constexpr double kLeastHelloSeconds = 10;
// What a peer has to close its devices after the goodbye.
constexpr double kGoodbyeSeconds = 3;
// Arrays over a mebibyte go through files where the program takes them.
constexpr std::int64_t kLargestInMessage = 1 << 20;
constexpr int kNewestVersion = 2;  // of the protocol
// What a line may have besides data, and the longest line at all.
constexpr std::size_t kRoom = 1 << 20;
constexpr std::size_t kLongestLine = std::size_t{4} << 30;
constexpr int kMostDevices = 1 << 20;
constexpr std::size_t kLongestName = 100;
constexpr std::size_t kLongestReason = 4000;

Error Lie(std::string what) { return {ErrorCode::kBackend, std::move(what)}; }

std::string Excerpt(const std::string& line) { return Printable(line, Lines::kOne, 200); }

Result<json> ParseLine(const std::string& line) {
  Result<json> message = ParseJson(line);
  if (!message || !message->is_object()) {
    return Lie(fmt::format("the backend sent a line that is no JSON object: {}{}", Excerpt(line),
                           message ? "" : fmt::format(" ({})", message.error().message)));
  }
  return message;
}

// A list of words; null or nothing for none.
Result<std::optional<std::vector<std::string>>> Words(const json& hello, const char* field) {
  using Found = std::optional<std::vector<std::string>>;
  const json list = hello.value(field, json());
  if (list.is_null()) return Found();
  const bool is_fine = list.is_array() && std::ranges::all_of(list, [](const json& word) { return word.is_string(); });
  if (!is_fine) {
    return Lie(fmt::format("{} of the backend's hello must be null or a list of strings, found {}", field,
                           Excerpt(JsonText(list))));
  }
  return Found(list.get<std::vector<std::string>>());
}

Result<BackendDescription> DescriptionFrom(const json& hello) {
  const json version = hello.value("hello", json());
  if (!version.is_number_integer() || version < 1 || version > kNewestVersion) {
    return Lie(fmt::format("expected the hello of protocol version 1 or {}, found {}", kNewestVersion,
                           Excerpt(JsonText(hello))));
  }
  if (!hello.contains("name") || !hello["name"].is_string()) return Lie("the backend's hello has no name");
  BackendDescription description;
  description.name = Printable(hello["name"].get<std::string>(), Lines::kOne, kLongestName);
  if (hello.contains("version") && hello["version"].is_string()) {
    description.version = Printable(hello["version"].get<std::string>(), Lines::kOne, kLongestName);
  }
  const json devices = hello.value("max_devices", json(1));
  if (!devices.is_number_integer() || devices < 1 || devices > kMostDevices) {
    return Lie(fmt::format("max_devices of the backend's hello must be a number from 1 to {}, found {}", kMostDevices,
                           Excerpt(JsonText(devices))));
  }
  description.max_devices = devices;
  ASSAY_TRY(description.ops, Words(hello, "ops"));
  ASSAY_TRY(description.types, Words(hello, "types"));
  description.takes_options = hello.value("options", json()) == true;
  description.verifies = true;
  return description;
}

json ValueFor(const Literal& value, TemporaryFolder* files) {
  if (value.shape().IsTuple()) {
    json elements = json::array();
    for (const Literal& element : value.elements()) elements.push_back(ValueFor(element, files));
    return {{"tuple", std::move(elements)}};
  }
  if (files != nullptr && value.byte_size() > kLargestInMessage) {
    if (const auto file = files->Write(value)) {
      return {{"shape", value.shape().ToStringWithoutLayout()}, {"data_file", *file}};
    }
  }
  return ArrayToJson(value);
}

json InputsFor(const DeviceValues& inputs, TemporaryFolder* files) {
  json devices = json::array();
  for (const std::vector<Literal>& arguments : inputs) {
    json values = json::array();
    for (const Literal& argument : arguments) values.push_back(ValueFor(argument, files));
    devices.push_back(std::move(values));
  }
  return devices;
}

// No reply is longer than the hexadecimal digits of the outputs, written twice over.
std::size_t LongestReply(const Shape& output, std::size_t devices) {
  const Result<std::int64_t> bytes = ShapeUtil::CheckedByteSizeOf(output);
  // A module that must be refused may have no devices.
  if (!bytes || static_cast<std::size_t>(*bytes) > kLongestLine / 4 / std::max<std::size_t>(devices, 1)) {
    return kLongestLine;
  }
  const std::size_t of_leaves = ShapeUtil::LeafCount(output) * 1024;
  return std::min(devices * (static_cast<std::size_t>(*bytes) * 4 + of_leaves) + kRoom, kLongestLine);
}

// The error that a reply reports, or that it is.
Status StatusOf(const json& reply) {
  const std::string status = reply.contains("status") && reply["status"].is_string() ? reply["status"] : "";
  const std::string message = reply.contains("message") && reply["message"].is_string()
                                  ? Printable(reply["message"].get<std::string>(), Lines::kMany, kLongestReason)
                                  : "no reason given";
  if (status == "unsupported") return Error{ErrorCode::kUnsupported, message};
  if (status == "error") return Error{ErrorCode::kInput, "the backend reported an error: " + message};
  if (status != "ok") return Lie(fmt::format("the backend's reply has no known status: {}", Excerpt(JsonText(reply))));
  return {};
}

Result<std::vector<Literal>> OutputsFrom(const json& reply, const Shape& shape, std::size_t devices,
                                         const std::string& folder) {
  ASSAY_CHECK_OK(StatusOf(reply));
  if (!reply.contains("outputs") || !reply["outputs"].is_array() || reply["outputs"].size() != devices) {
    return Lie(fmt::format("the backend's reply must hold the outputs of {} devices", devices));
  }
  std::vector<Literal> outputs;
  for (const json& value : reply["outputs"]) {
    Result<Literal> output = ArrayFromJson(value, shape, folder);
    if (!output) {
      return Lie("the backend's output is not a value of the module's shape: " +
                 Printable(output.error().message, Lines::kMany, kLongestReason));
    }
    outputs.push_back(*std::move(output));
  }
  return outputs;
}

json OptionsFor(const CompilerOptions& options) {
  json settings = json::object();
  for (const CompilerSetting& setting : options.settings) settings[setting.name] = setting.value;
  return {{"disable_passes", options.disabled_passes}, {"settings", std::move(settings)}};
}

// The text of a field.
Result<std::string> TextIn(const json& object, const char* field) {
  const json value = object.is_object() ? object.value(field, json()) : json();
  if (!value.is_string()) return Lie(fmt::format("expected a text as {}, found {}", field, Excerpt(JsonText(object))));
  return value.get<std::string>();
}

Result<CompilerTrace> TraceFrom(const json& reply) {
  CompilerTrace trace;
  for (const json& pass : reply.value("passes", json::array())) {
    PassRun run;
    ASSAY_TRY(run.name, TextIn(pass, "name"));
    ASSAY_TRY(run.before, TextIn(pass, "before"));
    ASSAY_TRY(run.after, TextIn(pass, "after"));
    run.name = Printable(run.name, Lines::kOne, kLongestName);
    trace.passes.push_back(std::move(run));
  }
  const json settings = reply.value("settings", json::object());
  for (const auto& [name, value] : settings.items()) {
    if (!value.is_string()) return Lie("the value of a setting must be a text, found " + Excerpt(JsonText(value)));
    trace.settings.push_back({Printable(name, Lines::kOne, kLongestName), value.get<std::string>()});
  }
  return trace;
}

}  // namespace

ProcessBackend::ProcessBackend(std::vector<std::string> command, std::string directory, double timeout_seconds)
    : command_(std::move(command)), directory_(std::move(directory)), timeout_seconds_(timeout_seconds) {}

Result<std::unique_ptr<Backend>> ProcessBackend::Open(std::vector<std::string> command, std::string directory,
                                                      double timeout_seconds) {
  std::unique_ptr<ProcessBackend> backend(
      new ProcessBackend(std::move(command), std::move(directory), timeout_seconds));
  ASSAY_CHECK_OK(backend->Connect());
  return std::unique_ptr<Backend>(std::move(backend));
}

ProcessBackend::~ProcessBackend() {
  if (child_) child_->Leave(JsonText({{"bye", true}}), Deadline(kGoodbyeSeconds));
}

Status ProcessBackend::Connect() {
  const Deadline deadline(std::fmax(timeout_seconds_, kLeastHelloSeconds));
  ASSAY_TRY(ChildProcess child, ChildProcess::Start(command_, directory_));
  const Status sent = child.WriteLine(JsonText({{"hello", 1}, {"versions", {1, kNewestVersion}}}), deadline);
  const Result<std::string> line = sent ? child.ReadLine(deadline, kRoom) : Result<std::string>(sent.error());
  // Without a hello there is no backend, whatever the reason.
  if (!line) return Lie("no hello: " + line.error().message);
  ASSAY_TRY(const json hello, ParseLine(*line));
  ASSAY_TRY(description_, DescriptionFrom(hello));
  takes_files_ = hello.value("files", json()) == true;
  version_ = hello["hello"];
  ++starts_;
  child_.emplace(std::move(child));
  return {};
}

Result<json> ProcessBackend::Ask(json request, std::size_t longest_reply) {
  if (!child_) ASSAY_CHECK_OK(Connect());
  const std::int64_t id = next_id_++;
  request["id"] = id;
  Result<json> reply = Exchange(id, JsonText(request), longest_reply);
  if (!reply) child_.reset();
  return reply;
}

void ProcessBackend::Tell(const json& message) {
  if (child_ && !child_->WriteLine(JsonText(message), Deadline(timeout_seconds_))) child_.reset();
}

// What a peer runs again and again.
class ProcessExecutable final : public Executable {
 public:
  ProcessExecutable(ProcessBackend& backend, const HloModule& module)
      : backend_(backend),
        shape_(module.entry->root->shape),
        module_(RequestFor(backend, module)),
        text_(PrintHloModule(module, PrintOptions::Exact())) {}

  ~ProcessExecutable() override {
    if (IsCompiled()) backend_.Tell({{"release", handle_}});
  }

  // A request about the module, without its text.
  static json RequestFor(const ProcessBackend& backend, const HloModule& module) {
    json request = {{"replicas", module.replica_count}, {"partitions", module.num_partitions}};
    const CompilerOptions& options = backend.options_;
    if (!options.disabled_passes.empty() || !options.settings.empty()) request["options"] = OptionsFor(options);
    return request;
  }

  Status Compile() {
    if (backend_.version_ < 2) return {};
    json request = module_;
    request["compile"] = text_;
    ASSAY_TRY(const json reply, backend_.Ask(std::move(request), kRoom));
    ASSAY_CHECK_OK(StatusOf(reply));
    const json handle = reply.value("executable", json());
    if (!handle.is_string()) return Lie("the backend's reply to compile has no executable");
    handle_ = handle;
    start_ = backend_.starts_;
    return {};
  }

  Result<std::vector<Literal>> Run(const DeviceValues& inputs) override {
    if (!IsCompiled()) ASSAY_CHECK_OK(Compile());
    std::optional<TemporaryFolder> files;
    if (backend_.takes_files_) files.emplace();
    json request = IsCompiled() ? json{{"run", handle_}} : module_;
    if (!IsCompiled()) request["hlo"] = text_;
    request["inputs"] = InputsFor(inputs, files ? &*files : nullptr);
    ASSAY_TRY(const json reply, backend_.Ask(std::move(request), LongestReply(shape_, inputs.size())));
    return OutputsFrom(reply, shape_, inputs.size(), files ? files->path() : "");
  }

 private:
  bool IsCompiled() const { return !handle_.is_null() && start_ == backend_.starts_ && backend_.child_.has_value(); }

  ProcessBackend& backend_;
  const Shape shape_;
  const json module_;
  const std::string text_;
  json handle_;
  std::int64_t start_ = 0;  // the one in which the handle was given
};

Result<std::unique_ptr<Executable>> ProcessBackend::Compile(const HloModule& module) {
  if (!child_) ASSAY_CHECK_OK(Connect());
  auto executable = std::make_unique<ProcessExecutable>(*this, module);
  ASSAY_CHECK_OK(executable->Compile());
  return std::unique_ptr<Executable>(std::move(executable));
}

Result<CompilerTrace> ProcessBackend::Trace(const HloModule& module) {
  if (!description_.takes_options) return Backend::Trace(module);
  json request = ProcessExecutable::RequestFor(*this, module);
  request["trace"] = PrintHloModule(module, PrintOptions::Exact());
  ASSAY_TRY(const json reply, Ask(std::move(request), kLongestLine));
  ASSAY_CHECK_OK(StatusOf(reply));
  return TraceFrom(reply);
}

Result<json> ProcessBackend::Exchange(std::int64_t id, const std::string& request, std::size_t longest_reply) {
  const Deadline deadline(timeout_seconds_);
  // What it said of other requests explains nothing here.
  child_->ForgetErrorText();
  ASSAY_CHECK_OK(child_->WriteLine(request, deadline));
  while (true) {
    ASSAY_TRY(const std::string line, child_->ReadLine(deadline, longest_reply));
    ASSAY_TRY(json reply, ParseLine(line));
    const json reply_id = reply.value("id", json());
    if (reply_id == id) return reply;
    // An answer to an older request that was given up is passed over.
    if (reply_id.is_number_integer() && reply_id < id) continue;
    return Lie(fmt::format("expected the reply to request {}, found {}", id, Excerpt(line)));
  }
}

const BackendKind backend_process = {
    .name = "process",
    .form = "process:COMMAND",
    .open = [](std::optional<std::string_view> argument, double timeout_seconds) -> Result<std::unique_ptr<Backend>> {
      if (!argument) return Error{ErrorCode::kUsage, "process: expected process:COMMAND"};
      return ProcessBackend::Open({"/bin/sh", "-c", std::string(*argument)}, "", timeout_seconds);
    },
};

}  // namespace assay
