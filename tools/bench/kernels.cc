#include "interpreter/kernels/kernels.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <optional>
#include <vector>

#include "fuzz/generate/instructions.h"
#include "interpreter/evaluator/evaluator.h"
#include "tools/bench/benchmarks.h"
#include "tools/bench/timing.h"

namespace assay {
using namespace generate;
namespace {

constexpr int kDraws = 5;
constexpr std::int64_t kElements = 16384;
constexpr double kLeastSeconds = 0.005;

// Returns the time of the definition divided by the time of the kernel on one drawn instruction. Returns nothing if the
// draw is small or illegal.
std::optional<double> GainOf(const Op& op, Random& random) {
  const DrawConstraints constraints = {.types = TypesOf(F32, S32, PRED), .most_elements = kElements};
  const Result<DrawnInstruction> drawn = TryDrawInstruction(random, op, constraints);
  if (!drawn || !drawn->from_host.empty()) return std::nullopt;
  const auto work = [&](const OpOverrides& overrides) {
    return [&drawn, plan = PlannedModule::Plan(*drawn->module, overrides)] {
      if (plan) (void)plan->Evaluate(drawn->operands);
    };
  };
  const std::array<std::function<void()>, 2> works = {work(Definitions()), work({})};
  const std::vector<Timing> timings = TimeByTurns(works, kLeastSeconds);
  return timings[0].median / timings[1].median;
}

}  // namespace

int BenchKernels(BenchArguments arguments) {
  std::vector<const Op*> ops;
  for (const std::string_view name : arguments) {
    const Op* op = FindOp(name);
    if (op == nullptr || !Definitions().contains(op)) {
      fmt::print(stderr, "bench kernels: {} has no kernel\n", name);
      return 1;
    }
    ops.push_back(op);
  }
  for (const Op* op : AllOps()) {
    if (arguments.empty() && Definitions().contains(op)) ops.push_back(op);
  }
  fmt::print("how many times as long the definition takes, median of {} drawn instructions (least to most)\n", kDraws);
  for (const Op* op : ops) {
    Random random(1);
    std::vector<double> gains;
    for (int i = 0; i < 10 * kDraws && std::ssize(gains) < kDraws; ++i) {
      if (const std::optional<double> gain = GainOf(*op, random)) gains.push_back(*gain);
    }
    if (gains.empty()) continue;
    std::ranges::sort(gains);
    fmt::print("{:<28} {:>9.1f} ({:.1f} to {:.1f})\n", op->name, gains[gains.size() / 2], gains.front(), gains.back());
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace assay
