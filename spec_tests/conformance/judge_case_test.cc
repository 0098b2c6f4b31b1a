#include "conformance/judging/judge_case.h"

#include <cstdlib>

#include "backends/lawful/lawful.h"
#include "backends/mutant/mutant.h"
#include "backends/reference/reference.h"
#include "conformance/judging/self_consistency.h"
#include "conformance/running/outcome.h"
#include "spec_tests/acceptance/program.h"
#include "spec_tests/catch.h"
#include "spec_tests/conformance/told_backend.h"

namespace assay::testing {
namespace {

Verdict VerdictOf(const std::string& body, const std::vector<std::string_view>& arguments, std::string_view got,
                  std::string_view profile = "xla") {
  const auto module = Parsed(Entry(body));
  const DeviceValues values = {Values(arguments)};
  const Result<InstructionValues> reference = EvaluateRoot(*module, values, {});
  REQUIRE(reference);
  ReferenceBackend backend;
  return JudgeCase(backend, *module, values, *reference, Value(got), BuiltInProfile(profile)).verdict;
}

// (1 + 2^-12)^2 is 1 + 2^-11 + 2^-24, and rounds to 1 + 2^-11 unless the unrounded product is subtracted from.
TEST_CASE("a case of several instructions is judged as a program", "[conformance]") {
  const std::string body = R"(  x = f32[] parameter(0)
  y = f32[] parameter(1)
  p = f32[] multiply(x, x)
  ROOT r = f32[] subtract(p, y))";
  const std::vector<std::string_view> arguments = {"f32[] 1.000244140625", "f32[] 1.00048828125"};
  CHECK(VerdictOf(body, arguments, "f32[] 0") == Verdict::kExact);
  CHECK(!IsFailure(VerdictOf(body, arguments, "f32[] x33800000")));
  CHECK(VerdictOf(body, arguments, "f32[] x33800000", "ieee") == Verdict::kFail);
  CHECK(VerdictOf(body, arguments, "f32[] x34800000") == Verdict::kFail);
}

// The difference of products is lawful, which only the set shows.
TEST_CASE("a case whose judging a limit ends is WEAK", "[conformance]") {
  const auto module = Parsed(Entry(R"(  x = f32[] parameter(0)
  y = f32[] parameter(1)
  p = f32[] multiply(x, x)
  ROOT r = f32[] subtract(p, y))"));
  const DeviceValues values = {Values({"f32[] 1.000244140625", "f32[] 1.00048828125"})};
  const Result<InstructionValues> reference = EvaluateRoot(*module, values, {});
  REQUIRE(reference);
  ReferenceBackend backend;
  const Judgement judgement =
      JudgeCase(backend, *module, values, *reference, Value("f32[] x33800000"), XlaProfile(), {.steps = 1});
  CHECK(judgement.verdict == Verdict::kWeak);
  CHECK(judgement.reason.starts_with("a limit ended the judging: "));
}

// Counts the runs of the reference.
class CountedBackend final : public Backend {
 public:
  explicit CountedBackend(int& runs) : runs_(runs) {}

  const BackendDescription& description() const override { return reference_.description(); }
  Result<std::unique_ptr<Executable>> Compile(const HloModule& module) override {
    ASSAY_TRY(std::unique_ptr<Executable> executable, reference_.Compile(module));
    return std::unique_ptr<Executable>(std::make_unique<Counted>(std::move(executable), runs_));
  }

 private:
  class Counted final : public Executable {
   public:
    Counted(std::unique_ptr<Executable> executable, int& runs) : executable_(std::move(executable)), runs_(runs) {}
    Result<PerDevice<Literal>> Run(const DeviceValues& inputs) override {
      ++runs_;
      return executable_->Run(inputs);
    }

   private:
    const std::unique_ptr<Executable> executable_;
    int& runs_;
  };

  ReferenceBackend reference_;
  int& runs_;
};

// The products of 5.1 + 4.3i cancel, so that the set of the difference has numbers of both signs.
TEST_CASE("a backend runs once for all of its intermediate values", "[conformance]") {
  const auto module = Parsed(Entry(R"(  x = c64[] parameter(0)
  s = c64[] multiply(x, x)
  a = f32[] real(x)
  b = f32[] imag(x)
  p = f32[] multiply(a, a)
  q = f32[] multiply(b, b)
  d = f32[] subtract(p, q)
  e = f32[] real(s)
  ROOT r = f32[] subtract(d, e))"));
  const DeviceValues values = {Values({"c64[] (5.1, 4.3)"})};
  const Result<InstructionValues> reference = EvaluateRoot(*module, values, {});
  REQUIRE(reference);
  const Literal got = Value("f32[] 1e-6");
  int runs = 0;
  CountedBackend backend(runs);
  CaseJudge judge(backend, *module, values, *reference, got);
  for (const std::string_view profile : {"xla", "xla-wide", "xla"}) {
    CHECK(judge.Judge(BuiltInProfile(profile)).verdict == Verdict::kWeak);
  }
  CHECK(runs == 1);
}

TEST_CASE("an element of a loop's result is judged as a program", "[conformance]") {
  const std::string text = R"(HloModule m
condition { p = (s32[], f32[]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant(1)
  ROOT r = pred[] compare(i, n), direction=LT }
body { p = (s32[], f32[]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = f32[] get-tuple-element(p), index=1
  one = s32[] constant(1)
  j = s32[] add(i, one)
  two = f32[] constant(2)
  y = f32[] divide(x, two)
  ROOT r = (s32[], f32[]) tuple(j, y) }
ENTRY e { t = (s32[], f32[]) parameter(0)
  l = (s32[], f32[]) while(t), condition=condition, body=body
  ROOT r = f32[] get-tuple-element(l), index=1 })";
  const auto module = Parsed(text);
  const DeviceValues values = {{Literal::MakeTuple({Value("s32[] 0"), Value("f32[] 3")})}};
  const Result<InstructionValues> reference = EvaluateRoot(*module, values, {});
  REQUIRE(reference);
  ReferenceBackend backend;
  const auto verdict = [&](std::string_view got) {
    return JudgeCase(backend, *module, values, *reference, Value(got), XlaProfile()).verdict;
  };
  CHECK(verdict("f32[] 1.5") == Verdict::kExact);
  CHECK(verdict("f32[] x3fc00001") == Verdict::kLegal);
  CHECK(verdict("f32[] 1.6") == Verdict::kFail);
}

// It is open whether negate makes a signaling NaN quiet, and here the bits of the NaN count.
TEST_CASE("a case that its set leaves open is decided on the backend's own values", "[conformance]") {
  const auto module = Parsed(Entry(R"(  p = s32[] parameter(0)
  a = f32[] bitcast-convert(p)
  b = f32[] negate(a)
  ROOT r = s32[] bitcast-convert(b))"));
  const DeviceValues values = {Values({"s32[] 2139095041"})};
  const Result<InstructionValues> reference = EvaluateRoot(*module, values, {});
  REQUIRE(reference);
  const auto judged = [&](std::string_view told, std::string_view got) {
    ToldBackend backend(Literal::MakeTuple({Value("f32[] x7f800001"), Value(told), Value(got)}));
    return JudgeCase(backend, *module, values, *reference, Value(got), XlaProfile());
  };
  REQUIRE(reference->want.BitwiseEqual(Value("s32[] -4194303")));
  const Judgement lawful = judged("f32[] xff800001", "s32[] -8388607");
  CHECK(lawful.verdict == Verdict::kLegal);
  CHECK(lawful.reason == kLawfulOnOwnValues);
  CHECK(judged("f32[] xff800002", "s32[] -8388607").verdict == Verdict::kFail);
  CHECK(judged("f32[] 1", "s32[] 1065353216").verdict == Verdict::kFail);
}

// No rule bounds a conditional, but its set does.
TEST_CASE("a case whose root calls is judged as a program", "[conformance]") {
  const auto module = Parsed(R"(HloModule m
f { a = f32[] parameter(0)
  ROOT r = f32[] negate(a) }
g { a = f32[] parameter(0)
  ROOT r = f32[] abs(a) }
ENTRY e { p = pred[] parameter(0)
  x = f32[] parameter(1)
  ROOT r = f32[] conditional(p, x, x), true_computation=f, false_computation=g })");
  const DeviceValues values = {Values({"pred[] false", "f32[] -1"})};
  const Result<InstructionValues> reference = EvaluateRoot(*module, values, {});
  REQUIRE(reference);
  ReferenceBackend backend;
  CHECK(JudgeCase(backend, *module, values, *reference, Value("f32[] 1"), XlaProfile()).verdict == Verdict::kExact);
  CHECK(JudgeCase(backend, *module, values, *reference, Value("f32[] -1"), XlaProfile()).verdict == Verdict::kFail);
}

TEST_CASE("a case of one instruction is judged by its rule", "[conformance]") {
  const std::string body = "x = f32[] parameter(0)\ny = f32[] parameter(1)\nROOT r = f32[] subtract(x, y)";
  CHECK(VerdictOf(body, {"f32[] 1.00048828125", "f32[] 1.00048828125"}, "f32[] x33800000") == Verdict::kFail);
}

TEST_CASE("lawful noise fails no golden of several instructions", "[conformance]") {
  CaseOptions options;
  options.profile = XlaProfile();
  int differing = 0;
  for (const std::string_view file : {"miscompilations/distributed", "miscompilations/difference_of_products",
                                      "miscompilations/condition_by_the_value"}) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      LawfulBackend backend(XlaProfile(), seed);
      RunGoldenFile(backend, fmt::format("{}/{}.hlo", std::getenv("ASSAY_GOLDENS"), file), options,
                    [&](Outcome outcome) {
                      INFO(outcome.name << ", seed " << seed << ": " << outcome.reason());
                      CHECK(!outcome.unjudged);
                      CHECK(!IsFailure(outcome.verdict()));
                      differing += outcome.verdict() != Verdict::kExact ? 1 : 0;
                    });
    }
  }
  CHECK(differing > 0);
}

// The set of the parts is too wide, but the subtraction alone is wrong.
TEST_CASE("a wrong instruction fails a golden whose set proves nothing", "[conformance]") {
  CaseOptions options;
  options.profile = XlaProfile();
  MutantBackend backend(*FindMutant("subtract_of_equals"));
  int failed = 0;
  RunGoldenFile(backend, fmt::format("{}/miscompilations/square_by_parts.hlo", std::getenv("ASSAY_GOLDENS")), options,
                [&](Outcome outcome) {
                  INFO(outcome.name << ": " << outcome.reason());
                  CHECK(outcome.verdict() != Verdict::kWeak);
                  failed += outcome.verdict() == Verdict::kFail ? 1 : 0;
                });
  CHECK(failed > 0);
}

}  // namespace
}  // namespace assay::testing
