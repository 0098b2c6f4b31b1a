// Fuzzing finds faults: a sample of the mutants, each within a number of programs.
#include <atomic>
#include <cstdint>
#include <limits>
#include <vector>

#include "backends/mutant/mutant.h"
#include "backends/process/temporary_folder.h"
#include "fuzz/fuzzing.h"
#include "spec_tests/catch.h"
#include "spec_tests/nightly.h"

namespace assay::testing {
namespace {

constexpr std::int64_t kMostPrograms = 20'000;

FuzzCount FuzzOn(const std::string& backend, std::int64_t programs, const std::string& kind = "", int threads = 2) {
  FuzzOptions options;
  options.constraints.seed = 1;
  options.constraints.kind = kind;
  options.backend = backend;
  options.count = programs;
  options.budget = 0.1;
  options.most_findings = 1;
  const TemporaryFolder place;
  FindingsFolder folder = FindingsFolder::Open(place.path()).value();
  BackendPool pool = BackendPool::Open(backend, threads, 60).value();
  FuzzProgress progress;
  REQUIRE(Fuzz(pool, options, folder, progress, {}));
  return progress.state.count;
}

// One in 100,000 on average: six or more in 100,000 happen in 0.06 % of all runs, and five or more in 0.4 %.
TEST_CASE("a rate of suspects is exceeded beyond chance", "[fuzzing]") {
  FuzzCount count;
  count.programs = 100'000;
  CHECK_FALSE(count.HasMoreSuspects(0));
  count.by_verdict[Verdict::kSuspect] = 1;
  CHECK(count.HasMoreSuspects(0));
  count.by_verdict[Verdict::kSuspect] = 5;
  CHECK_FALSE(count.HasMoreSuspects(1));
  count.by_verdict[Verdict::kSuspect] = 6;
  CHECK(count.HasMoreSuspects(1));
  count.programs = 1'000'000;
  CHECK_FALSE(count.HasMoreSuspects(1));
}

TEST_CASE("fuzzing finds mutants, and nothing in the reference", "[fuzzing]") {
  std::vector<std::string> ids;
  for (const Mutant& mutant : AllMutants()) {
    if (!mutant.is_control && mutant.beyond_goldens.empty()) ids.push_back(mutant.id);
  }
  const std::size_t every = IsNightly("fuzzing finds one mutant in three") ? 3 : 12;
  for (std::size_t i = 0; i < ids.size(); i += every) {
    INFO(ids[i]);
    CHECK(FuzzOn("mutant:" + ids[i], kMostPrograms).findings > 0);
  }
  CHECK(FuzzOn("mutant:optimization_barrier_dropped", 1000).findings == 0);
  const FuzzCount count = FuzzOn("reference", 2000);
  CHECK(count.findings == 0);
  CHECK(count.programs == 2000);
  // The outputs of programs are evidence.
  CHECK(count.uniform < 160);
  CHECK(count.nans * 8 < count.real_numbers);
}

TEST_CASE("quantized programs find faults of quantization", "[fuzzing][quantized]") {
  constexpr std::int64_t kMostQuantized = 2'000;
  const std::size_t every = IsNightly("quantized programs find all faults of quantization") ? 1 : 3;
  for (std::size_t i = 0; i < QuantizationMutants().size(); i += every) {
    INFO(QuantizationMutants()[i].id);
    CHECK(FuzzOn("mutant:" + QuantizationMutants()[i].id, kMostQuantized, "quantized").findings > 0);
  }
}

TEST_CASE("a finding that ends a run is counted", "[fuzzing]") {
  // More threads than processors: some have taken a program and not begun it when the finding is made.
  for (int run = 0; run < 100; ++run) {
    CHECK(FuzzOn("mutant:concat_order", 2'000, "", 8).findings > 0);
  }
}

TEST_CASE("a pool without a number of items ends after the last one", "[fuzzing]") {
  BackendPool pool = BackendPool::Open("reference", 8, 60).value();
  for (int run = 0; run < 100; ++run) {
    std::atomic<std::int64_t> least = 0, largest = 0;
    pool.ForEach(std::numeric_limits<std::int64_t>::max(), [&](int, std::int64_t item) {
      if (item < 0) least = item;
      if (item > largest + 100) largest = item;
      return item >= 0 && item < 3;
    });
    CHECK(least == 0);
    CHECK(largest == 0);
  }
}

}  // namespace
}  // namespace assay::testing
