// The benchmark `numerics`: functions, sweeps and matrix products of the reference beside those of others.
#pragma once

#include <span>
#include <string_view>

namespace assay {

// `arguments` are names of ops and element types to measure; without any, all of them and the sweeps of `assay
// exhaust`. Prints and returns an exit code.
int BenchNumerics(std::span<const std::string_view> arguments);

}  // namespace assay
