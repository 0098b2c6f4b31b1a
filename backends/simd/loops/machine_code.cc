#include "backends/simd/loops/machine_code.h"

#include "backends/simd/loops/loop_program.h"

namespace assay::simd {
namespace {

std::atomic<Compilation> when = Compilation::kWhenWorthwhile;

}  // namespace

TurnCode LazyTurns::Get(const LoopProgram& program, const LoopBlock& block, std::int64_t turns_before) {
  const Compilation compilation = when.load(std::memory_order_relaxed);
  if (compilation == Compilation::kNever) return nullptr;
  const bool is_worthwhile = turns_.load(std::memory_order_relaxed) >= turns_before;
  if (!is_worthwhile && compilation != Compilation::kAtOnce) return nullptr;
  std::call_once(once_, [&] { compiled_ = CompileTurns(program, block); });
  return compiled_ == nullptr ? nullptr : compiled_->run;
}

void SetCompilation(Compilation compilation) { when = compilation; }

}  // namespace assay::simd
