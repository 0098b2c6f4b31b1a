// Outputs that lawful runs explain, outputs of a module that computed something else, and those that are far from
// lawful.
#include <cmath>

#include "interpreter/hlo/op.h"
#include "spec_tests/acceptance/sampled.h"

namespace assay::testing {
namespace {

// Returns tanh, applied `trips` times and then scaled.
std::unique_ptr<HloModule> LoopOfTanh(int trips, double scale = 3) {
  return Parsed(fmt::format(R"(condition {{ p = (s32[], f32[8]) parameter(0)  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant({})  ROOT r = pred[] compare(i, n), direction=LT }}
body {{ p = (s32[], f32[8]) parameter(0)  i = s32[] get-tuple-element(p), index=0
  x = f32[8] get-tuple-element(p), index=1
  one = s32[] constant(1)  j = s32[] add(i, one)  y = f32[8] tanh(x)  ROOT r = (s32[], f32[8]) tuple(j, y) }}
ENTRY e {{ x = f32[8] parameter(0)  z = s32[] constant(0)  t = (s32[], f32[8]) tuple(z, x)
  w = (s32[], f32[8]) while(t), condition=condition, body=body
  y = f32[8] get-tuple-element(w), index=1
  c = f32[] constant({})  s = f32[8] broadcast(c), dimensions={{}}
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
  const auto module = Parsed(R"(x = c64[1] parameter(0)  y = c64[1] exponential(x)  ROOT r = f32[1] imag(y))");
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
  const auto module = Parsed(R"(x = f32[8] parameter(0)  y = f32[8] tanh(x)  i = s32[8] convert(y)
  ROOT t = (f32[8], s32[8]) tuple(y, i))");
  const Literal want = ValueOf(*module);
  Literal got = want;
  got.mutable_elements()[1].mutable_values<std::int32_t>()[3] = 7;
  CHECK(JudgeBySamples(*module, {Operand()}, want, got, XlaProfile()).unexplained.starts_with("output 1 "));
}

TEST_CASE("an integer is explained only by the same one of a trial", "[acceptance][samples]") {
  // exp(0) = 1 becomes 0 or 1; 5 is 5.
  const auto module = Parsed(R"(x = f32[2] parameter(0)  y = f32[2] exponential(x)  ROOT i = s32[2] convert(y))");
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
  const auto module = Parsed(R"(x = f32[8] parameter(0)  a = f32[] constant(0)  b = f32[] constant(1)
  r = f32[1000] rng(a, b), distribution=rng_uniform
  h = f32[8] slice(r), slice={[0:8]}
  s = f32[8] add(x, h)  y = f32[8] tanh(x)  ROOT t = (f32[8], f32[8], f32[1000]) tuple(s, y, r))");
  const Literal want = ValueOf(*module);
  const auto finding = [&](std::size_t output, auto change) {
    Literal got = want;
    for (float& x : got.mutable_elements()[output].mutable_values<float>()) x = change(x);
    return JudgeBySamples(*module, {Operand()}, want, got, XlaProfile());
  };
  const auto unexplained = [&](std::size_t output, auto change) { return finding(output, change).unexplained; };
  CHECK(unexplained(0, [](float x) { return x / 2; }).starts_with("output 0 follows from rng (line 4)"));
  CHECK(unexplained(1, [](float x) { return std::nextafter(x, 2.0F); }).empty());
  CHECK(unexplained(1, [](float) { return 0.0F; }).starts_with("output 1 is "));
  // Other numbers of the distribution are explained by their own rule, numbers of another one are suspect.
  CHECK(unexplained(2, [](float x) { return 1 - x; }).empty());
  CHECK(finding(2, [](float x) { return 1 - x; }).suspect.empty());
  CHECK_FALSE(finding(2, [](float x) { return x / 2; }).suspect.empty());
}

constexpr std::string_view kLargest =
    R"(larger { a = f32[] parameter(0) i = s32[] parameter(1) b = f32[] parameter(2) j = s32[] parameter(3)
  g = pred[] compare(a, b), direction=GE
  v = f32[] select(g, a, b)  k = s32[] select(g, i, j)  ROOT t = (f32[], s32[]) tuple(v, k) }
ENTRY e { x = f32[4] parameter(0)  y = f32[4] exponential(x)  n = s32[4] iota(), iota_dimension=0
  low = f32[] constant(-inf)  first = s32[] constant(0)
  m = (f32[], s32[]) reduce(y, n, low, first), dimensions={0}, to_apply=larger
  ROOT k = s32[] get-tuple-element(m), index=1 })";

TEST_CASE("a loop to a tolerance has the results of trip counts that errors may give", "[acceptance][samples]") {
  // Newton's iteration for the root of x, until the square is near enough.
  const Sampled program(R"(body { s = (f32[], f32[]) parameter(0)  x = f32[] get-tuple-element(s), index=0
  r = f32[] get-tuple-element(s), index=1
  q = f32[] divide(x, r)  t = f32[] add(q, r)  half = f32[] constant(0.5)  n = f32[] multiply(t, half)
  ROOT u = (f32[], f32[]) tuple(x, n) }
condition { s = (f32[], f32[]) parameter(0)  x = f32[] get-tuple-element(s), index=0
  r = f32[] get-tuple-element(s), index=1
  q = f32[] multiply(r, r)  d = f32[] subtract(q, x)  a = f32[] abs(d)  e = f32[] constant(0.001)
  ROOT c = pred[] compare(a, e), direction=GT }
ENTRY e {   one = f32[] constant(1)  t = (f32[], f32[]) tuple(x, one)
  w = (f32[], f32[]) while(t), condition=condition, body=body
  ROOT r = f32[] get-tuple-element(w), index=1 })",
                        {"x = f32[] 16"});
  program.Expect("LEGAL 4.0000005; SUSPECT 0");
  program.Expect("SUSPECT 4.002257");  // one step less
}

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

// The sine of a subnormal number is that number, which may be flushed: 0 to a power above 0 is 0, not 1.
TEST_CASE("a result may be flushed beside the argument that it equals", "[acceptance][samples]") {
  Sampled("s = c64[] sinh(x) ROOT r = c64[] power(s, x)", {"x = c64[] (1e-40, 0)"})
      .Expect("LEGAL (0, 0); SUSPECT (100, 0)");
}

// One use may read a product as it was before its rounding: each element alone, so that the sum is any of 0 to 15.
TEST_CASE("few open decisions are taken in every combination", "[acceptance][samples]") {
  const Sampled program(R"(p = f16[4] multiply(x, x)  c = f16[4] convert(p)  g = pred[4] compare(p, c), direction=GE
  n = f32[4] convert(g)  w = f32[4] constant({1, 2, 4, 8})
  ROOT r = f32[] dot(n, w), lhs_contracting_dims={0}, rhs_contracting_dims={0})",
                        {"x = f16[4] {1.197, 0.362, 0.544, -0.446}"});
  for (int sum = 0; sum < 16; ++sum) program.Expect(fmt::format("LEGAL {}", sum));
  program.Expect("SUSPECT 18");
}

// Each quotient may be below 1, so that its floor is 0, and a sum of three of their products is 0.
TEST_CASE("a sum of zeros has no error", "[acceptance][samples]") {
  Sampled(R"(q = f32[3,3] divide(x, x)  f = f32[3,3] floor(q)
  d = f32[3,3] dot(f, f), lhs_contracting_dims={1}, rhs_contracting_dims={0}  ROOT r = f32[3,3] sign(d))",
          {"x = f32[3,3] {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}"})
      .Expect("LEGAL {{0, 1, 1}, {0, 1, 1}, {0, 1, 1}}; SUSPECT {{5, 1, 1}, {5, 1, 1}, {5, 1, 1}}");
}

