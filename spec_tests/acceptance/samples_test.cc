// Outputs that lawful runs explain, outputs of a module that computed something else, and those that are far from
// lawful.
#include <fmt/format.h>

#include <cmath>

#include "interpreter/acceptance/statistics/samples/judge_by_samples.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/op.h"
#include "spec_tests/acceptance/judged.h"
#include "spec_tests/acceptance/sampled.h"
#include "spec_tests/evaluator/module.h"

namespace assay::testing {
namespace {

// Returns tanh, applied `trips` times and then scaled.
std::unique_ptr<HloModule> LoopOfTanh(int trips, double scale = 3) {
  return Parsed(fmt::format(R"(condition {{ p = (s32[], f32[8]) parameter(0)
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

TEST_CASE("errors of a unit in the last place in every instruction are explained", "[acceptance][samples]") {
  const auto module = LoopOfTanh(5);
  EvaluationOptions options;
  options.disturb = [](const HloInstruction& instruction, std::span<const Literal>, Literal& result, DeviceId) {
    if (instruction.op->name != "tanh") return;
    for (float& x : result.mutable_values<float>()) x = std::nextafter(x, 2.0F);
  };
  const Literal got = ValueOf(*module, options);
  CHECK_FALSE(got.BitwiseEqual(ValueOf(*module)));
  CHECK(JudgeBySamples(*module, {Operand()}, ValueOf(*module), got, XlaProfile()).unexplained.empty());
}

TEST_CASE("an error of a complex number in its zero part is explained", "[acceptance][samples]") {
  const auto module = Parsed(R"(x = c64[1] parameter(0)
  y = c64[1] exponential(x)
  ROOT r = f32[1] imag(y))");
  const std::vector<Literal> operand = Values({"c64[1] {(1, 0)}"});
  const Literal want = *Evaluate(*module, operand);
  CHECK(JudgeBySamples(*module, {operand}, want, Value("f32[1] {1e-6}"), XlaProfile()).unexplained.empty());
  CHECK_FALSE(JudgeBySamples(*module, {operand}, want, Value("f32[1] {1e-3}"), XlaProfile()).unexplained.empty());
}

TEST_CASE("a trip more or less, or another factor, is not explained", "[acceptance][samples]") {
  const auto module = LoopOfTanh(5);
  for (const auto& other : {LoopOfTanh(4), LoopOfTanh(6), LoopOfTanh(5, 3.01)}) {
    const std::string found =
        JudgeBySamples(*module, {Operand()}, ValueOf(*module), ValueOf(*other), XlaProfile()).unexplained;
    CHECK(found.starts_with("output 0 is "));
  }
}

TEST_CASE("a wrong integer is not explained", "[acceptance][samples]") {
  const auto module = Parsed(R"(x = f32[8] parameter(0)
  y = f32[8] tanh(x)
  i = s32[8] convert(y)
  ROOT t = (f32[8], s32[8]) tuple(y, i))");
  const Literal want = ValueOf(*module);
  Literal got = want;
  got.mutable_elements()[1].mutable_values<std::int32_t>()[3] = 7;
  CHECK(JudgeBySamples(*module, {Operand()}, want, got, XlaProfile()).unexplained.starts_with("output 1 "));
}

TEST_CASE("an integer is explained only by the same one of a trial", "[acceptance][samples]") {
  // exp(0) = 1 becomes 0 or 1; 5 is 5.
  const auto module = Parsed(R"(x = f32[2] parameter(0)
  y = f32[2] exponential(x)
  ROOT i = s32[2] convert(y))");
  const auto explains = [&](std::string_view got) {
    const SampleFinding finding =
        JudgeBySamples(*module, {Values({"f32[2] {0, 1.7}"})}, Value("s32[2] {1, 5}"), Value(got), XlaProfile());
    CHECK(finding.has_integers);
    return finding.unexplained.empty();
  };
  CHECK(explains("s32[2] {0, 5}"));
  CHECK_FALSE(explains("s32[2] {2, 5}"));
  CHECK_FALSE(explains("s32[2] {1, 4}"));
}

TEST_CASE("the error of a large element does not explain that of a small one", "[acceptance][samples]") {
  const auto module = Parsed("x = f32[2] parameter(0) ROOT y = f32[2] exponential(x)");
  const auto explains = [&](std::string_view got) {
    return JudgeBySamples(*module, {Values({"f32[2] {0, 20}"})}, Value("f32[2] {1, 485165184}"), Value(got),
                          XlaProfile())
        .unexplained.empty();
  };
  CHECK(explains("f32[2] {1.0000001, 485165248}"));
  CHECK_FALSE(explains("f32[2] {2, 485165184}"));
}

TEST_CASE("outputs that follow from random numbers are not explained", "[acceptance][samples]") {
  const auto module = Parsed(R"(x = f32[8] parameter(0)
  a = f32[] constant(0)
  b = f32[] constant(1)
  r = f32[1000] rng(a, b), distribution=rng_uniform
  h = f32[8] slice(r), slice={[0:8]}
  s = f32[8] add(x, h)
  y = f32[8] tanh(x)
  ROOT t = (f32[8], f32[8], f32[1000]) tuple(s, y, r))");
  const Literal want = ValueOf(*module);
  const auto finding = [&](std::size_t output, auto change) {
    Literal got = want;
    for (float& x : got.mutable_elements()[output].mutable_values<float>()) x = change(x);
    return JudgeBySamples(*module, {Operand()}, want, got, XlaProfile());
  };
  const auto unexplained = [&](std::size_t output, auto change) { return finding(output, change).unexplained; };
  CHECK(unexplained(0, [](float x) { return x / 2; }).starts_with("output 0 follows from rng (line 6)"));
  CHECK(unexplained(1, [](float x) { return std::nextafter(x, 2.0F); }).empty());
  CHECK(unexplained(1, [](float) { return 0.0F; }).starts_with("output 1 is "));
  // Other numbers of the distribution are explained by their own rule, numbers of another one are suspect.
  CHECK(unexplained(2, [](float x) { return 1 - x; }).empty());
  CHECK(finding(2, [](float x) { return 1 - x; }).suspect.empty());
  CHECK_FALSE(finding(2, [](float x) { return x / 2; }).suspect.empty());
}

TEST_CASE("results far from all samples are suspect, those near them are not", "[acceptance][samples]") {
  const Sampled program("y = f32[4] exponential(x) ROOT r = f32[4] sine(y)", {"x = f32[4] {0, 1, 2, 3}"});
  CHECK_FALSE(program.IsSuspect("f32[4] {0.84147096, 0.4107813, 0.8938549, 0.9444699}"));
  CHECK(program.IsSuspect("f32[4] {0.84147096, 0.4107813, 0.8938549, 0.945}"));
  CHECK(program.IsSuspect("f32[4] {0, 0, 0, 0}"));
}

constexpr std::string_view kLargest = R"(HloModule m
larger { a = f32[] parameter(0) i = s32[] parameter(1) b = f32[] parameter(2) j = s32[] parameter(3)
  g = pred[] compare(a, b), direction=GE
  v = f32[] select(g, a, b)
  k = s32[] select(g, i, j)
  ROOT t = (f32[], s32[]) tuple(v, k) }
ENTRY e { x = f32[4] parameter(0)
  y = f32[4] exponential(x)
  n = s32[4] iota(), iota_dimension=0
  low = f32[] constant(-inf)
  first = s32[] constant(0)
  m = (f32[], s32[]) reduce(y, n, low, first), dimensions={0}, to_apply=larger
  ROOT k = s32[] get-tuple-element(m), index=1 })";

TEST_CASE("the index of a maximum is one that errors may give", "[acceptance][samples]") {
  const Sampled clear(std::string(kLargest), {"f32[4] {0, 1, 3, 2}"});
  CHECK(clear.IsSuspect("s32[] 3"));
  CHECK(clear.IsSuspect("s32[] 7"));
  // exp(2) and exp of the next number: errors may exchange them, and nothing else.
  const Sampled close(std::string(kLargest), {"f32[4] {0, 1, 2, 2.0000002}"});
  CHECK_FALSE(close.IsSuspect("s32[] 2"));
  CHECK(close.IsSuspect("s32[] 1"));
}

TEST_CASE("a loop to a tolerance has the results of trip counts that errors may give", "[acceptance][samples]") {
  // Newton's iteration for the root of x, until the square is near enough.
  const Sampled program(R"(body { s = (f32[], f32[]) parameter(0)
  x = f32[] get-tuple-element(s), index=0
  r = f32[] get-tuple-element(s), index=1
  q = f32[] divide(x, r)
  t = f32[] add(q, r)
  half = f32[] constant(0.5)
  n = f32[] multiply(t, half)
  ROOT u = (f32[], f32[]) tuple(x, n) }
condition { s = (f32[], f32[]) parameter(0)
  x = f32[] get-tuple-element(s), index=0
  r = f32[] get-tuple-element(s), index=1
  q = f32[] multiply(r, r)
  d = f32[] subtract(q, x)
  a = f32[] abs(d)
  e = f32[] constant(0.001)
  ROOT c = pred[] compare(a, e), direction=GT }
ENTRY e {   one = f32[] constant(1)
  t = (f32[], f32[]) tuple(x, one)
  w = (f32[], f32[]) while(t), condition=condition, body=body
  ROOT r = f32[] get-tuple-element(w), index=1 })",
                        {"x = f32[] 16"});
  CHECK_FALSE(program.IsSuspect("f32[] 4.0000005"));
  CHECK(program.IsSuspect("f32[] 0"));
  CHECK(program.IsSuspect("f32[] 4.002257"));  // one step less
}

TEST_CASE("an open comparison for equality has both answers", "[acceptance][samples]") {
  // (1 + x) - 1 is 0 in f16, and x if the sum is kept in f32.
  const Sampled program(R"(s = f16[2] add(x, one)
  d = f16[2] subtract(s, one)
  p = pred[2] compare(x, d), direction=EQ
  ROOT r = f32[2] select(p, a, b))",
                        {"x = f16[2] {0.0003, 4}", "one = f16[2] {1, 1}", "a = f32[2] {1, 1}", "b = f32[2] {2, 2}"});
  CHECK_FALSE(program.IsSuspect("f32[2] {1, 1}"));
  CHECK(program.IsSuspect("f32[2] {5, 1}"));
}

TEST_CASE("results that a specification leaves open are not suspect", "[acceptance][samples]") {
  // Rows with equal keys may be sorted in any order.
  const Sampled ties(
      R"(less { a = f32[] parameter(0) b = f32[] parameter(1) c = f32[] parameter(2) d = f32[] parameter(3)
  ROOT p = pred[] compare(a, b), direction=LT }
ENTRY e {   s = (f32[3], f32[3]) sort(x, y), dimensions={0}, to_apply=less
  p = f32[3] get-tuple-element(s), index=1
  ROOT r = f32[3] exponential(p) })",
      {"x = f32[3] {1, 1, 0}", "y = f32[3] {3, 4, 5}"});
  CHECK_FALSE(ties.IsSuspect("f32[3] {148.41316, 54.59815, 20.085537}"));
  // The last writer is open.
  const Sampled writers(R"(second { a = f32[] parameter(0) ROOT b = f32[] parameter(1) }
ENTRY e {   s = f32[2] scatter(x, i, u), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=second
  ROOT r = f32[2] exponential(s) })",
                        {"x = f32[2] {0, 0}", "i = s32[2,1] {{0}, {0}}", "u = f32[2] {1, 2}"});
  CHECK_FALSE(writers.IsSuspect("f32[2] {2.7182817, 1}"));
}

