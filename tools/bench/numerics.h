// The benchmark `numerics`: functions, sweeps and matrix products of the reference beside those of others.
#pragma once

#include <span>
#include <string_view>

namespace assay {

// `arguments` are names of ops and element types to measure; without any, all of them, the sweeps of `assay exhaust`
// and the matrix products, which are called "dot". Prints and returns an exit code.
int BenchNumerics(std::span<const std::string_view> arguments);

// A 512 x 512 x 512 dot of the reference, XLA's HloEvaluator and XLA:CPU, by turns.
void BenchDots();

}  // namespace assay
