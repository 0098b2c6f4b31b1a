// Times the readers of modules for `bench reading` (tools/bench/reading.py).
#pragma once

#include <span>
#include <string_view>

namespace assay {

// Prints a line for each file: the median, least and most seconds of reading it to a module of HLO, and its
// instructions. A file is HLO text (.hlo), StableHLO text (.mlir) or bytecode (.mlirbc), or an HloModuleProto (.pb).
// Returns an exit code.
int BenchReading(std::span<const std::string_view> files);

}  // namespace assay
