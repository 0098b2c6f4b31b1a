// The freedoms that profiles grant to every op: subnormal numbers as zeros, signs of zero, numbers that are not finite.
// For each a value just inside and one just outside.
#include <cmath>

#include "spec_tests/acceptance/program.h"

namespace assay::testing {
namespace {

const Profile& Fast() { return BuiltInProfile("fast"); }

TEST_CASE("a subnormal result may be flushed if zero is beyond the allowance", "[acceptance][flush]") {
  // e^-92 is 1.2 times the least subnormal number of bf16, and the allowance is 1 unit.
  Unary("exponential", "bf16[]", "bf16[] -92").Expect("EXACT x0001; LEGAL 0; FAIL -0; FAIL x0003");
}

TEST_CASE("a result is tiny by its exact value, also where that rounds to the least normal number",
          "[acceptance][flush]") {
  // (2 - 2^-23) 2^-126 / 2 is half a subnormal step below 2^-126, a tie that goes there.
  const Judged tiny = Binary("multiply", "f32[]", "f32[] 2.35098856e-38", "f32[] 0.5");
  REQUIRE(tiny.With(0, 0x1p-126f) == Verdict::kExact);
  tiny.Expect("LEGAL 0; FAIL -0; ieee FAIL 0");
  Unary("convert", "f32[]", "f32[] 1.17549435e-38").Expect("FAIL 0");
  Judged("ROOT r = f32[] convert(a)", {"a = f64[] 1.1754942807573644e-38"})
      .Expect("LEGAL 0; FAIL -0; ftz LEGAL 0; ieee FAIL 0");
  Judged("ROOT r = c64[] convert(a)", {"a = c64[] (1.17549435e-38, 1)"}).Expect("FAIL (0, 1)");
  Program("ROOT r = c64[] convert(a)", {"a = c128[] (1.1754942807573644e-38, -1.1754942807573644e-38)"})
      .Expect("EXACT (x00800000, x80800000); LEGAL (0, -0); LEGAL (x00800000, -0); ieee FAIL (0, x80800000)");
  // Half a step above, and the number itself.
  const Judged above = Binary("multiply", "f32[]", "f32[] 2.3509888e-38", "f32[] 0.50000006");
  REQUIRE(above.With(0, 0x1.000002p-126f) == Verdict::kExact);
  above.Expect("FAIL 0");
  Binary("multiply", "f32[]", "f32[] 2.3509887e-38", "f32[] 0.5").Expect("FAIL 0");
  // The exact value is not known where no type is wider.
  const Judged widest = Binary("multiply", "f64[]", "f64[] 4.4501477170144023e-308", "f64[] 0.5");
  REQUIRE(widest.Is("f64[] 2.2250738585072014e-308") == Verdict::kExact);
  widest.Expect("WEAK 0");
  Binary("add", "f64[]", "f64[] 2.2250738585072014e-308", "f64[] 0").Expect("FAIL 0");
  Unary("negate", "f64[]", "f64[] 2.2250738585072014e-308").Expect("FAIL -0");
}

TEST_CASE("a freedom opens what it names and nothing else", "[acceptance]") {
  CheckRows<Judged>({
      // Found by fuzzing XLA:CPU: its real part of log(1 + z) is the sum of several numbers.
      {"a part of a complex number is flushed to a zero of either sign", "ROOT r = c64[] log-plus-one(a)",
       "a = c64[] (x8008bdf3, x00166091)",
       "EXACT (x8008bdf3, x00166091); LEGAL (0, x00166091); LEGAL (-0, x00166091); ieee FAIL (0, x00166091); FAIL "
       "(x80100000, x00166091)"},
      // In units of the least normal number (0.5 + 0.75i)(4 - i) = (2 + 0.75) + (3 - 0.5)i. Found by fuzzing XLA:CPU.
      {"the products that a complex product adds may be flushed", "ROOT r = c64[] multiply(a, b)",
       "a = c64[] (0.5, 0.75); b = c64[] (x01800000, x80800000)",
       "EXACT (x01300000, x01200000); LEGAL (x01000000, x01400000); LEGAL (x01300000, x01400000); FAIL (x01000000, "
       "x01500000); FAIL (x01300000, x01800000); ieee FAIL (x01000000, x01400000)"},
      {"", "ROOT r = c64[] multiply(a, b)", "a = c64[] (0.5, 0.75); b = c64[] (x02800000, x81800000)",
       "FAIL (x02000000, x02400000)"},
      // Half the least normal number of f8e5m2 (2^-14), and of f16.
      {"formats that no unit computes in are not flushed", "ROOT r = f8e5m2[] multiply(a, b)",
       "a = f8e5m2[] 6.1035e-05; b = f8e5m2[] 0.5", "FAIL 0"},
      {"", "ROOT r = f4e2m1fn[] multiply(a, b)", "a = f4e2m1fn[] 1; b = f4e2m1fn[] 0.5", "FAIL 0"},
      {"", "ROOT r = f16[] multiply(a, b)", "a = f16[] 6.1035e-05; b = f16[] 0.5", "LEGAL 0"},
      {"a fold that is flushed is a zero of either sign",
       R"(fold { b = bf16[] parameter(1)  a = bf16[] parameter(0)  ROOT s = bf16[] add(b, a) }
ENTRY e { ROOT r = bf16[1] reduce-window(x, i), window={size=1}, to_apply=fold })",
       "x = bf16[1] {x8180}; i = bf16[] x014e", "EXACT {x8064}; LEGAL {-0}; LEGAL {0}; ieee FAIL {0}; FAIL {x0064}"},
      {"comparisons may see zeros for subnormal operands", "ROOT r = pred[] compare(a, b), direction=EQ",
       "a = f32[] 1e-45; b = f32[] 0", "EXACT false; LEGAL true; ieee FAIL true"},
      {"", "ROOT r = pred[] compare(a, b), direction=EQ", "a = f32[] 1.1754944e-38; b = f32[] 0", "FAIL true"},
      {"bits are not flushed", "ROOT r = s32[] bitcast-convert(a)", "a = f32[] 1e-45", "EXACT 1; FAIL 0"},
      // asinh of the least normal number is a little less: a subnormal number is within the allowance, and then a zero.
      {"an approximation may be flushed", "ROOT r = f32[] asinh(a)", "a = f32[] 1.1754944e-38",
       "EXACT at 0 0x1p-126; LEGAL off -1; LEGAL 0; FAIL -0; ieee FAIL 0"},
      // At 1.0000014e-38... times 1.2 it is 2^-126 1.2: no subnormal number is near.
      {"", "ROOT r = f32[] asinh(a)", "a = f32[] 1.41e-38", "FAIL 0"},
      {"flushed operands are zeros to choose among", "ROOT r = f32[] maximum(a, b)", "a = f32[] 1e-45; b = f32[] -0",
       "LEGAL 0; LEGAL -0; ftz FAIL -0"},
      {"", "ROOT r = f32[] maximum(a, b)", "a = f32[] 1e-30; b = f32[] -0", "FAIL -0"},
      {"", "ROOT r = f32[] add(a, b)", "a = f32[] 1e-45; b = f32[] -0", "FAIL -0"},
      {"elements with infinities or NaNs are SPEC-GAP under not_finite", "ROOT r = f32[] add(a, b)",
       "a = f32[] inf; b = f32[] 1", "FAIL 5; fast SPEC-GAP 5"},
      {"", "ROOT r = f32[] add(a, b)", "a = f32[] 4; b = f32[] 1", "fast FAIL 6; fast FAIL nan"},
      // XLA:CPU with --xla_cpu_enable_fast_math=true.
      {"", "ROOT r = pred[] compare(a, b), direction=GE", "a = f32[] nan; b = f32[] nan",
       "EXACT false; FAIL true; fast SPEC-GAP true"},
      {"", "ROOT r = pred[] is-finite(a)", "a = f8e5m2[] inf", "FAIL true; fast SPEC-GAP true"},
      {"", "ROOT r = pred[] compare(a, b), direction=GE", "a = f32[] 1; b = f32[] 2", "fast FAIL true"},
  });
}

TEST_CASE("a zero of the other sign is LEGAL under zero_sign", "[acceptance]") {
  const Judged sum = Binary("add", "f32[]", "f32[] -0", "f32[] -0");
  sum.Expect("FAIL 0");
  const Judgement open = sum.Of("f32[] 0", Fast());
  CHECK(open.verdict == Verdict::kLegal);
  CHECK(open.reason == "sign of zero");
  sum.Expect("fast FAIL at 0 -0x1p-149");
  // A conversion alone has no wider number before it.
  Judged("ROOT r = f32[] convert(x)", {"x = f8e4m3fnuz[] 0"}).Expect("EXACT 0; FAIL -0");
  // A flush and a sign together.
  Unary("abs", "f32[]", "f32[] -1e-45").Expect("FAIL -0; fast LEGAL -0");
}

TEST_CASE("of two zeros either may be the larger one", "[acceptance]") {
  // By IEEE 754-2019 the larger of -0 and +0 is +0, the smaller -0; XLA's tests let hardware return the other one.
  const Judged larger = Binary("maximum", "f32[]", "f32[] -0", "f32[] 0");
  larger.Expect("EXACT 0");
  const Judgement other = larger.Of("f32[] -0");
  CHECK(other.verdict == Verdict::kLegal);
  CHECK(other.reason == "tie");
  larger.Expect("ieee FAIL -0");
  Binary("minimum", "f32[]", "f32[] 0", "f32[] -0").Expect("LEGAL 0; ieee FAIL 0");
  // A zero that neither operand is.
  Binary("maximum", "f32[]", "f32[] 0", "f32[] 0").Expect("FAIL -0");
  Binary("maximum", "f32[]", "f32[] -0", "f32[] -0").Expect("FAIL 0");
  Binary("maximum", "f32[]", "f32[] 0", "f32[] 0").Expect("fast LEGAL -0");
  Judged("ROOT r = f32[] clamp(a, b, c)", {"a = f32[] 0", "b = f32[] -0", "c = f32[] 1"})
      .Expect("EXACT at 0 0; LEGAL at 0 -0; ieee FAIL at 0 -0");
  // Other ops do not choose.
  Binary("add", "f32[]", "f32[] -0", "f32[] 0").Expect("FAIL -0");
  const auto folded = [](std::string_view numbers) {
    return Judged(R"(x = f32[2] parameter(0)  s = f32[] parameter(1)
  ROOT r = f32[] reduce(x, s), dimensions={0}, to_apply=maximum_f32)",
                  {numbers, "f32[] -inf"});
  };
  folded("f32[2] {0, -0}").Expect("LEGAL at 0 -0");
  folded("f32[2] {0, 0}").Expect("FAIL at 0 -0");
}