TEST_CASE("a difference of unrounded products is no rounding error of the difference", "[acceptance][samples]") {
  // x y - x y may be the error of one product's rounding; it is multiplied by x.
  const Sampled program(R"(p = f32[] multiply(x, y)
  d = f32[] subtract(p, p)
  ROOT r = f32[] multiply(d, x))",
                        {"x = f32[] 3000.1", "y = f32[] 7.3"});
  CHECK_FALSE(program.IsSuspect("f32[] 1.5"));
  CHECK(program.IsSuspect("f32[] 3000"));
}

// Returns why a result of a module is far from all samples; empty if it is not.
std::string SuspectOf(const std::string& text, const std::vector<std::string_view>& arguments, std::string_view got,
                      std::string_view profile) {
  const auto module = Parsed(text);
  const std::vector<Literal> values = Values(arguments);
  const Literal want = *Evaluate(*module, values);
  return JudgeBySamples(*module, {values}, want, Value(got), BuiltInProfile(profile)).suspect;
}

// exp(-16.08) is 2 units of 2^-24, and may be one less; the factor makes 0.00069 of a unit.
TEST_CASE("a unit in the last place of a subnormal number is a large part of it", "[acceptance][samples]") {
  const std::string text = Entry(
      "x = f16[] parameter(0)\n  y = f16[] parameter(1)\n  e = f16[] exponential(x)\n"
      "  ROOT r = f16[] multiply(y, e)");
  CHECK(SuspectOf(text, {"f16[] xcc05", "f16[] x71ac"}, "f16[] 0.00069", "simd").empty());
  CHECK_FALSE(SuspectOf(text, {"f16[] xcc05", "f16[] x71ac"}, "f16[] 0.1", "simd").empty());
}

