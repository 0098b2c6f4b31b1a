// Sums and products of many numbers as backends compute them: in some order, with some accumulators, fused or not.
#pragma once

#include <optional>
#include <span>

#include "backends/lawful/noise.h"
#include "interpreter/acceptance/ops/sum_algorithm.h"
#include "interpreter/hlo/module.h"
#include "interpreter/hlo/op.h"
#include "interpreter/types/literal.h"

namespace assay {

// Returns the result of an instruction that adds floats or complex numbers (Acceptance::kSum). Additions round to the
// result's type or to a wider one; types of at most 16 bits use at least f32 unless they `may_be_narrow`. With
// `flushes`, subnormal intermediate numbers become zeros. Operands of products, and partial sums, may be off by the
// errors of `algorithm`. Returns nullopt for other kinds of sums.
std::optional<Literal> SumInSomeOrder(const HloInstruction& instruction, std::span<const Literal> operands,
                                      bool flushes, bool may_be_narrow, const SumAlgorithm& algorithm, Noise& noise);

// Returns the result of a fold that multiplies floats (Acceptance::kProduct). Multiplications round to their type.
std::optional<Literal> ProductInSomeOrder(const HloInstruction& instruction, std::span<const Literal> operands,
                                          bool flushes, Noise& noise);

// Makes every step of a fold by this computation round. A single addition or multiplication keeps its meaning, but the
// evaluator no longer recognizes it. `plain` receives the record of the new root and must outlive the computation.
void RoundEveryStep(HloComputation& computation, Op& plain);

}  // namespace assay
