// The turns of a loop as machine code.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

#include "interpreter/kernels/loops/loop_program.h"

namespace assay::simd {

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
class LazyTurns final : public OwnTurns {
 public:
  // Returns null if the loop has run for too short a time, or cannot be compiled.
  TurnCode Get(const LoopProgram& program, const LoopBlock& block) override;

  void AddTurns(std::int64_t turns) override { turns_.fetch_add(turns, std::memory_order_relaxed); }

 private:
  std::atomic<std::int64_t> turns_ = 0;
  std::once_flag once_;
  std::shared_ptr<const CompiledTurns> compiled_;
};

// The time at which loops are compiled; tests change it.
enum class Compilation { kWhenWorthwhile, kAtOnce, kNever };
void SetCompilation(Compilation compilation);

}  // namespace assay::simd
