#include "conformance/certificates/recorded_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "backends/json/array_json.h"
#include "backends/json/json_text.h"
#include "conformance/exporting/sha256.h"
#include "interpreter/hlo/printer.h"

namespace assay {
namespace {

using nlohmann::json;

json ValuesToJson(const DeviceValues& values) {
  json devices = json::array();
  for (const std::vector<Literal>& of_device : values) {
    json list = json::array();
    for (const Literal& value : of_device) list.push_back(ArrayToJson(value));
    devices.push_back(std::move(list));
  }
  return devices;
}

// Compiles at the first run, so that an error of the compiler is recorded as the answer to a module with its inputs.
class Recording final : public Executable {
 public:
  Recording(Backend& backend, const HloModule& module, RecordedRuns& runs)
      : backend_(backend), module_(module), runs_(runs) {}

  Result<PerDevice<Literal>> Run(const DeviceValues& inputs) override {
    Result<PerDevice<Literal>> answer = Answer(inputs);
    runs_.Add(RecordedRuns::Key(module_, inputs), answer);
    return answer;
  }

 private:
  Result<PerDevice<Literal>> Answer(const DeviceValues& inputs) {
    if (executable_ == nullptr) {
      ASSAY_TRY(executable_, backend_.Compile(module_));
    }
    return executable_->Run(inputs);
  }

  Backend& backend_;
  const HloModule& module_;
  RecordedRuns& runs_;
  std::unique_ptr<Executable> executable_;
};

class Replaying final : public Executable {
 public:
  Replaying(const HloModule& module, RecordedRuns& runs) : module_(module), runs_(runs) {}

  Result<PerDevice<Literal>> Run(const DeviceValues& inputs) override {
    return runs_.Take(module_, RecordedRuns::Key(module_, inputs));
  }

 private:
  const HloModule& module_;
  RecordedRuns& runs_;
};

// Reads an answer. A module has as many results as devices, each of the root's shape. Throws nlohmann::json::exception
// if a field is absent or has another type.
Result<PerDevice<Literal>> AnswerFrom(const json& row, const HloModule& module) {
  if (row.contains("error")) {
    const int code = row.at("error").get<int>();
    if (code < 0 || code > static_cast<int>(ErrorCode::kDeadlock)) {
      return Error{ErrorCode::kInput, fmt::format("recorded runs: the code of an error must be in [0, {}], found {}",
                                                  static_cast<int>(ErrorCode::kCheck), code)};
    }
    return Error{static_cast<ErrorCode>(code), row.at("message").get<std::string>()};
  }
  PerDevice<Literal> results;
  for (const json& value : row.at("results")) {
    ASSAY_TRY(Literal result, ArrayFromJson(value, module.entry->root->shape, ""));
    results.push_back(std::move(result));
  }
  if (static_cast<std::int64_t>(results.size()) == module.device_count()) return results;
  return Error{ErrorCode::kInput, fmt::format("recorded runs: {} devices must have results, found {}",
                                              module.device_count(), results.size())};
}

}  // namespace

std::string RecordedRuns::Key(const HloModule& module, const DeviceValues& inputs) {
  return Sha256(PrintHloModule(module, PrintOptions::Exact()) + JsonText(ValuesToJson(inputs)));
}

void RecordedRuns::Add(const std::string& key, const Result<PerDevice<Literal>>& answer) {
  json row = {{"key", key}};
  if (answer) {
    row["results"] = json::array();
    for (const Literal& result : *answer) row["results"].push_back(ArrayToJson(result));
  } else {
    row["error"] = static_cast<int>(answer.error().code);
    row["message"] = answer.error().message;
  }
  std::string line = JsonText(row);
  const std::lock_guard lock(mutex_);
  std::deque<std::string>& known = lines_[key];
  std::int64_t& repeated = repeated_[key];
  if (!known.empty() && known.back() == line) {
    ++repeated;
    return;
  }
  // The last line answers all further questions, so its repetitions are written if another answer follows.
  for (; repeated > 0; --repeated) known.push_back(known.back());
  known.push_back(std::move(line));
}

Result<PerDevice<Literal>> RecordedRuns::Take(const HloModule& module, const std::string& key) {
  std::string line;
  {
    const std::lock_guard lock(mutex_);
    const auto known = lines_.find(key);
    if (known == lines_.end()) {
      return Error{ErrorCode::kBackend, "the recorded runs have no answer to this module with these inputs"};
    }
    line = known->second.front();
    if (known->second.size() > 1) known->second.pop_front();
  }
  try {
    ASSAY_TRY(const json row, ParseJson(line));
    return AnswerFrom(row, module);
  } catch (const json::exception& exception) {
    return Error{ErrorCode::kInput, fmt::format("recorded runs: not an answer: {}", exception.what())};
  }
}

std::string RecordedRuns::ToText() const {
  std::string text;
  for (const auto& [key, lines] : lines_) {
    for (const std::string& line : lines) text += line + "\n";
  }
  return text;
}

Status RecordedRuns::Read(const std::string& text) {
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const Result<json> row = ParseJson(line);
    if (!row || !row->is_object() || !row->contains("key") || !(*row)["key"].is_string()) {
      return Error{ErrorCode::kInput, fmt::format("recorded runs: line {} must be an object with a key", number)};
    }
    lines_[(*row)["key"]].push_back(line);
  }
  return {};
}

RecordingBackend::RecordingBackend(Backend& backend, RecordedRuns& runs)
    : backend_(backend), runs_(runs), description_(backend.description()) {
  description_.bodies = nullptr;
}

Result<std::unique_ptr<Executable>> RecordingBackend::Compile(const HloModule& module) {
  return std::unique_ptr<Executable>(std::make_unique<Recording>(backend_, module, runs_));
}

Result<std::unique_ptr<Executable>> ReplayingBackend::Compile(const HloModule& module) {
  return std::unique_ptr<Executable>(std::make_unique<Replaying>(module, runs_));
}

}  // namespace assay
