#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "backends/backend.h"
#include "backends/files.h"
#include "backends/json/array_json.h"
#include "backends/json/json_text.h"
#include "conformance/judging/compare.h"
#include "interpreter/types/limits.h"
#include "interpreter/types/per_device.h"
#include "tools/array_output.h"
#include "tools/command.h"
#include "tools/command_line.h"
#include "tools/options.h"
#include "tools/report_text.h"

namespace assay {
namespace {

using nlohmann::json;

struct RunOptions : ProgramOptions {
  std::string backend = "reference";
  std::string format = "text";
  bool full_output = false;  // print large arrays too
  std::string out_directory;
  std::string infeed_file;   // --infeed: the values that the host sends to the devices
  std::string outfeed_file;  // --outfeed: the file for the values that the devices send
};

// Reads {"infeed": [...]} for every device, or {"infeed_per_device": [[...], ...]}.
Result<DeviceValues> ReadInfeed(const std::string& file, std::size_t devices) {
  ASSAY_TRY(const std::string text, ReadFile(file));
  const Result<json> parsed = ParseJson(text);
  const auto bad = [&](std::string_view why) { return Error{ErrorCode::kInput, fmt::format("{}: {}", file, why)}; };
  if (!parsed) return bad(parsed.error().message);
  const bool is_shared = parsed->is_object() && parsed->contains("infeed") && (*parsed)["infeed"].is_array();
  const bool is_split =
      parsed->is_object() && parsed->contains("infeed_per_device") && (*parsed)["infeed_per_device"].is_array();
  if (!is_shared && !is_split) return bad("expected an object with a list infeed or infeed_per_device");
  const json lists = is_shared ? json(std::vector<json>(devices, (*parsed)["infeed"])) : (*parsed)["infeed_per_device"];
  if (lists.size() != devices) return bad(fmt::format("{} devices run, found lists for {}", devices, lists.size()));
  DeviceValues infeed(devices);
  for (std::size_t device = 0; device < devices; ++device) {
    if (!lists[device].is_array()) return bad("the infeed of a device must be a list of values");
    for (const json& value : lists[device]) {
      Result<Literal> literal = ArrayFromJson(value);
      if (!literal) return bad(literal.error().message);
      infeed[device].push_back(*std::move(literal));
    }
  }
  return infeed;
}

Status WriteOutfeed(const std::string& file, const PerDevice<DeviceOutputs>& outputs) {
  json lists = json::array();
  for (const DeviceOutputs& device : outputs) {
    json list = json::array();
    for (const Literal& value : device.to_host) list.push_back(ArrayToJson(value));
    lists.push_back(std::move(list));
  }
  return WriteFileAtomically(file, JsonText({{"outfeed_per_device", std::move(lists)}}) + "\n");
}

Result<PerDevice<Literal>> Evaluate(const RunOptions& options, const HloModule& module, const Inputs& inputs) {
  if (options.backend != "reference") {
    if (!options.infeed_file.empty() || !options.outfeed_file.empty()) {
      return Error{ErrorCode::kUsage, "--infeed and --outfeed are for the reference"};
    }
    ASSAY_TRY(const std::unique_ptr<Backend> backend,
              OpenBackend(options.backend, options.common.time_limit > 0 ? options.common.time_limit : 600));
    Result<PerDevice<Literal>> outputs = backend->Run(module, inputs.per_device);
    if (!outputs && VerdictOf(outputs.error()) == Verdict::kError) outputs.error().code = ErrorCode::kBackend;
    return outputs;
  }
  EvaluationOptions evaluation;
  evaluation.limits = options.common.limits();
  if (!options.infeed_file.empty()) {
    ASSAY_TRY(evaluation.from_host, ReadInfeed(options.infeed_file, inputs.per_device.size()));
  }
  ASSAY_TRY(PerDevice<DeviceOutputs> devices, EvaluateOnDevices(module, inputs.per_device, evaluation));
  if (!options.outfeed_file.empty()) ASSAY_CHECK_OK(WriteOutfeed(options.outfeed_file, devices));
  return OutputsOf(std::move(devices));
}

// Reports a failed check of a program that was converted from StableHLO at its place there, and other errors in the
// HLO.
int ReportError(const LoadedModule& loaded, const std::string& path, Error error) {
  if (error.code == ErrorCode::kCheck && loaded.file.source != nullptr) {
    for (const auto& computation : loaded.module->computations) {
      for (const auto& instruction : computation->instructions) {
        const auto place = loaded.file.places.find(instruction->name);
        if (instruction->location.line != error.location.line || place == loaded.file.places.end()) continue;
        error.location = place->second;
        return Fail(error, DisplayName(path), *loaded.file.source);
      }
    }
  }
  return Fail(error, loaded.file.file_name, loaded.file.text);
}

// Writes the outputs to files, or prints them.
Result<int> ShowOutputs(const RunOptions& options, const PerDevice<Literal>& outputs, double seconds) {
  if (!options.out_directory.empty()) {
    std::error_code error;
    std::filesystem::create_directories(options.out_directory, error);
    for (std::size_t device = 0; device < outputs.size(); ++device) {
      const std::string name = outputs.size() == 1 ? "output" : fmt::format("output_device{}", device);
      ASSAY_CHECK_OK(WriteOutput(outputs[device], options.out_directory + "/" + name));
    }
  }
  if (options.format == "json") {
    PrintOutputsAsJson(outputs, seconds, stdout);
  } else if (options.out_directory.empty()) {
    for (const Literal& output : outputs) PrintOutput(output, options.full_output, stdout);
  }
  return FlushOutput();
}

Result<int> RunProgram(const RunOptions& options, ModuleFile file) {
  // Limits constants, inputs and evaluation together. Results that are complete are printed.
  std::optional<TimeLimit> limit(options.common.time_limit);
  const Result<LoadedModule> loaded = LoadModule(std::move(file), options.module, options.devices, options.inputs);
  if (!loaded) return ExitCode(loaded.error());
  InputOptions from = options.inputs;
  from.is_for_reference = options.backend == "reference";
  ASSAY_TRY(const Inputs inputs, LoadInputs(*loaded, from));
  const auto start = std::chrono::steady_clock::now();
  const Result<PerDevice<Literal>> outputs = Evaluate(options, *loaded->module, inputs);
  if (!outputs) return ReportError(*loaded, options.module.file, outputs.error());
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  limit.reset();
  return ShowOutputs(options, *outputs, elapsed.count());
}

// Runs the programs in order, whatever their exit codes, and returns the greatest one.
Result<int> RunEach(const RunOptions& options, std::vector<ProgramFile> programs) {
  const InputOptions& inputs = options.inputs;
  if (options.format != "text" || !inputs.inputs.empty() ||
      std::ranges::any_of(std::to_array({inputs.inputs_file, inputs.written_file, options.out_directory,
                                         options.infeed_file, options.outfeed_file}),
                          [](const std::string& file) { return !file.empty(); })) {
    return Error{ErrorCode::kUsage, fmt::format("{} holds {} programs: name the function of one by --function NAME to "
                                                "pass it arguments or to write its outputs to files",
                                                DisplayName(options.module.file), programs.size())};
  }
  std::ptrdiff_t ended = 0, refused = 0;
  int greatest = 0;
  for (ProgramFile& program : programs) {
    if (!program.function.empty()) fmt::print("@{}\n", ForTerminal(program.function));
    std::fflush(stdout);  // errors follow the name
    const int code =
        EndCommand(program.file ? RunProgram(options, *std::move(program.file)) : Result<int>(program.file.error()));
    ended += code == 0 ? 1 : 0;
    refused += code == 2 ? 1 : 0;
    greatest = std::max(greatest, code);
  }
  fmt::print(stderr, "note: {}: {} of {} programs ran to their end{}\n", DisplayName(options.module.file), ended,
             programs.size(), refused == 0 ? "" : fmt::format(", {} could not run", refused));
  return greatest;
}

Result<int> RunModule(const RunOptions& options) {
  ASSAY_CHECK_OK(options.common.Prepare());
  Result<std::vector<ProgramFile>> programs = LoadProgramFiles(options.module, options.inputs);
  if (!programs) return ExitCode(programs.error());
  if (programs->size() > 1) return RunEach(options, *std::move(programs));
  ASSAY_TRY(ModuleFile only, std::move((*programs)[0].file));
  return RunProgram(options, std::move(only));
}

void AddRunOptions(CLI::App& command, RunOptions& options) {
  AddModule(command, options.module);
  AddBackend(command, options.backend, "the backend that evaluates the module");
  AddFormat(command, options.format);
  AddFlag(command, "--full-output", options.full_output,
          "print all elements of arrays of more than 100000; otherwise they are described");
  AddText(command, "--out", options.out_directory, "folder for one file an output");
  AddText(command, "--infeed", options.infeed_file, "a JSON file with what the host has for infeed and recv");
  AddText(command, "--outfeed", options.outfeed_file,
          "a JSON file for the values that outfeed and send pass to the host");
  AddProgram(command, options);
}

}  // namespace

const Command command_run = {
    .name = "run",
    .help = "evaluate a module and print its outputs",
    .example = "assay run m.hlo --input 'f32[2] {1, -inf}' b.npy",
    .bind = BindCommand<RunOptions, AddRunOptions, RunModule>,
};

}  // namespace assay
