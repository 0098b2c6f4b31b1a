// The benchmark `simd`: modules on the backend simd and on the reference.
#pragma once

#include <span>
#include <string_view>

namespace assay {

// `arguments` are parts of names of the modules to measure; without any, all. Prints a Markdown table and returns an
// exit code.
int BenchSimd(std::span<const std::string_view> arguments);

}  // namespace assay