// A comparison with NaN is false: which operand a clamp returns depends on which comparisons it makes.
TEST_CASE("a clamp of a complex number with a NaN part is one of the operands", "[acceptance][complex]") {
  const auto clamp = [](std::string_view low, std::string_view x, std::string_view high) {
    return Judged(R"(a = c64[] parameter(0)  b = c64[1] parameter(1)  c = c64[1] parameter(2)
  ROOT r = c64[1] clamp(a, b, c))",
                  {low, x, high});
  };
  const Judged bound = clamp("c64[] (nan, 1)", "c64[1] {(2, 3)}", "c64[1] {(4, 5)}");
  bound.Expect("EXACT {(nan, 1)}");
  for (const std::string_view operand : {"c64[1] {(2, 3)}", "c64[1] {(4, 5)}"}) {
    const Judgement other = bound.Of(operand);
    CHECK(other.verdict == Verdict::kSpecGap);
    CHECK(other.reason == "clamp of a complex NaN");
    CHECK(bound.Is(operand, BuiltInProfile("ieee")) == Verdict::kSpecGap);
  }
  bound.Expect("FAIL {(2, 5)}; FAIL {(nan, 3)}");
  clamp("c64[] (1, 2)", "c64[1] {(3, nan)}", "c64[1] {(4, 5)}").Expect("SPEC-GAP {(1, 2)}");
  clamp("c64[] (1, 2)", "c64[1] {(3, 7)}", "c64[1] {(4, 5)}").Expect("EXACT {(3, 7)}; FAIL {(4, 5)}");
}

