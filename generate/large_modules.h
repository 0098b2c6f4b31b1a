// Modules with one large array: faults of blocks, of remainders and of counters show in nothing smaller.
#pragma once

#include "generate/modules.h"
#include "generate/random.h"

namespace assay::generate {

// 1025 to 70000 elements, most often few of these, and a few cheap instructions.
DrawnModule DrawLargeModule(Random& random);

}  // namespace assay::generate
