// The part of `tools/dev bench` that measures the judge and the corpus, and serves single modules to be timed.
#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

#include "tools/bench/benchmarks.h"

namespace assay {
namespace {

// A benchmark. `run` prints the measurements and returns an exit code.
struct Benchmark {
  std::string_view name;
  int (*run)(BenchArguments arguments);
};

constexpr Benchmark kBenchmarks[] = {
    {"acceptance", BenchAcceptance},
    {"compiled-programs", BenchCompiledPrograms},
    {"mutants", BenchMutants},
    {"programs", BenchPrograms},
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