// XLA, Operation Semantics: Scatter checks the index of each element of the updates. XLA skips a window if any part of
// it is outside.
TEST_CASE("a window of a scatter that is partly outside may be applied in part", "[acceptance]") {
  const auto scatter = [](const std::string& type, const std::string& combiner,
                          const std::vector<std::string_view>& v) {
    return Judged(fmt::format(R"(x = {0}[4] parameter(0)  i = s32[2,1] parameter(1)  u = {0}[2,3] parameter(2)
  ROOT r = {0}[4] scatter(x, i, u), update_window_dims={{1}}, inserted_window_dims={{}},
    scatter_dims_to_operand_dims={{0}},
    index_vector_dim=1, to_apply={1}_{0})",
                              type, combiner),
                  v);
  };
  const Judged sum =
      scatter("f32", "add", {"f32[4] {0, 0, 0.1, 0}", "s32[2,1] {{0}, {2}}", "f32[2,3] {{1, 2, 4}, {8, 16, 32}}"});
  sum.Expect("EXACT {1, 2, 4.1, 0}");
  const Judgement in_part = sum.Of("f32[4] {1, 2, 12.1, 16}");
  CHECK(in_part.verdict == Verdict::kSpecGap);
  CHECK(in_part.reason == "window in part");
  sum.Expect("ieee SPEC-GAP {1, 2, 12.1, 16}");
  // Judged by the rule of the sum.
  CHECK(sum.With(2, std::nextafter(12.1F, 13.F)) == Verdict::kSpecGap);
  sum.Expect("FAIL at 2 8; FAIL at 3 32; FAIL at 0 8");
  const Judged largest =
      scatter("s32", "maximum", {"s32[4] {5, 5, 5, 5}", "s32[2,1] {{-1}, {9}}", "s32[2,3] {{1, 9, 2}, {8, 8, 8}}"});
  largest.Expect("EXACT {5, 5, 5, 5}; SPEC-GAP {9, 5, 5, 5}; FAIL {9, 9, 5, 5}; FAIL {5, 5, 5, 8}");
  const Judged inside =
      scatter("s32", "add", {"s32[4] {0, 0, 0, 0}", "s32[2,1] {{0}, {1}}", "s32[2,3] {{1, 1, 1}, {1, 1, 1}}"});
  inside.Expect("EXACT {1, 2, 2, 1}; FAIL {1, 1, 1, 0}");
}

