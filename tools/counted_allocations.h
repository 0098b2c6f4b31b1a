// Counts the program's allocations besides its arrays under --memory-limit.
#pragma once

namespace assay {

// Counts the allocations of GMP, MPFR and MPC from now on. Those of `new` count from the start of the program, because
// the source file replaces `new`.
void CountAllocations();

}  // namespace assay
