// The second oracle on differences made by hand: each freedom covers only its own kind of number.
#include "fuzz/measure/second_oracle.h"

#include <cmath>
#include <limits>

#include "spec_tests/evaluator/module.h"

namespace assay::testing {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

Literal Float(float value) { return LiteralUtil::CreateR0(F32, value); }

// Returns the freedom that explains `got` instead of `want` as the result of an op on these operands.
std::string Explain(const std::string& profile, const std::string& op, const std::vector<float>& operands, float want,
                    float got) {
  std::string text, names;
  std::vector<Literal> values;
  for (const float operand : operands) {
    const std::string number = std::to_string(values.size());
    text += " p" + number + " = f32[] parameter(" + number + ")\n";
    names += (names.empty() ? "p" : ", p") + number;
    values.push_back(Float(operand));
  }
  const auto module = Parsed(text + " ROOT r = f32[] " + op + "(" + names + ")");
  return FreedomExplaining(*module->entry->root, values, Float(want), Float(got), BuiltInProfile(profile));
}

float Steps(float x, int steps) {
  for (int i = 0; i < steps; ++i) x = std::nextafter(x, kInfinity);
  return x;
}

TEST_CASE("equal values need no explanation", "[second_oracle]") {
  CHECK(Explain("exact", "add", {1, 1}, 2, 2) == "nothing differs");
  CHECK(Explain("exact", "add", {NAN, 1}, NAN, -NAN) == "nothing differs");
}

TEST_CASE("the sign of a zero is explained under zero_sign", "[second_oracle]") {
  CHECK(Explain("fast", "negate", {0}, -0.0f, 0) == "a zero may have either sign");
  CHECK(Explain("xla", "negate", {0}, -0.0f, 0).empty());
  CHECK(Explain("fast", "negate", {0}, -0.0f, 1e-30f).empty());
}

TEST_CASE("either zero is explained for ops that choose", "[second_oracle]") {
  CHECK(Explain("xla", "maximum", {0, -0.0f}, 0, -0.0f) == "of two zeros either may be chosen");
  CHECK(Explain("xla", "add", {0, -0.0f}, 0, -0.0f).empty());
  CHECK(Explain("ieee", "maximum", {0, -0.0f}, 0, -0.0f).empty());
}

TEST_CASE("numbers that are not finite explain any result under not_finite", "[second_oracle]") {
  CHECK(Explain("fast", "add", {kInfinity, 1}, kInfinity, 3).starts_with("nothing is said"));
  CHECK(Explain("fast", "divide", {1, 0}, kInfinity, 3).starts_with("nothing is said"));
  CHECK(Explain("xla", "add", {kInfinity, 1}, kInfinity, 3).empty());
  CHECK(Explain("fast", "add", {1, 1}, 2, kInfinity).empty());
}

TEST_CASE("zeros for subnormal numbers are explained under flush", "[second_oracle]") {
  CHECK(Explain("ftz", "negate", {1e-40f}, -1e-40f, -0.0f) == "subnormal numbers may be zeros");
  CHECK(Explain("ftz", "multiply", {1e-20f, 1e-20f}, 1e-40f, 0) == "subnormal numbers may be zeros");
  CHECK(Explain("ieee", "negate", {1e-40f}, -1e-40f, -0.0f).empty());
  CHECK(Explain("ftz", "negate", {1e-30f}, -1e-30f, -0.0f).empty());
}

TEST_CASE("errors of functions are explained up to their allowance", "[second_oracle]") {
  const double allowance = BuiltInProfile("xla").AllowanceOf("tanh", F32).ulp;
  const float tanh = std::tanh(0.5f);
  const int steps = static_cast<int>(allowance);
  CHECK(!Explain("xla", "tanh", {0.5f}, tanh, Steps(tanh, steps)).empty());
  CHECK(Explain("xla", "tanh", {0.5f}, tanh, Steps(tanh, steps + 1)).empty());
  CHECK(Explain("ieee", "tanh", {0.5f}, tanh, Steps(tanh, 1)).empty());
  CHECK(Explain("xla", "tanh", {0.5f}, tanh, kInfinity).empty());
  CHECK(Explain("xla", "add", {1, 1}, 2, Steps(2, 1)).empty());
}

TEST_CASE("the order of ties is explained, except in a stable sort", "[second_oracle]") {
  const auto explanation = [](const std::string& attributes) {
    const auto module =
        Parsed("p = f32[2] parameter(0)\n ROOT r = f32[2] sort(p), dimensions={0}" + attributes + ", to_apply=LT_f32");
    const Literal want = LiteralUtil::Create<float>(F32, {2}, std::vector<float>{1, 2});
    const Literal got = LiteralUtil::Create<float>(F32, {2}, std::vector<float>{2, 1});
    return FreedomExplaining(*module->entry->root, {&want, 1}, want, got, BuiltInProfile("exact"));
  };
  CHECK(explanation("") == "the order of ties is open");
  CHECK(explanation(", is_stable=true").empty());
}

TEST_CASE("one element without an explanation leaves a result without one", "[second_oracle]") {
  const auto module = Parsed("p = f32[2] parameter(0)\n ROOT r = f32[2] negate(p)");
  const auto array = [](std::vector<float> values) { return LiteralUtil::Create<float>(F32, {2}, values); };
  const Literal operand = array({0, 1});
  const auto explanation = [&](const Literal& got) {
    return FreedomExplaining(*module->entry->root, {&operand, 1}, array({-0.0f, -1}), got, BuiltInProfile("fast"));
  };
  CHECK(explanation(array({0, -1})) == "a zero may have either sign");
  CHECK(explanation(array({0, -2})).empty());
  CHECK(explanation(array({-0.0f, -2})).empty());
}

}  // namespace
}  // namespace assay::testing