// The reciprocal root may be 2 units in the last place off, a quotient alone 1.5.
TEST_CASE("a quotient by a square root may be a product with the reciprocal root", "[acceptance][programs]") {
  const auto quotient = [](const char* type, const char* divisor) {
    return Program(fmt::format(R"(x = {0}[1] parameter(0)  s = {0}[1] {1}(x)  b = {0}[1] reshape(s)
  one = {0}[1] constant({{1}})  ROOT r = {0}[1] divide(one, b))",
                               type, divisor),
                   {fmt::format("{}[1] {{4}}", type)});
  };
  const Program root = quotient("f32", "sqrt");
  root.Expect("EXACT {0.5}");
  const Judgement multiplied = root.Of("f32[1] {x3f000002}");
  CHECK(multiplied.verdict == Verdict::kLegal);
  CHECK(multiplied.reason.find("reciprocal root") != std::string::npos);
  root.Expect("ftz FAIL {x3f000002}; FAIL {x3f000008}");
  quotient("f32", "abs").Expect("FAIL {x3e800003}");
  quotient("f64", "sqrt").Expect("FAIL {x3fe0000000000003}");
}

// 2^126 = 8.507e37 is the largest f32 number whose reciprocal is normal, 2^14 that of f16.
TEST_CASE("a quotient may be a product with a reciprocal that is flushed", "[acceptance][programs]") {
  CheckRows<Judged>({
      {"one instruction", "ROOT r = f32[] divide(a, b)", "a = f32[] 1e30; b = f32[] 1e38",
       "FAIL 0; fast LEGAL 0; fast FAIL 5e-9; fast FAIL 1.0001e-8"},
      {"the largest divisor with a normal reciprocal", "ROOT r = f32[] divide(a, b)",
       "a = f32[] 1e30; b = f32[] x7e800000", "fast FAIL 0"},
      {"a zero by any divisor is zero", "ROOT r = f32[] divide(a, b)", "a = f32[] 0; b = f32[] 1e38",
       "fast FAIL 1e-30"},
      {"f16", "ROOT r = f16[] divide(a, b)", "a = f16[] 1000; b = f16[] 20000", "FAIL 0; fast LEGAL 0; fast FAIL 0.04"},
      {"a product is no quotient", "ROOT r = f32[] multiply(a, b)", "a = f32[] 1e-30; b = f32[] 1e38", "fast FAIL 0"},
  });
  CheckRows<Program>({
      {"a computed divisor", "n = f32[2] negate(b)  ROOT r = f32[2] divide(a, n)",
       "a = f32[2] {1e30, 1}; b = f32[2] {1e38, 1}", "FAIL {-0, -1}; fast LEGAL {-0, -1}; fast FAIL {-5e-9, -1}"},
      {"the product of two divisors overflows", "q = f32[] divide(a, b)  ROOT r = f32[] divide(q, b)",
       "a = f32[] 1e20; b = f32[] 1e20", "FAIL 0; fast WEAK 0"},
      {"one of their reciprocals is flushed", "q = f32[] divide(a, b)  ROOT r = f32[] divide(q, c)",
       "a = f32[] 1e30; b = f32[] 2; c = f32[] 1e38", "FAIL 0; fast WEAK 0"},
      {"nothing overflows", "q = f32[] divide(a, b)  ROOT r = f32[] divide(q, b)", "a = f32[] 1e10; b = f32[] 1e10",
       "fast FAIL 0"},
  });
}

