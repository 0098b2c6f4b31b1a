// Functions that the commands share: reading modules and ending with an exit code.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "conformance/cases/inputs.h"
#include "conformance/cases/module_file.h"
#include "interpreter/acceptance/judge.h"
#include "interpreter/acceptance/profile.h"
#include "interpreter/hlo/module.h"
#include "interpreter/hlo/verifier.h"
#include "interpreter/types/result.h"
#include "tools/exit_code.h"
#include "tools/options.h"

namespace assay {

// Prints "error: ..." (with place, source line and caret, if the error has a place) and returns the exit code of its
// kind.
int Fail(const Error& error, std::string_view file_name = {}, std::string_view source = {});

// Flushes the output of a command. Returns 0, or the exit code of Fail if the output cannot be written.
int FlushOutput(std::FILE* output = stdout);
// Prints the error of a command, or flushes its output. Returns its exit code.
int EndCommand(const Result<int>& code);

// Returns the exit code of a command that has judged something: 1 for SUSPECT and worse verdicts.
int CodeOf(Verdict worst);

// Returns a path for the terminal: "<stdin>" for "-".
std::string DisplayName(const std::string& file);

// Returns the built-in profile with this name, or the profile in this file. An empty name means the backend's profile.
Result<Profile> FindProfile(const std::string& name_or_file, std::string_view backend);

// Calls ReadModuleFile. Prints errors to standard error, and how the module was converted to HLO text, if it was.
Result<ModuleFile> LoadModuleFile(const ModuleOptions& module, const InputOptions& inputs = {});
// Calls ReadProgramFiles, or LoadModuleFile if the options name a function. Prints errors other than those of one of
// several programs, and how the first one was converted.
Result<std::vector<ProgramFile>> LoadProgramFiles(const ModuleOptions& module, const InputOptions& inputs);

// Calls ConvertMixedPrecision if the options ask for it, and says so on standard error.
void ConvertIfAsked(HloModule& module, const ModuleOptions& options);

struct LoadedModule {
  std::unique_ptr<HloModule> module;
  ModuleFile file;
};
// Parses and verifies the module of a file. Prints all errors, and returns the first one.
Result<LoadedModule> LoadModule(ModuleFile file, const ModuleOptions& options, const InputOptions& inputs,
                                const VerifierOptions& rules);
// Also reads the file, and fills elided constants from the seed of the inputs; says so on standard error.
Result<LoadedModule> LoadModule(const ModuleOptions& module, const DeviceOptions& devices, const InputOptions& inputs);
// Does the same for a file that has been read.
Result<LoadedModule> LoadModule(ModuleFile file, const ModuleOptions& options, const DeviceOptions& devices,
                                const InputOptions& inputs);

// Fails if the text of a module omits the values of constants ({...}): two modules may give them different places, and
// then the seed different values.
Status RequireConstants(const LoadedModule& loaded);

// Calls ReadInputs. Says on standard error if the inputs are made from the seed or were recorded with the module.
Result<Inputs> LoadInputs(const LoadedModule& loaded, InputOptions options);

}  // namespace assay
