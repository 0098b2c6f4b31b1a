#include "conformance/judging/judge_case.h"

#include <cmath>
#include <cstdlib>

#include "backends/lawful/lawful.h"
#include "backends/mutant/mutant.h"
#include "backends/reference/reference.h"
#include "conformance/judging/self_consistency.h"
#include "conformance/running/outcome.h"
#include "spec_tests/acceptance/program.h"
#include "spec_tests/conformance/function_backend.h"

namespace assay::testing {
namespace {

// A module with its exact result, and judgements of other results as those of a golden's case.
class JudgedCase {
 public:
  JudgedCase(const std::string& text, const std::vector<std::string_view>& arguments)
      : module_(Parsed(WithParameters(text, arguments))),
        values_{Values(arguments)},
        reference_(EvaluateRoot(*module_, values_, {})) {
    REQUIRE(reference_);
  }

  const Literal& want() const { return reference_->want; }
  CaseJudge JudgeOf(Backend& backend, const Literal& got) const {
    return CaseJudge(backend, *module_, values_, *reference_, got);
  }
  Judgement Of(Backend& backend, std::string_view got, std::string_view profile = "xla",
               const EvaluationLimits& limits = {}) const {
    return JudgeCase(backend, *module_, values_, *reference_, Value(got), BuiltInProfile(profile), limits);
  }
  void Expect(std::string_view rows) const {
    ReferenceBackend backend;
    CheckVerdicts(want().shape(), rows, [&](std::string_view value, std::string_view profile) {
      return Of(backend, value, profile).verdict;
    });
  }

 private:
  std::unique_ptr<HloModule> module_;
  DeviceValues values_;
  Result<InstructionValues> reference_;
};

// (1 + 2^-12)^2 is 1 + 2^-11 + 2^-24, and rounds to 1 + 2^-11 unless the unrounded product is subtracted from.
const std::string kDifference = "p = f32[] multiply(x, x) ROOT r = f32[] subtract(p, y)";

TEST_CASE("a case is judged as a program, and one of one instruction by its rule", "[conformance]") {
  CheckRows<JudgedCase>({
      {"several instructions", kDifference, "x = f32[] 1.000244140625; y = f32[] 1.00048828125",
       "EXACT 0; LEGAL x33800000; ieee FAIL x33800000; FAIL x34800000"},
      {"one instruction", "ROOT r = f32[] subtract(x, y)", "x = f32[] 1.00048828125; y = f32[] 1.00048828125",
       "FAIL x33800000"},
      {"an element of a loop's result", R"(
condition { p = (s32[], f32[]) parameter(0)  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant(1)  ROOT r = pred[] compare(i, n), direction=LT }
body { p = (s32[], f32[]) parameter(0)  i = s32[] get-tuple-element(p), index=0
  x = f32[] get-tuple-element(p), index=1
  one = s32[] constant(1)  j = s32[] add(i, one)  two = f32[] constant(2)  y = f32[] divide(x, two)
  ROOT r = (s32[], f32[]) tuple(j, y) }
ENTRY e { t = (s32[], f32[]) parameter(0)
  l = (s32[], f32[]) while(t), condition=condition, body=body
  ROOT r = f32[] get-tuple-element(l), index=1 })",
       "(s32[], f32[]) (0, 3)", "EXACT 1.5; LEGAL x3fc00001; FAIL 1.6"},
      // No rule bounds a conditional, but its set does.
      {"a root that calls", R"(f { a = f32[] parameter(0)  ROOT r = f32[] negate(a) }
g { a = f32[] parameter(0)  ROOT r = f32[] abs(a) }
ENTRY e { ROOT r = f32[] conditional(p, x, x), true_computation=f, false_computation=g })",
       "p = pred[] false; x = f32[] -1", "EXACT 1; FAIL -1"},
  });
}

// The difference of products is lawful, which only the set shows.
TEST_CASE("a case whose judging a limit ends is WEAK", "[conformance]") {
  const JudgedCase judged(kDifference, {"x = f32[] 1.000244140625", "y = f32[] 1.00048828125"});
  ReferenceBackend backend;
  const Judgement judgement = judged.Of(backend, "f32[] x33800000", "xla", {.steps = 1});
  CHECK(judgement.verdict == Verdict::kWeak);
  CHECK(judgement.reason.starts_with("a limit ended the judging: "));
  // The time may have passed before the outputs are compared, as for a second profile.
  const JudgedCase large("b = s32[4096] broadcast(x), dimensions={} ROOT r = s32[4096] negate(b)", {"x = s32[] 1"});
  const Literal zeros(large.want().shape());
  CaseJudge late = large.JudgeOf(backend, zeros);
  const TimeLimit passed(1e-9);
  CHECK(late.Judge(XlaProfile()).verdict == Verdict::kWeak);
}

