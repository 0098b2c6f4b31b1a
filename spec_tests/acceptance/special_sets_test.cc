// Sets of special numbers, by hand: subnormal, infinite or NaN intermediates. Each result here is lawful, and was once
// judged wrong.
#include "spec_tests/acceptance/program.h"

namespace assay::testing {
namespace {

constexpr std::string_view kLargerOfTwo =
    R"(larger { a = f32[] parameter(0)  b = f32[] parameter(1)
  ROOT l = pred[] compare(a, b), direction=GT, type=ORDER }
ENTRY e { x = f32[2] parameter(0)  y = f32[2] BEFORE(x)  u = f32[1] constant({5})  z = f32[] constant(0)
  ROOT r = f32[2] select-and-scatter(y, u, z), window={size=2}, select=larger, scatter=add_f32 })";

std::string LargerOfTwo(std::string_view before, std::string_view order) {
  std::string text(kLargerOfTwo);
  text.replace(text.find("BEFORE"), 6, before);
  text.replace(text.find("ORDER"), 5, order);
  return text;
}

// The operand that is compared decides where an open source goes, not its neighbours.
TEST_CASE("the gradient of a maximum goes to the element that was chosen", "[acceptance][programs]") {
  std::string text = LargerOfTwo("copy", "FLOAT");
  text.replace(text.find("constant({5})"), 13, "parameter(1)");
  text.replace(text.find("u = f32[1]"), 10, "v = f32[1]");
  text.insert(text.find("  z = f32[]"), "  u = f32[1] exponential(v)\n");
  Program(text, {"f32[2] {3, 7}", "f32[1] {0}"})
      .Expect("EXACT {0, 1}; LEGAL {0, 1.0000001}; FAIL {1, 0}; FAIL {0, 1.5}");
}

TEST_CASE("a variance that may be flushed proves nothing", "[acceptance][programs]") {
  const std::string text = R"(s = f16[1] constant({1})
  ROOT r = f16[1,1] batch-norm-inference(x, s, s, s, v), epsilon=1e-05, feature_index=1)";
  Program(text, {"x = f16[1,1] {{0}}", "v = f16[1] {0}"}).Expect("WEAK {{-inf}}");
  Program(text, {"x = f16[1,1] {{0}}", "v = f16[1] {1}"}).Expect("FAIL {{-inf}}");
}

TEST_CASE("the value of a scale that means no scaling is not read", "[acceptance][programs]") {
  const auto text = [](std::string_view scale) {
    return fmt::format(
        R"(x = bf16[1,2] parameter(0)  y = bf16[2,1] parameter(1)  s = f32[1,1] constant({{{{1}}}})
  t = bf16[1,1] constant({{{{{}}}}})
  ROOT r = f32[1,1] scaled-dot(x, y, s, t), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}})",
        scale);
  };
  for (const std::string_view scale : {"1", "0.001", "1000"}) {
    const Program program(text(scale), {"bf16[1,2] {{3, 5}}", "bf16[2,1] {{0.1}, {0.3}}"});
    const float wanted = 3 * 0.10009765625F + 5 * 0.30078125F;
    CHECK(program.Is(fmt::format("f32[1,1] {{{{{:.9g}}}}}", wanted)) == Verdict::kExact);
    program.Expect("FAIL {{1.8}}");
  }
}

// (1.7 * 1.7) * 1.1 is 3.1790001, and 1.7 * (1.7 * 1.1) the next number; ieee alone has one result.
TEST_CASE("a profile that regroups products admits those of any grouping", "[acceptance][programs]") {
  const auto regrouping = Profile::Parse(
      R"({"name": "p", "meaning": "m", "extends": "ieee", "freedoms": {"regrouping": "because"}})", "test");
  REQUIRE(regrouping);
  const auto module = Parsed(R"(x = f32[] parameter(0)  y = f32[] parameter(1)  z = f32[] parameter(2)
  a = f32[] multiply(x, y)  ROOT r = f32[] multiply(a, z))");
  const std::vector<Literal> arguments = Values({"f32[] 1.7", "f32[] 1.7", "f32[] 1.1"});
  const float left = 1.7F * 1.7F * 1.1F, right = 1.7F * (1.7F * 1.1F);
  REQUIRE(left != right);
  const auto verdict = [&](float got, const Profile& profile) {
    const Result<ValueSet> set = EvaluateSets(*module, arguments, profile);
    REQUIRE(set);
    return JudgeBySet(*set, Value(fmt::format("f32[] {}", got))).verdict;
  };
  CHECK(verdict(left, *regrouping) == Verdict::kExact);
  CHECK(verdict(right, *regrouping) == Verdict::kLegal);
  CHECK(verdict(left * 1.000001F, *regrouping) == Verdict::kFail);
  CHECK(verdict(right, BuiltInProfile("ieee")) == Verdict::kFail);
}

