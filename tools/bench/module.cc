#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "conformance/cases/inputs.h"
#include "interpreter/acceptance/sets/program_sets.h"
#include "interpreter/hlo/parser.h"
#include "interpreter/hlo/verifier.h"
#include "tools/bench/benchmarks.h"
#include "tools/bench/timing.h"
#include "tools/bench/work.h"

namespace assay {
namespace {

int Fail(std::string_view message) {
  fmt::print(stderr, "{}\n", message);
  return 1;
}

// Writes the inputs unless they exist. Returns false if the folder cannot be written.
bool WriteInputs(const std::filesystem::path& folder, const std::vector<Literal>& inputs) {
  if (std::filesystem::exists(folder / "inputs.json")) return true;
  std::string shapes;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    std::ofstream file(folder / fmt::format("{}.bin", i), std::ios::binary);
    file.write(reinterpret_cast<const char*>(inputs[i].data()), inputs[i].byte_size());
    if (!file.flush()) return false;
    shapes += fmt::format("{}\"{}\"", i > 0 ? ", " : "", inputs[i].shape().ToStringWithoutLayout());
  }
  std::ofstream file(folder / "inputs.json");
  file << "[" << shapes << "]\n";
  return static_cast<bool>(file.flush());
}

// The module of the arguments, with its inputs.
struct ServedModule {
  std::unique_ptr<HloModule> module;
  Inputs inputs;
};

// Reads a module and its inputs, and writes these into the folder. Returns nothing after printing why.
std::optional<ServedModule> ReadServed(std::string_view path, std::string_view folder) {
  const auto fail = [](std::string_view message) {
    Fail(message);
    return std::nullopt;
  };
  std::ifstream file{std::string(path)};
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  auto module = ParseHloModule(text);
  if (!module) return fail(RenderError(module.error(), text, path));
  for (const Error& error : FindIllegal(**module)) return fail(RenderError(error, text, path));
  auto inputs = ReadInputs(**module, {.inputs = {}, .inputs_file = {}, .seed = 1});
  if (!inputs) return fail(inputs.error().message);
  if (!WriteInputs(folder, inputs->per_device[0])) return fail("cannot write the inputs");
  return ServedModule{*std::move(module), *std::move(inputs)};
}

// Replies to the lines of standard input; see ServeModule. `seconds_of` returns the mean seconds of so many runs, or
// nothing if one fails.
int Reply(const ServedModule& served, const std::function<std::optional<double>(int runs)>& seconds_of) {
  for (std::string line; std::getline(std::cin, line);) {
    int runs = 1;
    std::from_chars(line.data(), line.data() + line.size(), runs);
    if (line == "bytes") {
      fmt::print("{}\n", BytesOf(*served.module));
    } else if (line == "operations") {
      const auto work = WorkOf(*served.module, served.inputs.per_device);
      if (!work) return Fail(work.error().message);
      fmt::print("{:.0f}\n", work->AllOperations());
    } else if (line == "memory") {
      rusage usage{};
      getrusage(RUSAGE_SELF, &usage);
      fmt::print("{}\n", usage.ru_maxrss * 1024);
    } else {
      const std::optional<double> seconds = seconds_of(runs);
      if (!seconds) return Fail("the module does not run");
      fmt::print("{:.9f}\n", *seconds);
    }
    std::fflush(stdout);
  }
  return 0;
}

// Serves the roof of a module: the slower one of a copy of its bytes and of its operations.
int ServeRoof(const ServedModule& served) {
  const auto work = WorkOf(*served.module, served.inputs.per_device);
  if (!work) return Fail(work.error().message);
  const Roof roof = RoofOf(*work);
  const bool is_copy = SecondsOf(roof.copy, 3) > SecondsOf(roof.compute, 3);
  fmt::print("{}\n0\n", is_copy ? "memory" : "operations");
  std::fflush(stdout);
  return Reply(served, [&](int runs) { return std::max(SecondsOf(roof.copy, runs), SecondsOf(roof.compute, runs)); });
}

// Serves the sets of lawful results under the profile xla.
int ServeSets(const ServedModule& served) {
  fmt::print("xla\n0\n");
  std::fflush(stdout);
  return Reply(served, [&](int runs) -> std::optional<double> {
    bool is_well = true;
    const double seconds = SecondsOf(
        [&] { is_well &= EvaluateSets(*served.module, served.inputs.per_device[0], XlaProfile()).has_value(); }, runs);
    if (!is_well) return std::nullopt;
    return seconds;
  });
}

}  // namespace

int ServeModule(BenchArguments arguments) {
  if (arguments.size() != 3)
    return Fail("wanted: a backend, roof or sets, a file of HLO text, a folder for the inputs");
  const std::optional<ServedModule> served = ReadServed(arguments[1], arguments[2]);
  if (!served) return 1;
  if (arguments[0] == "roof") return ServeRoof(*served);
  if (arguments[0] == "sets") return ServeSets(*served);

  const auto backend = OpenBackend(arguments[0], 600);
  if (!backend) return Fail(backend.error().message);
  std::unique_ptr<Executable> executable;
  const double compile_seconds = SecondsOf([&] {
    if (auto compiled = (*backend)->Compile(*served->module)) executable = *std::move(compiled);
  });
  if (executable == nullptr) return Fail("the backend does not compile the module");
  const auto& description = (*backend)->description();
  fmt::print("{} {}\n{:.9f}\n", description.name, description.version, compile_seconds);
  std::fflush(stdout);
  return Reply(*served, [&](int runs) -> std::optional<double> {
    bool is_well = true;
    const double seconds =
        SecondsOf([&] { is_well = executable->Run(served->inputs.per_device).has_value() && is_well; }, runs);
    if (!is_well) return std::nullopt;
    return seconds;
  });
}

}  // namespace assay
