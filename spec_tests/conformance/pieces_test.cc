// Executed instructions, judged one by one.
#include "conformance/judging/pieces.h"

#include "interpreter/acceptance/profile.h"
#include "spec_tests/conformance/function_backend.h"
#include "spec_tests/evaluator/module.h"

namespace assay::testing {
namespace {

constexpr std::string_view kLeastOfZeros =
    R"(zeros { x = s32[] parameter(0)  c = f16[] constant(0)  n = f16[] negate(c)  ROOT r = f16[] minimum(c, n) }
none { x = s32[] parameter(0)  ROOT r = f16[] constant(1) }
ENTRY e { p = pred[] parameter(0)  x = s32[] parameter(1)
  ROOT r = f16[] conditional(p, x, x), true_computation=zeros, false_computation=none })";

// Found by fuzzing the backend lawful on six devices: their branches differ, so no set of the program judges them.
TEST_CASE("a conditional has the freedoms of the branch that runs", "[conformance]") {
  const auto module = Parsed(std::string(kLeastOfZeros));
  const std::vector<Literal> operands = {Value("pred[] true"), Value("s32[] 0"), Value("s32[] 0")};
  const auto verdict_of = [&](std::string_view got, std::string_view profile) {
    FunctionBackend backend = Returning(Value(got));
    CompareOptions options;
    options.profile = BuiltInProfile(profile);
    ModuleReport report;
    PieceJudge judge(backend, options, 1, report);
    judge.Observe(*module->entry->root, operands, Value("f16[] -0"), 0);
    judge.Flush();
    return report.offenders.empty() ? Verdict::kExact : report.offenders[0].judgement.verdict;
  };
  CHECK(verdict_of("f16[] -0", "xla") == Verdict::kExact);
  CHECK(verdict_of("f16[] 0", "xla") == Verdict::kLegal);
  CHECK(verdict_of("f16[] 0", "exact") == Verdict::kFail);
  CHECK(verdict_of("f16[] 1", "xla") == Verdict::kFail);
}

// 1 + 2^-24 + 2^-24 is 1 + 2^-23 or 1, so the output is inside its set.
TEST_CASE("a verdict does not depend on whether all pieces of a LEGAL module run", "[conformance]") {
  const auto module = Parsed(R"(x = f32[3] parameter(0)  z = f32[] constant(0)
  s = f32[] reduce(x, z), dimensions={0}, to_apply=add_f32  ROOT n = f32[] negate(s))");
  const DeviceValues x = {{Value("f32[3] {1, 5.9604645e-08, 5.9604645e-08}")}};
  const auto verdict = [&](std::string_view negated_alone, bool finds_all) {
    FunctionBackend backend([&](const HloModule& part, const DeviceValues&) {
      Literal pieces = Literal::MakeTuple({Value("f32[] 1.0000001"), Value(negated_alone)});
      return Result<PerDevice<Literal>>(PerDevice<Literal>{&part == module.get() ? Value("f32[] -1") : pieces});
    });
    CompareOptions options;
    options.finds_all_offenders = finds_all;
    return CompareModule(backend, *module, x, options)->verdict;
  };
  // The list of instructions names the wrong one.
  for (const bool finds_all : {true, false}) CHECK(verdict("f32[] -1", finds_all) == Verdict::kLegal);
}

}  // namespace
}  // namespace assay::testing
