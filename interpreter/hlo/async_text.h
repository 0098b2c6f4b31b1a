// The short form of async instructions: "add-start(a, b)" for an async-start whose computation is one add.
#pragma once

#include <string_view>

#include "interpreter/hlo/module.h"
#include "interpreter/hlo/op.h"

namespace assay {

// An opcode of the short form, taken apart; both null when it is none.
struct AsyncOpcode {
  const Op* op = nullptr;       // async-start, async-update or async-done
  const Op* wrapped = nullptr;  // what runs
};
// Ops that have a start or done of their own have no short form.
AsyncOpcode FindAsyncOpcode(std::string_view opcode);

// "-start", "-update" or "-done"; empty for other roles.
std::string_view AsyncSuffix(OpRole role);

// The one instruction that the async computation runs, when it does nothing but pass its parameters to it in order;
// else null. Such a computation is printed in the short form and not on its own.
const HloInstruction* WrappedInstruction(const HloComputation& computation);
// The same for an async instruction; null for others and where the long form is needed.
const HloInstruction* WrappedInstruction(const HloInstruction& instruction);

}  // namespace assay
