#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "interpreter/hlo/parser.h"
#include "interpreter/proto/hlo_proto.h"
#include "interpreter/stablehlo/to_hlo.h"
#include "tools/bench/benchmarks.h"
#include "tools/bench/timing.h"

namespace assay {
namespace {

constexpr int kRuns = 7;

Result<std::unique_ptr<HloModule>> Read(std::string_view file, const std::string& bytes) {
  if (file.ends_with(".hlo")) return ParseHloModule(bytes);
  if (file.ends_with(".pb")) return ReadHloModuleProto(bytes);
  ASSAY_TRY(const stablehlo::Program program,
            file.ends_with(".mlirbc") ? stablehlo::ReadBytecode(bytes) : stablehlo::ParseText(bytes));
  return stablehlo::ToHlo(program);
}

}  // namespace

int BenchReading(BenchArguments files) {
  for (const std::string_view file : files) {
    std::ifstream stream{std::string(file), std::ios::binary};
    const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    const auto module = Read(file, bytes);
    if (!module) {
      fmt::print(stderr, "{}\n", RenderError(module.error(), "", file));
      return 1;
    }
    std::vector<double> seconds;
    for (int i = 0; i < kRuns; ++i) seconds.push_back(SecondsOf([&] { (void)Read(file, bytes); }));
    std::ranges::sort(seconds);
    std::size_t instructions = 0;
    for (const auto& computation : (*module)->computations) instructions += computation->instructions.size();
    fmt::print("{} {} {} {}\n", seconds[kRuns / 2], seconds.front(), seconds.back(), instructions);
  }
  return 0;
}

}  // namespace assay
