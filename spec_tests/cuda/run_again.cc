// run_again BACKEND MODULE TIMES [beside]: compiles a module once and runs it TIMES times, on the backend and on the
// reference. Each run has new numbers for all parameters but the first, which keeps its numbers for two runs. With
// "beside" a second executable of the module also runs on the numbers of each run from the third on, and its results
// are the ones that are compared. Prints for each run whether the results have the same bits, or the error. Exits with
// 3 after an error, with 1 after a difference.
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

#include "backends/backend.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/fill.h"
#include "interpreter/hlo/parser.h"

namespace assay {
namespace {

bool IsSame(const Literal& a, const Literal& b) {
  if (!a.shape().IsTuple()) return std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.byte_size())) == 0;
  for (std::size_t i = 0; i < a.elements().size(); ++i) {
    if (!IsSame(a.elements()[i], b.elements()[i])) return false;
  }
  return true;
}

int Run(const char* name, const char* path, int times, bool has_other) {
  std::ifstream stream(path);
  const auto module = ParseHloModule(std::string{std::istreambuf_iterator<char>(stream), {}});
  const auto backend = OpenBackend(name, 0);
  if (!module || !backend) return fmt::print("{}\n", (module ? backend.error() : module.error()).message), 3;
  const auto executable = (*backend)->Compile(**module);
  if (!executable) return fmt::print("{}\n", executable.error().message), 3;
  const auto other = (*backend)->Compile(**module);
  int result = 0;
  std::vector<Literal> arguments;
  for (int run = 0; run < times; ++run) {
    const auto parameters = (*module)->entry->Parameters();
    arguments.resize(parameters.size());
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      if (i == 0 && run % 2 != 0) continue;
      arguments[i] = Literal(parameters[i]->shape);
      FillWithSeed(arguments[i], static_cast<std::uint64_t>(100 * run) + i);
    }
    const Literal want = *Evaluate(**module, arguments);
    auto got = (*executable)->Run({arguments});
    if (has_other && got && run >= 2 && IsSame(want, (*got)[0])) got = (*other)->Run({arguments});
    fmt::print("{}\n", !got ? got.error().message : IsSame(want, (*got)[0]) ? "the same" : "not the same");
    if (!got) return 3;
    if (!IsSame(want, (*got)[0])) result = 1;
  }
  return result;
}

}  // namespace
}  // namespace assay

int main(int argc, char** argv) { return assay::Run(argv[1], argv[2], std::atoi(argv[3]), argc > 4); }
