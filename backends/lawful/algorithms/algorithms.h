// Ops that backends compute by whole algorithms, run in the arithmetic of a machine. Files of this folder know the op
// that they compute, as those of any backend do; what is outside goes by the op's record.
#pragma once

#include <span>
#include <string_view>

#include "backends/lawful/arithmetic.h"
#include "backends/lawful/noise.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"

namespace assay {

using Algorithm = Literal (*)(const HloInstruction&, std::span<const Literal> operands, const Arithmetic&, Noise&);

// Null for an op that has none.
Algorithm FindAlgorithm(std::string_view op);

// A fast Fourier transform: halves while the length is even, the definition from there on.
Literal FourierTransform(const HloInstruction& fft, std::span<const Literal> operands, const Arithmetic& arithmetic,
                         Noise& noise);

// L of A = L L^H, column by column; the triangle that is not asked for is zero.
Literal CholeskyFactor(const HloInstruction& cholesky, std::span<const Literal> operands, const Arithmetic& arithmetic,
                       Noise& noise);
// X of op(A) X = B or X op(A) = B, by substitution.
Literal TriangularSolution(const HloInstruction& solve, std::span<const Literal> operands, const Arithmetic& arithmetic,
                           Noise& noise);

// Sums in any order, the variance in one pass or in two.
Literal BatchNormTraining(const HloInstruction& norm, std::span<const Literal> operands, const Arithmetic& arithmetic,
                          Noise& noise);
Literal BatchNormInference(const HloInstruction& norm, std::span<const Literal> operands, const Arithmetic& arithmetic,
                           Noise& noise);
Literal BatchNormGradient(const HloInstruction& norm, std::span<const Literal> operands, const Arithmetic& arithmetic,
                          Noise& noise);

}  // namespace assay
