#include "tools/commands.h"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "backends/array_json.h"
#include "backends/backend.h"
#include "backends/json_text.h"
#include "interpreter/custom_calls/user_targets.h"
#include "interpreter/evaluator/device_counts.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/parser.h"
#include "interpreter/hlo/printer.h"
#include "interpreter/hlo/verifier.h"
#include "interpreter/types/limits.h"
#include "interpreter/types/without_throwing.h"
#include "tools/array_output.h"
#include "tools/backends.h"
#include "tools/compare.h"
#include "tools/files.h"

namespace assay {
namespace {

using nlohmann::json;

int ExitCodeOf(ErrorCode code) {
  switch (code) {
    case ErrorCode::kBackend:
      return 3;
    case ErrorCode::kLimit:
      return 4;
    case ErrorCode::kDeadlock:
      return 1;
    default:
      return 2;
  }
}

std::string DisplayName(const std::string& file) { return file == "-" ? "<stdin>" : file; }

// {"infeed": [...]} for every device, or {"infeed_per_device": [[...], ...]}.
Result<std::vector<std::vector<Literal>>> ReadInfeed(const std::string& file, std::size_t devices) {
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
  std::vector<std::vector<Literal>> infeed(devices);
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

Status WriteOutfeed(const std::string& file, const std::vector<DeviceOutputs>& outputs) {
  json lists = json::array();
  for (const DeviceOutputs& device : outputs) {
    json list = json::array();
    for (const Literal& value : device.to_host) list.push_back(ArrayToJson(value));
    lists.push_back(std::move(list));
  }
  return WriteFileAtomically(file, JsonText({{"outfeed_per_device", std::move(lists)}}) + "\n");
}

Result<std::vector<Literal>> RunOn(const RunOptions& options, const HloModule& module, const Inputs& inputs) {
  if (options.backend != "reference") {
    if (!options.infeed_file.empty() || !options.outfeed_file.empty()) {
      return Error{ErrorCode::kUsage, "--infeed and --outfeed are for the reference"};
    }
    ASSAY_TRY(const std::unique_ptr<Backend> backend,
              OpenAnyBackend(options.backend, options.common.time_limit > 0 ? options.common.time_limit : 600));
    Result<std::vector<Literal>> outputs = backend->Run(module, inputs.per_device);
    if (!outputs && VerdictOf(outputs.error()) == Verdict::kError) outputs.error().code = ErrorCode::kBackend;
    return outputs;
  }
  EvaluationOptions evaluation;
  evaluation.limits = LimitsOf(options.common);
  if (!options.infeed_file.empty()) {
    ASSAY_TRY(evaluation.from_host, ReadInfeed(options.infeed_file, inputs.per_device.size()));
  }
  ASSAY_TRY(std::vector<DeviceOutputs> devices, EvaluateOnDevices(module, inputs.per_device, evaluation));
  if (!options.outfeed_file.empty()) ASSAY_CHECK_OK(WriteOutfeed(options.outfeed_file, devices));
  std::vector<Literal> outputs;
  for (DeviceOutputs& device : devices) outputs.push_back(std::move(device.output));
  return outputs;
}

}  // namespace

Status Prepare(const CommonOptions& options) {
  MemoryUse::SetLimit(options.memory_limit);
  for (const std::string& file : options.custom_call_libraries) ASSAY_CHECK_OK(LoadCustomCallLibrary(file));
  return {};
}

Result<Profile> FindProfile(const std::string& name_or_file) {
  const std::vector<std::string_view> names = BuiltInProfileNames();
  if (std::ranges::find(names, name_or_file) != names.end()) return BuiltInProfile(name_or_file);
  const Result<std::string> text = ReadFile(name_or_file);
  if (!text) {
    return Error{ErrorCode::kUsage, fmt::format("--profile: {}; the built-in profiles are {}", text.error().message,
                                                fmt::join(names, ", "))};
  }
  return Profile::Parse(*text, name_or_file);
}

EvaluationLimits LimitsOf(const CommonOptions& options) {
  return {.steps = options.step_limit, .seconds = options.time_limit};
}

int Fail(const Error& error, std::string_view file_name, std::string_view source) {
  const bool has_place = !file_name.empty() || error.location.line > 0;
  fmt::print(stderr, "{}\n", has_place ? RenderError(error, source, file_name) : "error: " + error.message);
  return ExitCodeOf(error.code);
}

int FlushOutput() {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return 0;
  pollfd output = {STDOUT_FILENO, 0, 0};
  const bool has_reader = poll(&output, 1, 0) < 0 || (output.revents & POLLERR) == 0;
  // Who reads the first lines alone is no error: the end is that of a program that SIGPIPE kills.
  return has_reader ? Fail({ErrorCode::kIo, "standard output cannot be written"}) : 128 + SIGPIPE;
}

Result<LoadedModule> LoadModule(const std::string& file, const DeviceOptions& devices, int* exit_code,
                                const VerifierOptions& rules) {
  const auto fail = [&](const Error& error, std::string_view source) {
    *exit_code = Fail(error, DisplayName(file), source);
    return error;
  };
  Result<std::string> text = ReadFile(file);
  if (!text) {
    *exit_code = Fail(text.error());
    return text.error();
  }
  Result<std::unique_ptr<HloModule>> module = ParseHloModule(*text);
  if (!module) return fail(module.error(), *text);
  if (devices.replicas > 0) (*module)->replica_count = devices.replicas;
  if (devices.partitions > 0) (*module)->num_partitions = devices.partitions;
  const std::vector<Error> errors = FindIllegal(**module, rules);
  // One wrong shape may be a parameter's, the root's and the entry's.
  for (auto error = errors.begin(); error != errors.end(); ++error) {
    const auto says_it = [&](const Error& other) { return other.message.ends_with(error->message); };
    if (std::none_of(errors.begin(), error, says_it)) fail(*error, *text);
  }
  if (!errors.empty()) return errors[0];
  if (const auto note = RunOnNamedDevices(**module, devices.replicas == 0, devices.partitions == 0)) {
    fmt::print(stderr, "note: {}\n", *note);
  }
  return LoadedModule{*std::move(module), *std::move(text)};
}

Result<LoadedModule> LoadModule(const std::string& file, const DeviceOptions& devices, std::uint64_t seed,
                                int* exit_code) {
  ASSAY_TRY(LoadedModule loaded, LoadModule(file, devices, exit_code));
  const Result<std::int64_t> filled =
      WithoutThrowing([&] { return Result<std::int64_t>(FillElidedConstants(*loaded.module, seed)); });
  if (!filled) {
    *exit_code = Fail(filled.error(), DisplayName(file), loaded.text);
    return filled.error();
  }
  if (*filled > 0) {
    fmt::print(stderr, "note: {} constants have no values in the text ({{...}}); filled from seed {}\n", *filled, seed);
  }
  return loaded;
}

int RunCommand(const RunOptions& options) {
  if (const Status prepared = Prepare(options.common); !prepared) return Fail(prepared.error());
  int exit_code = 0;
  // For constants, inputs and evaluation together; what has been computed is printed.
  std::optional<TimeLimit> limit(options.common.time_limit);
  const Result<LoadedModule> loaded = LoadModule(options.module_file, options.devices, options.inputs.seed, &exit_code);
  if (!loaded) return exit_code;
  const Result<Inputs> inputs = ReadInputs(*loaded->module, options.inputs);
  if (!inputs) return Fail(inputs.error());
  if (inputs->are_seeded) {
    fmt::print(stderr, "note: no inputs given; made from seed {}\n", options.inputs.seed);
  }
  const auto start = std::chrono::steady_clock::now();
  const Result<std::vector<Literal>> outputs = RunOn(options, *loaded->module, *inputs);
  if (!outputs) return Fail(outputs.error(), DisplayName(options.module_file), loaded->text);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  limit.reset();

  if (!options.out_directory.empty()) {
    std::error_code error;
    std::filesystem::create_directories(options.out_directory, error);
    for (std::size_t device = 0; device < outputs->size(); ++device) {
      const std::string name = outputs->size() == 1 ? "output" : fmt::format("output_device{}", device);
      const Status written = WriteOutput((*outputs)[device], options.out_directory + "/" + name);
      if (!written) return Fail(written.error());
    }
  }
  if (options.format == "json") {
    PrintOutputsAsJson(*outputs, elapsed.count(), stdout);
  } else if (options.out_directory.empty()) {
    for (const Literal& output : *outputs) PrintOutput(output, options.full_output, stdout);
  }
  return FlushOutput();
}

int PrintCommand(const PrintCommandOptions& options) {
  const Result<std::string> text = ReadFile(options.module_file);
  if (!text) return Fail(text.error());
  const Result<std::unique_ptr<HloModule>> module = ParseHloModule(*text);
  if (!module) return Fail(module.error(), DisplayName(options.module_file), *text);
  PrintOptions print = options.canonical        ? PrintOptions::Canonical()
                       : options.short_parsable ? PrintOptions::ShortParsable()
                                                : PrintOptions();
  if (options.full_constants) print.large_constants = true;
  const std::string printed = PrintHloModule(**module, print);
  std::fwrite(printed.data(), 1, printed.size(), stdout);
  return FlushOutput();
}

int VerifyCommand(const std::string& module_file, const VerifierOptions& options) {
  int exit_code = 0;
  const Result<LoadedModule> loaded = LoadModule(module_file, {}, &exit_code, options);
  if (!loaded) return exit_code;
  std::size_t instructions = 0;
  for (const auto& computation : loaded->module->computations) instructions += computation->instructions.size();
  fmt::print("{}: legal, {} computations, {} instructions\n", DisplayName(module_file),
             loaded->module->computations.size(), instructions);
  return FlushOutput();
}

}  // namespace assay
