#include <fmt/format.h>

#include <cstdint>
#include <ctime>
#include <optional>
#include <string>
#include <vector>

#include "backends/default_profile.h"
#include "backends/mutant/mutant.h"
#include "backends/process/temporary_folder.h"
#include "fuzz/fuzzing.h"
#include "tools/bench/arguments.h"

namespace assay {
namespace {

constexpr int kCores = 2;

struct Options {
  bool has_mutants = false;
  std::int64_t seeds = 3, seconds = 60, programs = 20'000;
  std::string profile;  // empty: the backend's own
  std::vector<std::string> mutants;
};

FuzzOptions OptionsFor(const std::string& backend, const std::string& profile, std::uint64_t seed) {
  FuzzOptions options;
  options.constraints.seed = seed;
  options.backend = backend;
  options.profile = profile.empty() ? DefaultProfile(backend) : profile;
  options.compare.profile = BuiltInProfile(options.profile);
  options.compare.limits.seconds = 10;
  options.budget = 1;
  return options;
}

struct FuzzResult {
  FuzzCount count;
  bool has_found = false;
};

Result<FuzzResult> RunFuzz(const FuzzOptions& options, int jobs) {
  const TemporaryFolder place;
  ASSAY_TRY(FindingsFolder folder, FindingsFolder::Open(place.path()));
  ASSAY_TRY(BackendPool pool, BackendPool::Open(options.backend, jobs, 60));
  FuzzProgress progress;
  ASSAY_CHECK_OK(Fuzz(pool, options, folder, progress, {}));
  // A run that ends early does not count its last programs; the folder has all findings.
  ASSAY_TRY(const std::vector<Finding> found, folder.Read());
  return FuzzResult{std::move(progress.state.count), !found.empty()};
}

double CpuSeconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

int TimePrograms(std::int64_t programs_each) {
  fmt::print("programs a second of one core: drawn, verified, evaluated by the reference and compared\n");
  bool has_failed = false;
  for (const std::string backend : {"reference", "simd"}) {
    FuzzOptions options = OptionsFor(backend, "", 1);
    options.count = 100;  // builds data that later runs share
    has_failed |= !RunFuzz(options, 1);
    options.count = programs_each;
    const double start = CpuSeconds();
    const Result<FuzzResult> result = RunFuzz(options, 1);
    const double seconds = CpuSeconds() - start;
    if (!result) {
      fmt::print("{:<10} {}\n", backend, result.error().message);
      return 1;
    }
    const FuzzCount* count = &result->count;
    const auto programs = static_cast<double>(count->programs);
    fmt::print("{:<10} {:>7.0f}   {} findings; of one core's time the reference has {:.0f} %, the backend {:.0f} %\n",
               backend, programs / seconds, count->findings, 100 * count->reference_seconds / count->seconds,
               100 * count->backend_seconds / count->seconds);
    fmt::print(
        "{:<10} covers {} ops, {} ops with types, {} classes of attributes, {} with types, {} pairs of neighbours\n",
        "", count->coverage.ops(), count->coverage.types.size(), count->coverage.classes(),
        count->coverage.attributes.size(), count->coverage.neighbours.size());
    has_failed |= count->findings > 0;
  }
  return has_failed ? 1 : 0;
}

std::vector<std::string> HandWritten() {
  std::vector<std::string> ids;
  for (const std::vector<Mutant>* mutants : HandwrittenMutants()) {
    for (const Mutant& mutant : *mutants) ids.push_back(mutant.id);
  }
  return ids;
}

bool IsControl(const std::string& id) {
  const Mutant* mutant = FindMutant(id);
  return mutant != nullptr && mutant->is_control;
}

// The seconds and programs until the first finding.
struct Found {
  double seconds = 0;
  std::int64_t programs = 0;
};
Result<std::optional<Found>> FindMutantBy(const std::string& id, std::uint64_t seed, const Options& given) {
  FuzzOptions options = OptionsFor("mutant:" + id, given.profile, seed);
  options.seconds = static_cast<double>(given.seconds);
  options.most_findings = 1;
  ASSAY_TRY(const FuzzResult result, RunFuzz(options, kCores));
  if (!result.has_found) return std::optional<Found>();
  return std::optional(Found{result.count.seconds, result.count.programs});
}

int FindMutants(const Options& options) {
  fmt::print("| mutant |");
  for (std::int64_t seed = 1; seed <= options.seeds; ++seed) fmt::print(" seed {}: seconds, programs |", seed);
  fmt::print("\n|---|");
  for (std::int64_t seed = 1; seed <= options.seeds; ++seed) fmt::print("---|");
  fmt::print("\n");
  std::int64_t missed = 0, total = 0;
  for (const std::string& id : options.mutants.empty() ? HandWritten() : options.mutants) {
    std::string line = fmt::format("| {} |", id);
    bool is_always_found = true, is_ever_found = false;
    for (std::int64_t seed = 1; seed <= options.seeds; ++seed) {
      const auto found = FindMutantBy(id, static_cast<std::uint64_t>(seed), options);
      if (!found) {
        fmt::print(stderr, "{}: {}\n", id, found.error().message);
        return 2;
      }
      is_always_found &= found->has_value();
      is_ever_found |= found->has_value();
      line += *found ? fmt::format(" {:.1f}, {} |", (*found)->seconds, (*found)->programs) : std::string(" - |");
    }
    ++total;
    missed += (IsControl(id) ? is_ever_found : !is_always_found) ? 1 : 0;
    fmt::print("{}\n", line);
    std::fflush(stdout);
  }
  fmt::print("{} of {} found with every seed, or as they should be\n", total - missed, total);
  return missed > 0 ? 1 : 0;
}

}  // namespace

int BenchFuzz(BenchArguments arguments) {
  Options options;
  const bool is_read = ReadArguments("fuzz", arguments, [&](CLI::App& bench) {
    AddFlag(bench, "--mutants", options.has_mutants, "fuzz the named mutants, or all handwritten ones");
    AddNumber(bench, "--seeds", options.seeds, "seeds of the fuzzing of each mutant", 1);
    AddNumber(bench, "--seconds", options.seconds, "for each seed", 1);
    AddNumber(bench, "--programs", options.programs, "without --mutants: programs on each backend", 1);
    AddBuiltInProfile(bench, options.profile);
    AddTexts(bench, "mutants", options.mutants, "ids of mutants");
  });
  if (!is_read) return 2;
  return options.has_mutants ? FindMutants(options) : TimePrograms(options.programs);
}

}  // namespace assay