TEST_CASE("an exponential far beyond f64 is infinite, and a near one may be the largest number", "[acceptance]") {
  const std::string text = R"(e = f64[] exponential(x)  f = f64[] exponential(y)  ROOT r = f64[] multiply(e, f))";
  Program(text, {"x = f64[] 16384", "y = f64[] -16384"}).Expect("EXACT nan; FAIL 1");
  // exp(709.78271289338403) is infinite too, and exceeds the largest number by less than 1e-12 of it.
  Program(text, {"x = f64[] 709.78271289338403", "y = f64[] -709.78271289338403"}).Expect("WEAK 1");
}

TEST_CASE("programs with special numbers have their sets", "[acceptance][programs]") {
  CheckRows<Program>({
      // In f16 the least normal number is 2^-14, 6.1e-5.
      {"the only term that a scatter adds may be flushed",
       R"(ROOT r = f16[1] scatter(x, i, u), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0},
  index_vector_dim=1, to_apply=add_f16)",
       "x = f16[1] {0.0009765625}; i = s32[1] {0}; u = f16[1] {0.000030517578125}",
       "EXACT {0.001007080078125}; LEGAL {0.0009765625}; ieee FAIL {0.0009765625}; FAIL {0.0009}"},
      {"a comparison may flush its numbers and choose the other one", LargerOfTwo("copy", "FLOAT"), "f32[2] {1e-40, 0}",
       "EXACT {5, 0}; WEAK {0, 5}; ieee FAIL {0, 5}"},
      {"the sign of a NaN that was computed may decide a total order", LargerOfTwo("sqrt", "TOTALORDER"),
       "f32[2] {-1, 4}", "EXACT {5, 0}; WEAK {0, 5}"},
      {"", LargerOfTwo("sqrt", "FLOAT"), "f32[2] {-1, 4}", "EXACT {0, 5}; FAIL {5, 0}"},
      {"the root of a zero of unknown sign has a reciprocal of unknown sign",
       "s = f32[] sine(x) ROOT r = f32[] rsqrt(s)", "x = f32[] -1e-40", "EXACT nan; WEAK -inf"},
      {"", "s = f32[] sine(x) ROOT r = f32[] rsqrt(s)", "x = f32[] 1", "EXACT 1.0901353; FAIL -inf"},
      {"reduced precision keeps the subnormal numbers of its own exponent",
       "y = f16[] sine(x) ROOT r = f16[] reduce-precision(y), exponent_bits=5, mantissa_bits=2",
       "x = f16[] 0.000030517578125", "EXACT 0.000030517578125; FAIL 0.0001220703125"},
      {"an infinity stays infinite if the initial value counts again",
       R"(w = f32[2] reduce-window(x, z), window={size=1}, to_apply=add_f32
  ROOT r = f32[2] exponential-minus-one(w))",
       "x = f32[2] {-inf, 0}; z = f32[] 1e-10", "EXACT {-1, 1e-10}; SPEC-GAP {-1, 2e-10}; FAIL {-0.5, 1e-10}"},
      {"an undecided part of a complex number keeps its interval beside a NaN",
       "e = f32[1] exponential(x) ROOT r = c64[1] complex(n, e)", "x = f32[1] {1}; n = f32[1] {nan}",
       "WEAK {(nan, 2.7182820)}; FAIL {(nan, 2.8)}"},
      // The complex transform of the first dimension adds 65537 to 2^24, rounds the sum, and drops the rest.
      {"an inverse transform of several dimensions errs by what it drops",
       "ROOT r = f32[3,1] fft(x), fft_type=IRFFT, fft_length={3,1}",
       "x = c64[3,1] {{(65537, 0)}, {(16777216, 0)}, {(-16777216, 0)}}",
       "LEGAL {{21845.334}, {21845.666}, {21845.666}}; FAIL {{22845}, {21845.666}, {21845.666}}"},
      {"undecided subnormal numbers may be flushed as operands", "s = f64[] sine(x) ROOT r = f64[] log(s)",
       "x = f64[] 1e-308", "WEAK -inf; ieee FAIL -inf"},
      // exp(1.0986123) is 3, or just below it
      {"undecided integers wrap at the end of their type", R"(e = f32[] exponential(x)  k = u32[] convert(e)
  c = u32[] constant(4294967293)  ROOT r = u32[] add(k, c))",
       "x = f32[] 1.0986123", "EXACT 0; WEAK 4294967295"},
      {"", R"(e = f32[] exponential(x)  k = s32[] convert(e)  b = s1[] convert(k)  ROOT r = s1[] abs(b))",
       "x = f32[] 1e-10", "EXACT -1"},
      {"sums of a format without infinities overflow in one order and not in another", R"(z = f8e4m3fn[] constant(0)
  ROOT r = f8e4m3fn[] reduce(x, z), dimensions={0}, to_apply=add_f8e4m3fn)",
       "x = f8e4m3fn[3] {448, 448, -448}", "EXACT 448; WEAK nan"},
      {"a tolerance above the number itself reaches from the far end",
       "c = f32[] cosine(x) ROOT r = f32[] atan(c), result_accuracy={tolerance={atol=0,rtol=2,ulps=0}}", "x = f32[] 1",
       "WEAK -0.49; FAIL -0.6"},
      // XLA's pass SimplifyFPConversions leaves one conversion.
      {"a NaN that a format represents by zero is NaN if the conversion to it is omitted",
       "n = f4e2m1fn[] convert(x) ROOT r = f32[] convert(n)", "x = f64[] nan", "LEGAL nan; ieee FAIL nan; FAIL 1"},
      // sinh(24) is 1.3e10, and 1.25 times as much may be subtracted from it.
      {"a tolerance of a number beyond its format reaches to the other end",
       "ROOT r = f6e3m2fn[] sinh(x), result_accuracy={tolerance={atol=0,rtol=1.25,ulps=0}}", "x = f6e3m2fn[] 24",
       "EXACT 28; WEAK -28"},
      // erf may be so far from 1
      {"a product with an infinite factor is infinite, in any order", R"(i = f32[] constant(1)
  p = f32[1] reduce(x, i), dimensions={0}, to_apply=multiply_f32
  ROOT r = f32[1] erf(p))",
       "x = f32[3,1] {{inf}, {1}, {1}}", "LEGAL {0.9999996423721313}; FAIL {nan}; FAIL {0.5}"},
      {"two infinities of unknown sign may make a NaN", R"(s = f32[] sine(x)  q = f32[] rsqrt(s)
  ROOT r = f32[] subtract(q, q))",
       "x = f32[] 1e-40", "WEAK nan; EXACT 0"},
      // The operand is infinity + NaN i. C leaves the sign of the infinity in the arc sine's imaginary part open.
      {"an infinity beside a NaN may have its sign", "c = c64[] cosh(x) ROOT a = c64[] asin(c)", "x = c64[] (inf, nan)",
       "ieee EXACT (nan, inf); ieee WEAK (nan, -inf); exact FAIL (nan, -inf)"},
      {"a scan may return any value that its step may choose", R"(step { a = f32[1] parameter(0)
  b = f32[1] parameter(1)  m = f32[1] maximum(a, b)  ROOT t = (f32[1], f32[1]) tuple(m, m) }
