#include "backends/process.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "backends/array_json.h"
#include "interpreter/hlo/printer.h"

namespace assay {
namespace {

using nlohmann::json;

// The program's start may load gigabytes of libraries.
constexpr double kHelloTimeoutSeconds = 120;

Error Lie(std::string what) { return {ErrorCode::kBackend, std::move(what)}; }

std::string Excerpt(const std::string& line) { return line.size() <= 200 ? line : line.substr(0, 200) + "..."; }

Result<json> ParseLine(const std::string& line) {
  json message = json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (message.is_discarded() || !message.is_object()) {
    return Lie(fmt::format("the backend sent a line that is no JSON object: {}", Excerpt(line)));
  }
  return message;
}

std::vector<std::string> Strings(const json& message, const char* field) {
  std::vector<std::string> strings;
  if (!message.contains(field) || !message[field].is_array()) return strings;
  for (const json& entry : message[field]) {
    if (entry.is_string()) strings.push_back(entry);
  }
  return strings;
}

Result<BackendDescription> DescriptionFrom(const json& hello) {
  if (hello.value("hello", json()) != 1) {
    return Lie(fmt::format("expected the hello of protocol version 1, found {}", Excerpt(hello.dump())));
  }
  if (!hello.contains("name") || !hello["name"].is_string()) return Lie("the backend's hello has no name");
  BackendDescription description;
  description.name = hello["name"];
  if (hello.contains("version") && hello["version"].is_string()) description.version = hello["version"];
  if (hello.contains("max_devices") && hello["max_devices"].is_number_integer()) {
    description.max_devices = hello["max_devices"];
  }
  description.ops = Strings(hello, "ops");
  description.types = Strings(hello, "types");
  return description;
}

json Request(std::int64_t id, const HloModule& module, const std::vector<std::vector<Literal>>& inputs) {
  json devices = json::array();
  for (const std::vector<Literal>& arguments : inputs) {
    json values = json::array();
    for (const Literal& argument : arguments) values.push_back(ArrayToJson(argument));
    devices.push_back(std::move(values));
  }
  PrintOptions options;
  options.print_large_constants = true;
  options.exact_negative_zero = true;
  return {{"id", id},
          {"hlo", PrintHloModule(module, options)},
          {"replicas", module.replica_count},
          {"partitions", module.num_partitions},
          {"inputs", std::move(devices)}};
}

Result<std::vector<Literal>> OutputsFrom(const json& reply, const HloModule& module, std::size_t devices) {
  const std::string status = reply.contains("status") && reply["status"].is_string() ? reply["status"] : "";
  const std::string message =
      reply.contains("message") && reply["message"].is_string() ? reply["message"].get<std::string>() : "no reason given";
  if (status == "unsupported") return Error{ErrorCode::kUnsupported, message};
  if (status == "error") return Lie(message);
  if (status != "ok") return Lie(fmt::format("the backend's reply has no known status: {}", Excerpt(reply.dump())));
  if (!reply.contains("outputs") || !reply["outputs"].is_array() || reply["outputs"].size() != devices) {
    return Lie(fmt::format("the backend's reply must hold the outputs of {} devices", devices));
  }
  std::vector<Literal> outputs;
  for (const json& value : reply["outputs"]) {
    Result<Literal> output = ArrayFromJson(value, module.entry->root->shape);
    if (!output) return Lie("the backend's output is not a value of the module's shape: " + output.error().message);
    outputs.push_back(*std::move(output));
  }
  return outputs;
}

}  // namespace

ProcessBackend::ProcessBackend(std::string command, std::string directory, double timeout_seconds)
    : command_(std::move(command)), directory_(std::move(directory)), timeout_seconds_(timeout_seconds) {}

Result<std::unique_ptr<Backend>> ProcessBackend::Open(std::string command, std::string directory,
                                                      double timeout_seconds) {
  std::unique_ptr<ProcessBackend> backend(
      new ProcessBackend(std::move(command), std::move(directory), timeout_seconds));
  ASSAY_CHECK_OK(backend->Connect());
  return std::unique_ptr<Backend>(std::move(backend));
}

Status ProcessBackend::Connect() {
  ASSAY_TRY(ChildProcess child, ChildProcess::Start(command_, directory_));
  ASSAY_CHECK_OK(child.WriteLine(json({{"hello", 1}}).dump(), kHelloTimeoutSeconds));
  ASSAY_TRY(const std::string line, child.ReadLine(kHelloTimeoutSeconds));
  ASSAY_TRY(const json hello, ParseLine(line));
  ASSAY_TRY(description_, DescriptionFrom(hello));
  child_.emplace(std::move(child));
  return {};
}

Result<std::vector<Literal>> ProcessBackend::Run(const HloModule& module,
                                                 const std::vector<std::vector<Literal>>& inputs) {
  if (!child_) ASSAY_CHECK_OK(Connect());
  return Exchange(module, inputs);
}

Result<std::vector<Literal>> ProcessBackend::Exchange(const HloModule& module,
                                                      const std::vector<std::vector<Literal>>& inputs) {
  const std::int64_t id = next_id_++;
  Status sent = child_->WriteLine(Request(id, module, inputs).dump(), timeout_seconds_);
  if (!sent) {
    child_.reset();
    return sent.error();
  }
  while (true) {
    Result<std::string> line = child_->ReadLine(timeout_seconds_);
    Result<json> reply = line ? ParseLine(*line) : Result<json>(line.error());
    if (!reply) {
      child_.reset();
      return reply.error();
    }
    // An answer to an older request that was given up is passed over.
    const json reply_id = reply->value("id", json());
    if (reply_id.is_number_integer() && reply_id < id) continue;
    if (reply_id != id) {
      child_.reset();
      return Lie(fmt::format("expected the reply to request {}, found {}", id, Excerpt(reply->dump())));
    }
    return OutputsFrom(*reply, module, inputs.size());
  }
}

}  // namespace assay
