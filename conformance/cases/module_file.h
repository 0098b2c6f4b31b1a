// What people have in hand as a module: HLO text, StableHLO, XLA's serialized messages, its dump folders.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "interpreter/types/result.h"

namespace assay {

struct ModuleFile {
  std::string text;         // HLO
  std::string file_name;    // for messages with places in the text
  std::string note;         // what was done to have the text, and by whom; empty: it was the file's own
  std::string inputs;       // recorded for it, in the form of --inputs; empty: none
  std::string inputs_file;  // where they were
  // The number of devices that a program of its own has inputs for; 0: not known. If the module says that it runs on as
  // many, that holds, whatever its groups name.
  std::int64_t recorded_devices = 0;
};

// "-" is standard input, a folder one that XLA dumped a single module to. StableHLO (interpreter/stablehlo) and XLA's
// serialized messages (interpreter/proto) become HLO text. Errors name the file; kInput where it cannot be converted.
Result<ModuleFile> ReadModuleFile(const std::string& path);

// The modules of a folder, by name: files whose name ends as one of a module does, and what XLA has dumped to the
// folder or to folders in it. Of a dump only what XLA had before its passes.
Result<std::vector<std::string>> FindModuleFiles(const std::string& folder);

// module.hlo in a folder of its own, with its inputs beside it in inputs.json, which ReadModuleFile reads as recorded:
// what fuzzing, reduce and diff --extract write.
bool IsProgramOfItsOwn(const std::string& path);

// How a module is called: "mlp" of mlp.mlir, "run1/module_0007.jit_f" of what XLA dumped to run1, the folder's name of
// one that has a folder of its own.
std::string ModuleNameOf(const std::string& path);

}  // namespace assay
