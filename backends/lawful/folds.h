// Sums and products of many numbers as backends compute them: some order, some accumulators, terms fused or not.
#pragma once

#include <optional>
#include <span>

#include "backends/lawful/noise.h"
#include "interpreter/hlo/module.h"
#include "interpreter/hlo/op.h"
#include "interpreter/types/literal.h"

namespace assay {

// The result of an instruction that adds floats or complex numbers (Acceptance::kSum), by additions that round to the
// result's type or to a wider one; those of at most 16 bits to f32, unless they `may_be_narrow`. With `flushes`,
// subnormal numbers become zeros on the way. Nothing for instructions whose sums are of another kind.
std::optional<Literal> SumInSomeOrder(const HloInstruction& instruction, std::span<const Literal> operands,
                                      bool flushes, bool may_be_narrow, Noise& noise);

// The result of a fold that multiplies floats (Acceptance::kProduct), by multiplications that round to their type.
std::optional<Literal> ProductInSomeOrder(const HloInstruction& instruction, std::span<const Literal> operands,
                                          bool flushes, Noise& noise);

// A computation that is a single addition or multiplication keeps its meaning, but the evaluator no longer knows it:
// every step of a fold rounds. `plain` receives the record of the new root and has to live as long as the computation.
void RoundEveryStep(HloComputation& computation, Op& plain);

}  // namespace assay
