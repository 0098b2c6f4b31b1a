// For each rule a value just inside and one just outside of what a backend may return, both worked out by hand.
#include "interpreter/acceptance/judge.h"

#include <bit>
#include <span>
#include <utility>

#include "interpreter/acceptance/evaluate_piece.h"
#include "spec_tests/acceptance/judged.h"
#include "spec_tests/special_numbers.h"

namespace assay::testing {
namespace {

// (1, 2, 3, 4) to (10, -2 + 2i, -2, -2 - 2i).
Judged Fft(std::string_view operand = "c64[4] {(1, 0), (2, 0), (3, 0), (4, 0)}") {
  return Judged("a = c64[4] parameter(0) ROOT r = c64[4] fft(a), fft_type=FFT, fft_length={4}", {operand});
}

// x of n f32 numbers folded by `root`, from `start`.
Judged Fold(const std::string& root, const std::string& shape, std::string_view x, const std::string& start) {
  return Judged(fmt::format(R"(f {{ a = f32[] parameter(0)  b = f32[] parameter(1)
{} }}
ENTRY e {{ x = {} parameter(0)  s = f32[] parameter(1)
  ROOT r = f32[] reduce(x, s), dimensions={{0}}, to_apply=f }})",
                            root, shape),
                {x, start});
}

TEST_CASE("the report names the worst element, its distance and its share", "[acceptance]") {
  const Judged tanh = Unary("tanh", "f32[3]", "f32[3] {0, 0.5, 0.5}");
  Literal got = tanh.want();
  auto bits = got.mutable_values<std::uint32_t>();
  bits[1] += 1;
  bits[2] += 3;
  const Judgement judgement = tanh.Of(got);
  CHECK(judgement.verdict == Verdict::kLegal);
  CHECK(judgement.reason == "approximation");
  CHECK(judgement.elements == 3);
  CHECK(judgement.not_exact == 2);
  CHECK(judgement.worst.offset == 2);
  CHECK(judgement.worst.ulps == 3);
  CHECK(judgement.worst.share == Approx(3.27 / 5).epsilon(0.001));
  CHECK(judgement.worst.inputs == std::vector<std::string>{"x3f000000 (0.5)"});
  CHECK(judgement.worst.exact.starts_with("0.462117157260009"));
  REQUIRE(judgement.tallies.size() == 1);
  CHECK(judgement.tallies[0].reason == "approximation");
  CHECK(judgement.tallies[0].elements == 2);
  // A failure outranks legal elements, wherever it is.
  bits[0] = std::bit_cast<std::uint32_t>(1.0f);
  const Judgement failure = tanh.Of(got);
  CHECK(failure.verdict == Verdict::kFail);
  CHECK(failure.worst.offset == 0);
  CHECK(failure.worst.got == "x3f800000 (1)");
  CHECK(failure.worst.want == "x00000000 (0)");
}

TEST_CASE("only element-wise results have inputs at their place", "[acceptance]") {
  const Judged bits("ROOT r = s32[1,2] bitcast-convert(a)", {"a = s64[1] {1}"});
  const Judgement judgement = bits.Of("s32[1,2] {{1, 5}}");
  CHECK(judgement.verdict == Verdict::kFail);
  CHECK(judgement.worst.offset == 1);
  CHECK(judgement.worst.inputs.empty());
  const Judged sum = Binary("add", "f32[2]", "f32[2] {1, 2}", "f32[2] {3, 4}");
  const Judgement wrong = sum.Of("f32[2] {4, 7}");
  CHECK(wrong.worst.inputs == std::vector<std::string>{"x40000000 (2)", "x40800000 (4)"});
  CHECK(wrong.worst.exact == "6");
}