ENTRY e { s = (f32[1,2], f32[1]) scan(x, z), dimensions={1}, num_carries=1, is_associative=true, to_apply=step
  ROOT r = f32[1] get-tuple-element(s), index=1 })",
       "x = f32[1,2] {{0, -0}}; z = f32[1] {-1}", "LEGAL {-0}; exact FAIL {-0}; FAIL {-1}"},
      // The square is 2^-1100: a fused operation rounds its negative to -0, two operations give 0 - 0 = +0.
      {"a product of f64 that vanishes has a sign in a fused subtraction", R"(p = f64[2] multiply(x, x)
  z = f64[2] constant({0, 0})  ROOT r = f64[2] subtract(z, p))",
       "x = f64[2] {x1d90000000000000, 1}", "EXACT {0, -1}; LEGAL {-0, -1}; ieee FAIL {-0, -1}; FAIL {-1e-320, -1}"},
      // The upper ends of the cosines are all 1, and their lower ends differ.
      {"the ends of a set may be equal on one side only",
       R"(c = f64[3] cosine(x), result_accuracy={tolerance={atol=0.25,rtol=0,ulps=1}}
  ROOT r = f64[3] reduce-precision(c), exponent_bits=5, mantissa_bits=8)",
       "x = f64[3] {0, 0, -0.000011}", "EXACT {1, 1, 1}; LEGAL {1, 0.75390625, 1}; FAIL {1, 0.5, 1}"},
  });
}

