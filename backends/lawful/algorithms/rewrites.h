// Freedoms that take more than one instruction: a module is rewritten, at random, as a compiler may that uses them.
#pragma once

#include "backends/lawful/noise.h"
#include "interpreter/acceptance/profile.h"
#include "interpreter/hlo/module.h"

namespace assay {

// Contraction: additions and subtractions of products, also of moved or negated ones, take them unrounded.
void ContractProducts(HloModule& module, const Profile& profile, Noise& noise);

// Excess precision: chains of operations on numbers of 16 bits are computed in f32, and rounded where they end.
void KeepExcessPrecision(HloModule& module, const Profile& profile, Noise& noise);

}  // namespace assay