TEST_CASE("a dot stays within the bound of a sum in any order", "[acceptance]") {
  // Terms 1 + 2u, 2 and 4: n = 3, sum of magnitudes 7, u = 2^-24. With both final roundings the allowance is
  // (3 + 2) * 7 u = 35 u, and a step of f32 at 7 is 8 u: four steps are inside (32 u), five outside (40 u).
  const Judged dot = Dot("f32", 3, "f32[3] {1, 1, 1}", "f32[3] {1.00000012, 2, 4}");
  REQUIRE(dot.want().BitwiseEqual(Value("f32[] 7")));
  dot.Expect("LEGAL off 4; LEGAL off -4; FAIL off 5; FAIL off -5; exact FAIL off 1");
  const float four_steps = 7 + 4 * 0x1p-21f;
  Literal got = dot.want();
  got.mutable_values<float>()[0] = four_steps;
  CHECK(dot.Of(got).reason == "reassociation");
  CHECK(dot.Of(got).worst.share == Approx(32.0 / 35.0));
}

TEST_CASE("a fold by addition is a sum, its start included", "[acceptance]") {
  // 1 + 2u, 2, 4 and the start: n = 4, (4 + 2) * 7.5 u = 45 u; a step is 8 u.
  const auto with = [](const std::string& start) {
    return Fold("ROOT r = f32[] add(a, b)", "f32[3]", "f32[3] {1.00000012, 2, 4}", start);
  };
  REQUIRE(with("f32[] 0.5").want().BitwiseEqual(Value("f32[] 7.5")));
  with("f32[] 0.5").Expect("LEGAL off 5; FAIL off 6");
  // To add zero rounds nothing: n = 3, (3 + 2) * 7 u = 35 u.
  with("f32[] 0").Expect("LEGAL off 4; FAIL off 5");
}

TEST_CASE("a bound as wide as the sum proves nothing", "[acceptance]") {
  // f8e4m3fn has u = 2^-4: sixteen terms give (16 + 2) / 16 of their sum, where they may be added in that type.
  const std::string ones = "f8e4m3fn[16] {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}";
  const std::string first_larger = "f8e4m3fn[16] {1.125, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}";
  Dot("f8e4m3fn", 16, first_larger, ones).Expect("ieee WEAK 15; LEGAL 15; FAIL 14; EXACT 16; ieee FAIL 40");
  // Two terms: (2 + 2) / 16 of 2.125, and a little for underflow: 2.5 is inside, 2.75 is not.
  Dot("f8e4m3fn", 2, "f8e4m3fn[2] {1.125, 1}", "f8e4m3fn[2] {1, 1}").Expect("ieee LEGAL 2.5; ieee FAIL 2.75");
}

TEST_CASE("folds that round are not sums", "[acceptance]") {
  Fold("ROOT r = f32[] maximum(a, b)", "f32[3]", "f32[3] {1, 2, 4}", "f32[] 0").Expect("FAIL off 1");
  const Judged composed =
      Fold("p = f32[] multiply(a, b)\nROOT r = f32[] add(p, b)", "f32[3]", "f32[3] {1, 2, 4}", "f32[] 0");
  composed.Expect("WEAK off 1");
  // Without a freedom to order there is nothing to bound.
  composed.Expect("exact FAIL off 1");
}

// The exponential is within 3 units in the last place, and a copy has one value.
TEST_CASE("a call or a branch alone is judged by its set", "[acceptance]") {
  const std::string negated = "f { x = f32[] parameter(0)  e = f32[] exponential(x)  ROOT r = f32[] negate(e) }\n";
  const std::string copied = "g { x = f32[] parameter(0)  ROOT r = f32[] copy(x) }\n";
  const std::string branches = "ENTRY e { ROOT c = f32[] conditional(i, a, b), branch_computations={f, g} }";
  Judged(negated + "ENTRY e { ROOT c = f32[] call(a), to_apply=f }", {"a = f32[] 1"})
      .Expect("LEGAL off 2; FAIL off 9; FAIL nan; exact FAIL off 1");
  Judged(negated + copied + branches, {"i = s32[] 0", "a = f32[] 1", "b = f32[] 3"})
      .Expect("LEGAL off 2; FAIL off 9; exact FAIL off 1");
  Judged(negated + copied + branches, {"i = s32[] 1", "a = f32[] 3", "b = f32[] 1"}).Expect("EXACT 1; FAIL off 1");
}

