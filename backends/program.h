// The program behind a backend, for running it without assay.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "interpreter/types/result.h"

namespace assay {

struct BackendProgram {
  std::vector<std::string> command;  // speaks the process protocol (docs/process_protocol.md)
  std::string folder;                // the command's working directory; empty: any
  bool is_xla_cpu = false;           // jaxlib alone can run it: `"repro": "jaxlib"` in backends.json
};

// Returns the program of a backend by its name on the command line: `assay serve` for assay's own backends. Fails as
// OpenBackend does.
Result<BackendProgram> ProgramOf(std::string_view backend);

}  // namespace assay