// exp(-6) is 0.0025, a zero of this format, and may be its least number.
// A compiler need not round the product that overflows.
TEST_CASE("an overflow says nothing of its own element alone", "[acceptance][samples]") {
  Sampled("y = f32[2] multiply(x, x)  ROOT r = f32[2] subtract(y, x)", {"x = f32[2] {1e30, 3}"})
      .Expect("LEGAL {5, 6}; SUSPECT {inf, 5}");
  Sampled("c = c64[2] complex(x, x)  d = c64[2] multiply(c, c)  ROOT r = f32[2] imag(d)", {"x = f32[2] {1e30, 3}"})
      .Expect("LEGAL {5, 18}; SUSPECT {inf, 17}");
}

// 2^-100 2^-100 2^100 is 0 from left to right.
TEST_CASE("a product is open if some of its factors underflow", "[acceptance][samples]") {
  Sampled("o = f32[] constant(1)  ROOT r = f32[2] reduce(x, o), dimensions={1}, to_apply=multiply_f32",
          {"x = f32[2,3] {{7.8886091e-31, 7.8886091e-31, 1.2676506e+30}, {1, 2, 3}}"})
      .Expect("LEGAL {7.8886091e-31, 6}; SUSPECT {0, 7}");
}

TEST_CASE("a zero that a function rounds to has an error", "[acceptance][samples]") {
  Sampled("e = f4e2m1fn[] exponential(x) ROOT r = f32[] stochastic-convert(e, u)", {"x = f4e2m1fn[] -6", "u = u4[] 0"})
      .Expect("LEGAL 0.5");
}

