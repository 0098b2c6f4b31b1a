// Limits end the judging of a module, and the verdict of an undecided result is WEAK.
#include <set>

#include "backends/reference/reference.h"
#include "conformance/diagnosis/reduce.h"
#include "conformance/judging/compare.h"
#include "interpreter/types/without_throwing.h"
#include "spec_tests/conformance/function_backend.h"
#include "spec_tests/evaluator/module.h"

namespace assay::testing {
namespace {

constexpr double kNoTime = 1e-9;  // expires before anything can read the clock
constexpr double kNoLimit = 0;

void Scale(Literal& value, float factor) {
  for (Literal& element : value.mutable_elements()) Scale(element, factor);
  if (!value.shape().IsArray() || value.element_type() != F32) return;
  for (float& x : value.mutable_values<float>()) x *= factor;
}

// The reference with every real number of a result 1.5 times as large. Counts its runs.
struct Wrong {
  int runs = 0;
  FunctionBackend backend{
      [this, exact = std::make_shared<ReferenceBackend>()](const HloModule& module, const DeviceValues& inputs) {
        ++runs;
        Result<PerDevice<Literal>> outputs = exact->Run(module, inputs);
        if (outputs) Scale((*outputs)[0], 1.5F);
        return outputs;
      }};
};

// Returns a loop of dots and a function, like a scan.
std::unique_ptr<HloModule> Loop(int trips) {
  return Parsed(fmt::format(R"(condition {{ p = (s32[], f32[2,4]) parameter(0)  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant({})  ROOT r = pred[] compare(i, n), direction=LT }}
body {{ p = (s32[], f32[2,4]) parameter(0)  i = s32[] get-tuple-element(p), index=0
  x = f32[2,4] get-tuple-element(p), index=1
  w = f32[4,4] constant({{ {{ 0.5, -1.25, 2, 0.75 }}, {{ -0.3, 0.9, 1.1, -2 }}, {{ 1, 0.2, -0.7, 0.4 }}, {{ 3, -0.1, 0.6, 1 }} }})
  one = s32[] constant(1)  j = s32[] add(i, one)
  d = f32[2,4] dot(x, w), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}
  y = f32[2,4] tanh(d)  ROOT r = (s32[], f32[2,4]) tuple(j, y) }}
ENTRY e {{ x = f32[2,4] parameter(0)  z = s32[] constant(0)  t = (s32[], f32[2,4]) tuple(z, x)
  w = (s32[], f32[2,4]) while(t), condition=condition, body=body
  ROOT y = f32[2,4] get-tuple-element(w), index=1 }})",
                            trips));
}

DeviceValues Operand() { return {{Value("f32[2,4] { { 0.1, -0.2, 0.3, 0.7 }, { 0.9, 0.4, -0.6, 0.2 } }")}}; }

ModuleReport JudgedWithin(Backend& backend, double seconds, int trips = 3) {
  const auto module = Loop(trips);
  const Result<ModuleReport> report = CompareModule(
      backend, *module, Operand(), {.profile = XlaProfile(), .limits = {}, .judging = {seconds, "--budget"}});
  REQUIRE(report);
  return *report;
}

}  // namespace

TEST_CASE("a result that is wrong is WEAK where there is no time to judge it", "[judging]") {
  Wrong wrong;
  CHECK(JudgedWithin(wrong.backend, kNoLimit).verdict == Verdict::kFail);
  wrong.runs = 0;
  const ModuleReport report = JudgedWithin(wrong.backend, kNoTime);
  CHECK(report.verdict == Verdict::kWeak);
  CHECK(report.reason.find("a limit ended the judging") != std::string::npos);
  CHECK(report.reason.find("--budget") != std::string::npos);
  CHECK(wrong.runs == 1);  // the backend is not used again
}

TEST_CASE("the callback names the stage and the instruction that is judged", "[judging]") {
  Wrong wrong;
  std::set<std::string> told;
  const auto module = Loop(2);
  const auto on_judging = [&](std::string_view stage, const HloInstruction& instruction) {
    told.insert(fmt::format("{} {}", stage, instruction.name));
  };
  REQUIRE(CompareModule(wrong.backend, *module, Operand(),
                        {.profile = XlaProfile(), .limits = {}, .judging = {}, .on_judging = on_judging}));
  CHECK(told.contains("sets d"));
  CHECK(told.contains("pieces d"));
}

