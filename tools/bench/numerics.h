// The benchmark `numerics`: functions, sweeps and matrix products of the reference and of other libraries.
#pragma once

#include <span>
#include <string_view>

namespace assay {

// `arguments` are names of ops and element types to measure. Without arguments it measures all of them and the sweeps
// of `assay exhaust`. Prints the results and returns an exit code.
int BenchNumerics(std::span<const std::string_view> arguments);

}  // namespace assay
