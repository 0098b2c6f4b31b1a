#include "backends/simd/loops/loops.h"

#include <memory>
#include <string_view>

#include "backends/simd/loops/machine_code.h"
#include "backends/simd/loops/repeat.h"
#include "backends/simd/loops/scalar_loops.h"
#include "backends/simd/products.h"
#include "backends/simd/reduce.h"
#include "interpreter/kernels/loops/movements.h"

namespace assay::simd {
namespace {

constexpr std::string_view kNames[] = {"while"};

constexpr Kernel (*kWholeKernels[])(const HloInstruction&) = {MovementKernel, DotKernel, ReduceKernel};

PreparedFunction PrepareWhile(const HloInstruction& loop, const OpOverrides& overrides) {
  return PrepareLoop(loop, BodiesOfLoops(overrides));
}

}  // namespace

LoopBodies BodiesOfLoops(const OpOverrides& overrides) {
  return {.overrides = overrides,
          .scalar = ScalarLoop,
          .repeat = RepeatLoop,
          .whole = kWholeKernels,
          .turns = []() -> std::shared_ptr<OwnTurns> { return std::make_shared<LazyTurns>(); }};
}

const Family kLoops = {.ops = kNames, .prepare = PrepareWhile};

}  // namespace assay::simd
