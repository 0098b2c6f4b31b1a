#include "backends/simd/loops/machine_code.h"

#include "interpreter/kernels/loops/loop_program.h"

namespace assay::simd {
namespace {

std::atomic<Compilation> when = Compilation::kWhenWorthwhile;

// A turn without machine code takes 5 ns a step or more, and compilation some 50 us and 10 us a step.
std::int64_t TurnsBeforeCompilation(const LoopBlock& block) {
  const auto steps = static_cast<std::int64_t>(block.condition.size() + block.body.size());
  return 10000 / (steps + 1) + 2000;
}

}  // namespace

TurnCode LazyTurns::Get(const LoopProgram& program, const LoopBlock& block) {
  const Compilation compilation = when.load(std::memory_order_relaxed);
  if (compilation == Compilation::kNever) return nullptr;
  const bool is_worthwhile = turns_.load(std::memory_order_relaxed) >= TurnsBeforeCompilation(block);
  if (!is_worthwhile && compilation != Compilation::kAtOnce) return nullptr;
  std::call_once(once_, [&] { compiled_ = CompileTurns(program, block); });
  return compiled_ == nullptr ? nullptr : compiled_->run;
}

void SetCompilation(Compilation compilation) { when = compilation; }

}  // namespace assay::simd