// The logarithm of the smallest number, 0.125, may be that of zero: logistic may be several units less.
TEST_CASE("a function of a number of one unit jumps to a pole", "[acceptance][samples]") {
  const std::string text =
      Entry("x = f6e2m3fn[] parameter(0)\n  y = f6e2m3fn[] logistic(x)\n  ROOT r = f6e2m3fn[] log(y)");
  CHECK(SuspectOf(text, {"f6e2m3fn[] -2"}, "f6e2m3fn[] -7.5", "stablehlo").empty());
}

// In some orders the sum of the products is a NaN, whose integer is 0.
// The root of a zero is an infinity of its sign, which is the largest number in this format: 15 apart.
TEST_CASE("the reciprocal root of a zero has either sign in a format without infinities", "[acceptance][samples]") {
  for (int zero = 0; zero < 32; ++zero) {
    std::vector<double> numbers(32, 4), roots(32, 0.5);
    numbers[zero] = 0;
    roots[zero] = -7.5;
    const auto array = [](const std::vector<double>& all) {
      return fmt::format("f6e2m3fn[32] {{{}}}", fmt::join(all, ", "));
    };
    const std::string argument = "x = " + array(numbers);
    const Sampled root("a = f6e2m3fn[32] abs(x) ROOT r = f6e2m3fn[32] rsqrt(a)", {argument});
    CAPTURE(zero);
    CHECK_FALSE(root.IsSuspect(array(roots), "fast"));
  }
}

