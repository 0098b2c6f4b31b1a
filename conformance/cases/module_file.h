// Reads modules from HLO text, StableHLO, XLA's serialized messages and XLA's dump folders.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "interpreter/types/result.h"

namespace assay {

struct ModuleFile {
  std::string text;         // HLO
  std::string file_name;    // for messages with places in the text
  std::string note;         // the conversion that produced the text; empty: the file itself is HLO text
  std::string inputs;       // inputs recorded for the module, in the form of --inputs; empty: none
  std::string inputs_file;  // the file of the recorded inputs
  // The number of devices for which a program with its own folder has inputs; 0: unknown. It counts if the module's
  // header names the same number, whatever the replica groups name.
  std::int64_t recorded_devices = 0;
};

// Reads a module. "-" is standard input; a folder must hold a single module dumped by XLA. Converts StableHLO
// (interpreter/stablehlo) and XLA's serialized messages (interpreter/proto) to HLO text. Errors name the file; kInput
// if it cannot be converted.
Result<ModuleFile> ReadModuleFile(const std::string& path);

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