// StableHLO, rng_bit_generator: the implementation defines its variant of the algorithm. XLA names the algorithm
// itself.
TEST_CASE("the bits of a named algorithm are the implementation's by the profile stablehlo", "[acceptance][programs]") {
  for (const char* algorithm : {"rng_philox", "rng_three_fry"}) {
    const std::string drawn =
        fmt::format("g = (u64[2], u32[2]) rng-bit-generator(s), algorithm={}  ROOT r = u32[2] ", algorithm);
    CheckRows<Program>({{algorithm, drawn + "get-tuple-element(g), index=1", "s = u64[2] {1, 2}",
                         "FAIL {1, 2}; ieee FAIL {1, 2}; stablehlo SPEC-GAP {1, 2}"}});
  }
}

// -4.5e38 + 3e38: the first product is beyond bf16, and the profile says nothing about what follows.
TEST_CASE("a sum that overflows in an intermediate step is SPEC-GAP under not_finite", "[acceptance]") {
  const std::string text = "ROOT d = bf16[] dot(x, y), lhs_contracting_dims={0}, rhs_contracting_dims={0}";
  Judged(text, {"x = bf16[2] {3e38, 3e38}", "y = bf16[2] {-1.5, 1}"}).Expect("fast SPEC-GAP 7.9e13; FAIL 7.9e13");
  Judged(text, {"x = bf16[2] {3e37, 3e37}", "y = bf16[2] {-1.5, 1}"}).Expect("fast FAIL 7.9e13");
}

}  // namespace
}  // namespace assay::testing