TEST_CASE("integers are exact, and far ones have a distance", "[acceptance]") {
  Binary("add", "s32[]", "s32[] 2", "s32[] 3").Expect("FAIL 6");
  Dot("s32", 2, "s32[2] {1, 2}", "s32[2] {1, 1}").Expect("FAIL 4");
  const Judgement far = Unary("copy", "s64[]", "s64[] -9223372036854775808").Of("s64[] 9223372036854775807");
  CHECK(far.verdict == Verdict::kFail);
  CHECK(far.worst.steps == 0x1p64);
  // But no units of a last place.
  CHECK_FALSE(far.worst.ulps);
}

TEST_CASE("an exact value is shown where the wanted one is that, rounded", "[acceptance]") {
  const Judged function = Unary("tanh", "f32[]", "f32[] 0.5");
  CHECK(function.Of("f32[] 0.5").worst.exact.starts_with("0.46211715726000"));
  // 0.5 is a number of the type and stays; redone in f64, which it is below the normal numbers of two exponent bits, it
  // would become 0.
  const Judged narrowed("ROOT r = f4e2m1fn[] reduce-precision(a), exponent_bits=2, mantissa_bits=1",
                        {"a = f4e2m1fn[] 0.5"});
  narrowed.Expect("EXACT 0.5");
  CHECK(narrowed.Of("f4e2m1fn[] 0").worst.exact.empty());
}

TEST_CASE("elements have a name, and a distance where there is one", "[acceptance]") {
  const Judgement array = Unary("negate", "f32[2,2]", "f32[2,2] {{1, 2}, {3, 4}}").Of("f32[2,2] {{-1, -2}, {-3, -5}}");
  CHECK(array.worst.name == "element [1,1]");
  CHECK(array.worst.ulps == 1 << 21);
  const Judgement nan = Unary("negate", "f32[]", "f32[] 1").Of("f32[] nan");
  CHECK(nan.worst.name == "element []");
  CHECK_FALSE(nan.worst.ulps);
}

TEST_CASE("any NaN equals any NaN, and no number", "[acceptance]") {
  const Judged nan = Binary("subtract", "f32[]", "f32[] inf", "f32[] inf");
  for (std::uint32_t bits : {0x7fc00000u, 0xffc00000u, 0x7f800001u, 0x7fffffffu}) {
    Literal got = nan.want();
    got.mutable_values<std::uint32_t>()[0] = bits;
    CHECK(nan.Of(got).verdict == Verdict::kExact);
  }
  nan.Expect("FAIL inf; FAIL 0");
  Binary("add", "f32[]", "f32[] 1", "f32[] 1").Expect("FAIL nan");
}

