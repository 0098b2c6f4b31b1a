// Whole algorithms of backends, in the arithmetic of a machine. The files of this folder may name the op that they
// compute; code outside of it reads the op's record.
#pragma once

#include <span>
#include <string_view>

#include "backends/lawful/arithmetic.h"
#include "backends/lawful/noise.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"

namespace assay {

using Algorithm = Literal (*)(const HloInstruction&, std::span<const Literal> operands, const Arithmetic&, Noise&);

// Returns the algorithm of an op; null if it has none.
Algorithm FindAlgorithm(std::string_view op);

// Computes a fast Fourier transform: halves while the length is even, the definition from there on.
Literal FourierTransform(const HloInstruction& fft, std::span<const Literal> operands, const Arithmetic& arithmetic,
                         Noise& noise);

// Computes the L of A = L L^H, column by column. The other triangle is zero.
Literal CholeskyFactor(const HloInstruction& cholesky, std::span<const Literal> operands, const Arithmetic& arithmetic,
                       Noise& noise);
// Computes the X of op(A) X = B or X op(A) = B, by substitution.
Literal TriangularSolution(const HloInstruction& solve, std::span<const Literal> operands, const Arithmetic& arithmetic,
                           Noise& noise);

// The batch normalizations. They sum in any order and compute the variance in one pass or in two.
Literal BatchNormTraining(const HloInstruction& norm, std::span<const Literal> operands, const Arithmetic& arithmetic,
                          Noise& noise);
Literal BatchNormInference(const HloInstruction& norm, std::span<const Literal> operands, const Arithmetic& arithmetic,
                           Noise& noise);
Literal BatchNormGradient(const HloInstruction& norm, std::span<const Literal> operands, const Arithmetic& arithmetic,
                          Noise& noise);

}  // namespace assay
