#include "backends/process/process.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>

#include "backends/claims.h"
#include "backends/json/json_text.h"
#include "backends/json/printable.h"
#include "backends/kind.h"
#include "backends/process/replies.h"
#include "backends/process/temporary_folder.h"
#include "backends/process/values.h"
#include "interpreter/hlo/printer.h"
#include "interpreter/types/limits.h"
#include "interpreter/types/per_device.h"
#include "interpreter/types/without_throwing.h"

namespace assay {
namespace {

using nlohmann::json;

// The least time limit of a hello: the program's start may load gigabytes of libraries.
constexpr double kLeastHelloSeconds = 10;
// The time limit of a peer for closing its devices after the goodbye.
constexpr double kGoodbyeSeconds = 3;
// The longest line without data, and the longest line with data.
constexpr std::size_t kRoom = 1 << 20;
constexpr std::size_t kLongestLine = std::size_t{4} << 30;

json InputsFor(const DeviceValues& inputs, TemporaryFolder* files) {
  ArrayWriter write;
  if (files != nullptr) write = [files](const Literal& array) { return files->Write(array); };
  json devices = json::array();
  for (const std::vector<Literal>& arguments : inputs) {
    json values = json::array();
    for (const Literal& argument : arguments) values.push_back(ValueJson(argument, write));
    devices.push_back(std::move(values));
  }
  return devices;
}

// Returns the limit of a reply's length: the hexadecimal digits of the outputs, twice over, and room for the rest.
std::size_t LongestReply(const Shape& output, std::size_t devices) {
  const Result<std::int64_t> bytes = ShapeUtil::CheckedByteSizeOf(output);
  // An illegal module may have no devices.
  if (!bytes || static_cast<std::size_t>(*bytes) > kLongestLine / 4 / std::max<std::size_t>(devices, 1)) {
    return kLongestLine;
  }
  const std::size_t of_leaves = ShapeUtil::LeafCount(output) * 1024;
  return std::min(devices * (static_cast<std::size_t>(*bytes) * 4 + of_leaves) + kRoom, kLongestLine);
}

// Returns the deadline of a request: the backend's own timeout, or the calling thread's time limit if that ends first.
Deadline DeadlineFor(double timeout) {
  const Limits::Deadline limit = Limits::Current().deadline;
  if (limit.seconds == 0) return Deadline(timeout);
  const std::chrono::duration<double> left = limit.at - std::chrono::steady_clock::now();
  return left.count() < timeout ? Deadline(left.count(), limit.seconds) : Deadline(timeout);
}

json OptionsFor(const CompilerOptions& options) {
  json settings = json::object();
  for (const CompilerSetting& setting : options.settings) settings[setting.name] = setting.value;
  return {{"disable_passes", options.disabled_passes}, {"settings", std::move(settings)}};
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
  // Every failure before the hello means that there is no backend.
  if (!line) return ProtocolError("no hello: " + line.error().message);
  ASSAY_TRY(const json hello, ParseMessage(*line));
  ASSAY_TRY(description_, DescriptionFrom(hello));
  takes_files_ = hello.value("files", json()) == true;
  version_ = hello["hello"];
  ++starts_;
  child_.emplace(std::move(child));
  return {};
}

Result<json> ProcessBackend::Ask(json request, std::size_t longest_reply) {
  // If the time is over before the request, the child has not failed.
  ASSAY_CHECK_OK(WithoutThrowing([]() -> Status {
    CheckLimits();
    return {};
  }));
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

// A module on a peer. It is compiled once if the peer has version 2.
class ProcessExecutable final : public Executable {
 public:
  ProcessExecutable(ProcessBackend& backend, const HloModule& module)
      : backend_(backend),
        shape_(module.entry->root->shape),
        module_(RequestFor(backend, module)),
        text_(PrintHloModule(module, PrintOptions::Exact())) {
    if (const std::string* source = StableHloFor(backend.description_.takes_stablehlo, module, text_)) {
      const auto* const bytes = reinterpret_cast<const unsigned char*>(source->data());
      module_["stablehlo_hex"] = fmt::format("{:02x}", fmt::join(std::span(bytes, source->size()), ""));
    }
  }

  ~ProcessExecutable() override {
    if (IsCompiled()) backend_.Tell({{"release", handle_}});
  }

  // Returns a request with the devices and options of the module, without its text.
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
    ASSAY_TRY(const json reply, Ask(std::move(request), kRoom));
    ASSAY_CHECK_OK(StatusOf(reply));
    const json handle = reply.value("executable", json());
    if (!handle.is_string()) return ProtocolError("the backend's reply to compile has no executable");
    handle_ = handle;
    start_ = backend_.starts_;
    return {};
  }

  Result<PerDevice<Literal>> Run(const DeviceValues& inputs) override {
    if (!IsCompiled()) ASSAY_CHECK_OK(Compile());
    std::optional<TemporaryFolder> files;
    if (backend_.takes_files_) files.emplace();
    json request = IsCompiled() ? json{{"run", handle_}} : module_;
    if (!IsCompiled()) request["hlo"] = text_;
    request["inputs"] = InputsFor(inputs, files ? &*files : nullptr);
    ASSAY_TRY(const json reply, Ask(std::move(request), LongestReply(shape_, inputs.size())));
    return OutputsFrom(reply, shape_, inputs.size(), files ? files->path() : "");
  }

 private:
  // The error of a peer that dies says what it got.
  Result<json> Ask(json request, std::size_t longest_reply) {
    Result<json> reply = backend_.Ask(std::move(request), longest_reply);
    if (!reply && reply.error().code == ErrorCode::kBackend && module_.contains("stablehlo_hex")) {
      reply.error().message += "\nIt got the module as StableHLO, as it came, and as HLO.";
    }
    return reply;
  }
  bool IsCompiled() const { return !handle_.is_null() && start_ == backend_.starts_ && backend_.child_.has_value(); }

  ProcessBackend& backend_;
  const Shape shape_;
  json module_;
  const std::string text_;
  json handle_;
  std::int64_t start_ = 0;  // the start of the program that returned the handle
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
  const Deadline deadline = DeadlineFor(timeout_seconds_);
  // The standard error so far belongs to other requests.
  child_->ForgetErrorText();
  ASSAY_CHECK_OK(child_->WriteLine(request, deadline));
  while (true) {
    ASSAY_TRY(const std::string line, child_->ReadLine(deadline, longest_reply));
    ASSAY_TRY(json reply, ParseMessage(line));
    const json reply_id = reply.value("id", json());
    if (reply_id == id) return reply;
    // Skips a late reply to an older request that timed out.
    if (reply_id.is_number_integer() && reply_id < id) continue;
    return ProtocolError(fmt::format("expected the reply to request {}, found {}", id, Excerpt(line)));
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