TEST_CASE("a result just inside of its rule's bound is LEGAL, one just outside FAIL", "[acceptance]") {
  CheckRows<Judged>({
      // The profile allows tanh 5 ULP and exponential 3, from the exact value. tanh 1/2 = 0.46211715726 is 0.27 steps
      // below
      // its rounded value, e = 2.718281828459 is 0.35 above.
      {"functions stay within their ULP allowance", "ROOT r = f32[] tanh(a)", "a = f32[] 0.5",
       "EXACT off 0; LEGAL off 4; FAIL off 5; LEGAL off -5; FAIL off -6; exact FAIL off 1; exact FAIL off -1; FAIL "
       "nan; FAIL inf; FAIL -0.46211717"},
      {"", "ROOT r = f32[] exponential(a)", "a = f32[] 1", "LEGAL off 3; FAIL off 4; LEGAL off -2; FAIL off -3"},
      // 1 + 2u - 1: n = 2, sum of magnitudes 2: (2 + 2) * 2 u = 2^-21 around 2^-23.
      {"a sum that cancels is judged by its terms",
       "ROOT r = f32[] dot(a, b), lhs_contracting_dims={0}, rhs_contracting_dims={0}",
       "a = f32[2] {1, 1}; b = f32[2] {1.00000012, -1}",
       "LEGAL at 0 0x1.4p-21; LEGAL at 0 -0x1.8p-22; FAIL at 0 0x1.401p-21; FAIL 1"},
      // Partial sums of 3e38 twice are beyond f32; the sum is not.
      {"sums whose partial sums may overflow may be infinite, others may not",
       "ROOT r = f32[] dot(a, b), lhs_contracting_dims={0}, rhs_contracting_dims={0}",
       "a = f32[3] {3e38, 3e38, -3e38}; b = f32[3] {1, 1, 1}", "LEGAL inf; FAIL 1e38"},
      {"", "ROOT r = f32[] dot(a, b), lhs_contracting_dims={0}, rhs_contracting_dims={0}",
       "a = f32[2] {1, 2}; b = f32[2] {1, 1}", "FAIL inf; FAIL nan"},
      {"", "ROOT r = f32[] dot(a, b), lhs_contracting_dims={0}, rhs_contracting_dims={0}",
       "a = f32[2] {inf, 2}; b = f32[2] {1, 1}", "FAIL 3e38; FAIL -inf"},
      {"zeros of exact ops have a sign", "ROOT r = f32[] add(a, b)", "a = f32[] -0; b = f32[] -0", "EXACT -0; FAIL 0"},
      {"", "ROOT r = f32[] negate(a)", "a = f32[] 0", "FAIL 0"},
      // 2^-100 * 2^-40 = 2^-140.
      // To the zero of its sign, and to nothing else.
      {"subnormal results may be flushed", "ROOT r = f32[] multiply(a, b)",
       "a = f32[] 7.888609052210118e-31; b = f32[] 9.094947017729282e-13",
       "EXACT at 0 0x1p-140; LEGAL 0; exact FAIL 0; FAIL -0; FAIL at 0 0x1p-126; FAIL at 0 0x1p-141"},
      // The smallest normal number is none.
      {"", "ROOT r = f32[] multiply(a, b)", "a = f32[] 7.888609052210118e-31; b = f32[] 1.4901161193847656e-08",
       "EXACT at 0 0x1p-126; FAIL 0"},
      // 2^-140 * 2^100 = 2^-40, or 0 * 2^100.
      {"subnormal operands may be flushed", "ROOT r = f32[] multiply(a, b)",
       "a = f32[] 7.174648137343064e-43; b = f32[] 1.2676506002282294e+30",
       "EXACT at 0 0x1p-40; LEGAL 0; exact FAIL 0; FAIL at 0 0x1p-41; FAIL off 1"},
      // 2^-126 + 2^-140, or 2^-126 + 0.
      {"", "ROOT r = f32[] add(a, b)", "a = f32[] 1.1754943508222875e-38; b = f32[] 7.174648137343064e-43",
       "LEGAL at 0 0x1p-126; FAIL off 1"},
  });
}

// A bit of eight in an f64 would be a number of eight bytes.
TEST_CASE("instructions that read bits have no value in other types", "[acceptance]") {
  const auto none_in_f64 = [](std::string_view text, const std::vector<std::string_view>& operands) {
    const auto module = Parsed(WithParameters(std::string(text), operands));
    std::vector<Literal> numbers;
    for (const Literal& operand : Values(operands)) numbers.push_back(NumbersOf(operand));
    return !EvaluateAlone(*module->entry->root, std::move(numbers), {}, [](PrimitiveType) { return F64; });
  };
  CHECK(none_in_f64("ROOT r = f8e5m2[3] bitcast-convert(x)", {"x = pred[3] {0, 1, 0}"}));
  CHECK(none_in_f64(R"(largest { a = f16[] parameter(0)  b = f16[] parameter(1)  i = u16[] bitcast-convert(a)
  j = u16[] bitcast-convert(b)  k = u16[] maximum(i, j)  ROOT r = f16[] bitcast-convert(k) }
ENTRY e { x = f16[2] parameter(0)  z = f16[] parameter(1)
  ROOT r = f16[] reduce(x, z), dimensions={0}, to_apply=largest })",
                    {"f16[2] {1, 2}", "f16[] 0"}));
  CHECK_FALSE(none_in_f64("ROOT r = f16[2] negate(x)", {"x = f16[2] {1, 2}"}));
}

