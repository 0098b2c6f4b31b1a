// The order of numbers that a compare requests.
#pragma once

#include "interpreter/hlo/module.h"

namespace assay {

inline bool IsTotalOrder(const HloInstruction& instruction) {
  return instruction.String("type") == "TOTALORDER" || instruction.String("order") == "TOTAL";
}

}  // namespace assay
