#include "fuzz/measure/planted.h"

#include <algorithm>

#include "fuzz/generate/instructions.h"
#include "interpreter/acceptance/judge.h"
#include "interpreter/evaluator/evaluator.h"

namespace assay {
using namespace generate;
namespace {

constexpr int kModulesTried = 32;

bool Shows(MutantBackend& backend, const DrawnModule& drawn) {
  const Result<Literal> want = EvaluateTogether(*drawn.module, drawn.arguments);
  if (!want) return false;
  Result<PerDevice<Literal>> got = backend.Run(*drawn.module, drawn.arguments);
  return got && CompareExactly(*want, OfAllDevices(*std::move(got))).verdict == Verdict::kFail;
}

}  // namespace

std::optional<DrawnModule> DrawPlanted(const Mutant& mutant, std::int64_t draws, std::uint64_t seed) {
  const Op* const op = FindOp(mutant.op);
  if (std::ranges::count(DrawableOps(), op) == 0) return std::nullopt;
  MutantBackend backend(mutant);
  for (int i = 0; i < kModulesTried; ++i) {
    Random random(seed * kModulesTried + i);
    DrawnModule drawn =
        DrawModule(random, {.least_draws = draws, .most_draws = draws, .may_have_devices = false, .op = op});
    if (drawn.from_host[0].empty() && Shows(backend, drawn)) return drawn;
  }
  return std::nullopt;
}

}  // namespace assay
