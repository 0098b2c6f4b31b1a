#include "interpreter/stablehlo/print.h"

#include <cstdio>
#include <memory>

#include "interpreter/hlo/parser.h"
#include "interpreter/hlo/printer.h"
#include "interpreter/hlo/verifier.h"
#include "interpreter/proto/hlo_proto.h"
#include "interpreter/stablehlo/from_hlo.h"
#include "tools/command.h"
#include "tools/command_line.h"
#include "tools/options.h"

namespace assay {
namespace {

struct PrintCommandOptions {
  ModuleOptions module;
  InputOptions inputs;
  bool full_constants = false;
  bool canonical = false;
  bool short_parsable = false;
  std::string format = "text";
};

int Output(const std::string& printed) {
  std::fwrite(printed.data(), 1, printed.size(), stdout);
  return 0;
}

int PrintStableHlo(const HloModule& module, const ModuleFile& file) {
  if (const Status legal = VerifyHloModule(module); !legal) return Fail(legal.error(), file.file_name, file.text);
  const Result<stablehlo::Program> program = stablehlo::FromHlo(module);
  if (!program) return Fail(program.error(), file.file_name, file.text);
  return Output(stablehlo::ToText(*program));
}

int Print(const PrintCommandOptions& options) {
  const Result<ModuleFile> file = LoadModuleFile(options.module, options.inputs);
  if (!file) return ExitCode(file.error());
  const Result<std::unique_ptr<HloModule>> module = ParseHloModule(file->text);
  if (!module) return Fail(module.error(), file->file_name, file->text);
  ConvertIfAsked(**module, options.module);
  if (options.format == "proto") return Output(WriteHloModuleProto(**module));
  if (options.format == "stablehlo") return PrintStableHlo(**module, *file);
  PrintOptions print = options.canonical        ? PrintOptions::Canonical()
                       : options.short_parsable ? PrintOptions::ShortParsable()
                                                : PrintOptions();
  if (options.full_constants) print.large_constants = true;
  return Output(PrintHloModule(**module, print));
}

void AddPrintOptions(CLI::App& command, PrintCommandOptions& options) {
  AddModule(command, options.module);
  AddGivenInputs(command, options.inputs);
  AddFlag(command, "--full-constants", options.full_constants, "print the values of large constants");
  AddFlag(command, "--canonical", options.canonical, "XLA's canonical form");
  AddFlag(command, "--short", options.short_parsable, "XLA's short parsable form", "--canonical");
  AddChoice(command, "--format", options.format, {"text", "proto", "stablehlo"},
            "HLO text, a serialized HloModuleProto, or StableHLO in MLIR's generic form");
}

}  // namespace

const Command command_print = {
    .name = "print",
    .help = "print a module byte for byte as XLA does, or serialize it",
    .example = "assay print m.hlo --canonical",
    .bind = BindCommand<PrintCommandOptions, AddPrintOptions, Print>,
};

}  // namespace assay
