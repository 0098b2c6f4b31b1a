#include "fuzz/rewrites/reduce_pair.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "conformance/diagnosis/reduce.h"
#include "conformance/diagnosis/search.h"
#include "conformance/judging/judged_alone.h"

namespace assay {
using namespace generate;
namespace {

// The number of random places for each rewrite: most reduced modules have few.
constexpr std::uint64_t kPlacesTried = 4;

using Names = std::vector<std::string_view>;

std::optional<Rewritten> RewriteBy(const Names& names, const Subject& subject, std::uint64_t place) {
  static const std::vector<Rewrite> rewrites = AllRewrites();
  Rewritten rewritten = {subject, {}};
  for (const std::string_view name : names) {
    Random random(place);
    const auto rewrite = std::ranges::find(rewrites, name, &Rewrite::name);
    std::optional<Rewritten> next = RewriteSome(rewritten.subject, random, 1, {&*rewrite, 1});
    if (!next) continue;
    rewritten.subject = std::move(next->subject);
    rewritten.rewrites.push_back(name);
  }
  if (rewritten.rewrites.empty()) return std::nullopt;
  return rewritten;
}

// Returns the rewritten subject if the backend's results differ from those of the subject.
std::optional<Rewritten> FindTold(Backend& backend, const Subject& subject, const Names& names) {
  if (!IsDetermined(*subject.module)) return std::nullopt;
  const auto first = backend.Run(*subject.module, subject.arguments);
  if (!first) return std::nullopt;
  const Literal want = OfAllDevices(*first);
  for (std::uint64_t place = 0; place < kPlacesTried; ++place) {
    std::optional<Rewritten> rewritten = RewriteBy(names, subject, place);
    if (!rewritten) return std::nullopt;
    const auto second = backend.Run(*rewritten->subject.module, rewritten->subject.arguments);
    if (second && CompareExactly(want, OfAllDevices(*second)).verdict != Verdict::kExact) return rewritten;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Pair> ReducePair(Backend& backend, const Pair& pair, const EvaluationLimits& limits,
                               double budget_seconds) {
  std::vector<Names> tried;
  for (const std::string_view name : pair.after.rewrites) tried.push_back({name});
  if (tried.size() > 1) tried.push_back(pair.after.rewrites);
  const auto names =
      std::ranges::find_if(tried, [&](const Names& some) { return FindTold(backend, pair.before, some).has_value(); });
  if (names == tried.end()) return std::nullopt;
  const StillFails is_told = [&](const HloModule& module, const DeviceValues& arguments) -> Result<bool> {
    // Not owned: the module outlives the call.
    const Subject subject = {std::shared_ptr<const HloModule>(std::shared_ptr<void>(), &module), arguments};
    return FindTold(backend, subject, *names).has_value();
  };
  Search search({is_told}, budget_seconds);
  const Result<Reduction> reduction = Reduce(pair.before, search, limits, ReductionScope::kAll);
  const Subject& before = reduction ? reduction->subject : pair.before;
  std::optional<Rewritten> after = FindTold(backend, before, *names);
  if (!after) return std::nullopt;
  return Pair{before, *std::move(after)};
}

}  // namespace assay
