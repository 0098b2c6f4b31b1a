// The freedoms that profiles grant to every op: subnormal numbers as zeros, signs of zero, numbers that are not finite.
// For each a value just inside and one just outside.
#include <fmt/format.h>

#include <cmath>

#include "spec_tests/acceptance/judged.h"
#include "spec_tests/acceptance/program.h"

namespace assay::testing {
namespace {

const Profile& Fast() { return BuiltInProfile("fast"); }

TEST_CASE("an approximation may be flushed", "[acceptance][flush]") {
  // asinh of the least normal number is a little less: a subnormal number is within the allowance, and then a zero.
  const Judged asinh = Unary("asinh", "f32[]", "f32[] 1.1754944e-38");
  CHECK(asinh.With(0, 0x1p-126f) == Verdict::kExact);
  CHECK(asinh.Off(-1) == Verdict::kLegal);
  CHECK(asinh.With(0, 0.0f) == Verdict::kLegal);
  CHECK(asinh.With(0, -0.0f) == Verdict::kFail);
  CHECK(asinh.With(0, 0.0f, BuiltInProfile("ieee")) == Verdict::kFail);
  // At 1.0000014e-38... times 1.2 it is 2^-126 1.2: no subnormal number is near.
  const Judged normal = Unary("asinh", "f32[]", "f32[] 1.41e-38");
  CHECK(normal.With(0, 0.0f) == Verdict::kFail);
}

TEST_CASE("a subnormal result may be flushed if zero is beyond the allowance", "[acceptance][flush]") {
  // e^-92 is 1.2 times the least subnormal number of bf16, and the allowance is 1 unit.
  Unary("exponential", "bf16[]", "bf16[] -92").Expect("EXACT x0001; LEGAL 0; FAIL -0; FAIL x0003");
}

// Found by fuzzing XLA:CPU: its real part of log(1 + z) is the sum of several numbers.
TEST_CASE("a part of a complex number is flushed to a zero of either sign", "[acceptance][flush]") {
  Unary("log-plus-one", "c64[]", "c64[] (x8008bdf3, x00166091)")
      .Expect(
          "EXACT (x8008bdf3, x00166091); LEGAL (0, x00166091); LEGAL (-0, x00166091); ieee FAIL (0, x00166091); FAIL "
          "(x80100000, x00166091)");
}

TEST_CASE("a result is tiny by its exact value, also where that rounds to the least normal number",
          "[acceptance][flush]") {
  // (2 - 2^-23) 2^-126 / 2 is half a subnormal step below 2^-126, a tie that goes there.
  const Judged tiny = Binary("multiply", "f32[]", "f32[] 2.35098856e-38", "f32[] 0.5");
  REQUIRE(tiny.With(0, 0x1p-126f) == Verdict::kExact);
  CHECK(tiny.With(0, 0.0f) == Verdict::kLegal);
  CHECK(tiny.With(0, -0.0f) == Verdict::kFail);
  CHECK(tiny.With(0, 0.0f, BuiltInProfile("ieee")) == Verdict::kFail);
  CHECK(Unary("convert", "f32[]", "f32[] 1.17549435e-38").With(0, 0.0f) == Verdict::kFail);
  // Half a step above, and the number itself.
  const Judged above = Binary("multiply", "f32[]", "f32[] 2.3509888e-38", "f32[] 0.50000006");
  REQUIRE(above.With(0, 0x1.000002p-126f) == Verdict::kExact);
  CHECK(above.With(0, 0.0f) == Verdict::kFail);
  CHECK(Binary("multiply", "f32[]", "f32[] 2.3509887e-38", "f32[] 0.5").With(0, 0.0f) == Verdict::kFail);
  // The exact value is not known where no type is wider.
  const Judged widest = Binary("multiply", "f64[]", "f64[] 4.4501477170144023e-308", "f64[] 0.5");
  REQUIRE(widest.Is("f64[] 2.2250738585072014e-308") == Verdict::kExact);
  CHECK(widest.Is("f64[] 0") == Verdict::kWeak);
  CHECK(Binary("add", "f64[]", "f64[] 2.2250738585072014e-308", "f64[] 0").Is("f64[] 0") == Verdict::kFail);
  CHECK(Unary("negate", "f64[]", "f64[] 2.2250738585072014e-308").Is("f64[] -0") == Verdict::kFail);
}

TEST_CASE("formats that no unit computes in are not flushed", "[acceptance][flush]") {
  // Half the least normal number of f8e5m2 (2^-14), and of f16.
  CHECK(Binary("multiply", "f8e5m2[]", "f8e5m2[] 6.1035e-05", "f8e5m2[] 0.5").Is("f8e5m2[] 0") == Verdict::kFail);
  CHECK(Binary("multiply", "f4e2m1fn[]", "f4e2m1fn[] 1", "f4e2m1fn[] 0.5").Is("f4e2m1fn[] 0") == Verdict::kFail);
  CHECK(Binary("multiply", "f16[]", "f16[] 6.1035e-05", "f16[] 0.5").Is("f16[] 0") == Verdict::kLegal);
}

TEST_CASE("flushed operands are zeros to choose among", "[acceptance][flush]") {
  const Judged largest = Binary("maximum", "f32[]", "f32[] 1e-45", "f32[] -0");
  CHECK(largest.With(0, 0.0f) == Verdict::kLegal);
  CHECK(largest.With(0, -0.0f) == Verdict::kLegal);
  CHECK(largest.With(0, -0.0f, BuiltInProfile("ftz")) == Verdict::kFail);
  CHECK(Binary("maximum", "f32[]", "f32[] 1e-30", "f32[] -0").With(0, -0.0f) == Verdict::kFail);
  CHECK(Binary("add", "f32[]", "f32[] 1e-45", "f32[] -0").With(0, -0.0f) == Verdict::kFail);
}

TEST_CASE("a fold that is flushed is a zero of either sign", "[acceptance][flush]") {
  const Judged sums(R"(fold {
b = bf16[] parameter(1)
a = bf16[] parameter(0)
ROOT s = bf16[] add(b, a)
}
ENTRY e {
ROOT r = bf16[1] reduce-window(x, i), window={size=1}, to_apply=fold
})",
                    {"x = bf16[1] {x8180}", "i = bf16[] x014e"});
  REQUIRE(sums.want().BitwiseEqual(Value("bf16[1] {x8064}")));
  sums.Expect("LEGAL {-0}; LEGAL {0}; ieee FAIL {0}; FAIL {x0064}");
}

