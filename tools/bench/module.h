// What `bench modules` (tools/bench/modules.py) runs for each backend of assay: one module, once for each line of
// input.
#pragma once

#include <span>
#include <string_view>

namespace assay {

// `arguments` are a backend, a file of HLO text and a folder. The first one to come writes the inputs into the folder:
// inputs.json, a list of shapes, and for each of them its bytes in a file N.bin. Then prints, a line each, the
// backend's name with its version, and the seconds that compiling took. A line "N" of standard input is answered by the
// seconds of a run, the mean of N of them; "memory" by the most bytes that the process has used; "bytes" by those of
// operands and result. Returns an exit code.
int ServeModule(std::span<const std::string_view> arguments);

}  // namespace assay
