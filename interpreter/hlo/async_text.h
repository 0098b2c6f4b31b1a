// The short form of async instructions: "add-start(a, b)" for an async-start whose computation is one add.
#pragma once

#include <string_view>

#include "interpreter/hlo/module.h"
#include "interpreter/hlo/op.h"

namespace assay {

// The parts of an opcode in the short form; both null if it has another form.
struct AsyncOpcode {
  const Op* op = nullptr;       // async-start, async-update or async-done
  const Op* wrapped = nullptr;  // the op that runs
};
// Splits an opcode. Ops with a start or done of their own have no short form.
AsyncOpcode FindAsyncOpcode(std::string_view opcode);

// Returns the parts of a start of its own, such as all-reduce-start, whose written shape is an asynchronous value,
// ((operands...), result, contexts...), as XLA's page on asynchronous operations has it.
AsyncOpcode AsyncFormOf(const Op& start, const Shape& shape);
// True for an end of its own, such as all-reduce-done, of such a start.
bool EndsAsyncForm(const HloInstruction& instruction);

// Returns "-start", "-update" or "-done"; empty for other roles.
std::string_view AsyncSuffix(OpRole role);

// kXla: XLA prints the short form whenever the async computation has one instruction beside parameters. That form omits
// the order of the parameters and what only the wrapped instruction has. kSaysAll: the short form only if it omits
// nothing.
enum class ShortForm { kXla, kSaysAll };

// Returns the one instruction of an async instruction's computation if the short form is printed for it; otherwise
// null. Such a computation is not printed by itself.
const HloInstruction* WrappedInstruction(const HloInstruction& instruction, ShortForm form);

}  // namespace assay