// The positive numbers first, then the negative ones: partial sums reach 16,384, where f16 has steps of 8 and 16.
TEST_CASE("a sum of sums may be one sum of all terms", "[acceptance][samples]") {
  const std::string text = R"(x = f16[16,32] parameter(0)  z = f16[] constant(0)
  y = f16[16] reduce(x, z), dimensions={1}, to_apply=add_f16
  ROOT r = f16[] reduce(y, z), dimensions={0}, to_apply=add_f16)";
  std::string numbers = "f16[16,32] {";
  for (int i = 0; i < 16; ++i) {
    numbers += i == 0 ? "{" : ", {";
    for (int k = 0; k < 32; ++k) numbers += fmt::format("{}{}", k == 0 ? "" : ", ", k % 2 == 0 ? 64.25 : -64.125);
    numbers += "}";
  }
  numbers += "}";
  Sampled(text, {numbers}).Expect("LEGAL 0; SUSPECT 30000");
}

// Most errors of a number vanish when it is rounded to bf16. The sizes of the elements are so far apart that none shows
// the error of another one.
TEST_CASE("a conversion may be omitted though few samples show it", "[acceptance][samples]") {
  std::string factors = "x = f32[20] {", unrounded = "f32[20] {";
  for (int i = 0; i < 20; ++i) {
    const double factor = std::ldexp(1.0, 11 * (i - 10));
    factors += fmt::format("{}{}", i == 0 ? "" : ", ", factor);
    unrounded += fmt::format("{}{}", i == 0 ? "" : ", ", factor * 1.011474609375 + factor);
  }
  Sampled(
      "k = f32[] constant(1.011474609375)  y = f32[20] broadcast(k), dimensions={}  p = f32[20] multiply(x, y) "
      "n = bf16[20] convert(p)  w = f32[20] convert(n)  ROOT r = f32[20] add(w, x)",
      {factors + "}"})
      .Expect("LEGAL " + unrounded + "}");
}

TEST_CASE("a sum of dots errs as its partial sums do, not as if all terms had one sign", "[acceptance][samples]") {
  // 1.1 + 1.1 - 2.2 is 0 in f32, and so is every row.
  std::string row, numbers = "f32[48,48] {";
  for (int k = 0; k < 48; ++k) row += fmt::format("{}{}", k == 0 ? "" : ", ", k % 3 == 2 ? -2.2 : 1.1);
  for (int i = 0; i < 48; ++i) numbers += fmt::format("{}{{{}}}", i == 0 ? "" : ", ", row);
  const std::string text = R"(
ENTRY e { x = f32[48,48] parameter(0)  k = f32[] constant(1)  v = f32[48] broadcast(k), dimensions={}
  y = f32[48] dot(x, v), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  z = f32[] constant(0)  ROOT r = f32[] reduce(y, z), dimensions={0}, to_apply=add_f32 })";
  Sampled(text, {numbers + "}"}).Expect("LEGAL 0.000001; SUSPECT 0.01");
}

