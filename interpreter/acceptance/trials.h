// Measures by trials how far legal errors grow through a whole module.
#pragma once

#include <string>
#include <vector>

#include "interpreter/acceptance/disturbance.h"
#include "interpreter/acceptance/rule.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/per_device.h"

namespace assay {

// Adds random legal errors to the result of an instruction.
void DisturbLawfully(const JudgedInstruction& judged, Disturbance& disturbance, Literal& result);

struct TrialOptions {
  bool explains_integers = true;  // integers that are those of a trial count as explained
};

// Finds wrong outputs of a module whose instructions are each legal on the operands that they had in the reference: a
// loop that ran once too often, the wrong branch. Runs the module in pairs, with random errors, of the size that the
// profile allows, in every result. The two runs of a pair take the same branches, so the distance between them shows
// how far rounding errors grow. An element that is much farther from those of all runs is not explained by legal
// errors, and neither is an integer that no run gives. Outputs that follow from a choice, such as random numbers, are
// not explained unless they are its own results and legal by its rule. Returns a description of the first output that
// is not explained; empty if there is none. `want` and `got` are the results of all devices: tuples if there are
// several.
std::string FindUnexplained(const HloModule& module, const DeviceValues& arguments, const Literal& want,
                            const Literal& got, const Profile& profile, TrialOptions options = {});

}  // namespace assay
