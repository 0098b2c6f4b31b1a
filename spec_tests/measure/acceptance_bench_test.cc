// The checker's error rates in both directions, on small samples; `bench acceptance` measures them on large ones.
#include <algorithm>

#include "backends/lawful/lawful.h"
#include "conformance/judging/computation_values.h"
#include "fuzz/measure/accusations.h"
#include "fuzz/measure/mutation_score.h"
#include "interpreter/acceptance/judge.h"
#include "interpreter/evaluator/evaluator.h"
#include "spec_tests/catch.h"
#include "spec_tests/measure/goldens.h"
#include "spec_tests/nightly.h"

namespace assay::testing {
namespace {

TEST_CASE("lawful noise on random instructions is never accused", "[acceptance]") {
  const int instructions = IsNightly("lawful noise on 60,000 random instructions") ? 60'000 : 20'000;
  for (const std::string_view profile : BuiltInProfileNames()) {
    int noisy = 0;
    for (const auto& [family, count] : CountAccusations(BuiltInProfile(profile), instructions, 11)) {
      INFO(profile << " " << family << ": " << count.first_accusation);
      CHECK(count.accusations == 0);
      CHECK(count.elements >= instructions / 24);
      CHECK(count.weak < count.instructions);
      noisy += count.inexact > 0 ? 1 : 0;
    }
    INFO(profile);
    CHECK(noisy >= (profile == "exact" ? 0 : 9));
  }
}

// Returns the number of the entry's instructions that compute.
int WorkOf(const HloModule& module) {
  int work = 0;
  for (const auto& instruction : module.entry->instructions) work += DoesWork(*instruction) ? 1 : 0;
  return work;
}

TEST_CASE("lawful noise on goldens is never accused, but by the profile that allows none", "[acceptance]") {
  // A sample: `bench acceptance` runs all.
  const std::size_t step = IsNightly("lawful noise on a seventh of the goldens") ? 7 : 105;
  int caught = 0;
  for (const std::string_view profile : {"xla", "fast"}) {
    std::uint64_t seed = 0;
    const auto& cases = Goldens().cases();
    for (std::size_t i = 0; i < cases.size(); i += step) {
      const JudgedCase& golden = cases[i];
      // Programs are judged by their roots, on the operands of the reference. Noise in earlier instructions is not the
      // root's.
      if (golden.name.starts_with("miscompilations/") || golden.name.starts_with("programs/") ||
          golden.name.starts_with("wrong_results/")) {
        continue;
      }
      if (WorkOf(*golden.module) > 1) continue;  // and freedoms that take two instructions are the program's
      LawfulBackend backend(BuiltInProfile(profile), ++seed);
      const auto outputs = backend.Run(*golden.module, golden.arguments);
      REQUIRE(outputs);
      const Literal got = OfAllDevices(*outputs);
      const auto judge = [&](std::string_view by) {
        return JudgeInstruction(*golden.module->entry->root, golden.root_operands, golden.want, got,
                                BuiltInProfile(by));
      };
      const Judgement judgement = judge(profile);
      INFO(profile << " " << golden.name << ": " << judgement.reason);
      CHECK(!IsFailure(judgement.verdict));
      caught += judge("exact").verdict == Verdict::kFail ? 1 : 0;
    }
  }
  CHECK(caught > 1400 / static_cast<int>(step));
}

TEST_CASE("no profile misses a mutant that changes more than it allows", "[acceptance]") {
  std::vector<ScoreOptions> options;
  for (const std::string_view profile : BuiltInProfileNames()) {
    options.push_back({.profile = profile, .doubts_judge = true});
  }
  int hidden = 0, killed = 0;
  for (const Mutant* mutant : SampleOfMutants(2)) {
    if (!mutant->beyond_goldens.empty()) continue;  // transfer_mutants_test.cc has them
    const std::vector<JudgedCase> random = RandomCases(mutant->op, 20, 1);
    std::vector<const JudgedCase*> cases = Goldens().OfBySize(mutant->op);
    for (const JudgedCase& judged : random) cases.push_back(&judged);
    const std::vector<MutantScore> scores = ScoreOf(*mutant, cases, options);
    for (std::size_t i = 0; i < options.size(); ++i) {
      const std::string_view profile = options[i].profile;
      const MutantScore& score = scores[i];
      const bool is_killed = score.status == MutantStatus::kKilled;
      INFO(profile << ": " << mutant->id << ": " << StatusName(score.status));
      CHECK((score.changed == 0 || is_killed || score.status == MutantStatus::kOpen));
      CHECK((!mutant->is_control || score.changed == 0));
      hidden += score.status == MutantStatus::kOpen && score.changed > 0 ? 1 : 0;
      CHECK((profile != "exact" || is_killed || mutant->is_control || !mutant->made_by.empty()));
      killed += profile == "exact" && is_killed ? 1 : 0;
    }
  }
  // The freedoms of the profiles hide some mutants: signs of zeros, flushes, ...
  CHECK(hidden > 0);
  CHECK(hidden < 120);
  CHECK(killed > 160);
}

}  // namespace
}  // namespace assay::testing