TEST_CASE("comparisons may see zeros for subnormal operands", "[acceptance][flush]") {
  const Judged equal("ROOT r = pred[] compare(a, b), direction=EQ", {"a = f32[] 1e-45", "b = f32[] 0"});
  REQUIRE(equal.want().BitwiseEqual(Value("pred[] false")));
  equal.Expect("LEGAL true; ieee FAIL true");
  const Judged normal("ROOT r = pred[] compare(a, b), direction=EQ", {"a = f32[] 1.1754944e-38", "b = f32[] 0"});
  CHECK(normal.Is("pred[] true") == Verdict::kFail);
}

TEST_CASE("bits are not flushed", "[acceptance][flush]") {
  const Judged bits("ROOT r = s32[] bitcast-convert(a)", {"a = f32[] 1e-45"});
  REQUIRE(bits.want().BitwiseEqual(Value("s32[] 1")));
  CHECK(bits.Is("s32[] 0") == Verdict::kFail);
}

TEST_CASE("a zero of the other sign is LEGAL under zero_sign", "[acceptance]") {
  const Judged sum = Binary("add", "f32[]", "f32[] -0", "f32[] -0");
  CHECK(sum.With(0, 0.0f) == Verdict::kFail);
  const Judgement open = sum.Of("f32[] 0", Fast());
  CHECK(open.verdict == Verdict::kLegal);
  CHECK(open.reason == "sign of zero");
  CHECK(sum.With(0, -0x1p-149f, Fast()) == Verdict::kFail);
  // A flush and a sign together.
  CHECK(Unary("abs", "f32[]", "f32[] -1e-45").With(0, -0.0f) == Verdict::kFail);
  CHECK(Unary("abs", "f32[]", "f32[] -1e-45").With(0, -0.0f, Fast()) == Verdict::kLegal);
}