// Found by fuzzing `lawful`: remainder and sign are exact, but the remainder is subnormal.
TEST_CASE("an intermediate result of a mapped computation may be flushed", "[acceptance][programs]") {
  for (const char* root : {"map(x), to_apply=mapped", "call(x), to_apply=mapped"}) {
    const Program program(fmt::format(R"(mapped {{ one = f32[] constant(1)  y = f32[] parameter(0)
  r = f32[] remainder(one, y)  ROOT s = f32[] sign(r) }}
ENTRY e {{ ROOT m = f32[] {} }})",
                                      root),
                          {"x = f32[] x80855668"});
    CAPTURE(root);
    program.Expect("EXACT 1; WEAK 0; FAIL -1; ieee FAIL 0");
  }
}

// f8e8m0fnu has neither zero nor signs: other numbers become NaN.
TEST_CASE("a conversion to a format without zero has one result, beside undecided outputs", "[acceptance][programs]") {
  const Program program(R"(e = f32[4] exponential(x)  c = f8e8m0fnu[4] convert(x)
  ROOT t = (f32[4], f8e8m0fnu[4]) tuple(e, c))",
                        {"x = f32[4] {0, -2, 1, 4}"});
  const std::string exponentials = "{1, 0.13533528, 2.7182817, 54.59815}";
  const auto is = [&](const std::string& numbers) {
    return program.Is("(f32[4], f8e8m0fnu[4]) (" + exponentials + ", " + numbers + ")");
  };
  CHECK(is("{nan, nan, 1, 4}") <= Verdict::kLegal);
  CHECK(is("{x00, nan, 1, 4}") == Verdict::kFail);
  CHECK(is("{nan, 2, 1, 4}") == Verdict::kFail);
  CHECK(is("{nan, nan, 2, 4}") == Verdict::kFail);
}

// 2^-100 2^-40 is subnormal in f32.
TEST_CASE("a number that may be flushed is the number or zero, and nothing between", "[acceptance][programs]") {
  Program("p = f32[2] multiply(x, y)\nROOT r = f32[2] reverse(p), dimensions={0}",
          {"x = f32[2] {x0d800000, 1}", "y = f32[2] {x2b800000, 1}"})
      .Expect("EXACT {1, x00000200}; LEGAL {1, 0}; FAIL {1, x00000100}; FAIL {1, x00000400}; ieee FAIL {1, 0}");
  Program("n = f32[1] negate(x)\nz = f32[1] multiply(n, y)\np = c64[1] complex(y, z)\nROOT r = c64[1] copy(p)",
          {"x = f32[1] {x0d800000}", "y = f32[1] {x2b800000}"})
      .Expect("EXACT {(x2b800000, x80000200)}; LEGAL {(x2b800000, 0)}; FAIL {(x2b800000, x80000100)}; FAIL {(0, 0)}");
}

// -1.28104 is atan2(-3.354, 1); another element may be flushed, which left nothing known of all.
TEST_CASE("an angle beside a subnormal number has a set, and so has the angle of an interval",
          "[acceptance][programs]") {
  Program("one = f32[2] constant({1, 1})\nt = f32[2] atan2(x, one)\nROOT n = f32[2] negate(t)",
          {"x = f32[2] {xc056a8e0, x000116c2}"})
      .Expect(
          "EXACT {x3fa3f927, x800116c2}; xla-cpu LEGAL {x3fa3f926, x800116c2}; xla-cpu FAIL {x3fa3f9ff, x800116c2}; "
          "FAIL {1, x800116c2}; LEGAL {x3fa3f927, -0}; FAIL {x3fa3f927, 1}");
  // The angles of -2 +- 1 u and 1 are near 2.68 on either side of the negative axis, where zero has two angles.
  Program("e = f32[3] exponential(x)\nb = f32[3] negate(e)\nROOT t = f32[3] atan2(y, b)",
          {"x = f32[3] {0.693147, 0.693147, 0.693147}", "y = f32[3] {1, -1, 4}"})
      .Expect("xla-cpu FAIL {2.6, -2.678, 2.034}; xla-cpu FAIL {2.678, 2.678, 2.034}");
}

// The logarithm of 2 is 0.6931472, whose tangent is 0.8306408; that of 4.8104777 is next to a pole.
TEST_CASE("a tangent grows between two poles", "[acceptance][programs]") {
  Program("l = f32[2] log(x)\nt = f32[2] tan(l)\nROOT n = f32[2] negate(t)", {"x = f32[2] {2, 4.8104777}"})
      .Expect(
          "xla-cpu LEGAL {-0.8306409, 22877332}; xla-cpu FAIL {-0.8307, 22877332}; "
          "xla-cpu FAIL {-0.83, 22877332}; xla-cpu WEAK {-0.83064085, 5}");
}

}  // namespace
}  // namespace assay::testing
