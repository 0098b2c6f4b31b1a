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

// XLA prints the short form wherever the async computation has one instruction beside parameters, although that does
// not say which parameter goes where, nor what is written at that instruction alone.
enum class ShortForm { kXla, kSaysAll };

// The one instruction that an async instruction's computation runs, if the short form is printed for it; else null.
// Such a computation is not printed on its own.
const HloInstruction* WrappedInstruction(const HloInstruction& instruction, ShortForm form);

}  // namespace assay
