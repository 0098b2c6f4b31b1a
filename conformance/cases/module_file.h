// Reads modules from HLO text, StableHLO, XLA's serialized messages and XLA's dump folders.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/cases/inputs.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/result.h"

namespace assay {

// The file, beside a module.hlo, with the StableHLO, text or bytecode, that a backend got beside that HLO.
inline constexpr std::string_view kStableHloFile = "module.stablehlo";

struct ModuleFile {
  std::string text;         // HLO
  std::string file_name;    // for messages with places in the text
  std::string note;         // the conversion that produced the text; empty: the file itself is HLO text
  std::string inputs;       // inputs recorded for the module, in the form of --inputs; empty: none
  std::string inputs_file;  // the file of the recorded inputs
  // The number of devices for which a program with its own folder has inputs; 0: unknown. It counts if the module's
  // header names the same number, whatever the replica groups name.
  std::int64_t recorded_devices = 0;
  std::optional<std::int64_t> chosen_size;  // of dimensions of unknown size, if no inputs were given
  // The bytes before the conversion from StableHLO, and in them the places of custom calls, by their names; null: none.
  std::shared_ptr<const std::string> source;
  std::map<std::string, SourceLocation> places;
  // True if `source` is nothing but this program, all of whose sizes it states: a backend may get it instead of HLO.
  bool source_is_module = false;
};

// Reads a module. "-" is standard input; a folder must hold a single module dumped by XLA. Converts StableHLO
// (interpreter/stablehlo) and XLA's serialized messages (interpreter/proto) to HLO text. The entry of a StableHLO
// module is `function`, if it is not empty; other forms have an entry of their own. The sizes that a StableHLO module
// leaves open ("?") are those of the inputs; without inputs they are 3, or the next size that it accepts, and so are
// its integer scalars. Errors name the file; kInput if it cannot be converted.
Result<ModuleFile> ReadModuleFile(const std::string& path, const std::string& function = {},
                                  const InputOptions& inputs = {});
// Lets the module, which was read from the file's text, know the StableHLO that a backend may get in its place.
void KeepSource(const ModuleFile& file, HloModule& module);
// Returns the options with what the file has recorded for the inputs.
InputOptions WithRecorded(const ModuleFile& file, InputOptions inputs = {});

// A program of a file that may hold several, or the error that refuses it.
struct ProgramFile {
  std::string function;  // at which it starts; empty for the only program of a file, and for a piece without functions
  Result<ModuleFile> file;
};
// Reads every program of a file. Text of StableHLO may hold several (interpreter/stablehlo/programs.h); other files
// hold one.
Result<std::vector<ProgramFile>> ReadProgramFiles(const std::string& path, const InputOptions& inputs = {});

// Returns the modules of a folder, sorted: files with the ending of a module, and modules that XLA dumped to the folder
// or to its subfolders. Only the form before XLA's passes is returned of a dump.
Result<std::vector<std::string>> FindModuleFiles(const std::string& folder);

// True if `path` is a module.hlo in its own folder beside an inputs.json, which ReadModuleFile reads as the recorded
// inputs. Fuzzing, `reduce` and `diff --extract` write such folders.
bool IsProgramOfItsOwn(const std::string& path);

// Returns the name of a module: "mlp" for mlp.mlir, "run1/module_0007.jit_f" for a dump in run1, the folder's name for
// a module with its own folder.
std::string ModuleNameOf(const std::string& path);

}  // namespace assay
