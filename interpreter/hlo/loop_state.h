// The elements of a loop's state, as the body reads and returns them.
#pragma once

#include <cstdint>

#include "interpreter/hlo/module.h"
#include "interpreter/hlo/op.h"

namespace assay {

// True if an instruction of the body is an element of the state before the iteration.
inline bool IsOfState(const HloInstruction& instruction) {
  return instruction.op->role == OpRole::kGetTupleElement && instruction.operands[0]->op->role == OpRole::kParameter;
}

// True if `element`, which becomes element `index` of the state, was that element before the iteration.
inline bool IsKeptState(const HloInstruction& element, std::int64_t index) {
  return IsOfState(element) && element.tuple_index() == index;
}

}  // namespace assay