TEST_CASE("complex products are judged by their norm", "[acceptance][complex]") {
  // (1 + i)(2 + 2i) = 0 + 4i; 2 ULP of the norm 4 are 2 * 2 * 2^-24 * 4 = 2^-20, for either part.
  const Judged product = Binary("multiply", "c64[]", "c64[] (1, 1)", "c64[] (2, 2)");
  REQUIRE(product.want().BitwiseEqual(Value("c64[] (0, 4)")));
  product.Expect("LEGAL at 0 0x1p-20; LEGAL at 0 -0x1p-20; FAIL at 0 0x1.01p-20");
  CHECK(product.With(1, 4 - 0x1p-20f) == Verdict::kLegal);
  CHECK(product.With(1, 4 - 0x1.8p-20f) == Verdict::kFail);
  product.Expect("FAIL at 0 nan; FAIL at 1 inf");
  // Sums of complex numbers are exact in each part.
  Binary("add", "c64[]", "c64[] (1, 1)", "c64[] (2, 2)").Expect("FAIL off 1");
}

// C's Annex G has 0 for e^(-inf + inf i), and e^x (cos y + i sin y) gives NaN.
TEST_CASE("a function of a complex number that is not finite may be NaN, and no other number", "[acceptance]") {
  Unary("exponential", "c64[]", "c64[] (-inf, inf)")
      .Expect("EXACT (0, 0); SPEC-GAP (nan, nan); SPEC-GAP (nan, 0); FAIL (1, 0); FAIL (nan, 1)");
  Unary("exponential", "c64[]", "c64[] (-100, 1)").Expect("FAIL (nan, nan)");
}

TEST_CASE("whole results are compared bit by bit", "[acceptance]") {
  const Literal want = Value("(f32[2], (s32[1])) ({1, nan}, ({7}))");
  CHECK(CompareExactly(want, Value("(f32[2], (s32[1])) ({1, -nan}, ({7}))")).verdict == Verdict::kExact);
  const Judgement other = CompareExactly(want, Value("(f32[2], (s32[1])) ({1, nan}, ({8}))"));
  CHECK(other.verdict == Verdict::kFail);
  CHECK(other.elements == 3);
  CHECK(other.not_exact == 1);
  CHECK(other.worst.tuple_index == std::vector<std::int64_t>{1, 0});
}

TEST_CASE("a Fourier transform is judged by its norm", "[acceptance]") {
  // The norm is sqrt(100 + 8 + 4 + 8), so every part may be off by 24 (1 + 2) 2^-24 sqrt(2 * 120) = 6.648e-5.
  Fft().Expect("EXACT at 0 10; LEGAL at 1 6.6e-5; FAIL at 1 6.7e-5");
  CHECK(Fft().With(4, -2 + 6.6e-5f) == Verdict::kLegal);
  CHECK(Fft().With(4, -2 + 6.7e-5f) == Verdict::kFail);
  Fft().Expect("exact FAIL at 1 6.6e-5");
  Fft().Expect("FAIL at 0 nan");
  Fft("c64[4] {(inf, 0), (2, 0), (3, 0), (4, 0)}").Expect("SPEC-GAP at 0 1");
}