// Nothing bounds the inverse hyperbolic sine of a complex number that is not known.
TEST_CASE("a backend runs once for all of its intermediate values", "[conformance]") {
  const JudgedCase judged(R"(y = c64[] exponential(x)  w = c64[] asinh(y)  z = c64[] sinh(w)
  a = f32[] real(y)  b = f32[] real(z)  ROOT r = f32[] subtract(a, b))",
                          {"x = c64[] (0.5, 0.3)"});
  const Literal got = Value("f32[] 1e-6");
  int runs = 0;
  ReferenceBackend exact;
  FunctionBackend backend([&](const HloModule& run, const DeviceValues& inputs) {
    ++runs;
    return exact.Run(run, inputs);
  });
  CaseJudge judge = judged.JudgeOf(backend, got);
  for (const std::string_view profile : {"xla", "xla-wide", "xla"}) {
    CHECK(judge.Judge(BuiltInProfile(profile)).verdict == Verdict::kWeak);
  }
  CHECK(runs == 1);
}

// It is open whether negate makes a signaling NaN quiet, and here the bits of the NaN count.
TEST_CASE("a case that its set leaves open is decided on the backend's own values", "[conformance]") {
  const JudgedCase open(R"(a = f32[] bitcast-convert(p)  b = f32[] negate(a)  ROOT r = s32[] bitcast-convert(b))",
                        {"p = s32[] 2139095041"});
  REQUIRE(open.want().BitwiseEqual(Value("s32[] -4194303")));
  const auto judged = [&](std::string_view own, std::string_view got) {
    FunctionBackend backend = Returning(Literal::MakeTuple({Value("f32[] x7f800001"), Value(own), Value(got)}));
    return open.Of(backend, got);
  };
  const Judgement lawful = judged("f32[] xff800001", "s32[] -8388607");
  CHECK(lawful.verdict == Verdict::kLegal);
  CHECK(lawful.reason == kLawfulOnOwnValues);
  CHECK(judged("f32[] xff800002", "s32[] -8388607").verdict == Verdict::kFail);
  CHECK(judged("f32[] 1", "s32[] 1065353216").verdict == Verdict::kFail);
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

// An all-to-all of tuples has no form on one device. The exponential may be another number than the reference's.
TEST_CASE("a program on several devices without a set is judged by its root if nothing rounds", "[conformance]") {
  const auto verdict_after = [](std::string_view op) {
    const auto module = Parsed(fmt::format(R"(HloModule m, replica_count=2
ENTRY e {{ x = f32[1] parameter(0)  y = f32[1] {}(x)
  ROOT r = (f32[1], f32[1]) all-to-all(y, y), replica_groups={{}} }})",
                                           op));
    const DeviceValues arguments(2, Values({"f32[1] {0.5}"}));
    const Result<InstructionValues> reference = EvaluateRoot(*module, arguments, {});
    REQUIRE(reference);
    Literal got = reference->want;
    float& first = got.mutable_elements()[0].mutable_elements()[0].mutable_values<float>()[0];
    first = std::nextafter(first, 2.0F);
    FunctionBackend backend([](const HloModule&, const DeviceValues&) -> Result<PerDevice<Literal>> {
      return Error{ErrorCode::kUnsupported, "no parts"};
    });
    return JudgeCase(backend, *module, arguments, *reference, got, XlaProfile()).verdict;
  };
  CHECK(verdict_after("exponential") == Verdict::kWeak);
  CHECK(verdict_after("reshape") == Verdict::kFail);
}

// The whole loop has no set, but what its backend reads from the state is wrong.
TEST_CASE("a wrong instruction fails a golden whose set proves nothing", "[conformance]") {
  CaseOptions options;
  options.profile = XlaProfile();
  MutantBackend backend(*FindMutant("get_tuple_element_first_of_shape"));
  int failed = 0;
  RunGoldenFile(backend, fmt::format("{}/miscompilations/invariant_that_is_not_run.hlo", std::getenv("ASSAY_GOLDENS")),
                options, [&](Outcome outcome) {
                  INFO(outcome.name << ": " << outcome.reason());
                  CHECK(outcome.verdict() != Verdict::kWeak);
                  failed += outcome.verdict() == Verdict::kFail ? 1 : 0;
                });
  CHECK(failed > 0);
}

}  // namespace
}  // namespace assay::testing
