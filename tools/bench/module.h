// Runs one module on a backend of assay for `bench modules` (tools/bench/modules.py), once for each line of input.
#pragma once

#include <span>
#include <string_view>

namespace assay {

// `arguments` are a backend, a file of HLO text and a folder. The first process writes the inputs into the folder:
// inputs.json, a list of shapes, and the bytes of each in a file N.bin. Then prints two lines: the backend's name with
// its version, and the seconds of compilation. Replies to a line "N" of standard input with the mean seconds of N runs,
// to "memory" with the peak memory of the process in bytes, and to "bytes" with the bytes of operands and result.
// Returns an exit code.
int ServeModule(std::span<const std::string_view> arguments);

}  // namespace assay
