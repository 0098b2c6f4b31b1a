// Backends that are right on every part of a module and wrong on the whole, as the fault of a fusion is, and right
// ones.
#include <algorithm>
#include <functional>
#include <utility>

#include "backends/lawful/lawful.h"
#include "conformance/judging/compare.h"
#include "spec_tests/acceptance/judged.h"
#include "spec_tests/catch.h"
#include "spec_tests/evaluator/module.h"

namespace assay::testing {
namespace {

using Fault = std::function<void(Literal& output)>;

// Uses the freedoms of `xla`, and changes the output of one module.
class FaultyBackend final : public Backend {
 public:
  FaultyBackend(const HloModule& whole, std::uint64_t seed, Fault fault)
      : whole_(whole), lawful_(XlaProfile(), seed), fault_(std::move(fault)) {}

  const BackendDescription& description() const override { return lawful_.description(); }
  Result<std::unique_ptr<Executable>> Compile(const HloModule& module) override {
    ASSAY_TRY(std::unique_ptr<Executable> executable, lawful_.Compile(module));
    if (&module != &whole_ || !fault_) return executable;
    return std::unique_ptr<Executable>(std::make_unique<Faulty>(std::move(executable), fault_));
  }

 private:
  class Faulty final : public Executable {
   public:
    Faulty(std::unique_ptr<Executable> executable, const Fault& fault)
        : executable_(std::move(executable)), fault_(fault) {}
    Result<PerDevice<Literal>> Run(const DeviceValues& inputs) override {
      ASSAY_TRY(PerDevice<Literal> outputs, executable_->Run(inputs));
      fault_(outputs[0]);
      return outputs;
    }

   private:
    const std::unique_ptr<Executable> executable_;
    const Fault& fault_;
  };

  const HloModule& whole_;
  LawfulBackend lawful_;
  const Fault fault_;
};

// The best and the worst verdict of twenty backends with one fault.
std::pair<Verdict, Verdict> VerdictsOfFaulty(const std::string& text, const std::vector<std::string_view>& arguments,
                                             const Fault& fault = {}) {
  const auto module = Parsed(text);
  std::pair<Verdict, Verdict> verdicts = {Verdict::kCrash, Verdict::kExact};
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    FaultyBackend backend(*module, seed, fault);
    const Result<ModuleReport> report = CompareModule(backend, *module, {Values(arguments)}, {});
    REQUIRE(report);
    verdicts = {std::min(verdicts.first, report->verdict), std::max(verdicts.second, report->verdict)};
  }
  return verdicts;
}

void SetFloats(Literal& array, float value) {
  for (float& x : array.mutable_values<float>()) x = value;
}

const std::string kRandom = Entry(R"(  x = f32[4] parameter(0)
  a = f32[] constant(0)
  b = f32[] constant(1)
  r = f32[500] rng(a, b), distribution=rng_uniform
  e = f32[4] exponential(x)
  ROOT t = (f32[500], f32[4]) tuple(r, e))");
const std::vector<std::string_view> kNumbers = {"f32[4] {0, 1, 2, 3}"};

TEST_CASE("an output beside random numbers is judged as without them", "[conformance]") {
  CHECK(VerdictsOfFaulty(kRandom, kNumbers).second == Verdict::kLegal);
  const auto with_zeros = [](Literal& output) { SetFloats(output.mutable_elements()[1], 0); };
  CHECK(VerdictsOfFaulty(kRandom, kNumbers, with_zeros).first == Verdict::kFail);
  const auto with_one_number = [](Literal& output) { SetFloats(output.mutable_elements()[0], 0.25F); };
  CHECK(VerdictsOfFaulty(kRandom, kNumbers, with_one_number).first >= Verdict::kWeak);
}

// Either of `e` and `n` may be selected by `p`: logistic(0) is 1/2 or next to it. Their mean is 0.
const std::string kOpenSelection = R"(  x = f32[2] parameter(0)
  y = f32[2] parameter(1)
  c = f32[2] logistic(y)
  h = f32[] constant(0.5)
  half = f32[2] broadcast(h), dimensions={}
  p = pred[2] compare(c, half), direction=GT
  e = f32[2] exponential(x)
  n = f32[2] negate(e)
)";
const std::vector<std::string_view> kOpenArguments = {"f32[2] {3, 1}", "f32[2] {0, 0}"};

TEST_CASE("the mean of both sides of an open selection is not legal", "[conformance]") {
  const std::string text = Entry(kOpenSelection + "  ROOT r = f32[2] select(p, e, n)");
  const auto with_means = [](Literal& output) { SetFloats(output, 0); };
  CHECK(VerdictsOfFaulty(text, kOpenArguments).second == Verdict::kLegal);
  CHECK(VerdictsOfFaulty(text, kOpenArguments, with_means).first >= Verdict::kWeak);
}

// exp(0) = 1 may be less and is then converted to 0. No error reaches row 2.
TEST_CASE("a row that an open index does not reach is not legal", "[conformance]") {
  const std::string text = Entry(R"(  x = f32[3] parameter(0)
  y = f32[] parameter(1)
  e = f32[3] exponential(x)
  f = f32[] exponential(y)
  i = s32[] convert(f)
  ROOT r = f32[1] dynamic-slice(e, i), dynamic_slice_sizes={1})");
  const std::vector<std::string_view> arguments = {"f32[3] {1, 2, 5}", "f32[] 0"};
  CHECK(VerdictsOfFaulty(text, arguments).second == Verdict::kLegal);
  CHECK(VerdictsOfFaulty(text, arguments, [](Literal& output) { SetFloats(output, 148.41316F); }).first >=
        Verdict::kWeak);
}

TEST_CASE("a reversed sort is not legal, though the order of two rows is open", "[conformance]") {
  const std::string text = R"(HloModule m
before { a = f32[] parameter(0)
  b = f32[] parameter(1)
  c = f32[] negate(a)
  d = f32[] negate(b)
  ROOT r = pred[] compare(c, d), direction=GT }
ENTRY e { x = f32[3] parameter(0)
  e = f32[3] exponential(x)
  ROOT r = f32[3] sort(e), dimensions={0}, to_apply=before })";
  const std::vector<std::string_view> arguments = {"f32[3] {5, 1, x3f800001}"};
  const auto reversed = [](Literal& output) {
    const auto x = output.mutable_values<float>();
    std::swap(x[0], x[2]);
  };
  // A right result is WEAK if every instruction happens to be exact alone.
  CHECK(VerdictsOfFaulty(text, arguments).first <= Verdict::kLegal);
  CHECK(VerdictsOfFaulty(text, arguments).second <= Verdict::kWeak);
  CHECK(VerdictsOfFaulty(text, arguments, reversed).first >= Verdict::kWeak);
}

// An output whose set is open does not hide another one that is wrong.
TEST_CASE("the worst of the outputs' verdicts is that of the module", "[conformance]") {
  const std::string text = Entry(kOpenSelection + R"(  s = f32[2] select(p, e, n)
  m = f32[2] multiply(x, y)
  ROOT t = (f32[2], f32[2]) tuple(s, m))");
  const auto both_wrong = [](Literal& output) {
    SetFloats(output.mutable_elements()[0], 0);
    SetFloats(output.mutable_elements()[1], 7);
  };
  CHECK(VerdictsOfFaulty(text, kOpenArguments, both_wrong).first == Verdict::kFail);
}

}  // namespace
}  // namespace assay::testing
