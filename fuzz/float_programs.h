// Small programs of float operations, in which contraction and excess precision matter.
#pragma once

#include "fuzz/generate/modules.h"
#include "fuzz/generate/random.h"

namespace assay {

// Draws a module of 5 to 15 steps, each on results of earlier steps, in one or two of the types with 16 bits or more.
// Numbers are moderate. The root holds all unused results.
generate::DrawnModule DrawFloatProgram(generate::Random& random);

}  // namespace assay
