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

// Applies a freedom to a module at random.
using RewritePass = void (*)(HloModule&, const RewritingFreedom&, Noise&, Widenings&);
extern const RewritePass pass_contract_products;      // additions use unrounded products, also moved or negated ones
extern const RewritePass pass_elide_conversions;      // chains of conversions become one
extern const RewritePass pass_flush_comparisons;      // the steps of folds flush what they compare, not what they move
extern const RewritePass pass_keep_excess_precision;  // chains of 16-bit operations are computed in f32
extern const RewritePass pass_start_sums;             // a dot is added, product by product, to the number added to it
extern const RewritePass pass_multiply_by_reciprocal_roots;  // for quotients by square roots
extern const RewritePass pass_requantize_in_fixed_point;  // quantized numbers as integers, with ties in any direction

// Rewrites the module at random, freedom by freedom. The noise of a freedom selects its rewrite (FreedomRecord::noise).
void RewriteLawfully(HloModule& module, const Profile& profile, Noise& noise, Widenings& widenings);

}  // namespace assay