TEST_CASE("a sum that overflows in one order only decides about an integer", "[acceptance][samples]") {
  const std::string text = Entry(R"(  x = f32[3] parameter(0)
  y = f32[3] parameter(1)
  d = f32[] dot(x, y), lhs_contracting_dims={0}, rhs_contracting_dims={0}
  ROOT r = s32[] convert(d))");
  CHECK(SuspectOf(text, {"f32[3] {3e38, 3e38, 1}", "f32[3] {-4, 1.9, 1}"}, "s32[] 0", "xla").empty());
  CHECK_FALSE(SuspectOf(text, {"f32[3] {3, 3, 1}", "f32[3] {-2, 1, 1}"}, "s32[] 7", "xla").empty());
}

// Each product is below the least normal number, 1.18e-38.
TEST_CASE("the products of a sum may be flushed, each alone", "[acceptance][samples]") {
  const std::string text = Entry(R"(  x = f32[3] parameter(0)
  y = f32[3] parameter(1)
  d = f32[] dot(x, y), lhs_contracting_dims={0}, rhs_contracting_dims={0}
  ROOT r = f32[] negate(d))");
  const std::vector<std::string_view> arguments = {"f32[3] {2e-38, 2e-38, 2e-38}", "f32[3] {0.4, 0.4, 0.5}"};
  CHECK(SuspectOf(text, arguments, "f32[] 0", "ftz").empty());
  CHECK_FALSE(SuspectOf(text, arguments, "f32[] 1e-36", "ftz").empty());
}

// The sine of a subnormal number is that number, which may be flushed: 0 to a power above 0 is 0, not 1.
TEST_CASE("a result may be flushed beside the argument that it equals", "[acceptance][samples]") {
  const std::string text = Entry("x = c64[] parameter(0)\n  s = c64[] sinh(x)\n  ROOT r = c64[] power(s, x)");
  const std::vector<std::string_view> arguments = {"c64[] (1e-40, 0)"};
  CHECK(SuspectOf(text, arguments, "c64[] (0, 0)", "xla").empty());
  CHECK_FALSE(SuspectOf(text, arguments, "c64[] (100, 0)", "xla").empty());
}

// One use may read a product as it was before its rounding: each element alone, so that the sum is any of 0 to 15.
TEST_CASE("few open decisions are taken in every combination", "[acceptance][samples]") {
  const std::string text = Entry(
      "x = f16[4] parameter(0)\n  p = f16[4] multiply(x, x)\n  c = f16[4] convert(p)\n"
      "  g = pred[4] compare(p, c), direction=GE\n  n = f32[4] convert(g)\n  w = f32[4] constant({1, 2, 4, 8})\n"
      "  ROOT r = f32[] dot(n, w), lhs_contracting_dims={0}, rhs_contracting_dims={0}");
  const std::vector<std::string_view> arguments = {"f16[4] {1.197, 0.362, 0.544, -0.446}"};
  for (int sum = 0; sum < 16; ++sum) CHECK(SuspectOf(text, arguments, fmt::format("f32[] {}", sum), "xla").empty());
  CHECK_FALSE(SuspectOf(text, arguments, "f32[] 18", "xla").empty());
}

