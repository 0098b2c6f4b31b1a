// A while loop as lists of steps over arrays whose memory is assigned once. A run binds the steps to addresses, and
// replays them turn after turn without the evaluator's bookkeeping.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "interpreter/kernels/loops/loop_bodies.h"

namespace assay {

// Buffers begin at multiples of this many bytes: no vector then crosses a line of the cache.
inline constexpr std::int64_t kBufferAlignment = 64;

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
inline constexpr std::string_view kCopyStep = "(copy)", kRepeatStep = "(repeat)";

struct BoundStep;
struct LoopBlock;
struct LoopProgram;

// The reasons for which the code of turns returns.
enum class TurnsEnd : int { kAllRun, kConditionFalse, kStepFailed };

// Code that runs up to `turns` turns of a loop. The state is in the buffers before and afterwards, with all arrays that
// the loop's entry computes. `memory` is the run's own memory, `buffers` has the addresses of all buffers, and `steps`
// the steps of a turn, condition first.
using TurnCode = TurnsEnd (*)(std::byte* memory, std::byte* const* buffers, const BoundStep* steps, std::int64_t turns);

// A backend's own code for the turns of a loop. Several threads may use one.
class OwnTurns {
 public:
  virtual ~OwnTurns() = default;
  // Returns null as long as the turns are to be replayed.
  virtual TurnCode Get(const LoopProgram& program, const LoopBlock& block) = 0;
  // Counts turns that were replayed.
  virtual void AddTurns(std::int64_t turns) = 0;
};

// Exactly one of the first four says what the step does.
struct ReplayStep {
  ElementLoop loop = nullptr;
  Kernel kernel = {};
  const Op* op = nullptr;  // its body runs `instruction` on literals
  std::shared_ptr<LoopBlock> inner = {};

  std::string_view name = {};                   // of the instruction, or kCopyStep or kRepeatStep
  const HloInstruction* instruction = nullptr;  // null for copies and repeated scalars

  std::vector<ArrayId> operands = {}, results = {};
  std::int64_t count = 0;  // the elements that `loop` or `kernel` writes
  Overwrites overwrites = Overwrites::kNothing;
};

// One loop. The initial state is in the arrays `state`, and so is the final one.
struct LoopBlock {
  std::vector<ArrayId> state, next;  // before and after a turn
  ArrayId holds = -1;                // the value of the condition
  std::vector<ReplayStep> entry;     // run once: all that does not change between turns
  std::vector<ReplayStep> condition, body;
  int turns_between_checks = 1;         // of the limits
  std::shared_ptr<OwnTurns> code = {};  // null: all turns are replayed

  bool Keeps(std::size_t i) const { return state[i] == next[i]; }
};

struct LoopProgram {
  std::vector<LoopArray> arrays;
  std::vector<LoopBuffer> buffers;
  std::int64_t memory_bytes = 0;
  LoopBlock main;
};

// Returns the program of a `while`; null if PrepareLoop returns nothing for it.
std::shared_ptr<const LoopProgram> MakeLoopProgram(const HloInstruction& loop, const LoopBodies& bodies);

// Assigns a buffer to every array. Returns false if that needs a copy of a large array in each turn, or too much
// memory.
bool AssignBuffers(LoopProgram& program);

}  // namespace assay
