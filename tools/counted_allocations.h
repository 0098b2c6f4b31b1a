// The program's allocations beside its arrays, under --memory-limit.
#pragma once

namespace assay {

// Counts what GMP, MPFR and MPC allocate from now on. What `new` gives is counted from the start: the file defines it.
void CountAllocations();

}  // namespace assay
