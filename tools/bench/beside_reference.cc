#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "conformance/cases/inputs.h"
#include "interpreter/acceptance/sets/program_sets.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/parser.h"
#include "tools/bench/benchmarks.h"
#include "tools/bench/timing.h"

namespace assay {
namespace {

// Returns false if the run fails.
using Run = std::function<bool()>;
// Makes the runs of a module on the reference and on the other side.
using MakeRuns = std::vector<Run> (*)(const HloModule& module, const DeviceValues& inputs);

bool BenchFile(std::string_view path, MakeRuns make) {
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
  bool is_well = true;
  std::vector<std::function<void()>> works;
  for (Run& run : make(**module, inputs->per_device)) {
    works.push_back([&is_well, run = std::move(run)] { is_well &= run(); });
  }
  const std::vector<Timing> timings = TimeByTurns(works);
  if (!is_well) {
    fmt::print(stderr, "{} does not run\n", path);
    return false;
  }
  fmt::print("{:<40} {:>28} {:>28} {:>6.3g}\n", path.substr(path.rfind('/') + 1), TimingText(timings[0], 1e3),
             TimingText(timings[1], 1e3), timings[1].median / timings[0].median);
  return true;
}

int BenchFiles(BenchArguments files, std::string_view other, MakeRuns make) {
  if (files.empty()) return 0;  // tools/bench/beside_reference.py names the files
  fmt::print("{:<40} {:>28} {:>28} {:>6}\n", "milliseconds", "reference", other, "ratio");
  bool is_well = true;
  for (const std::string_view path : files) is_well &= BenchFile(path, make);
  return is_well ? 0 : 1;
}

// Returns runs of the module, compiled once, on a backend.
Run RunOn(std::string_view name, const HloModule& module, const DeviceValues& inputs) {
  const std::shared_ptr<Backend> backend = OpenBackend(name, 600).value();
  Result<std::unique_ptr<Executable>> compiled = backend->Compile(module);
  if (!compiled) return [] { return false; };
  return [backend, executable = std::shared_ptr<Executable>(*std::move(compiled)), &inputs] {
    return executable->Run(inputs).has_value();
  };
}

}  // namespace

int BenchSets(BenchArguments files) {
  return BenchFiles(files, "sets", [](const HloModule& module, const DeviceValues& inputs) -> std::vector<Run> {
    return {[&] { return Evaluate(module, inputs[0]).has_value(); },
            [&] { return EvaluateSets(module, inputs[0], XlaProfile()).has_value(); }};
  });
}

int BenchSimd(BenchArguments files) {
  return BenchFiles(files, "simd", [](const HloModule& module, const DeviceValues& inputs) -> std::vector<Run> {
    return {RunOn("reference", module, inputs), RunOn("simd", module, inputs)};
  });
}

}  // namespace assay