// Each quotient may be below 1, so that its floor is 0, and a sum of three of their products is 0.
TEST_CASE("a sum of zeros has no error", "[acceptance][samples]") {
  const std::string text = Entry(
      "x = f32[3,3] parameter(0)\n  q = f32[3,3] divide(x, x)\n  f = f32[3,3] floor(q)\n"
      "  d = f32[3,3] dot(f, f), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n  ROOT r = f32[3,3] sign(d)");
  const std::vector<std::string_view> arguments = {"f32[3,3] {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}"};
  CHECK(SuspectOf(text, arguments, "f32[3,3] {{0, 1, 1}, {0, 1, 1}, {0, 1, 1}}", "xla").empty());
  CHECK_FALSE(SuspectOf(text, arguments, "f32[3,3] {{5, 1, 1}, {5, 1, 1}, {5, 1, 1}}", "xla").empty());
}

// The positive numbers first, then the negative ones: partial sums reach 16,384, where f16 has steps of 8 and 16.
TEST_CASE("a sum of sums may be one sum of all terms", "[acceptance][samples]") {
  const std::string plus = "plus { a = f16[] parameter(0)\n  b = f16[] parameter(1)\n  ROOT r = f16[] add(a, b) }\n";
  const std::string text = "HloModule m\n" + plus + R"(ENTRY e { x = f16[16,32] parameter(0)
  z = f16[] constant(0)
  y = f16[16] reduce(x, z), dimensions={1}, to_apply=plus
  ROOT r = f16[] reduce(y, z), dimensions={0}, to_apply=plus })";
  std::string numbers = "f16[16,32] {";
  for (int i = 0; i < 16; ++i) {
    numbers += i == 0 ? "{" : ", {";
    for (int k = 0; k < 32; ++k) numbers += fmt::format("{}{}", k == 0 ? "" : ", ", k % 2 == 0 ? 64.25 : -64.125);
    numbers += "}";
  }
  numbers += "}";
  CHECK(SuspectOf(text, {numbers}, "f16[] 0", "xla").empty());
  CHECK_FALSE(SuspectOf(text, {numbers}, "f16[] 30000", "xla").empty());
}

TEST_CASE("a sum of dots errs as its partial sums do, not as if all terms had one sign", "[acceptance][samples]") {
  // 1.1 + 1.1 - 2.2 is 0 in f32, and so is every row.
  std::string row, numbers = "f32[48,48] {";
  for (int k = 0; k < 48; ++k) row += fmt::format("{}{}", k == 0 ? "" : ", ", k % 3 == 2 ? -2.2 : 1.1);
  for (int i = 0; i < 48; ++i) numbers += fmt::format("{}{{{}}}", i == 0 ? "" : ", ", row);
  const std::string text = R"(HloModule m
plus { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] add(a, b) }
ENTRY e { x = f32[48,48] parameter(0)
  k = f32[] constant(1)
  v = f32[48] broadcast(k), dimensions={}
  y = f32[48] dot(x, v), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  z = f32[] constant(0)
  ROOT r = f32[] reduce(y, z), dimensions={0}, to_apply=plus })";
  CHECK(SuspectOf(text, {numbers + "}"}, "f32[] 0.000001", "xla").empty());
  CHECK_FALSE(SuspectOf(text, {numbers + "}"}, "f32[] 0.01", "xla").empty());
}

TEST_CASE("a dot of narrow numbers that adds up in f32 errs by its last rounding", "[acceptance][samples]") {
  // Eight products, and a sum of 64 that may start from 4. The results are 8 and 5 by hand.
  const Sampled few(
      "d = bf16[1] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0} ROOT r = bf16[1] negate(d)",
      {"a = bf16[1,8] {{1, 1, 1, 1, 1, 1, 1, 1}}", "b = bf16[8] {1, 1, 1, 1, 1, 1, 1, 1}"});
  CHECK_FALSE(few.IsSuspect("bf16[1] {-8.0625}"));
  CHECK(few.IsSuspect("bf16[1] {-10}"));
  // A profile whose dots add up in their type has larger errors.
  CHECK_FALSE(few.IsSuspect("bf16[1] {-10}", "stablehlo"));
  const Sampled started(R"(k = bf16[] constant(0.125)
  a = bf16[1,64] broadcast(k), dimensions={}
  b = bf16[64] broadcast(k), dimensions={}
  d = bf16[1] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT r = bf16[1] add(d, c))",
                        {"c = bf16[1] {4}"});
  CHECK_FALSE(started.IsSuspect("bf16[1] {5.03125}"));
  CHECK(started.IsSuspect("bf16[1] {6}"));
  CHECK_FALSE(started.IsSuspect("bf16[1] {6}", "stablehlo"));
}

}  // namespace
}  // namespace assay::testing
