// How far legal errors grow through a whole module, by trying.
#pragma once

#include <string>
#include <vector>

#include "interpreter/acceptance/disturbance.h"
#include "interpreter/acceptance/rule.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/per_device.h"

namespace assay {

// Puts random legal errors into the result of an instruction.
void DisturbLawfully(const JudgedInstruction& judged, Disturbance& disturbance, Literal& result);

// Instructions may each be legal on the operands that they had in the reference, and the outputs still be wrong: a loop
// that ran once too often, the wrong branch. Here the module is run a few times with random errors of the size that the
// profile allows in every result; outputs that lie much farther from the exact ones than those of the trials do are not
// explained by legal errors. What was found, empty when nothing was. `want` and `got` are the results of all devices,
// tuples where there are several.
std::string FindUnexplained(const HloModule& module, const DeviceValues& arguments, const Literal& want,
                            const Literal& got, const Profile& profile);

}  // namespace assay
