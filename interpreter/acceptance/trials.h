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

// Finds wrong outputs of a module whose instructions are each legal on the operands that they had in the reference: a
// loop that ran once too often, the wrong branch. Runs the module a few times with random errors, of the size that the
// profile allows, in every result. Outputs much farther from the exact ones than those of the trials are not explained
// by legal errors. Returns a description of the first such output; empty if there is none. `want` and `got` are the
// results of all devices: tuples if there are several.
std::string FindUnexplained(const HloModule& module, const DeviceValues& arguments, const Literal& want,
                            const Literal& got, const Profile& profile);

}  // namespace assay
