// Mutants that rewrite two instructions: each changes the result of a program, known by hand, to a value outside of the
// set of its lawful results. Each instruction alone is right.
#include <map>

#include "backends/mutant/mutant.h"
#include "interpreter/acceptance/judge.h"
#include "interpreter/acceptance/profile.h"
#include "interpreter/acceptance/sets/program_sets.h"
#include "spec_tests/evaluator/module.h"

namespace assay::testing {
namespace {

struct Program {
  std::string_view instructions;  // of the entry
  std::vector<std::string_view> arguments;
  std::string_view right, faulty;
};

const std::map<std::string_view, Program> kPrograms = {
    {"negated_difference",
     {"a = f32[1] parameter(0)  b = f32[1] parameter(1)  d = f32[1] subtract(a, b)  ROOT r = f32[1] negate(d)",
      {"f32[1] {2}", "f32[1] {2}"},
      "f32[1] {-0}",
      "f32[1] {0}"}},
    {"quotient_times_divisor",
     {"a = f32[1] parameter(0)  b = f32[1] parameter(1)  q = f32[1] divide(a, b)  ROOT r = f32[1] multiply(q, b)",
      {"f32[1] {1}", "f32[1] {0}"},
      "f32[1] {nan}",
      "f32[1] {1}"}},
    {"reshape_of_transpose",
     {"x = s32[2,2] parameter(0)  t = s32[2,2] transpose(x), dimensions={1,0}  ROOT r = s32[4] reshape(t)",
      {"s32[2,2] {{1, 2}, {3, 4}}"},
      "s32[4] {1, 3, 2, 4}",
      "s32[4] {1, 2, 3, 4}"}},
    {"root_of_square",
     {"x = f32[1] parameter(0)  y = f32[1] multiply(x, x)  ROOT r = f32[1] sqrt(y)",
      {"f32[1] {-1e30}"},
      "f32[1] {inf}",
      "f32[1] {1e30}"}},
    {"transpose_of_transpose",
     {"x = s32[2,2] parameter(0)  y = s32[2,2] transpose(x), dimensions={1,0}\n"
      "ROOT r = s32[2,2] transpose(y), dimensions={1,0}",
      {"s32[2,2] {{1, 2}, {3, 4}}"},
      "s32[2,2] {{1, 2}, {3, 4}}",
      "s32[2,2] {{1, 3}, {2, 4}}"}},
};

TEST_CASE("a rewrite of two instructions changes its program, and is found by the set", "[mutants]") {
  CHECK(PairMutants().size() == kPrograms.size());
  for (const Mutant& mutant : PairMutants()) {
    INFO(mutant.id);
    const Program& program = kPrograms.at(mutant.id);
    const auto module = Parsed(std::string(program.instructions));
    const std::vector<Literal> arguments = Values(program.arguments);
    const ValueSet lawful = EvaluateSets(*module, arguments, BuiltInProfile("xla")).value();
    CHECK(JudgeBySet(lawful, Value(program.right)).verdict == Verdict::kExact);
    MutantBackend backend(mutant);
    const Literal got = backend.Run(*module, {arguments}).value()[0];
    CHECK(CompareExactly(Value(program.faulty), got).verdict == Verdict::kExact);
    CHECK(JudgeBySet(lawful, got).verdict == Verdict::kFail);
  }
}

}  // namespace
}  // namespace assay::testing
