// A while loop as lists of steps over arrays whose memory is assigned once. A run binds the steps to addresses, and
// replays them turn after turn without the evaluator's bookkeeping.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "backends/simd/kernels.h"
#include "backends/simd/loops/machine_code.h"

namespace assay::simd {

// Buffers begin at multiples of this many bytes: no vector then crosses a line of the cache.
inline constexpr std::int64_t kAlignment = 64;

// An index into LoopProgram::arrays. One step writes an array; copies and reshapes are the same array.
using ArrayId = int;

// The largest array that a turn computes. The evaluator's bookkeeping costs little beside larger ones.
inline constexpr std::int64_t kMostArrayBytes = 16 << 10;

// Element-wise steps run over this many elements: whole vectors of the common types, without a remainder. The elements
// beyond an array's own are undefined.
constexpr std::int64_t PaddedCount(std::int64_t count) { return count == 1 ? 1 : (count + 15) / 16 * 16; }

struct LoopArray {
  PrimitiveType type;
  std::int64_t count;
  const Literal* constant = nullptr;  // the value of a constant
  int buffer = -1;

  std::int64_t bytes() const { return count * StorageBytes(type); }
  std::int64_t padded_bytes() const { return PaddedCount(count) * StorageBytes(type); }
  bool IsSmall() const { return bytes() <= kMostArrayBytes; }
};

// The memory of an array.
struct LoopBuffer {
  std::int64_t offset = -1;           // in the run's own memory; -1: that of a literal
  const Literal* constant = nullptr;  // the literal with the constant value
  int state = -1;                     // the array of the loop's state whose literal has this value throughout the run
};

// The operands of a step that the step may overwrite with its result.
enum class Overwrites { kNothing, kFirstOperand, kAnyOperand };

// The names of steps that are no instructions: an array copied, and a scalar in every element of an array.
inline constexpr std::string_view kCopy = "(copy)", kRepeat = "(repeat)";

struct LoopBlock;

// Exactly one of the first four says what the step does.
struct LoopStep {
  Loop loop = nullptr;
  Kernel kernel = {};
  const Op* op = nullptr;  // its body runs `instruction` on literals
  std::shared_ptr<LoopBlock> inner = {};

  std::string_view name = {};                   // of the instruction, or kCopy or kRepeat
  const HloInstruction* instruction = nullptr;  // null for copies and repeated scalars

  std::vector<ArrayId> operands = {}, results = {};
  std::int64_t count = 0;  // the elements that `loop` or `kernel` writes
  Overwrites overwrites = Overwrites::kNothing;
};

// One loop. The initial state is in the arrays `state`, and so is the final one.
struct LoopBlock {
  std::vector<ArrayId> state, next;  // before and after a turn
  ArrayId holds = -1;                // the value of the condition
  std::vector<LoopStep> entry;       // run once: all that does not change between turns
  std::vector<LoopStep> condition, body;
  int turns_between_checks = 1;  // of the limits
  mutable LazyTurns code = {};

  bool Keeps(std::size_t i) const { return state[i] == next[i]; }
};

struct LoopProgram {
  std::vector<LoopArray> arrays;
  std::vector<LoopBuffer> buffers;
  std::int64_t memory_bytes = 0;
  LoopBlock main;
};

// Returns the program of a `while`; null if it computes anything but small arrays of static shape, or has an
// instruction with a side effect.
std::shared_ptr<const LoopProgram> MakeLoopProgram(const HloInstruction& loop);

// Assigns a buffer to every array. Returns false if that needs a copy of a large array in each turn, or too much
// memory.
bool AssignBuffers(LoopProgram& program);

// Runs the loop on its initial state, which becomes the final one.
void RunLoop(const LoopProgram& program, Literal& state, Evaluation& evaluation);

}  // namespace assay::simd
