#include "backends/simd/loops/loops.h"

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

#include "backends/simd/loops/loop_program.h"

namespace assay::simd {
namespace {

// True if an asynchronous operation has not computed a part of the value yet.
bool IsPending(const Literal& value) {
  return value.promise() != nullptr || std::ranges::any_of(value.elements(), IsPending);
}

PreparedFunction PrepareWhile(const HloInstruction& loop) {
  const std::shared_ptr<const LoopProgram> program = MakeLoopProgram(loop);
  if (program == nullptr) return {};
  return [program, &loop](std::span<Literal> operands, Evaluation& evaluation) {
    if (IsPending(operands[0])) return loop.op->evaluation.evaluate(loop, operands, evaluation);
    Literal state = std::move(operands[0]);
    RunLoop(*program, state, evaluation);
    return state;
  };
}

constexpr std::string_view kNames[] = {"while"};

}  // namespace

const Family kLoops = {.ops = kNames, .prepare = PrepareWhile};

}  // namespace assay::simd