TEST_CASE("of two zeros either may be the larger one", "[acceptance]") {
  // By IEEE 754-2019 the larger of -0 and +0 is +0, the smaller -0; XLA's tests let hardware return the other one.
  const Profile& ieee = BuiltInProfile("ieee");
  const Judged larger = Binary("maximum", "f32[]", "f32[] -0", "f32[] 0");
  CHECK(larger.With(0, 0.0f) == Verdict::kExact);
  const Judgement other = larger.Of("f32[] -0");
  CHECK(other.verdict == Verdict::kLegal);
  CHECK(other.reason == "tie");
  CHECK(larger.With(0, -0.0f, ieee) == Verdict::kFail);
  CHECK(Binary("minimum", "f32[]", "f32[] 0", "f32[] -0").With(0, 0.0f) == Verdict::kLegal);
  CHECK(Binary("minimum", "f32[]", "f32[] 0", "f32[] -0").With(0, 0.0f, ieee) == Verdict::kFail);
  // A zero that neither operand is.
  CHECK(Binary("maximum", "f32[]", "f32[] 0", "f32[] 0").With(0, -0.0f) == Verdict::kFail);
  CHECK(Binary("maximum", "f32[]", "f32[] -0", "f32[] -0").With(0, 0.0f) == Verdict::kFail);
  CHECK(Binary("maximum", "f32[]", "f32[] 0", "f32[] 0").With(0, -0.0f, Fast()) == Verdict::kLegal);
  const Judged clamped("ROOT r = f32[] clamp(a, b, c)", {"a = f32[] 0", "b = f32[] -0", "c = f32[] 1"});
  CHECK(clamped.With(0, 0.0f) == Verdict::kExact);
  CHECK(clamped.With(0, -0.0f) == Verdict::kLegal);
  CHECK(clamped.With(0, -0.0f, ieee) == Verdict::kFail);
  // Other ops do not choose.
  CHECK(Binary("add", "f32[]", "f32[] -0", "f32[] 0").With(0, -0.0f) == Verdict::kFail);
  const auto folded = [](std::string_view numbers) {
    return Judged(R"(x = f32[2] parameter(0)
  s = f32[] parameter(1)
  ROOT r = f32[] reduce(x, s), dimensions={0}, to_apply=maximum_f32)",
                  {numbers, "f32[] -inf"});
  };
  CHECK(folded("f32[2] {0, -0}").With(0, -0.0f) == Verdict::kLegal);
  CHECK(folded("f32[2] {0, 0}").With(0, -0.0f) == Verdict::kFail);
}

// A comparison with NaN is false: which operand a clamp returns depends on which comparisons it makes.
TEST_CASE("a clamp of a complex number with a NaN part is one of the operands", "[acceptance][complex]") {
  const auto clamp = [](std::string_view low, std::string_view x, std::string_view high) {
    return Judged(R"(a = c64[] parameter(0)
  b = c64[1] parameter(1)
  c = c64[1] parameter(2)
  ROOT r = c64[1] clamp(a, b, c))",
                  {low, x, high});
  };
  const Judged bound = clamp("c64[] (nan, 1)", "c64[1] {(2, 3)}", "c64[1] {(4, 5)}");
  CHECK(bound.Is("c64[1] {(nan, 1)}") == Verdict::kExact);
  for (const std::string_view operand : {"c64[1] {(2, 3)}", "c64[1] {(4, 5)}"}) {
    const Judgement other = bound.Of(operand);
    CHECK(other.verdict == Verdict::kSpecGap);
    CHECK(other.reason == "clamp of a complex NaN");
    CHECK(bound.Is(operand, BuiltInProfile("ieee")) == Verdict::kSpecGap);
  }
  bound.Expect("FAIL {(2, 5)}; FAIL {(nan, 3)}");
  const Judged number = clamp("c64[] (1, 2)", "c64[1] {(3, nan)}", "c64[1] {(4, 5)}");
  CHECK(number.Is("c64[1] {(1, 2)}") == Verdict::kSpecGap);
  clamp("c64[] (1, 2)", "c64[1] {(3, 7)}", "c64[1] {(4, 5)}").Expect("EXACT {(3, 7)}; FAIL {(4, 5)}");
}

