#pragma once

#include "interpreter/numerics/functions.h"

namespace assay {

// While one is alive, no quick phase is certain of anything: MPFR decides every function, and ExactSum every sum.
class EverythingIsInDoubt {
 public:
  EverythingIsInDoubt() { SetEverythingInDoubt(true); }
  ~EverythingIsInDoubt() { SetEverythingInDoubt(false); }
  EverythingIsInDoubt(const EverythingIsInDoubt&) = delete;
  EverythingIsInDoubt& operator=(const EverythingIsInDoubt&) = delete;
};

}  // namespace assay
