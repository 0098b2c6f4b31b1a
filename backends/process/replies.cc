#include "backends/process/replies.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "backends/json/array_json.h"
#include "backends/json/json_text.h"
#include "backends/json/printable.h"

namespace assay {
namespace {

using nlohmann::json;

constexpr int kMostDevices = 1 << 20;
constexpr std::size_t kLongestName = 100;
constexpr std::size_t kLongestReason = 4000;

// Reads a list of strings; nullopt if the field is null or absent.
Result<std::optional<std::vector<std::string>>> Words(const json& hello, const char* field) {
  using Found = std::optional<std::vector<std::string>>;
  const json list = hello.value(field, json());
  if (list.is_null()) return Found();
  const bool is_fine = list.is_array() && std::ranges::all_of(list, [](const json& word) { return word.is_string(); });
  if (!is_fine) {
    return ProtocolError(fmt::format("{} of the backend's hello must be null or a list of strings, found {}", field,
                                     Excerpt(JsonText(list))));
  }
  return Found(list.get<std::vector<std::string>>());
}

// Reads a string field.
Result<std::string> TextIn(const json& object, const char* field) {
  const json value = object.is_object() ? object.value(field, json()) : json();
  if (!value.is_string())
    return ProtocolError(fmt::format("expected a text as {}, found {}", field, Excerpt(JsonText(object))));
  return value.get<std::string>();
}

}  // namespace

Error ProtocolError(std::string what) { return {ErrorCode::kBackend, std::move(what)}; }

std::string Excerpt(const std::string& line) { return Printable(line, Lines::kOne, 200); }

Result<json> ParseMessage(const std::string& line) {
  Result<json> message = ParseJson(line);
  if (!message || !message->is_object()) {
    return ProtocolError(fmt::format("the backend sent a line that is not a JSON object: {}{}", Excerpt(line),
                                     message ? "" : fmt::format(" ({})", message.error().message)));
  }
  return message;
}

Result<BackendDescription> DescriptionFrom(const json& hello) {
  const json version = hello.value("hello", json());
  if (!version.is_number_integer() || version < 1 || version > kNewestVersion) {
    return ProtocolError(fmt::format("expected the hello of protocol version 1 or {}, found {}", kNewestVersion,
                                     Excerpt(JsonText(hello))));
  }
  if (!hello.contains("name") || !hello["name"].is_string()) return ProtocolError("the backend's hello has no name");
  BackendDescription description;
  description.name = Printable(hello["name"].get<std::string>(), Lines::kOne, kLongestName);
  if (hello.contains("version") && hello["version"].is_string()) {
    description.version = Printable(hello["version"].get<std::string>(), Lines::kOne, kLongestName);
  }
  const json devices = hello.value("max_devices", json(1));
  if (!devices.is_number_integer() || devices < 1 || devices > kMostDevices) {
    return ProtocolError(fmt::format("max_devices of the backend's hello must be a number from 1 to {}, found {}",
                                     kMostDevices, Excerpt(JsonText(devices))));
  }
  description.max_devices = devices;
  ASSAY_TRY(description.ops, Words(hello, "ops"));
  ASSAY_TRY(description.types, Words(hello, "types"));
  description.takes_options = hello.value("options", json()) == true;
  description.takes_stablehlo = hello.value("stablehlo", json()) == true;
  description.verification = hello.value("verifies", json()) == false ? Verification::kNone : Verification::kItsOwn;
  return description;
}

Status StatusOf(const json& reply) {
  const std::string status = reply.contains("status") && reply["status"].is_string() ? reply["status"] : "";
  const std::string message = reply.contains("message") && reply["message"].is_string()
                                  ? Printable(reply["message"].get<std::string>(), Lines::kMany, kLongestReason)
                                  : "no reason given";
  if (status == "unsupported") return Error{ErrorCode::kUnsupported, message};
  if (status == "error") return Error{ErrorCode::kInput, "the backend reported an error: " + message};
  if (status != "ok")
    return ProtocolError(fmt::format("the backend's reply has no known status: {}", Excerpt(JsonText(reply))));
  return {};
}

Result<PerDevice<Literal>> OutputsFrom(const json& reply, const Shape& shape, std::size_t devices,
                                       const std::string& folder) {
  ASSAY_CHECK_OK(StatusOf(reply));
  if (!reply.contains("outputs") || !reply["outputs"].is_array() || reply["outputs"].size() != devices) {
    return ProtocolError(fmt::format("the backend's reply must hold the outputs of {} devices", devices));
  }
  PerDevice<Literal> outputs;
  for (const json& value : reply["outputs"]) {
    Result<Literal> output = ArrayFromJson(value, shape, folder);
    if (!output) {
      return ProtocolError("the backend's output is not a value of the module's shape: " +
                           Printable(output.error().message, Lines::kMany, kLongestReason));
    }
    outputs.push_back(*std::move(output));
  }
  return outputs;
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
    if (!value.is_string())
      return ProtocolError("the value of a setting must be a text, found " + Excerpt(JsonText(value)));
    trace.settings.push_back({Printable(name, Lines::kOne, kLongestName), value.get<std::string>()});
  }
  return trace;
}

}  // namespace assay