TEST_CASE("one legal instruction is judged by its rule, without a set", "[judging]") {
  const auto module = Parsed(R"(a = f32[4] parameter(0)  b = f32[4] parameter(1)
  ROOT d = f32[] dot(a, b), lhs_contracting_dims={0}, rhs_contracting_dims={0})");
  const DeviceValues operands = {{Value("f32[4] { 0.1, 0.7, -0.3, 0.9 }"), Value("f32[4] { 0.3, 0.1, 0.6, 0.2 }")}};
  const auto stages_of = [&](float factor) {
    const Literal exact = *Evaluate(*module, operands[0]);
    FunctionBackend told = Returning(Value(fmt::format("f32[] {}", exact.values<float>()[0] * factor)));
    std::set<std::string> stages;
    const auto on_judging = [&](std::string_view stage, const HloInstruction&) { stages.emplace(stage); };
    REQUIRE(CompareModule(told, *module, operands,
                          {.profile = XlaProfile(), .limits = {}, .judging = {}, .on_judging = on_judging}));
    return stages;
  };
  CHECK(stages_of(1 + 0x1p-22F) == std::set<std::string>{"the reference runs", "the backend runs", "rule"});
  CHECK(stages_of(2).contains("sets"));
}

TEST_CASE("a legal result says that samples met a limit", "[judging]") {
  const auto module = Parsed(R"(a = f32[4] parameter(0)  b = f32[4] parameter(1)
  ROOT d = f32[] dot(a, b), lhs_contracting_dims={0}, rhs_contracting_dims={0})");
  const DeviceValues operands = {{Value("f32[4] { 0.1, 0.7, -0.3, 0.9 }"), Value("f32[4] { 0.3, 0.1, 0.6, 0.2 }")}};
  Literal near = *Evaluate(*module, operands[0]);
  near.mutable_values<float>()[0] *= 1 + 0x1p-22F;
  const auto reason_within = [&](std::int64_t bytes) {
    FunctionBackend told = Returning(near);
    CompareOptions options = {.profile = XlaProfile(), .limits = {}, .judging = {}};
    // The reference has run without the limit; its samples run with it.
    options.on_judging = [&](std::string_view stage, const HloInstruction&) {
      if (stage == "rule") options.limits.array_bytes = bytes;
    };
    const Result<ModuleReport> report = CompareModule(told, *module, operands, options);
    REQUIRE(report);
    CHECK(report->verdict == Verdict::kLegal);
    return report->reason;
  };
  CHECK(reason_within(1 << 20) == "reassociation");
  CHECK(reason_within(1).starts_with("reassociation; a limit ended the judging: samples: "));
}

TEST_CASE("a rule that meets a limit says WEAK", "[judging]") {
  const auto module = Parsed(R"(a = f32[2] parameter(0)  b = f32[2] parameter(1)
  ROOT d = f32[] dot(a, b), lhs_contracting_dims={0}, rhs_contracting_dims={0})");
  const std::vector<Literal> operands = {Value("f32[2] { 1, 2 }"), Value("f32[2] { 3, 5 }")};
  const auto judge = [&] {
    return JudgeInstruction(*module->entry->root, operands, Value("f32[] 13"), Value("f32[] 14"), XlaProfile());
  };
  CHECK(judge().verdict == Verdict::kFail);
  const TimeLimit time(kNoTime, "--timeout");
  const Judgement judgement = judge();
  CHECK(judgement.verdict == Verdict::kWeak);
  CHECK(judgement.reason.find("time limit of 1e-09 s (--timeout)") != std::string::npos);
}

TEST_CASE("the budget of a search ends the candidate that it tries", "[judging]") {
  const auto ends_by_its_limit_alone = [](const HloModule&, const DeviceValues&) -> Result<bool> {
    const Status status = WithoutThrowing([]() -> Status {
      for (;;) CheckLimits();
    });
    return status.has_value();
  };
  Search search({ends_by_its_limit_alone}, 0.05);
  const std::shared_ptr<const HloModule> module = Loop(1);
  CHECK_FALSE(search.First(1, [&](std::size_t) { return Subject{module, Operand()}; }));
}

}  // namespace assay::testing
