// Small programs of float operations: what contraction and excess precision are about.
#pragma once

#include "generate/modules.h"
#include "generate/random.h"

namespace assay {

// A module of 5 to 15 steps, each on results of steps before, in one or two of the types that have 16 bits or more.
// Numbers are moderate. The root has all results that nothing uses.
generate::DrawnModule DrawFloatProgram(generate::Random& random);

}  // namespace assay
