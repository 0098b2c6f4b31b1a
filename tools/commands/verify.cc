#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "interpreter/hlo/verifier.h"
#include "tools/command.h"
#include "tools/command_line.h"
#include "tools/options.h"

namespace assay {
namespace {

struct VerifyOptions {
  ModuleOptions module;
  InputOptions inputs;
  VerifierOptions rules;
};

// Verifies a program, which is named in a file of several.
int VerifyProgram(const VerifyOptions& options, ModuleFile file, const std::string& name) {
  const Result<LoadedModule> loaded = LoadModule(std::move(file), options.module, options.inputs, options.rules);
  if (!loaded) return ExitCode(loaded.error());
  std::size_t instructions = 0;
  for (const auto& computation : loaded->module->computations) instructions += computation->instructions.size();
  const std::size_t computations = loaded->module->computations.size();
  fmt::print("{}{}: legal, {} computation{}, {} instruction{}\n", DisplayName(options.module.file),
             name.empty() ? "" : " @" + ForTerminal(name), computations, computations == 1 ? "" : "s", instructions,
             instructions == 1 ? "" : "s");
  return 0;
}

int Verify(const VerifyOptions& options) {
  Result<std::vector<ProgramFile>> programs = LoadProgramFiles(options.module, options.inputs);
  if (!programs) return ExitCode(programs.error());
  int greatest = 0;
  for (ProgramFile& program : *programs) {
    const int code =
        program.file ? VerifyProgram(options, *std::move(program.file), program.function) : Fail(program.file.error());
    greatest = std::max(greatest, code);
  }
  return greatest;
}

void AddVerifyOptions(CLI::App& command, VerifyOptions& options) {
  AddModule(command, options.module);
  AddGivenInputs(command, options.inputs);
  AddFlag(command, "--layout-sensitive", options.rules.layout_sensitive, "layouts have been assigned: check them");
}

}  // namespace

const Command command_verify = {
    .name = "verify",
    .help = "parse a module, infer its shapes, check every rule",
    .example = "assay verify m.hlo",
    .bind = BindCommand<VerifyOptions, AddVerifyOptions, Verify>,
};

}  // namespace assay
