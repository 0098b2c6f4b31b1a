// Outputs that legal errors explain, and outputs of a module that computed something else.
#include "interpreter/acceptance/trials.h"

#include <fmt/format.h>

#include <cmath>

#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/op.h"
#include "spec_tests/evaluator/module.h"

namespace assay::testing {
namespace {

// Returns tanh, applied `trips` times and then scaled.
std::unique_ptr<HloModule> LoopOfTanh(int trips, double scale = 3) {
  return Parsed(fmt::format(R"(HloModule m
condition {{ p = (s32[], f32[8]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant({})
  ROOT r = pred[] compare(i, n), direction=LT }}
body {{ p = (s32[], f32[8]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = f32[8] get-tuple-element(p), index=1
  one = s32[] constant(1)
  j = s32[] add(i, one)
  y = f32[8] tanh(x)
  ROOT r = (s32[], f32[8]) tuple(j, y) }}
ENTRY e {{ x = f32[8] parameter(0)
  z = s32[] constant(0)
  t = (s32[], f32[8]) tuple(z, x)
  w = (s32[], f32[8]) while(t), condition=condition, body=body
  y = f32[8] get-tuple-element(w), index=1
  c = f32[] constant({})
  s = f32[8] broadcast(c), dimensions={{}}
  ROOT r = f32[8] multiply(y, s) }})",
                            trips, scale));
}

std::vector<Literal> Operand() {
  Literal x(ShapeUtil::MakeShape(F32, {8}));
  for (int i = 0; i < 8; ++i) x.mutable_values<float>()[i] = 0.25F * static_cast<float>(i) - 1;
  return {std::move(x)};
}

Literal ValueOf(const HloModule& module, const EvaluationOptions& options = {}) {
  return *Evaluate(module, Operand(), options);
}

TEST_CASE("errors of a unit in the last place in every instruction are explained", "[acceptance][trials]") {
  const auto module = LoopOfTanh(5);
  EvaluationOptions options;
  options.disturb = [](const HloInstruction& instruction, std::span<const Literal>, Literal& result) {
    if (instruction.op->name != "tanh") return;
    for (float& x : result.mutable_values<float>()) x = std::nextafter(x, 2.0F);
  };
  const Literal got = ValueOf(*module, options);
  CHECK_FALSE(got.BitwiseEqual(ValueOf(*module)));
  CHECK(FindUnexplained(*module, {Operand()}, ValueOf(*module), got, XlaProfile()).empty());
}

TEST_CASE("an error of a complex number in its zero part is explained", "[acceptance][trials]") {
  const auto module = Parsed(R"(HloModule m
ENTRY e { x = c64[1] parameter(0)
  y = c64[1] exponential(x)
  ROOT r = f32[1] imag(y) })");
  const std::vector<Literal> operand = Values({"c64[1] {(1, 0)}"});
  const Literal want = *Evaluate(*module, operand);
  CHECK(FindUnexplained(*module, {operand}, want, Value("f32[1] {1e-6}"), XlaProfile()).empty());
  CHECK_FALSE(FindUnexplained(*module, {operand}, want, Value("f32[1] {1e-3}"), XlaProfile()).empty());
}

TEST_CASE("a trip more or less, or another factor, is not explained", "[acceptance][trials]") {
  const auto module = LoopOfTanh(5);
  for (const auto& other : {LoopOfTanh(4), LoopOfTanh(6), LoopOfTanh(5, 3.01)}) {
    const std::string found = FindUnexplained(*module, {Operand()}, ValueOf(*module), ValueOf(*other), XlaProfile());
    CHECK(found.starts_with("output 0 is "));
  }
}

TEST_CASE("a wrong integer is not explained", "[acceptance][trials]") {
  const auto module = Parsed(R"(HloModule m
ENTRY e { x = f32[8] parameter(0)
  y = f32[8] tanh(x)
  i = s32[8] convert(y)
  ROOT t = (f32[8], s32[8]) tuple(y, i) })");
  const Literal want = ValueOf(*module);
  Literal got = want;
  got.mutable_elements()[1].mutable_values<std::int32_t>()[3] = 7;
  CHECK(FindUnexplained(*module, {Operand()}, want, got, XlaProfile()).starts_with("output 1 is "));
}

TEST_CASE("an integer is explained only by the same one of a trial", "[acceptance][trials]") {
  // exp(0) = 1 becomes 0 or 1; 5 is 5.
  const auto module = Parsed(R"(HloModule m
ENTRY e { x = f32[2] parameter(0)
  y = f32[2] exponential(x)
  ROOT i = s32[2] convert(y) })");
  const auto explains = [&](std::string_view got, TrialOptions options = {}) {
    return FindUnexplained(*module, {Values({"f32[2] {0, 1.7}"})}, Value("s32[2] {1, 5}"), Value(got), XlaProfile(),
                           options)
        .empty();
  };
  CHECK(explains("s32[2] {0, 5}"));
  CHECK_FALSE(explains("s32[2] {2, 5}"));
  CHECK_FALSE(explains("s32[2] {1, 4}"));
  CHECK_FALSE(explains("s32[2] {0, 5}", {.explains_integers = false}));
}

TEST_CASE("the error of a large element does not explain that of a small one", "[acceptance][trials]") {
  const auto module = Parsed("HloModule m\nENTRY e { x = f32[2] parameter(0)\n ROOT y = f32[2] exponential(x) }");
  const auto explains = [&](std::string_view got) {
    return FindUnexplained(*module, {Values({"f32[2] {0, 20}"})}, Value("f32[2] {1, 485165184}"), Value(got),
                           XlaProfile())
        .empty();
  };
  CHECK(explains("f32[2] {1.0000001, 485165248}"));
  CHECK_FALSE(explains("f32[2] {2, 485165184}"));
}

TEST_CASE("outputs that follow from random numbers are not explained", "[acceptance][trials]") {
  const auto module = Parsed(R"(HloModule m
ENTRY e { x = f32[8] parameter(0)
  a = f32[] constant(0)
  b = f32[] constant(1)
  r = f32[1000] rng(a, b), distribution=rng_uniform
  h = f32[8] slice(r), slice={[0:8]}
  s = f32[8] add(x, h)
  y = f32[8] tanh(x)
  ROOT t = (f32[8], f32[8], f32[1000]) tuple(s, y, r) })");
  const Literal want = ValueOf(*module);
  const auto unexplained = [&](std::size_t output, auto change) {
    Literal got = want;
    for (float& x : got.mutable_elements()[output].mutable_values<float>()) x = change(x);
    return FindUnexplained(*module, {Operand()}, want, got, XlaProfile());
  };
  CHECK(unexplained(0, [](float x) { return x / 2; }).starts_with("output 0 follows from r (line 5)"));
  CHECK(unexplained(1, [](float x) { return std::nextafter(x, 2.0F); }).empty());
  CHECK(unexplained(1, [](float) { return 0.0F; }).starts_with("output 1 is "));
  // Other numbers of the distribution are explained by their own rule, numbers of another one are not.
  CHECK(unexplained(2, [](float x) { return 1 - x; }).empty());
  CHECK(unexplained(2, [](float x) { return x / 2; }).starts_with("output 2 follows from r"));
}

}  // namespace
}  // namespace assay::testing
