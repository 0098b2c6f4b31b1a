// The benchmark `simd`: modules on the backend simd beside the reference.
#pragma once

#include <span>
#include <string_view>

namespace assay {

// `arguments` are parts of names of modules to measure; without any, all of them. Prints a table as Markdown has it and
// returns an exit code.
int BenchSimd(std::span<const std::string_view> arguments);

}  // namespace assay
