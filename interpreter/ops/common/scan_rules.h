// Scans that are cumulative sums.
#pragma once

#include "interpreter/hlo/module.h"

namespace assay {

// True if an associative scan only adds one input to one carry. Its results are then cumulative sums, each exact and
// rounded once, because the order of an associative scan is unspecified.
bool IsCumulativeSum(const HloInstruction& scan);

}  // namespace assay
