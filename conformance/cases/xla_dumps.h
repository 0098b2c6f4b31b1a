// The files that XLA dumps modules and their inputs to (--xla_dump_to).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "interpreter/types/result.h"

namespace assay {

struct XlaDump {
  std::string module;  // the path of the best file with it
  std::size_t rank = SIZE_MAX;
  std::string snapshot;  // the path of the first file with inputs; empty: none
};

// Splits the name of a file dumped by XLA into "module_0007.jit_f" and the rest; returns empty strings for other names.
std::pair<std::string, std::string> SplitDumpName(std::string_view file_name);

// Returns the dumped modules of a folder by name. The result does not depend on the order of directory entries.
std::map<std::string, XlaDump> DumpsIn(const std::string& folder);

// Returns the file of the only dumped module of a folder; fails if there are none or several.
Result<std::string> OnlyModule(const std::string& folder);

// Returns the snapshot that XLA dumped with a module; empty if there is none.
std::string SnapshotBeside(const std::string& path);

}  // namespace assay
