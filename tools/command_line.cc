#include "tools/command_line.h"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "backends/default_profile.h"
#include "backends/files.h"
#include "conformance/cases/hlo_sizes.h"
#include "conformance/cases/mixed_precision.h"
#include "interpreter/evaluator/device_counts.h"
#include "interpreter/hlo/fill.h"
#include "interpreter/hlo/parser.h"
#include "interpreter/types/without_throwing.h"
#include "tools/report_text.h"

namespace assay {

int Fail(const Error& error, std::string_view file_name, std::string_view source) {
  const bool has_place = !file_name.empty() || error.location.line > 0;
  fmt::print(stderr, "{}\n",
             ForTerminal(has_place ? RenderError(error, source, file_name) : "error: " + error.message));
  return ExitCode(error);
}

int FlushOutput(std::FILE* output) {
  if (std::fflush(output) == 0 && std::ferror(output) == 0) return 0;
  pollfd descriptor = {fileno(output), 0, 0};
  const bool has_reader = poll(&descriptor, 1, 0) < 0 || (descriptor.revents & POLLERR) == 0;
  // A reader that stops early is no error: the exit code is that of a program killed by SIGPIPE.
  return has_reader ? Fail({ErrorCode::kIo, "standard output cannot be written"}) : 128 + SIGPIPE;
}

int EndCommand(const Result<int>& code) {
  if (!code) return Fail(code.error());
  const int written = FlushOutput();
  return written == 0 ? *code : written;
}

int CodeOf(Verdict worst) { return IsFailure(worst) ? 1 : 0; }

std::string DisplayName(const std::string& file) { return file == "-" ? "<stdin>" : ForTerminal(file); }

Result<Profile> FindProfile(const std::string& name, std::string_view backend) {
  Result<Profile> profile = ReadProfile(name.empty() ? DefaultProfile(backend) : name);
  if (!profile && !name.empty()) profile.error().message = "--profile: " + profile.error().message;
  return profile;
}

void ConvertIfAsked(HloModule& module, const ModuleOptions& options) {
  const std::int64_t count = options.mixed_precision ? ConvertMixedPrecision(module) : 0;
  if (count > 0) fmt::print(stderr, "note: added {} conversions of floating operands and results\n", count);
}

namespace {

void PrintNote(const std::string& path, const ModuleFile& file) {
  if (!file.note.empty()) fmt::print(stderr, "note: {}: {}\n", DisplayName(path), ForTerminal(file.note));
}

}  // namespace

Result<ModuleFile> LoadModuleFile(const ModuleOptions& module, const InputOptions& inputs) {
  Result<ModuleFile> file = ReadModuleFile(module.file, module.function, inputs);
  if (!file) {
    Fail(file.error());
  } else {
    PrintNote(module.file, *file);
  }
  return file;
}

Result<std::vector<ProgramFile>> LoadProgramFiles(const ModuleOptions& module, const InputOptions& inputs) {
  if (!module.function.empty()) {
    ASSAY_TRY(ModuleFile named, LoadModuleFile(module, inputs));
    return std::vector<ProgramFile>{{"", std::move(named)}};
  }
  Result<std::vector<ProgramFile>> programs = ReadProgramFiles(module.file, inputs);
  if (!programs) {
    Fail(programs.error());
    return programs;
  }
  const auto read = std::ranges::find_if(*programs, [](const ProgramFile& program) { return bool(program.file); });
  if (read != programs->end()) PrintNote(module.file, *read->file);
  return programs;
}

namespace {

// Gives the dimensions of unknown size of a module the sizes of its inputs.
Status FillSizes(HloModule& module, const std::string& name, const InputOptions& inputs) {
  ASSAY_TRY(const auto chosen, FillUnknownSizes(module, inputs));
  if (chosen) {
    fmt::print(stderr, "note: {}: no inputs are given: sizes that it leaves open (?) are {}\n", DisplayName(name),
               *chosen);
  }
  return {};
}

Result<LoadedModule> ParseAndVerify(ModuleFile file, const ModuleOptions& options, const DeviceOptions& devices,
                                    const InputOptions& inputs, const VerifierOptions& rules) {
  const auto fail = [&](const Error& error) {
    Fail(error, file.file_name, file.text);
    return error;
  };
  Result<std::unique_ptr<HloModule>> module = ParseHloModule(file.text);
  if (!module) return fail(module.error());
  KeepSource(file, **module);
  if (devices.replicas > 0) (*module)->replica_count = devices.replicas;
  if (devices.partitions > 0) (*module)->num_partitions = devices.partitions;
  ConvertIfAsked(**module, options);
  const Status filled = FillSizes(**module, file.file_name, WithRecorded(file, inputs));
  if (!filled) return fail(filled.error());
  const std::vector<Error> errors = FindIllegal(**module, rules);
  // One wrong shape may cause errors for a parameter, the root and the entry: print each message once.
  for (auto error = errors.begin(); error != errors.end(); ++error) {
    const auto says_it = [&](const Error& other) { return other.message.ends_with(error->message); };
    if (std::none_of(errors.begin(), error, says_it)) fail(*error);
  }
  if (!errors.empty()) return errors[0];
  const bool has_devices = file.recorded_devices == (*module)->device_count();
  if (const auto note =
          has_devices ? std::nullopt : RunOnNamedDevices(**module, devices.replicas == 0, devices.partitions == 0)) {
    fmt::print(stderr, "note: {}\n", ForTerminal(*note));
  }
  return LoadedModule{*std::move(module), std::move(file)};
}

}  // namespace

Result<LoadedModule> LoadModule(ModuleFile file, const ModuleOptions& options, const InputOptions& inputs,
                                const VerifierOptions& rules) {
  return ParseAndVerify(std::move(file), options, {}, inputs, rules);
}

Result<LoadedModule> LoadModule(const ModuleOptions& module, const DeviceOptions& devices, const InputOptions& inputs) {
  ASSAY_TRY(ModuleFile file, LoadModuleFile(module, inputs));
  return LoadModule(std::move(file), module, devices, inputs);
}

Result<LoadedModule> LoadModule(ModuleFile file, const ModuleOptions& options, const DeviceOptions& devices,
                                const InputOptions& inputs) {
  const std::uint64_t seed = inputs.seed;
  ASSAY_TRY(LoadedModule loaded, ParseAndVerify(std::move(file), options, devices, inputs, {}));
  const Result<std::int64_t> filled =
      WithoutThrowing([&] { return Result<std::int64_t>(FillElidedConstants(*loaded.module, seed)); });
  if (!filled) {
    Fail(filled.error(), loaded.file.file_name, loaded.file.text);
    return filled.error();
  }
  if (*filled > 0) {
    fmt::print(stderr, "note: {} constants have no values in the text ({{...}}); filled from seed {}\n", *filled, seed);
  }
  return loaded;
}

Status RequireConstants(const LoadedModule& loaded) {
  if (loaded.file.text.find("constant({...})") == std::string::npos) return {};
  return Error{ErrorCode::kInput,
               fmt::format("{}: constants have no values in the text ({{...}}), so two modules cannot be compared: XLA "
                           "writes them with --xla_dump_large_constants=true",
                           DisplayName(loaded.file.file_name))};
}

Result<Inputs> LoadInputs(const LoadedModule& loaded, InputOptions options) {
  options = WithRecorded(loaded.file, std::move(options));
  Result<Inputs> inputs = ReadInputs(*loaded.module, options);
  if (inputs && inputs->are_recorded)
    fmt::print(stderr, "note: inputs are those of {}\n", DisplayName(options.recorded_file));
  if (inputs && inputs->are_seeded) fmt::print(stderr, "note: no inputs given; made from seed {}\n", options.seed);
  if (inputs && !options.written_file.empty()) {
    ASSAY_CHECK_OK(WriteFileAtomically(options.written_file, InputsText(inputs->per_device)));
  }
  return inputs;
}

}  // namespace assay
