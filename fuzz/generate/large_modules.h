// Modules with one large array: bugs in blocks, remainders and counters do not show in smaller ones.
#pragma once

#include "fuzz/generate/modules.h"
#include "fuzz/generate/random.h"

namespace assay::generate {

// Draws a module of a few cheap instructions on 1025 to 70000 elements; small numbers are likelier.
DrawnModule DrawLargeModule(Random& random);

}  // namespace assay::generate
