// The error rates of sets through programs in both directions, on small samples.
#include <set>
#include <vector>

#include "backends/lawful/lawful.h"
#include "conformance/judging/compare.h"
#include "fuzz/drawn_programs.h"
#include "fuzz/measure/accusations.h"
#include "fuzz/pattern_program.h"
#include "interpreter/acceptance/profile.h"
#include "interpreter/hlo/printer.h"
#include "interpreter/hlo/verifier.h"
#include "spec_tests/catch.h"
#include "spec_tests/nightly.h"

namespace assay::testing {
namespace {

TEST_CASE("lawful noise in random programs is never accused", "[acceptance][programs]") {
  const int programs = IsNightly("lawful noise in 500 programs of each profile") ? 500 : 200;
  for (const std::string_view profile : BuiltInProfileNames()) {
    const ProgramCount count = CountProgramAccusations(BuiltInProfile(profile), programs, 27);
    INFO(profile << ": " << (count.told.empty() ? "" : count.told[0]));
    CHECK(count.accusations == 0);
    CHECK(count.programs > programs * 3 / 10);
    if (profile != "exact") CHECK(count.inexact > programs * 3 / 100);
    // Selections and indices that are open are WEAK too.
    if (profile != "fast") CHECK(count.weak < 2 * count.inexact / 3 + 8);
  }
}

TEST_CASE("contraction and excess precision in chains of float operations are never accused",
          "[acceptance][programs]") {
  const int programs = IsNightly("chains of float operations: 400 programs of each profile") ? 400 : 100;
  for (const std::string_view profile : BuiltInProfileNames()) {
    const ProgramCount count = CountProgramAccusations(BuiltInProfile(profile), programs, 29, ProgramKind::kFloats);
    INFO(profile << ": " << (count.told.empty() ? "" : count.told[0]));
    CHECK(count.accusations == 0);
    CHECK(count.programs == programs);
    if (profile == "xla") CHECK(count.inexact > programs / 4);
  }
}

// Judges whole modules as fuzzing does, also of several devices, and cuts them into instructions if the whole is not
// explained.
TEST_CASE("lawful noise in fuzzed programs is never accused", "[acceptance][programs]") {
  constexpr std::uint64_t kSeed = 99;
  const auto check = [&](const Profile& profile, std::int64_t number) {
    const DrawnProgram program = DrawProgram({.seed = kSeed}, number);
    LawfulBackend backend(profile, 0);
    const Result<ModuleReport> report =
        CompareModule(backend, *program.drawn.module, program.drawn.arguments, {.profile = profile, .limits = {}});
    // It may wait for data that no device sends.
    if (!report) return false;
    INFO(profile.name() << ", program " << number << ": " << report->reason);
    CHECK(!IsFailure(report->verdict));
    return true;
  };
  // Each was once FAIL.
  for (const std::int64_t number : {608, 2036, 5248, 6333, 7016, 8472, 9156, 9496, 9516}) {
    CHECK(check(XlaProfile(), number));
  }
  int judged = 0;
  const std::int64_t programs = IsNightly("fuzzed programs with lawful noise: 80 of each profile") ? 80 : 32;
  for (const std::string_view name : BuiltInProfileNames()) {
    for (std::int64_t i = 0; i < programs; ++i) judged += check(BuiltInProfile(name), 100 + i) ? 1 : 0;
  }
  CHECK(judged > 6 * programs);
}

// Programs of patterns and of float operations are not verified when they are drawn.
TEST_CASE("drawn programs are legal", "[fuzz]") {
  std::set<std::string> sources;
  for (std::int64_t number = 0; number < 4000; ++number) {
    for (const std::int64_t draw : {0, 1}) {
      const DrawnProgram program = DrawProgram({.seed = 11}, number, draw);
      sources.insert(program.source);
      const std::vector<Error> errors = FindIllegal(*program.drawn.module);
      INFO(PrintHloModule(*program.drawn.module));
      CHECK(errors.empty());
      const std::vector<Literal>& arguments = program.drawn.arguments[0];
      const std::vector<const HloInstruction*> parameters = program.drawn.module->entry->Parameters();
      REQUIRE(arguments.size() == parameters.size());
      for (std::size_t i = 0; i < arguments.size(); ++i) {
        CHECK(ShapeUtil::Compatible(arguments[i].shape(), parameters[i]->shape));
      }
    }
  }
  // All patterns, and the other kinds of programs.
  CHECK(sources.size() == Miscompilations().size() + LawfulRewrites().size() + ProgramKinds().size() - 1);
}

TEST_CASE("planted miscompilations are found", "[acceptance][programs]") {
  std::vector<std::string_view> profiles = {"xla"};
  if (IsNightly("planted miscompilations by the profile ieee")) profiles.push_back("ieee");
  for (const std::string_view profile : profiles) {
    double changed = 0, failed = 0;
    std::size_t faults = 0;
    for (const RewriteRow& fault : Miscompilations()) {
      const MiscompilationCount count = CountFound(fault, BuiltInProfile(profile), 30, 3);
      INFO(profile << ": " << fault.name << ": " << count.first_miss);
      CHECK(count.failed > 0);
      changed += static_cast<double>(count.changed);
      failed += static_cast<double>(count.failed);
      ++faults;
    }
    CHECK(faults >= 50);
    CHECK(failed >= 0.98 * changed);
  }
}

TEST_CASE("lawful rewrites are not accused", "[acceptance][programs]") {
  for (const RewriteRow& rewrite : LawfulRewrites()) {
    const MiscompilationCount count = CountFound(rewrite, XlaProfile(), 60, 5);
    INFO(rewrite.name << ": " << count.first_miss);
    CHECK(count.changed > 0);
    CHECK(count.failed == 0);
  }
}

}  // namespace
}  // namespace assay::testing
