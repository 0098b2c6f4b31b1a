// The planted miscompilations and the lawful rewrites as pairs: the instructions before, and those that replace them.
#include "fuzz/pair_search.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

#include "conformance/pairs/entry_bridge.h"
#include "fuzz/pattern_program.h"
#include "fuzz/rewrite_table.h"
#include "interpreter/acceptance/profile.h"
#include "spec_tests/catch.h"

namespace assay::testing {
namespace {

// Judges a pattern in a program, on its own inputs and on up to `tries` - 1 further ones.
Verdict JudgeAsPair(const RewriteRow& row, std::string_view computation, std::uint64_t seed, std::int64_t tries) {
  const generate::DrawnModule before = DrawPatternProgram(row, "given", seed);
  const generate::DrawnModule after = DrawPatternProgram(row, computation, seed);
  EntryBridge bridge = EntryBridge::Make(*before.module, *after.module).value();
  const ModulePair pair(*before.module, *after.module, std::move(bridge));
  const CompareOptions options = {.profile = XlaProfile(), .limits = {}};
  return SearchInputs(pair, before.arguments, tries, seed, options).value().report.report.verdict;
}

TEST_CASE("each planted miscompilation fails as a pair", "[pairs]") {
  constexpr std::uint64_t kPrograms = 60;  // in some the rest of the program hides the difference
  for (const RewriteRow& miscompilation : Miscompilations()) {
    INFO(miscompilation.name);
    Verdict worst = Verdict::kExact;
    for (std::uint64_t seed = 0; seed < kPrograms && worst != Verdict::kFail; ++seed) {
      worst = std::max(worst, JudgeAsPair(miscompilation, "compiled", seed, 30));
    }
    CHECK(worst == Verdict::kFail);
  }
}

TEST_CASE("no lawful rewrite fails as a pair, and no program beside itself", "[pairs]") {
  for (const RewriteRow& rewrite : LawfulRewrites()) {
    INFO(rewrite.name);
    // On its own kinds of values: the sign of a zero, for example, may tell it from the instructions before.
    for (std::uint64_t seed = 0; seed < 30; ++seed) CHECK(!IsFailure(JudgeAsPair(rewrite, "compiled", seed, 1)));
  }
  for (const RewriteRow& miscompilation : Miscompilations()) {
    INFO(miscompilation.name);
    CHECK(JudgeAsPair(miscompilation, "given", 1, 10) == Verdict::kExact);
  }
}

}  // namespace
}  // namespace assay::testing