// The large number is in another sum.
TEST_CASE("a sum of few terms has the errors of its own terms", "[acceptance][samples]") {
  Sampled(
      "d = f32[2] dot(h, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}  ROOT r = f32[1] slice(d), "
      "slice={[1:2]}",
      {"h = f32[2,3] {{1, 0, 0}, {0, 1, 0}}", "x = f32[3] {1000, 1, 2}"})
      .Expect("LEGAL {1.0000001}; SUSPECT {1.001}");
  Sampled(
      "s = f32[2] scatter(x, i, u), update_window_dims={}, inserted_window_dims={0}, "
      "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add_f32  ROOT r = f32[1] slice(s), "
      "slice={[1:2]}",
      {"x = f32[2] {0, 0.5}", "i = s32[2,1] {{0}, {1}}", "u = f32[2] {1000, 0.25}"})
      .Expect("LEGAL {0.7500001}; SUSPECT {0.7501}");
}

// Two of 64 products are not zero, and only the other sum starts from 1,000.
TEST_CASE("a sum that starts from an addend rounds where a term is not zero", "[acceptance][samples]") {
  std::string row, ones;
  for (int k = 0; k < 64; ++k) {
    row += fmt::format("{}{}", k == 0 ? "" : ", ", k % 32 == 7 ? 1.1 : 0);
    ones += fmt::format("{}{}", k == 0 ? "" : ", ", 0.3);
  }
  Sampled(
      "d = f32[2] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}  a = f32[2] add(d, c)  "
      "ROOT r = f32[1] slice(a), slice={[1:2]}",
      {fmt::format("x = f32[2,64] {{{{{0}}}, {{{0}}}}}", row), fmt::format("y = f32[64] {{{}}}", ones),
       "c = f32[2] {1000, 1}"})
      .Expect("LEGAL {1.6600001}; SUSPECT {1.6601}");
}

// The dot has an error of 3, which its own users may see though no run shows it.
TEST_CASE("the errors of a large dot say nothing of an output beside it", "[acceptance][samples]") {
  const Sampled program(R"(a = f32[] constant(1000)  b = f32[512] broadcast(a), dimensions={}
  d = f32[] dot(b, b), lhs_contracting_dims={0}, rhs_contracting_dims={0}  t = f32[2] tanh(x)
  ROOT r = (f32[2], f32[]) tuple(t, d))",
                        {"x = f32[2] {0.5, 1}"});
  const auto is_suspect = [&](std::string_view of_tanh) {
    return !program.Of(Literal::MakeTuple({Value(of_tanh), Value("f32[] 512000000")})).suspect.empty();
  };
  CHECK(is_suspect("f32[2] {0.46311717, 0.7615942}"));
  CHECK_FALSE(is_suspect("f32[2] {0.46211720, 0.7615942}"));
}

