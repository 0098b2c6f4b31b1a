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

TEST_CASE("random numbers explain everything", "[acceptance][trials]") {
  const auto module = Parsed(R"(HloModule m
ENTRY e { x = f32[8] parameter(0)
  a = f32[] constant(0)
  b = f32[] constant(1)
  r = f32[8] rng(a, b), distribution=rng_uniform
  ROOT s = f32[8] add(x, r) })");
  CHECK(FindUnexplained(*module, {Operand()}, ValueOf(*module), Operand()[0], XlaProfile()).empty());
}

}  // namespace
}  // namespace assay::testing
