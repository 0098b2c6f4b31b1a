// The programs of golden/quantized detect every fault of quantization.
#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "backends/mutant/mutant.h"
#include "conformance/cases/golden.h"
#include "conformance/judging/compare.h"
#include "spec_tests/catch.h"

namespace assay::testing {
namespace {

struct QuantizedGolden {
  std::string name;
  std::unique_ptr<HloModule> module;
  std::vector<Literal> arguments;
};

std::vector<QuantizedGolden> QuantizedGoldens() {
  const char* folder = std::getenv("ASSAY_GOLDENS");
  std::vector<QuantizedGolden> goldens;
  const std::vector<std::string> paths = FindGoldenFiles(folder != nullptr ? folder : "golden").value();
  for (const std::string& path : paths) {
    if (path.find("/quantized/") == std::string::npos) continue;
    const GoldenFile file = ReadGoldenFile(path).value();
    for (const GoldenCase& golden : file.cases) {
      goldens.push_back({golden.name, ReadGoldenModule(file, golden.entry).value(), golden.arguments});
    }
  }
  return goldens;
}

// True if the result of a case is FAIL.
bool IsKilled(const Mutant& mutant, const std::vector<QuantizedGolden>& goldens, const Profile& profile) {
  MutantBackend backend(mutant);
  return std::ranges::any_of(goldens, [&](const QuantizedGolden& golden) {
    const Result<ModuleReport> report =
        CompareModule(backend, *golden.module, {golden.arguments}, {.profile = profile, .limits = {}});
    return report && report->verdict == Verdict::kFail;
  });
}

TEST_CASE("golden/quantized detects each fault of quantization", "[mutants][quantized]") {
  const std::vector<QuantizedGolden> goldens = QuantizedGoldens();
  REQUIRE(goldens.size() > 90);
  for (const Mutant& mutant : QuantizationMutants()) {
    for (const std::string_view profile : {"exact", "xla", "quantized-fixed-point"}) {
      INFO(mutant.id << " by " << profile);
      // Kernels of integers round ties away from zero.
      const bool is_lawful = mutant.id == "quantize_ties_away" && profile == "quantized-fixed-point";
      CHECK(IsKilled(mutant, goldens, BuiltInProfile(profile)) != is_lawful);
    }
  }
}

}  // namespace
}  // namespace assay::testing
