#include "conformance/diagnosis/reduce.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "fuzz/measure/planted.h"
#include "interpreter/types/parallel.h"
#include "tools/bench/benchmarks.h"

namespace assay {
using namespace generate;
namespace {

constexpr std::int64_t kDraws = 70;  // about 200 instructions
constexpr std::size_t kStride = 3;
constexpr std::size_t kWantedInstructions = 8;
constexpr double kWantedSeconds = 60;

std::vector<const Mutant*> Chosen(BenchArguments ids) {
  std::vector<const Mutant*> chosen;
  for (const std::string_view id : ids) {
    if (const Mutant* mutant = FindMutant(id)) chosen.push_back(mutant);
  }
  const std::vector<const Mutant*> all = SampleOfMutants(1);
  for (std::size_t i = 0; ids.empty() && i < all.size(); i += kStride) {
    if (!all[i]->is_control) chosen.push_back(all[i]);
  }
  return chosen;
}

template <class T>
T Median(std::vector<T> numbers) {
  std::ranges::sort(numbers);
  return numbers[numbers.size() / 2];
}

}  // namespace

int BenchReduce(BenchArguments arguments) {
  fmt::print("{:<32} {:>14} {:>18} {:>6} {:>8}\n", "mutant", "instructions", "elements", "tries", "seconds");
  std::vector<std::int64_t> instructions;
  std::vector<double> seconds;
  for (const Mutant* mutant : Chosen(arguments)) {
    std::optional<DrawnModule> drawn = DrawPlanted(*mutant, kDraws, 1);
    if (!drawn) continue;
    const Subject subject = {std::move(drawn->module), std::move(drawn->arguments)};
    const Result<EvaluationLimits> limits = LimitsFor(subject, {});
    if (!limits) continue;
    const CompareOptions compare = {.profile = BuiltInProfile("exact"), .limits = *limits};
    std::vector<std::unique_ptr<MutantBackend>> backends;
    for (int i = 0; i < ParallelThreads(); ++i) backends.push_back(std::make_unique<MutantBackend>(*mutant));
    const Result<Failure> failure = FindFailure(*backends[0], *subject.module, subject.arguments, compare);
    if (!failure || !failure->IsOne()) continue;
    std::vector<StillFails> workers;
    for (const auto& backend : backends) workers.push_back(FailsLike(*backend, compare, *failure));
    Search search(std::move(workers), 0);
    const Result<Reduction> reduction = Reduce(subject, search, *limits, ReductionScope::kAll);
    if (!reduction) continue;
    instructions.push_back(reduction->after.instructions);
    seconds.push_back(reduction->seconds);
    fmt::print("{:<32} {:>6} -> {:>4} {:>9} -> {:>5} {:>6} {:>8.2f}\n", mutant->id, reduction->before.instructions,
               reduction->after.instructions, reduction->before.elements, reduction->after.elements, reduction->tries,
               reduction->seconds);
    std::fflush(stdout);
  }
  if (instructions.empty()) return 1;
  const auto small = std::ranges::count_if(
      instructions, [](std::int64_t n) { return n < static_cast<std::int64_t>(kWantedInstructions); });
  fmt::print("{} mutants, median {} instructions, {:.2f} s; {} below {} instructions; the slowest {:.2f} s\n",
             instructions.size(), Median(instructions), Median(seconds), small, kWantedInstructions,
             std::ranges::max(seconds));
  const bool is_met =
      Median(instructions) < static_cast<std::int64_t>(kWantedInstructions) && Median(seconds) < kWantedSeconds;
  return is_met ? 0 : 1;
}

}  // namespace assay
