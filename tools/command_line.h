// What the commands have in common: how they read modules, and how they end.
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

// Prints "error: ..." (with place, source line and caret where the error has one) and gives the exit code of its kind.
int Fail(const Error& error, std::string_view file_name = {}, std::string_view source = {});

// What the commands write to standard output must arrive: 0, or Fail.
int FlushOutput(std::FILE* output = stdout);
// The same for a command that has judged something: 1 for FAIL and what is worse.
int FlushVerdict(Verdict worst);

// A path for the terminal; "<stdin>" for "-".
std::string DisplayName(const std::string& file);

// The built-in profile of this name, or the one in this file; where none is named, the one of the backend.
Result<Profile> FindProfile(const std::string& name_or_file, std::string_view backend);

// The folder that --corpus names; where it names none, the corpus that belongs to the program.
std::string CorpusFolder(const std::string& named);

// ReadModuleFile, saying on standard error what is wrong, or what was done to have HLO text.
Result<ModuleFile> LoadModuleFile(const std::string& path);

struct LoadedModule {
  std::unique_ptr<HloModule> module;
  ModuleFile file;
};
// Reads, parses and verifies a module. All that is wrong with it has been printed when an error is returned, the first
// one of them.
Result<LoadedModule> LoadModule(const std::string& file, const DeviceOptions& devices,
                                const VerifierOptions& rules = {});
// Also fills its elided constants from the seed, saying so on standard error.
Result<LoadedModule> LoadModule(const std::string& file, const DeviceOptions& devices, std::uint64_t seed);

// ReadInputs, saying on standard error when they are made from the seed or were recorded with the module.
Result<Inputs> LoadInputs(const LoadedModule& loaded, InputOptions options);

}  // namespace assay
