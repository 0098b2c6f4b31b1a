// The instruction to blame and the elements that fail, in the one report that every command presents.
#include "conformance/judging/module_report.h"

#include "conformance/judging/pieces.h"
#include "spec_tests/evaluator/module.h"

namespace assay::testing {
namespace {

Judgement JudgedAs(Verdict verdict) {
  Judgement judgement;
  judgement.verdict = verdict;
  return judgement;
}

TEST_CASE("the first execution that fails is to blame", "[conformance]") {
  const auto module = Parsed(R"(x = f32[] parameter(0)
  a = f32[] exponential(x)
  b = f32[] negate(a)
  ROOT r = (f32[], f32[]) tuple(a, b))");
  const HloInstruction &a = *module->entry->instructions[1], &b = *module->entry->instructions[2];
  ModuleReport report;
  // Both run in a loop: a is lawful in its first execution and wrong in its second, b is wrong in its first.
  AddPiece(report, a, JudgedAs(Verdict::kLegal));
  AddPiece(report, b, JudgedAs(Verdict::kFail));
  AddPiece(report, a, JudgedAs(Verdict::kFail));
  AddPiece(report, b, JudgedAs(Verdict::kLegal));
  REQUIRE(report.offenders.size() == 2);
  CHECK(report.offenders[0].line == 5);
  CHECK(report.offenders[0].judgement.verdict == Verdict::kFail);
  CHECK(report.offenders[1].line == 4);
  // A report that does not fail blames nothing.
  CHECK(report.blamed() == nullptr);
  report.verdict = Verdict::kFail;
  REQUIRE(report.blamed() != nullptr);
  CHECK(report.blamed()->line == 5);
  report.offenders = {{"%a", 4, JudgedAs(Verdict::kLegal)}};
  CHECK(report.blamed() == nullptr);
}

TEST_CASE("failing elements have their places in the outputs", "[conformance]") {
  std::vector<Place> failed;
  const ElementObserver collect = CollectFailed(failed, {1});
  collect({{0}, 7}, Verdict::kFail, "wrong");
  collect({{0}, 8}, Verdict::kLegal, "approximation");
  REQUIRE(failed.size() == 1);
  CHECK(failed[0].tuple_index == std::vector<std::int64_t>{1, 0});
  CHECK(failed[0].offset == 7);
  // Equal bits and two NaNs do not differ; zeros of two signs do.
  failed.clear();
  const Literal want = Value("(f32[2], f32[2]) ({1, nan}, {0, 3})"),
                got = Value("(f32[2], f32[2]) ({1, -nan}, {-0, 3})");
  CollectDiffering(want, got, failed);
  REQUIRE(failed.size() == 1);
  CHECK(failed[0].tuple_index == std::vector<std::int64_t>{1});
  CHECK(failed[0].offset == 0);
}

}  // namespace
}  // namespace assay::testing