TEST_CASE("results far from all samples are suspect, those that errors may give are not", "[acceptance][samples]") {
  CheckRows<Sampled>({
      {"results far from all samples are suspect, those near them are not",
       "y = f32[4] exponential(x) ROOT r = f32[4] sine(y)", "x = f32[4] {0, 1, 2, 3}",
       "LEGAL {0.84147096, 0.4107813, 0.8938549, 0.9444699}; SUSPECT {0.84147096, 0.4107813, 0.8938549, 0.945}; "
       "SUSPECT {0, 0, 0, 0}"},
      {"the index of a maximum is one that errors may give", std::string(kLargest), "f32[4] {0, 1, 3, 2}",
       "SUSPECT 3; SUSPECT 7"},
      // exp(2) and exp of the next number: errors may exchange them, and nothing else.
      {"", std::string(kLargest), "f32[4] {0, 1, 2, 2.0000002}", "LEGAL 2; SUSPECT 1"},
      // The second dot is far below the rounding errors of the first one.
      {"a sum of tiny terms has tiny errors",
       "d = c64[2] dot(x, y), lhs_batch_dims={0}, lhs_contracting_dims={1}, rhs_batch_dims={0}, "
       "rhs_contracting_dims={1} ROOT r = c64[2] rsqrt(d)",
       "x = c64[2,3] {{(1, 0), (0, 0), (0, 0)}, {(0, 0), (1, 0), (1, 0)}}; "
       "y = c64[2,3] {{(1, 0), (0, 0), (0, 0)}, {(0, 0), (0, 0), (4.7019774e-38, 0)}}",
       "LEGAL {(1, 0), (4.6116805e+18, 5.4975581e+12)}; SUSPECT {(1.001, 0), (4.6116805e+18, 0)}"},
      // 2e38 + 2e38 overflows.
      {"a sum may overflow in another order", R"(y = c64[] reduce(x, z), dimensions={0}, to_apply=add_c64
  ROOT r = c64[] rsqrt(y))",
       "x = c64[3] {(2e38, 0), (-2e38, 0), (2e38, 0)}; z = c64[] (0, 0)", "LEGAL (0, 0)"},
      // 0.0625 * 0.0625 is 0, and 0.0625 * 28 is 1.75.
      {"a product may underflow in another order",
       R"(y = f6e3m2fn[] reduce(x, z), dimensions={0}, to_apply=multiply_f6e3m2fn
  ROOT r = f32[] convert(y))",
       "x = f6e3m2fn[5] {0.0625, 0.0625, 28, 28, 2}; z = f6e3m2fn[] 1", "LEGAL 6"},
      // sin(4) is -0.75, and two steps lead to -1, where the logarithm is the least number.
      {"a pole has a number in a format without NaN", R"(s = f6e2m3fn[] sine(x) ROOT r = f6e2m3fn[] log-plus-one(s))",
       "x = f6e2m3fn[] 4", "fast LEGAL -7.5; fast LEGAL -1.375"},
      // The largest error makes logistic(0) zero, and remainder(0, 0) is NaN.
      {"a remainder by a number that errors may make zero", R"(l = f8e5m2fnuz[] logistic(x)
  r = f8e5m2fnuz[] remainder(l, l) ROOT f = pred[] is-finite(r))",
       "x = f8e5m2fnuz[] 0", "xla-gpu LEGAL false"},
      // sinh(3.5) is 16.5, and sinh(3.25) 12.9: one step in each function.
      {"an integer of a number with a large error may have many values", R"(e = f8e4m3b11fnuz[] exponential(x)
  s = f8e4m3b11fnuz[] sinh(e) ROOT r = u32[] convert(s))",
       "x = f8e4m3b11fnuz[] 1.25", "LEGAL 12; LEGAL 15"},
      // (1 + x) - 1 is 0 in f16, and x if the sum is kept in f32.
      {"an open comparison for equality has both answers", R"(s = f16[2] add(x, one)  d = f16[2] subtract(s, one)
  p = pred[2] compare(x, d), direction=EQ
  ROOT r = f32[2] select(p, a, b))",
       "x = f16[2] {0.0003, 4}; one = f16[2] {1, 1}; a = f32[2] {1, 1}; b = f32[2] {2, 2}",
       "LEGAL {1, 1}; SUSPECT {5, 1}"},
      // atan2(-0, -0) is -pi.
      {"a zero of either sign leads to either angle", R"(s = f32[2] sinh(x)  a = f32[2] atan2(s, s)
  ROOT r = f32[2] floor(a))",
       "x = f32[2] {0, 1}", "fast LEGAL {-4, 0}; fast LEGAL {0, 0}; fast SUSPECT {-4, 5}"},
      // Rows with equal keys may be sorted in any order.
      {"results that a specification leaves open are not suspect",
       R"(less { a = f32[] parameter(0) b = f32[] parameter(1) c = f32[] parameter(2) d = f32[] parameter(3)
  ROOT p = pred[] compare(a, b), direction=LT }
ENTRY e {   s = (f32[3], f32[3]) sort(x, y), dimensions={0}, to_apply=less
  p = f32[3] get-tuple-element(s), index=1
  ROOT r = f32[3] exponential(p) })",
       "x = f32[3] {1, 1, 0}; y = f32[3] {3, 4, 5}", "LEGAL {148.41316, 54.59815, 20.085537}"},
      // The comparator may round one of its products, and not the other.
      {"", R"(at_least { a = s64[] parameter(0) b = s64[] parameter(1)
  k = bf16[] constant(-5.53125) c = bf16[] constant(0.00195) m = bf16[] multiply(k, c) n = bf16[] multiply(k, c)
  ROOT p = pred[] compare(m, n), direction=GE }
