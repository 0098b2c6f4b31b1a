// Other bodies for some ops: seeded faults, another order of a sum, a faster kernel.
#pragma once

#include <unordered_map>

namespace assay {

struct Op;

// For a record of the op table, the record whose kernel, prepare, evaluate and check_evaluated replace its own, also in
// called computations. An op without an entry uses its kernel, or else its definition (interpreter/kernels/kernels.h).
// Nothing else about an instruction changes: a reduce whose computation adds is a sum, whatever the body of add is.
using OpOverrides = std::unordered_map<const Op*, const Op*>;

}  // namespace assay
