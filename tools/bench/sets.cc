#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "conformance/cases/inputs.h"
#include "interpreter/acceptance/sets/program_sets.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/parser.h"
#include "tools/bench/benchmarks.h"
#include "tools/bench/timing.h"

namespace assay {
namespace {

bool BenchFile(std::string_view path) {
  std::ifstream file{std::string(path)};
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto module = ParseHloModule(text);
  if (!module) {
    fmt::print(stderr, "{}\n", RenderError(module.error(), text, path));
    return false;
  }
  const auto inputs = ReadInputs(**module, {.inputs = {}, .inputs_file = {}, .seed = 1});
  if (!inputs) {
    fmt::print(stderr, "{}\n", inputs.error().message);
    return false;
  }
  const std::vector<Literal>& arguments = inputs->per_device[0];
  bool is_well = true;
  const std::vector<Timing> timings =
      TimeByTurns({{[&] { is_well &= Evaluate(**module, arguments).has_value(); },
                    [&] { is_well &= EvaluateSets(**module, arguments, XlaProfile()).has_value(); }}});
  if (!is_well) {
    fmt::print(stderr, "{} has no sets\n", path);
    return false;
  }
  fmt::print("{:<40} {:>28} {:>28} {:>6.1f}\n", path.substr(path.rfind('/') + 1), TimingText(timings[0], 1e3),
             TimingText(timings[1], 1e3), timings[1].median / timings[0].median);
  return true;
}

}  // namespace

int BenchSets(BenchArguments arguments) {
  if (arguments.empty()) return 0;  // tools/bench/sets.py names the files
  fmt::print("{:<40} {:>28} {:>28} {:>6}\n", "milliseconds", "reference", "sets", "ratio");
  bool is_well = true;
  for (const std::string_view path : arguments) is_well &= BenchFile(path);
  return is_well ? 0 : 1;
}

}  // namespace assay