ENTRY e {   ROOT s = s64[3] sort(x), dimensions={0}, is_stable=true, to_apply=at_least })",
       "x = s64[3] {1, 2, 3}", "LEGAL {1, 2, 3}; LEGAL {3, 2, 1}"},
      // The last writer is open.
      {"", R"(second { a = f32[] parameter(0) ROOT b = f32[] parameter(1) }
ENTRY e {   s = f32[2] scatter(x, i, u), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=second
  ROOT r = f32[2] exponential(s) })",
       "x = f32[2] {0, 0}; i = s32[2,1] {{0}, {0}}; u = f32[2] {1, 2}", "LEGAL {2.7182817, 1}"},
      // x y - x y may be the error of one product's rounding; it is multiplied by x.
      {"a difference of unrounded products is no rounding error of the difference",
       R"(p = f32[] multiply(x, y)  d = f32[] subtract(p, p)  ROOT r = f32[] multiply(d, x))",
       "x = f32[] 3000.1; y = f32[] 7.3", "LEGAL 1.5; SUSPECT 3000"},
      // Eight products, and a sum of 64 that may start from 4. The results are 8 and 5 by hand.
      // A profile whose dots add up in their type has larger errors.
      {"a dot of narrow numbers that adds up in f32 errs by its last rounding",
       "d = bf16[1] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0} ROOT r = bf16[1] negate(d)",
       "a = bf16[1,8] {{1, 1, 1, 1, 1, 1, 1, 1.0078125}}; b = bf16[8] {1, 1, 1, 1, 1, 1, 1, 1}",
       "LEGAL {-8.0625}; SUSPECT {-10}; stablehlo LEGAL {-10}"},
      {"", R"(k = bf16[] constant(0.125)  a = bf16[1,64] broadcast(k), dimensions={}
  b = bf16[64] broadcast(k), dimensions={}
  d = bf16[1] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT r = bf16[1] add(d, c))",
       "c = bf16[1] {4}", "LEGAL {5.03125}; SUSPECT {6}; stablehlo LEGAL {6}"},
      // exp(-16.08) is 2 units of 2^-24, and may be one less; the factor makes 0.00069 of a unit.
      {"a unit in the last place of a subnormal number is a large part of it",
       "e = f16[] exponential(x) ROOT r = f16[] multiply(y, e)", "x = f16[] xcc05; y = f16[] x71ac",
       "simd LEGAL 0.00069; simd SUSPECT 0.1"},
      // The logarithm of the smallest number, 0.125, may be that of zero: logistic may be several units less.
      {"a function of a number of one unit jumps to a pole", "y = f6e2m3fn[] logistic(x) ROOT r = f6e2m3fn[] log(y)",
       "x = f6e2m3fn[] -2", "stablehlo LEGAL -7.5"},
      // In some orders the sum of the products is a NaN, whose integer is 0.
      {"a sum that overflows in one order only decides about an integer",
       R"(d = f32[] dot(x, y), lhs_contracting_dims={0}, rhs_contracting_dims={0}
  ROOT r = s32[] convert(d))",
       "x = f32[3] {3e38, 3e38, 1}; y = f32[3] {-4, 1.9, 1}", "LEGAL 0"},
      {"", R"(d = f32[] dot(x, y), lhs_contracting_dims={0}, rhs_contracting_dims={0}
  ROOT r = s32[] convert(d))",
       "x = f32[3] {3, 3, 1}; y = f32[3] {-2, 1, 1}", "SUSPECT 7"},
      // Each product is below the least normal number, 1.18e-38.
      {"the products of a sum may be flushed, each alone",
       R"(d = f32[] dot(x, y), lhs_contracting_dims={0}, rhs_contracting_dims={0}
  ROOT r = f32[] negate(d))",
       "x = f32[3] {2e-38, 2e-38, 2e-38}; y = f32[3] {0.4, 0.4, 0.5}", "ftz LEGAL 0; ftz SUSPECT 1e-36"},
  });
}

}  // namespace
}  // namespace assay::testing
