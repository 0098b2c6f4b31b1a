// A module with its inputs and the outputs that backends returned for them, in files (docs/commands.md#triage).
#pragma once

#include <string>
#include <vector>

#include "conformance/cases/inputs.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/per_device.h"
#include "interpreter/types/result.h"

namespace assay {

struct RecordedCase {
  std::string name;                   // the folder of the module below the folder searched, or the module's name in it
  std::string module;                 // the path of the module
  std::string prefix;                 // of its other files: "folder/", or "folder/mlp." beside mlp.mlir
  std::vector<std::string> backends;  // the names of those whose outputs are recorded, sorted

  // Returns the options that read inputs.json, or input-0.npy, input-1.npy and so on; neither if there is no such file.
  InputOptions Inputs() const;
  // Reads the outputs of a backend: outputs-NAME.json, or NAME/output-0.npy, NAME/output-1.npy and so on, one file for
  // each array of the result, in order. Fails if they are not a value of the root's shape for each device.
  Result<PerDevice<Literal>> ReadOutputs(const std::string& backend, const HloModule& module) const;
};

// Finds the modules of a folder and of its subfolders that have outputs, sorted by name. Fails if there is none.
Result<std::vector<RecordedCase>> FindRecordedCases(const std::string& folder);

}  // namespace assay
