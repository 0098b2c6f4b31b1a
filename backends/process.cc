#include "backends/process.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

#include "backends/array_json.h"
#include "backends/json_text.h"
#include "interpreter/hlo/printer.h"

namespace assay {
namespace {

using nlohmann::json;

// The program's start may load gigabytes of libraries.
constexpr double kHelloTimeoutSeconds = 120;
// Arrays over a mebibyte go through files where the program takes them.
constexpr std::int64_t kLargestInMessage = 1 << 20;

Error Lie(std::string what) { return {ErrorCode::kBackend, std::move(what)}; }

std::string Excerpt(const std::string& line) { return line.size() <= 200 ? line : line.substr(0, 200) + "..."; }

Result<json> ParseLine(const std::string& line) {
  Result<json> message = ParseJson(line);
  if (!message || !message->is_object()) {
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
    return Lie(fmt::format("expected the hello of protocol version 1, found {}", Excerpt(JsonText(hello))));
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

// A folder for the arrays of one request, removed with what is in it.
class ArrayFolder {
 public:
  ArrayFolder() {
    std::error_code error;
    std::string pattern = (std::filesystem::temp_directory_path(error) / "assay-XXXXXX").string();
    if (mkdtemp(pattern.data()) != nullptr) path_ = pattern;
  }
  ~ArrayFolder() {
    std::error_code error;
    if (!path_.empty()) std::filesystem::remove_all(path_, error);
  }
  ArrayFolder(const ArrayFolder&) = delete;
  ArrayFolder& operator=(const ArrayFolder&) = delete;

  // Nothing when the file cannot be written: the value then travels in the message.
  std::optional<std::string> Write(const Literal& value) {
    if (path_.empty()) return std::nullopt;
    std::string file = fmt::format("{}/{}", path_, files_++);
    std::ofstream stream(file, std::ios::binary);
    stream.write(reinterpret_cast<const char*>(value.data()), value.byte_size());
    stream.close();
    if (!stream) return std::nullopt;
    return file;
  }

 private:
  std::string path_;
  int files_ = 0;
};

json ValueFor(const Literal& value, ArrayFolder* files) {
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

json Request(std::int64_t id, const HloModule& module, const std::vector<std::vector<Literal>>& inputs,
             ArrayFolder* files) {
  json devices = json::array();
  for (const std::vector<Literal>& arguments : inputs) {
    json values = json::array();
    for (const Literal& argument : arguments) values.push_back(ValueFor(argument, files));
    devices.push_back(std::move(values));
  }
  return {{"id", id},
          {"hlo", PrintHloModule(module, PrintOptions::Exact())},
          {"replicas", module.replica_count},
          {"partitions", module.num_partitions},
          {"inputs", std::move(devices)}};
}

Result<std::vector<Literal>> OutputsFrom(const json& reply, const HloModule& module, std::size_t devices) {
  const std::string status = reply.contains("status") && reply["status"].is_string() ? reply["status"] : "";
  const std::string message = reply.contains("message") && reply["message"].is_string()
                                  ? reply["message"].get<std::string>()
                                  : "no reason given";
  if (status == "unsupported") return Error{ErrorCode::kUnsupported, message};
  if (status == "error") return Lie(message);
  if (status != "ok") return Lie(fmt::format("the backend's reply has no known status: {}", Excerpt(JsonText(reply))));
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

ProcessBackend::ProcessBackend(std::vector<std::string> command, std::string directory, double timeout_seconds)
    : command_(std::move(command)), directory_(std::move(directory)), timeout_seconds_(timeout_seconds) {}

Result<std::unique_ptr<Backend>> ProcessBackend::Open(std::vector<std::string> command, std::string directory,
                                                      double timeout_seconds) {
  std::unique_ptr<ProcessBackend> backend(
      new ProcessBackend(std::move(command), std::move(directory), timeout_seconds));
  ASSAY_CHECK_OK(backend->Connect());
  return std::unique_ptr<Backend>(std::move(backend));
}

Status ProcessBackend::Connect() {
  ASSAY_TRY(ChildProcess child, ChildProcess::Start(command_, directory_));
  ASSAY_CHECK_OK(child.WriteLine(JsonText({{"hello", 1}}), kHelloTimeoutSeconds));
  ASSAY_TRY(const std::string line, child.ReadLine(kHelloTimeoutSeconds));
  ASSAY_TRY(const json hello, ParseLine(line));
  ASSAY_TRY(description_, DescriptionFrom(hello));
  takes_files_ = hello.value("files", json()) == true;
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
  std::optional<ArrayFolder> files;
  if (takes_files_) files.emplace();
  Status sent = child_->WriteLine(JsonText(Request(id, module, inputs, files ? &*files : nullptr)), timeout_seconds_);
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
      return Lie(fmt::format("expected the reply to request {}, found {}", id, Excerpt(JsonText(*reply))));
    }
    return OutputsFrom(*reply, module, inputs.size());
  }
}

}  // namespace assay
