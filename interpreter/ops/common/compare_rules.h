// The order of numbers that the op compare asks for.
#pragma once

#include "interpreter/hlo/module.h"

namespace assay {

inline bool IsTotalOrder(const HloInstruction& instruction) {
  return instruction.String("type") == "TOTALORDER" || instruction.String("order") == "TOTAL";
}

}  // namespace assay
