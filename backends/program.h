// The program behind a backend, for those who run it without assay.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "interpreter/types/result.h"

namespace assay {

struct BackendProgram {
  std::vector<std::string> command;  // speaks the process protocol (docs/process_protocol.md)
  std::string folder;                // that the command runs in; empty: any
  bool is_xla_cpu = false;           // what jaxlib runs by itself: `"repro": "jaxlib"` in backends.json
};

// The program of a backend by its name on the command line: `assay serve` for those of assay's own. Errors are those of
// OpenBackend.
Result<BackendProgram> ProgramOf(std::string_view backend);

}  // namespace assay
