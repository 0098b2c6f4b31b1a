// Freedoms over more than one instruction. The module is rewritten at random, as a compiler with these freedoms may.
#pragma once

#include <map>
#include <string_view>

#include "backends/lawful/noise.h"
#include "interpreter/acceptance/profile.h"
#include "interpreter/hlo/module.h"

namespace assay {

// The widening conversions before the operands of rewritten instructions, and whether they flush subnormal numbers.
// They are not part of the program and have no freedom of their own: an instruction flushes all of its operands or
// none.
using Widenings = std::map<const HloInstruction*, bool>;

// A freedom of a profile over several instructions.
struct RewritingFreedom {
  const Profile& profile;
  Freedom freedom;

  bool IsOpenFor(std::string_view op) const { return profile.Allows(freedom, op); }
};

// Contraction: additions and subtractions use unrounded products, including moved or negated ones.
void ContractProducts(HloModule& module, const RewritingFreedom& freedom, Noise& noise, Widenings& widenings);

// Excess precision: chains of conversions become one.
void ElideConversions(HloModule& module, const RewritingFreedom& freedom, Noise& noise, Widenings& widenings);

// Excess precision: chains of 16-bit operations are computed in f32 and rounded at their ends.
void KeepExcessPrecision(HloModule& module, const RewritingFreedom& freedom, Noise& noise, Widenings& widenings);

// Initial accumulator: a dot is added, product by product, to the number that is added to it.
void StartSums(HloModule& module, const RewritingFreedom& freedom, Noise& noise, Widenings& widenings);

// Reciprocal root: quotients by square roots become products with reciprocal roots.
void MultiplyByReciprocalRoots(HloModule& module, const RewritingFreedom& freedom, Noise& noise, Widenings& widenings);

// Fixed point: quantized numbers are computed without rounding, multiplied by a fixed-point number, and rounded once or
// twice, with ties in any direction.
void RequantizeInFixedPoint(HloModule& module, const RewritingFreedom& freedom, Noise& noise, Widenings& widenings);

// Rewrites the module at random, freedom by freedom. The noise of a freedom selects its rewrite (FreedomRecord::noise).
void RewriteLawfully(HloModule& module, const Profile& profile, Noise& noise, Widenings& widenings);

}  // namespace assay
