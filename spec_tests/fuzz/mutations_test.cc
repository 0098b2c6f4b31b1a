// Mutants of programs: each is legal, every kind of mutation occurs, and a seed determines them.
#include <algorithm>
#include <set>

#include "fuzz/drawn_programs.h"
#include "fuzz/feature.h"
#include "fuzz/mutations/mutation.h"
#include "interpreter/hlo/clone.h"
#include "interpreter/hlo/op.h"
#include "spec_tests/evaluator/module.h"

namespace assay::testing {
using namespace generate;
namespace {

// Small programs: modules of any ops, chains and bait.
std::vector<NamedSubject> SmallPrograms(std::int64_t count) {
  std::vector<NamedSubject> programs;
  for (std::int64_t number = 0; number < count; ++number) {
    DrawnModule drawn = DrawProgram({.seed = 5}, number).drawn;
    programs.push_back({std::to_string(number), {std::move(drawn.module), std::move(drawn.arguments)}});
  }
  return programs;
}

TEST_CASE("every mutation occurs, and every mutant is legal") {
  const std::vector<NamedSubject> programs = SmallPrograms(40);
  std::set<std::string_view> occurred;
  std::int64_t refused = 0, mutations = 0;
  for (std::uint64_t seed = 0; seed < 800; ++seed) {
    Random random(seed);
    const NamedSubject& given = programs[static_cast<std::size_t>(seed) % programs.size()];
    const Mutated mutated = Mutate(given.subject, programs, random, 4);
    INFO(seed);
    CHECK(FindIllegal(*mutated.subject.module).empty());
    CHECK(std::ssize(mutated.mutations) <= 4);
    // The arguments are those of the mutant's parameters, on each device.
    REQUIRE(std::ssize(mutated.subject.arguments) == mutated.subject.module->device_count());
    for (const std::vector<Literal>& device : mutated.subject.arguments) {
      const std::vector<const HloInstruction*> parameters = mutated.subject.module->entry->Parameters();
      REQUIRE(device.size() == parameters.size());
      for (std::size_t i = 0; i < device.size(); ++i) {
        CHECK(ShapeUtil::Compatible(device[i].shape(), parameters[i]->shape));
      }
    }
    occurred.insert(mutated.mutations.begin(), mutated.mutations.end());
    mutations += std::ssize(mutated.mutations);
    refused += mutated.refused;
  }
  for (const Mutation& mutation : AllMutations()) {
    INFO(mutation.name);
    CHECK(occurred.contains(mutation.name));
  }
  // Most drawn mutants are legal.
  CHECK(refused < mutations);
  CHECK(refused > 0);
}

TEST_CASE("mutants depend on the seed and the programs alone") {
  const std::vector<NamedSubject> programs = SmallPrograms(12);
  for (const NamedSubject& given : programs) {
    Random one(7), two(7);
    CHECK(TextOf(Mutate(given.subject, programs, one, 4).subject) ==
          TextOf(Mutate(given.subject, programs, two, 4).subject));
  }
}

// Returns the module without any layout.
Subject WithoutLayouts(const Subject& subject) {
  Candidate candidate = Candidate::Of(subject);
  for (const auto& computation : candidate.module->computations) {
    for (const auto& instruction : computation->instructions) {
      if (instruction->shape.IsArray()) instruction->shape.clear_layout();
    }
  }
  return {std::move(candidate.module), std::move(candidate.arguments)};
}

TEST_CASE("programs without layouts are mutated and rewritten, too") {
  const std::vector<NamedSubject> programs = SmallPrograms(40);
  std::vector<NamedSubject> bare;
  for (const NamedSubject& given : programs) bare.push_back({given.name, WithoutLayouts(given.subject)});
  static const std::vector<Rewrite> rewrites = AllRewrites();
  int rewritten = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    const Mutated mutated = Mutate(bare[static_cast<std::size_t>(seed) % bare.size()].subject, bare, random, 3);
    CHECK(!FeaturesOf(*mutated.subject.module).empty());
    if (RewriteSome(mutated.subject, random, 3, rewrites)) ++rewritten;
  }
  CHECK(rewritten > 100);
}

TEST_CASE("mutants beyond the memory limit are refused") {
  const std::vector<NamedSubject> programs = SmallPrograms(20);
  std::int64_t refused = 0;
  const MemoryLimit limit(100);
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    refused += Mutate(programs[static_cast<std::size_t>(seed) % programs.size()].subject, programs, random, 4).refused;
  }
  CHECK(refused > 100);
}

constexpr std::string_view kTwoResults = R"(HloModule m
ENTRY e { x = f32[4] parameter(0)  n = f32[4] negate(x)  c = s32[2,3] constant({{1,2,3},{4,5,6}})
  ROOT r = (f32[4], s32[2,3]) tuple(n, c) })";

TEST_CASE("a program joins another one at values of equal shapes") {
  const auto module_of = [](std::string_view text) { return std::shared_ptr(*ParseHloModule(text)); };
  const Subject first = {module_of(kTwoResults), {{Literal(ShapeUtil::MakeShape(F32, {4}))}}};
  const auto second = module_of(R"(HloModule other
ENTRY e { y = f32[4] parameter(0)  z = f64[2] parameter(1)  ROOT s = f32[4] sqrt(y) })");
  const std::vector<NamedSubject> others = {
      {"other", {second, {{Literal(ShapeUtil::MakeShape(F32, {4})), Literal(ShapeUtil::MakeShape(F64, {2}))}}}}};
  const std::vector<Mutation> all = AllMutations();
  int joined = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Random random(seed);
    ProgramMutant mutant = {Candidate::Of(first), random, others};
    if (std::ranges::find(all, "join", &Mutation::name)->apply(mutant) != Applied::kYes) continue;
    const std::optional<Subject> legal = Finish(std::move(mutant.candidate));
    REQUIRE(legal);
    for (const auto& instruction : legal->module->entry->instructions) {
      if (instruction->op->name != "sqrt") continue;
      ++joined;
      // A value of the first program feeds the second one.
      CHECK(std::ranges::count(std::vector<std::string_view>{"parameter", "negate", "pad"},
                               instruction->operand(0).op->name) == 1);
    }
  }
  CHECK(joined > 0);
}

}  // namespace
}  // namespace assay::testing
