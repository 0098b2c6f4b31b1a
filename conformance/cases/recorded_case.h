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
  std::string name;                   // the path of the module's folder below the searched one, or of the module in it
  std::string module;                 // the path of the module
  std::string prefix;                 // the beginning of its other files: "folder/", or "folder/mlp." for mlp.mlir
  std::vector<std::string> backends;  // the names of the backends with recorded outputs, sorted

  // Returns the options that read inputs.json, or input-0.npy, input-1.npy and so on. They are empty without such
  // files.
  InputOptions Inputs() const;
  // Reads the outputs of a backend: outputs-NAME.json, or NAME/output-0.npy, NAME/output-1.npy and so on, one file for
  // each array of the result, in order. Fails if a file cannot be read, or with kInput unless each device has a value
  // of the root's shape.
  Result<PerDevice<Literal>> ReadOutputs(const std::string& backend, const HloModule& module) const;
};

// Finds the modules of a folder and of its subfolders that have outputs, sorted by name. Fails with kIo if the folder
// cannot be read, and with kInput if it has no such module.
Result<std::vector<RecordedCase>> FindRecordedCases(const std::string& folder);

}  // namespace assay
