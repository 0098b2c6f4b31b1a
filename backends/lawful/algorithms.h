// Ops that backends compute by whole algorithms, run in the arithmetic of a machine.
#pragma once

#include <span>

#include "backends/lawful/arithmetic.h"
#include "backends/lawful/noise.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"

namespace assay {

// A fast Fourier transform: halves while the length is even, the definition from there on.
Literal FourierTransform(const HloInstruction& fft, std::span<const Literal> operands, const Arithmetic& arithmetic);

// L of A = L L^H, column by column; the triangle that is not asked for is zero.
Literal CholeskyFactor(const HloInstruction& cholesky, std::span<const Literal> operands, const Arithmetic& arithmetic);
// X of op(A) X = B or X op(A) = B, by substitution.
Literal TriangularSolution(const HloInstruction& solve, std::span<const Literal> operands,
                           const Arithmetic& arithmetic);

// Sums in any order, the variance in one pass or in two.
Literal BatchNormTraining(const HloInstruction& norm, std::span<const Literal> operands, const Arithmetic& arithmetic,
                          Noise& noise);
Literal BatchNormInference(const HloInstruction& norm, std::span<const Literal> operands, const Arithmetic& arithmetic,
                           Noise& noise);
Literal BatchNormGradient(const HloInstruction& norm, std::span<const Literal> operands, const Arithmetic& arithmetic,
                          Noise& noise);

}  // namespace assay
