// The turns of a loop as machine code.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

namespace assay::simd {

struct BoundStep;
struct LoopBlock;
struct LoopProgram;

// The reasons for which machine code returns.
enum class TurnsEnd : int { kAllRun, kConditionFalse, kStepFailed };

// Machine code that runs up to `turns` turns of a loop. The state is in the buffers before and afterwards, with all
// arrays that the loop's entry computes. `memory` is the run's own memory, `buffers` has the addresses of all buffers,
// and `steps` the steps of a turn, condition first.
using TurnCode = TurnsEnd (*)(std::byte* memory, std::byte* const* buffers, const BoundStep* steps, std::int64_t turns);

// True if this build and the processor have a compiler of loops.
bool HasTurnCompiler();

struct CompiledTurns {
  TurnCode run = nullptr;
  int called_steps = 0;  // those without machine code of their own
};

// Returns the machine code of a loop's turns, which lives as long as the pointer. Null without a compiler, if the
// process may not make memory executable, and if no step has machine code.
std::shared_ptr<const CompiledTurns> CompileTurns(const LoopProgram& program, const LoopBlock& block);

// The machine code of a loop that has run for about as long as its compilation takes. Several threads may use one.
class LazyTurns {
 public:
  // Returns null if the loop has run for too short a time, or cannot be compiled.
  TurnCode Get(const LoopProgram& program, const LoopBlock& block);

  // Counts turns that the loop has run without machine code.
  void AddTurns(std::int64_t turns) { turns_.fetch_add(turns, std::memory_order_relaxed); }

 private:
  std::atomic<std::int64_t> turns_ = 0;
  std::once_flag once_;
  std::shared_ptr<const CompiledTurns> compiled_;
};

// The time at which loops are compiled; tests change it.
enum class Compilation { kWhenWorthwhile, kAtOnce, kNever };
void SetCompilation(Compilation compilation);

}  // namespace assay::simd
