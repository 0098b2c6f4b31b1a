// The targets of drawn programs, which together cover the operation set (coverage.h): every op with every element type
// and every class of its attributes' values, and every op as the user of every other one.
#pragma once

#include <cstdint>

#include "fuzz/generate/modules.h"

namespace assay {

// Returns target `number` of a seed, which depends on these two only. Every third target walks through the ops with
// their types; the others walk through the pairs of ops. The seed determines the order of each walk. A target has a
// class of an attribute of its op, if the op has any: a different one for each type and each producer, and the
// following one in the next walk.
generate::Target TargetAt(std::uint64_t seed, std::int64_t number);

}  // namespace assay