// XLA, Operation Semantics: Scatter checks the index of each element of the updates. XLA skips a window if any part of
// it is outside.
TEST_CASE("a window of a scatter that is partly outside may be applied in part", "[acceptance]") {
  const auto scatter = [](const std::string& type, const std::string& combiner,
                          const std::vector<std::string_view>& v) {
    return Judged("HloModule m\nf {\n a = " + type + "[] parameter(0)\n b = " + type +
                      "[] parameter(1)\n ROOT r = " + type + "[] " + combiner + "(a, b)\n}\nENTRY e {\n x = " + type +
                      "[4] parameter(0)\n i = s32[2,1] parameter(1)\n u = " + type +
                      "[2,3] parameter(2)\n ROOT r = " + type +
                      "[4] scatter(x, i, u), update_window_dims={1}, inserted_window_dims={}, "
                      "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=f\n}\n",
                  v);
  };
  const Judged sum =
      scatter("f32", "add", {"f32[4] {0, 0, 0, 0}", "s32[2,1] {{0}, {2}}", "f32[2,3] {{1, 2, 4}, {8, 16, 32}}"});
  CHECK(sum.Is("f32[4] {1, 2, 4, 0}") == Verdict::kExact);
  const Judgement in_part = sum.Of("f32[4] {1, 2, 12, 16}");
  CHECK(in_part.verdict == Verdict::kSpecGap);
  CHECK(in_part.reason == "window in part");
  CHECK(sum.Is("f32[4] {1, 2, 12, 16}", BuiltInProfile("ieee")) == Verdict::kSpecGap);
  // Judged by the rule of the sum.
  CHECK(sum.With(2, std::nextafter(12.F, 13.F)) == Verdict::kSpecGap);
  CHECK(sum.With(2, 8) == Verdict::kFail);
  CHECK(sum.With(3, 32) == Verdict::kFail);
  CHECK(sum.With(0, 8) == Verdict::kFail);
  const Judged largest =
      scatter("s32", "maximum", {"s32[4] {5, 5, 5, 5}", "s32[2,1] {{-1}, {9}}", "s32[2,3] {{1, 9, 2}, {8, 8, 8}}"});
  largest.Expect("EXACT {5, 5, 5, 5}; SPEC-GAP {9, 5, 5, 5}; FAIL {9, 9, 5, 5}; FAIL {5, 5, 5, 8}");
  const Judged inside =
      scatter("s32", "add", {"s32[4] {0, 0, 0, 0}", "s32[2,1] {{0}, {1}}", "s32[2,3] {{1, 1, 1}, {1, 1, 1}}"});
  inside.Expect("EXACT {1, 2, 2, 1}; FAIL {1, 1, 1, 0}");
}

TEST_CASE("elements with infinities or NaNs are SPEC-GAP under not_finite", "[acceptance]") {
  const Judged infinite = Binary("add", "f32[]", "f32[] inf", "f32[] 1");
  CHECK(infinite.With(0, 5) == Verdict::kFail);
  CHECK(infinite.With(0, 5, Fast()) == Verdict::kSpecGap);
  const Judged finite = Binary("add", "f32[]", "f32[] 4", "f32[] 1");
  CHECK(finite.With(0, 6, Fast()) == Verdict::kFail);
  CHECK(finite.With(0, NAN, Fast()) == Verdict::kFail);
}

// The reciprocal root may be 2 units in the last place off, a quotient alone 1.5.
TEST_CASE("a quotient by a square root may be a product with the reciprocal root", "[acceptance][programs]") {
  const auto quotient = [](const char* type, const char* divisor) {
    return Program(fmt::format(R"(x = {0}[1] parameter(0)
  s = {0}[1] {1}(x)
  b = {0}[1] reshape(s)
  one = {0}[1] constant({{1}})
  ROOT r = {0}[1] divide(one, b))",
                               type, divisor),
                   {fmt::format("{}[1] {{4}}", type)});
  };
  const Program root = quotient("f32", "sqrt");
  CHECK(root.Is("f32[1] {0.5}") == Verdict::kExact);
  const Judgement multiplied = root.Of("f32[1] {x3f000002}");
  CHECK(multiplied.verdict == Verdict::kLegal);
  CHECK(multiplied.reason.find("reciprocal root") != std::string::npos);
  root.Expect("ftz FAIL {x3f000002}; FAIL {x3f000008}");
  CHECK(quotient("f32", "abs").Is("f32[1] {x3e800003}") == Verdict::kFail);
  CHECK(quotient("f64", "sqrt").Is("f64[1] {x3fe0000000000003}") == Verdict::kFail);
}

// -4.5e38 + 3e38: the first product is beyond bf16, and the profile says nothing about what follows.
TEST_CASE("a sum that overflows in an intermediate step is SPEC-GAP under not_finite", "[acceptance]") {
  const std::string text = "ROOT d = bf16[] dot(x, y), lhs_contracting_dims={0}, rhs_contracting_dims={0}";
  const Judged overflows(text, {"x = bf16[2] {3e38, 3e38}", "y = bf16[2] {-1.5, 1}"});
  CHECK(overflows.Is("bf16[] 7.9e13", Fast()) == Verdict::kSpecGap);
  CHECK(overflows.Is("bf16[] 7.9e13") == Verdict::kFail);
  const Judged does_not(text, {"x = bf16[2] {3e37, 3e37}", "y = bf16[2] {-1.5, 1}"});
  CHECK(does_not.Is("bf16[] 7.9e13", Fast()) == Verdict::kFail);
}

}  // namespace
}  // namespace assay::testing
