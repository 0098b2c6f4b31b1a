// Other bodies for some ops: seeded faults, another order of a sum, a faster kernel.
#pragma once

#include <unordered_map>

#include "interpreter/hlo/op.h"

namespace assay {

// For a record of the op table, the record whose kernel, prepare, evaluate and check_evaluated are used in its place,
// in called computations too. An op that is not named has its kernel where there is one, else its definition
// (interpreter/kernels/kernels.h). Everything else about an instruction stays what it is: a reduce whose computation
// adds is a sum, whatever the body of add has become.
using OpOverrides = std::unordered_map<const Op*, const Op*>;

}  // namespace assay
