// Freedoms that take more than one instruction: a module is rewritten, at random, as a compiler may that uses them.
#pragma once

#include <map>
#include <string_view>

#include "backends/lawful/noise.h"
#include "interpreter/acceptance/profile.h"
#include "interpreter/hlo/module.h"

namespace assay {

// The conversions to a wider type that stand before the operands of an instruction which computes in it now, and
// whether they take subnormal numbers for zeros. They are none of the program's, so they have no freedom of their own:
// their instruction does that to all of its operands or to none.
using Widenings = std::map<const HloInstruction*, bool>;

// A profile's freedom over several instructions.
struct RewritingFreedom {
  const Profile& profile;
  Freedom freedom;

  bool IsOpenFor(std::string_view op) const { return profile.Allows(freedom, op); }
};

// Contraction: additions and subtractions of products, also of moved or negated ones, take them unrounded.
void ContractProducts(HloModule& module, const RewritingFreedom& freedom, Noise& noise, Widenings& widenings);

// Excess precision: chains of operations on numbers of 16 bits are computed in f32, and rounded where they end.
void KeepExcessPrecision(HloModule& module, const RewritingFreedom& freedom, Noise& noise, Widenings& widenings);

// Rewrites the module at random, freedom by freedom, each as the row says that its noise names (FreedomRecord::noise).
void RewriteLawfully(HloModule& module, const Profile& profile, Noise& noise, Widenings& widenings);

}  // namespace assay
