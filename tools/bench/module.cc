#include <fmt/format.h>
#include <sys/resource.h>

#include <charconv>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "conformance/cases/inputs.h"
#include "interpreter/hlo/parser.h"
#include "interpreter/hlo/verifier.h"
#include "tools/bench/benchmarks.h"
#include "tools/bench/timing.h"

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

}  // namespace

int ServeModule(BenchArguments arguments) {
  if (arguments.size() != 3) return Fail("wanted: a backend, a file of HLO text, a folder for the inputs");
  std::ifstream file{std::string(arguments[1])};
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto module = ParseHloModule(text);
  if (!module) return Fail(RenderError(module.error(), text, arguments[1]));
  for (const Error& error : FindIllegal(**module)) return Fail(RenderError(error, text, arguments[1]));
  const auto inputs = ReadInputs(**module, {.inputs = {}, .inputs_file = {}, .seed = 1});
  if (!inputs) return Fail(inputs.error().message);
  if (!WriteInputs(arguments[2], inputs->per_device[0])) return Fail("cannot write the inputs");

  const auto backend = OpenBackend(arguments[0], 600);
  if (!backend) return Fail(backend.error().message);
  std::unique_ptr<Executable> executable;
  const double compile_seconds = SecondsOf([&] {
    if (auto compiled = (*backend)->Compile(**module)) executable = *std::move(compiled);
  });
  if (executable == nullptr) return Fail("the backend does not compile the module");
  const auto& description = (*backend)->description();
  fmt::print("{} {}\n{:.9f}\n", description.name, description.version, compile_seconds);
  std::fflush(stdout);
  for (std::string line; std::getline(std::cin, line);) {
    int runs = 1;
    std::from_chars(line.data(), line.data() + line.size(), runs);
    if (line == "bytes") {
      // The verifier has checked that the sizes do not overflow.
      std::int64_t bytes = ShapeUtil::CheckedByteSizeOf((*module)->entry->root->shape).value();
      for (const HloInstruction* parameter : (*module)->entry->Parameters()) {
        bytes += ShapeUtil::CheckedByteSizeOf(parameter->shape).value();
      }
      fmt::print("{}\n", bytes);
    } else if (line == "memory") {
      rusage usage{};
      getrusage(RUSAGE_SELF, &usage);
      fmt::print("{}\n", usage.ru_maxrss * 1024);
    } else {
      bool is_well = true;
      const double seconds =
          SecondsOf([&] { is_well = executable->Run(inputs->per_device).has_value() && is_well; }, runs);
      if (!is_well) return Fail("the module does not run");
      fmt::print("{:.9f}\n", seconds);
    }
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace assay
