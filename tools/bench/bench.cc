// Times the reference next to its peers on the same inputs: `tools/dev bench [NAME]`. Ratios mean more than
// nanoseconds. Medians of several repetitions are shown with their range.
#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/parser.h"
#include "interpreter/types/per_device.h"
#include "tools/bench/benchmarks.h"
#include "tools/bench/timing.h"

namespace assay {
namespace {

// Returns a loop of all-reduces of one number on each device.
std::string LoopOfCollectives(int devices, int trips) {
  return fmt::format(R"(HloModule loop, replica_count={}
add {{ a = s32[] parameter(0)
  b = s32[] parameter(1)
  ROOT r = s32[] add(a, b) }}
condition {{ p = (s32[], s32[]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant({})
  ROOT r = pred[] compare(i, n), direction=LT }}
body {{ p = (s32[], s32[]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  v = s32[] get-tuple-element(p), index=1
  one = s32[] constant(1)
  j = s32[] add(i, one)
  w = s32[] all-reduce(v), replica_groups={{}}, to_apply=add
  ROOT r = (s32[], s32[]) tuple(j, w) }}
ENTRY e {{ z = s32[] constant(0)
  one = s32[] constant(1)
  t = (s32[], s32[]) tuple(z, one)
  ROOT w = (s32[], s32[]) while(t), condition=condition, body=body }}
)",
                     devices, trips);
}

int BenchCollectives(BenchArguments) {
  fmt::print("microseconds a collective, from the first device's arrival to the last one's departure\n");
  constexpr int kTrips = 1000;
  for (const int devices : {2, 8, 64}) {
    const auto module = *ParseHloModule(LoopOfCollectives(devices, kTrips));
    const DeviceValues arguments(devices);
    bool has_failed = false;
    const Timing timing = Time([&] { has_failed |= !EvaluateOnDevices(*module, arguments); });
    fmt::print("all-reduce on {:>2} devices {:>9.2f} us ({:.2f} to {:.2f}){}\n", devices, timing.median * 1e6 / kTrips,
               timing.least * 1e6 / kTrips, timing.most * 1e6 / kTrips, has_failed ? "   FAILED" : "");
  }
  return 0;
}

// A benchmark. `run` prints the measurements and returns an exit code.
struct Benchmark {
  std::string_view name;
  int (*run)(BenchArguments arguments);
};

constexpr Benchmark kBenchmarks[] = {
    {"acceptance", BenchAcceptance},
    {"collectives", BenchCollectives},
    {"compiled-programs", BenchCompiledPrograms},
    {"fuzz", BenchFuzz},
    {"kernels", BenchKernels},
    {"mutants", BenchMutants},
    {"numerics", BenchNumerics},
    {"programs", BenchPrograms},
    {"reduce", BenchReduce},
    {"sets", BenchSets},
    {"simd", BenchSimd},
};

// Runs `bench NAME [ARG...]`; without a name, all benchmarks.
int BenchMain(BenchArguments arguments) {
  if (!arguments.empty() && arguments[0] == "module") return ServeModule(arguments.subspan(1));
  if (!arguments.empty() && arguments[0] == "reading") return BenchReading(arguments.subspan(1));
  if (!arguments.empty() && arguments[0] == "device") return BenchDevice(arguments.subspan(1));
  int worst = 0;
  bool is_known = arguments.empty();
  for (const Benchmark& benchmark : kBenchmarks) {
    if (!arguments.empty() && benchmark.name != arguments[0]) continue;
    is_known = true;
    worst = std::max(worst, benchmark.run(arguments.empty() ? arguments : arguments.subspan(1)));
  }
  if (is_known) return worst;
  fmt::print(stderr, "no benchmark {}: there are", arguments[0]);
  for (const Benchmark& benchmark : kBenchmarks) fmt::print(stderr, " {}", benchmark.name);
  fmt::print(stderr, "\n");
  return 2;
}

}  // namespace
}  // namespace assay

int main(int argc, char** argv) {
  const std::vector<std::string_view> arguments(argv + 1, argv + argc);
  return assay::BenchMain(arguments);
}
