// Mutants that rewrite two instructions: each changes the result of a program, known by hand, to a value outside of the
// set of its lawful results. Each instruction alone is right.
#include <map>

#include "backends/mutant/mutant.h"
#include "interpreter/acceptance/judge.h"
#include "interpreter/acceptance/profile.h"
#include "interpreter/acceptance/sets/program_sets.h"
#include "interpreter/hlo/parser.h"
#include "spec_tests/catch.h"

namespace assay::testing {
namespace {

struct Program {
  std::string_view instructions;  // of the entry
  std::vector<std::string_view> arguments;
  std::string_view right, faulty;
};

const std::map<std::string_view, Program> kPrograms = {
    {"convert_of_convert",
     {"x = s32[2] parameter(0)  y = s8[2] convert(x)  ROOT r = s64[2] convert(y)",
      {"s32[2] {300, -1}"},
      "s64[2] {44, -1}",
      "s64[2] {300, -1}"}},
    {"dot_of_transpose",
     {"x = s32[2,2] parameter(0)  y = s32[2] parameter(1)  t = s32[2,2] transpose(x), dimensions={1,0}\n"
      "ROOT r = s32[2] dot(t, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}",
      {"s32[2,2] {{1, 2}, {3, 4}}", "s32[2] {1, 0}"},
      "s32[2] {1, 2}",
      "s32[2] {1, 3}"}},
    {"log_of_exponential",
     {"x = f32[1] parameter(0)  y = f32[1] exponential(x)  ROOT r = f32[1] log(y)",
      {"f32[1] {200}"},
      "f32[1] {inf}",
      "f32[1] {200}"}},
    {"maximum_of_minimum",
     {"x = s32[1] parameter(0)  b = s32[1] parameter(1)  a = s32[1] parameter(2)\n"
      "y = s32[1] minimum(x, b)  ROOT r = s32[1] maximum(y, a)",
      {"s32[1] {5}", "s32[1] {2}", "s32[1] {3}"},
      "s32[1] {3}",
      "s32[1] {2}"}},
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
    {"reverse_of_reverse",
     {"x = s32[2,2] parameter(0)  y = s32[2,2] reverse(x), dimensions={0}\n"
      "ROOT r = s32[2,2] reverse(y), dimensions={1}",
      {"s32[2,2] {{1, 2}, {3, 4}}"},
      "s32[2,2] {{4, 3}, {2, 1}}",
      "s32[2,2] {{1, 2}, {3, 4}}"}},
    {"root_of_square",
     {"x = f32[1] parameter(0)  y = f32[1] multiply(x, x)  ROOT r = f32[1] sqrt(y)",
      {"f32[1] {-1e30}"},
      "f32[1] {inf}",
      "f32[1] {1e30}"}},
    {"selected_larger",
     {"a = f32[2] parameter(0)  b = f32[2] parameter(1)  g = pred[2] compare(a, b), direction=GT\n"
      "ROOT r = f32[2] select(g, a, b)",
      {"f32[2] {nan, 1}", "f32[2] {1, 2}"},
      "f32[2] {1, 2}",
      "f32[2] {nan, 2}"}},
    {"slice_of_dynamic_slice",
     {"x = s32[5] parameter(0)  i = s32[] parameter(1)  j = s32[] parameter(2)\n"
      "y = s32[3] dynamic-slice(x, i), dynamic_slice_sizes={3}\n"
      "ROOT r = s32[1] dynamic-slice(y, j), dynamic_slice_sizes={1}",
      {"s32[5] {1, 2, 3, 4, 5}", "s32[] 2", "s32[] 1"},
      "s32[1] {4}",
      "s32[1] {2}"}},
    {"slice_of_pad",
     {"x = s32[3] parameter(0)  z = s32[] constant(9)  p = s32[4] pad(x, z), padding=1_0\n"
      "ROOT r = s32[2] slice(p), slice={[0:2]}",
      {"s32[3] {1, 2, 3}"},
      "s32[2] {9, 1}",
      "s32[2] {1, 2}"}},
    {"sum_less_term",
     {"a = f32[1] parameter(0)  b = f32[1] parameter(1)  s = f32[1] add(a, b)  ROOT r = f32[1] subtract(s, b)",
      {"f32[1] {1}", "f32[1] {1e30}"},
      "f32[1] {0}",
      "f32[1] {1}"}},
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
    const auto module = *ParseHloModule("HloModule m\nENTRY e {\n" + std::string(program.instructions) + "\n}\n");
    std::vector<Literal> arguments;
    for (const std::string_view argument : program.arguments) arguments.push_back(*ParseLiteral(argument));
    const ValueSet lawful = EvaluateSets(*module, arguments, BuiltInProfile("xla")).value();
    CHECK(JudgeBySet(lawful, *ParseLiteral(program.right)).verdict == Verdict::kExact);
    MutantBackend backend(mutant);
    const Literal got = backend.Run(*module, {arguments}).value()[0];
    CHECK(CompareExactly(*ParseLiteral(program.faulty), got).verdict == Verdict::kExact);
    CHECK(JudgeBySet(lawful, got).verdict == Verdict::kFail);
  }
}

}  // namespace
}  // namespace assay::testing
