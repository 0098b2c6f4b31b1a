// The bodies of the steps that a loop replays: a backend's, or the evaluator's own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "interpreter/hlo/op.h"

namespace assay {

// A loop over n elements of each operand; the result may be one of the operands.
using ElementLoop = void (*)(const std::byte* const* operands, std::byte* result, std::int64_t n);

// The kernel of such a loop, which Kernel::target finds again. It may run over more elements than the arrays have.
struct LoopKernel {
  ElementLoop loop;
  void operator()(std::span<const std::byte* const> operands, std::byte* result, std::int64_t n) const {
    loop(operands.data(), result, n);
  }
};

class OwnTurns;

// Each function returns null for an instruction that it does not compute.
struct LoopBodies {
  const OpOverrides& overrides;
  ElementLoop (*scalar)(const HloInstruction&) = nullptr;        // one element of an element-wise instruction
  ElementLoop (*repeat)(int bytes) = nullptr;                    // its operand n times, for elements of so many bytes
  std::span<Kernel (*const)(const HloInstruction&)> whole = {};  // whole arrays
  // Makes the code of one loop's turns (loop_program.h).
  std::shared_ptr<OwnTurns> (*turns)() = nullptr;
};

// Returns the body of a `while` that replays its steps, with the values that the evaluator gets from the same bodies.
// Empty if the loop computes anything but small arrays of static shape, or has an instruction with a side effect.
PreparedFunction PrepareLoop(const HloInstruction& loop, const LoopBodies& bodies);

}  // namespace assay
