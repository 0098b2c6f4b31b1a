// Mutation operators make faults of every op from its record. The corpus kills the mutants, or the catalogue says why
// it cannot.
#include "backends/mutant/operators/operators.h"

#include <algorithm>
#include <set>

#include "fuzz/measure/mutation_score.h"
#include "interpreter/hlo/clone.h"
#include "spec_tests/evaluator/module.h"
#include "spec_tests/measure/goldens.h"
#include "spec_tests/nightly.h"

namespace assay::testing {
namespace {

Literal RunOf(std::string_view id, const HloModule& module, const std::vector<std::string_view>& arguments) {
  return OpenMutant(id).value()->Run(module, {Values(arguments)}).value()[0];
}

TEST_CASE("ids are unique, sorted, and say operator and op", "[mutants]") {
  std::set<std::string_view> taken;
  for (const Mutant& mutant : AllMutants()) taken.insert(mutant.id);
  for (const Mutant& mutant : DamageMutants()) taken.insert(mutant.id);
  CHECK(std::ranges::is_sorted(OperatorMutants(), {}, &Mutant::id));
  for (const Mutant& mutant : OperatorMutants()) {
    INFO(mutant.id);
    CHECK(taken.insert(mutant.id).second);
    CHECK(mutant.id.starts_with(std::string(mutant.made_by) + "." + std::string(mutant.op)));
    CHECK(FindOp(mutant.op) != nullptr);
    CHECK(!mutant.rule.empty());
    CHECK(FindMutant(mutant.id) == &mutant);
  }
  CHECK(OperatorMutants().size() >= 1000);
}

TEST_CASE("the corpus kills a sample of the mutants of each operator", "[mutants]") {
  const std::size_t each = IsNightly("sixteen mutants of each operator") ? 16 : 5;
  std::vector<const Mutant*> sample = SampleOfMutants(each);
  std::erase_if(sample, [](const Mutant* mutant) { return mutant->made_by.empty(); });
  CHECK(sample.size() >= each * 37);
  for (const std::string_view profile : {"exact", "xla"}) {
    int killed = 0;
    for (const MutantScore& score : ScoresOf(sample, Goldens(), {.profile = profile})) {
      INFO(profile << " " << score.mutant->id << ": " << score.mutant->rule);
      CHECK(score.status != MutantStatus::kSurvivor);
      killed += score.status == MutantStatus::kKilled ? 1 : 0;
    }
    CHECK(killed >= static_cast<int>(each) * 12);
  }
}

TEST_CASE("mutants of operators return the values of their rules", "[mutants]") {
  const auto subtract = Parsed("a = s32[2] parameter(0)\nb = s32[2] parameter(1)\nROOT r = s32[2] subtract(a, b)");
  CHECK(std::ranges::equal(
      RunOf("operands_exchanged.subtract.0_1", *subtract, {"s32[2] {1, 2}", "s32[2] {5, 9}"}).values<int>(),
      std::vector<int>{4, 7}));
  CHECK(std::ranges::equal(
      RunOf("saturated.subtract.s32", *subtract, {"s32[2] {-2147483648, 2}", "s32[2] {1, 9}"}).values<int>(),
      std::vector<int>{INT32_MIN, -7}));
  const auto add = Parsed("a = f32[2] parameter(0)\nb = f32[2] parameter(1)\nROOT r = f32[2] add(a, b)");
  const std::vector<std::string_view> terms = {"f32[2] {16777216, 16777218}", "f32[2] {1, 1}"};
  CHECK(std::ranges::equal(RunOf("truncated.add.f32", *add, terms).values<float>(),
                           std::vector<float>{16777216, 16777218}));
  CHECK(std::ranges::equal(RunOf("tie_away.add.f32", *add, terms).values<float>(),
                           std::vector<float>{16777218, 16777220}));
  const auto slice = Parsed("a = s32[5] parameter(0)\nROOT r = s32[2] slice(a), slice={[1:5:2]}");
  CHECK(std::ranges::equal(RunOf("one_less_start.slice.slice", *slice, {"s32[5] {0, 1, 2, 3, 4}"}).values<int>(),
                           std::vector<int>{0, 2}));
}

TEST_CASE("a loop runs once more, or once less", "[mutants]") {
  const auto loop = Parsed(R"(
small { x = s32[] parameter(0)  n = s32[] constant(5)  ROOT r = pred[] compare(x, n), direction=LT }
next { x = s32[] parameter(0)  k = s32[] constant(1)  ROOT r = s32[] add(x, k) }
ENTRY e { a = s32[] parameter(0)  ROOT r = s32[] while(a), condition=small, body=next })");
  CHECK(RunOf("iteration_more.while", *loop, {"s32[] 0"}).values<int>()[0] == 6);
  CHECK(RunOf("iteration_less.while", *loop, {"s32[] 0"}).values<int>()[0] == 4);
}

TEST_CASE("an instruction whose change would be illegal is not changed", "[mutants]") {
  std::unique_ptr<HloModule> transpose =
      Parsed("a = s32[2,3] parameter(0)\nROOT r = s32[3,2] transpose(a), dimensions={1,0}");
  CHECK_FALSE(EditModule(*FindMutant("first_one_more.transpose.dimensions"), transpose));
  CHECK(transpose->entry->instructions.size() == 2);
  // Another shape is cut or padded to the declared one.
  CHECK(EditModule(*FindMutant("list_sorted.transpose.dimensions"), transpose));
  CHECK(transpose->entry->instructions.size() == 3);
}

}  // namespace
}  // namespace assay::testing
