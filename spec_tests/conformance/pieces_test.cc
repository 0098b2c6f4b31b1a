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

}  // namespace
}  // namespace assay::testing