TEST_CASE("the errors of a transform are bounded together", "[acceptance]") {
  // Eight parts, each off by d: the norm of the errors is sqrt(8) d, and the bound that of one part, 6.65e-5.
  const auto all_off_by = [](float d) {
    Judged fft = Fft();
    Literal got = fft.want();
    for (float& part : std::span(reinterpret_cast<float*>(got.mutable_data()), 8)) part += d;
    return fft.Of(got).verdict;
  };
  CHECK(all_off_by(2.3e-5f) == Verdict::kLegal);
  CHECK(all_off_by(2.4e-5f) == Verdict::kFail);
}

TEST_CASE("a transform that is NaN does not change the verdict of the one beside it", "[acceptance]") {
  const Judged two("ROOT r = c64[2,2] fft(a), fft_type=FFT, fft_length={2}",
                   {"a = c64[2,2] {{(nan, nan), (1, 0)}, {(1, 0), (2, 0)}}"});
  CHECK(two.With(4, 3 + 1e-6f) == Verdict::kLegal);
  two.Expect("FAIL at 4 4");
}

// The specification has one type: none says whether the operands or the sum become integers. XLA:CPU returns 10.
TEST_CASE("a dot of real numbers to integers is SPEC-GAP if a factor is not whole or the sum may overflow",
          "[acceptance]") {
  const auto dot = [](std::string_view lhs, std::string_view rhs) {
    return Judged(R"(a = f32[2] parameter(0)  b = f32[2] parameter(1)
  ROOT r = s8[] dot(a, b), lhs_contracting_dims={0}, rhs_contracting_dims={0})",
                  {lhs, rhs});
  };
  CHECK(dot("f32[2] {2.7, 3}", "f32[2] {2.7, 1}").want().BitwiseEqual(Value("s8[] 7")));
  dot("f32[2] {2.7, 3}", "f32[2] {2.7, 1}").Expect("SPEC-GAP 10");
  dot("f32[2] {100, 3}", "f32[2] {2, 1}").Expect("SPEC-GAP 127");
  dot("f32[2] {2, 3}", "f32[2] {2, 1}").Expect("FAIL 8");
  Judged("ROOT r = s8[] dot(a, b), lhs_contracting_dims={0}, rhs_contracting_dims={0}",
         {"a = s8[2] {100, 3}", "b = s8[2] {2, 1}"})
      .Expect("FAIL 127");
  // The real parts alone give 2, the complex numbers 2 - 3.
  Judged("ROOT r = f64[] dot(a, b), lhs_contracting_dims={0}, rhs_contracting_dims={0}",
         {"a = c64[1] {(1, 3)}", "b = c64[1] {(2, 1)}"})
      .Expect("EXACT 2; SPEC-GAP -1");
}

TEST_CASE("the elements of a long transform share one norm", "[acceptance]") {
  // 2^17 points: a walk of the transform for each of them would not end within the time of a test.
  constexpr std::int64_t kPoints = 1 << 17;
  std::string ones = fmt::format("c64[{}] {{", kPoints);
  for (std::int64_t i = 0; i < kPoints; ++i) ones += i == 0 ? "(1, 0)" : ", (1, 0)";
  const Judged fft(
      fmt::format("a = c64[{0}] parameter(0) ROOT r = c64[{0}] fft(a), fft_type=FFT, fft_length={{{0}}}", kPoints),
      {ones + "}"});
  const auto all_off_by = [&](float d) {
    Literal got = fft.want();
    for (float& part : std::span(reinterpret_cast<float*>(got.mutable_data()), 2 * kPoints)) part += d;
    return fft.Of(got).verdict;
  };
  // The norm of the transform (2^17, 0, ...) is 2^17, with its mirror image sqrt(2) times that. The bound of a part and
  // of all errors together is 24 (1 + 17) 2^-24 times that norm, 4.77; 2^18 parts off by d have the norm 512 d.
  CHECK(all_off_by(0.0093f) == Verdict::kLegal);
  CHECK(all_off_by(0.0094f) == Verdict::kFail);
}

}  // namespace
}  // namespace assay::testing
