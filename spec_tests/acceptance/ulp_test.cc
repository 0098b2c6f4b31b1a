// Functions: the profile's allowance, and the accuracy that the instruction requires.
#include <cmath>
#include <limits>

#include "spec_tests/acceptance/program.h"

namespace assay::testing {
namespace {

// tanh(0.5) = 0.46211717; a step of f32 there is 2^-25, and the half unit u is 2^-24.
Judged Tanh(const std::string& accuracy) {
  return Judged(Entry("a = f32[] parameter(0)\nROOT r = f32[] tanh(a), result_accuracy={" + accuracy + "}"),
                {"f32[] 0.5"});
}

TEST_CASE("functions of f64 have allowances of their own", "[acceptance]") {
  const Judged log = Unary("log-plus-one", "f64[]", "f64[] -0.375");
  const auto off = [&](std::uint64_t steps) {
    Literal got = log.want();
    got.mutable_values<std::uint64_t>()[0] += steps;
    return log.Of(got, BuiltInProfile("xla-cpu")).verdict;
  };
  CHECK(off(16) == Verdict::kLegal);
  CHECK(off(17) == Verdict::kFail);
}

TEST_CASE("an instruction asks for its accuracy in ULP", "[acceptance]") {
  // 2 epsilon 0.46211717 and half a unit for the rounded value: 5 u 0.46211717 = 4.62 steps.
  const Judged tanh = Tanh("tolerance={atol=0,rtol=0,ulps=2}");
  for (int side : {1, -1}) {
    CHECK(tanh.Off(side * 4) == Verdict::kLegal);
    CHECK(tanh.Off(side * 5) == Verdict::kFail);
    // The profile makes no difference.
    CHECK(tanh.Off(side * 4, BuiltInProfile("ieee")) == Verdict::kLegal);
  }
  tanh.Expect("FAIL at 0 inf; FAIL at 0 nan");
  // More than the profile allows.
  Tanh("tolerance={atol=0,rtol=0,ulps=20}").Expect("LEGAL off 37; FAIL off 38");
}

TEST_CASE("an instruction asks for an absolute or a relative accuracy", "[acceptance]") {
  Tanh("tolerance={atol=0.001,rtol=0,ulps=0}")
      .Expect("LEGAL at 0 0.46311; FAIL at 0 0.46312; LEGAL at 0 0.46112; FAIL at 0 0.46111");
  // 0.0046211717
  Tanh("tolerance={atol=0.001,rtol=0.01,ulps=2}").Expect("LEGAL at 0 0.46673; FAIL at 0 0.46674");
}

TEST_CASE("the highest accuracy has no number", "[acceptance]") {
  // tanh 1/2 is 0.27 steps below its rounded value.
  Tanh("mode=highest").Expect("LEGAL off -1; SPEC-GAP off 1; SPEC-GAP off -5; FAIL off -6");
  Tanh("mode=default").Expect("LEGAL off -5");
}

TEST_CASE("an exact zero has no error, one that underflows has", "[acceptance]") {
  Unary("tanh", "f32[]", "f32[] 0").Expect("FAIL at 0 1e-45; FAIL at 0 -0");
  Unary("log", "f32[]", "f32[] 1").Expect("FAIL at 0 1e-45");
  Unary("exponential", "f32[]", "f32[] -inf").Expect("FAIL at 0 1e-45");
  Unary("exponential", "f32[]", "f32[] -1000").Expect("LEGAL at 0 1e-45; LEGAL at 0 -0");
  // The root of an error of 1e-45 would be 4e-23, that of a negative one NaN.
  Program("q = f32[] divide(x, y)  s = f32[] sqrt(q)  ROOT r = f32[] divide(y, s)", {"x = f32[] 0", "y = f32[] 3"})
      .Expect("EXACT inf; FAIL 3e22; FAIL nan");
}

TEST_CASE("overflow is as far away as the numbers are", "[acceptance]") {
  const float largest = std::numeric_limits<float>::max();
  // e^1000 is far beyond f32. The largest f32 is 2.5 units below the exponential of 88.72284, and 66.5 below that of
  // the next number.
  CHECK(Unary("exponential", "f32[]", "f32[] 1000").With(0, largest) == Verdict::kFail);
  const Judged near = Unary("exponential", "f32[]", "f32[] 88.72284");
  REQUIRE(near.want().BitwiseEqual(Value("f32[] inf")));
  CHECK(near.With(0, largest) == Verdict::kLegal);
  CHECK(near.With(0, largest, BuiltInProfile("xla-cpu")) == Verdict::kFail);
  CHECK(Unary("exponential", "f32[]", "f32[] 88.722847").With(0, largest) == Verdict::kFail);
  // -(2^127 (2 - 2^-23)) / (1 - 2^-24) is half a step beyond: a neighbour is the largest number.
  const Judged quotient = Binary("divide", "f32[]", "f32[] 3.4028234e38", "f32[] 0.99999994");
  REQUIRE(quotient.want().BitwiseEqual(Value("f32[] inf")));
  CHECK(quotient.With(0, largest) == Verdict::kLegal);
  quotient.Expect("FAIL -inf");
  CHECK(quotient.Of(Literal(quotient.want())).verdict == Verdict::kExact);
}

TEST_CASE("f64 is judged around what the exact value rounds to", "[acceptance]") {
  // 3 ULP and the half unit that the rounding of the exact value takes; below a power of two units are half as large.
  const Judged exponential = Unary("exponential", "f64[]", "f64[] 0");
  const auto with = [&](double value) {
    Literal got = exponential.want();
    got.mutable_values<double>()[0] = value;
    return exponential.Of(got).verdict;
  };
  CHECK(with(1 + 3 * 0x1p-52) == Verdict::kLegal);
  CHECK(with(1 + 4 * 0x1p-52) == Verdict::kFail);
  CHECK(with(1 - 6 * 0x1p-53) == Verdict::kLegal);
  CHECK(with(1 - 7 * 0x1p-53) == Verdict::kFail);
}

TEST_CASE("no function leaves its range, its tolerance or its neighbours", "[acceptance]") {
  CheckRows<Judged>({
      // 6 units of e - 1 = 1.718 are 2.29e-15, and 2.48e-15 with the roundings of the exact value.
      {"a tolerance bounds the modulus of a complex error",
       "ROOT r = c128[] exponential-minus-one(a), result_accuracy={tolerance={atol=0,rtol=0,ulps=6}}",
       "a = c128[] (1, 0)",
       "LEGAL (1.7182818284590453, 2.2e-15); FAIL (1.7182818284590453, -2.6e-15); LEGAL (1.7182818284590469, 1.7e-15); "
       "FAIL (1.7182818284590469, 2.2e-15)"},
      // There is no f64 between 0 and the smallest subnormal number: the allowance is 0, and so is the distance of the
      // zeros.
      {"a tolerance of the smallest number admits a zero of either sign",
       "ROOT r = c128[] exponential-minus-one(a), result_accuracy={tolerance={atol=0,rtol=0,ulps=6}}",
       "a = c128[] (-0, 5e-324)", "EXACT (-0, 5e-324); LEGAL (0, 5e-324); FAIL (-0, 1e-323)"},
      // tanh 10 rounds to 1, and 1 + 2^-23 is 1 ULP from it; of sine and cosine the same at pi / 2 and at 0.
      {"no approximation leaves the range of its function", "ROOT r = f32[] tanh(a)", "a = f32[] 10",
       "EXACT 1; LEGAL off -1; FAIL off 1; fast LEGAL off 1"},
      {"", "ROOT r = f32[] tanh(a)", "a = f32[] -10", "FAIL off 1"},
      {"", "ROOT r = f32[] sine(a)", "a = f32[] 1.5707964", "FAIL off 1"},
      {"", "ROOT r = f32[] cosine(a)", "a = f32[] 0", "FAIL off 1"},
      {"", "ROOT r = f32[] erf(a)", "a = f32[] 5", "FAIL off 1"},
      {"", "ROOT r = f32[] logistic(a)", "a = f32[] 20", "FAIL off 1"},
      // e^-100 = 3.7e-44 has a neighbor below; e^-200 rounds to 0, and no result is below 0.
      {"", "ROOT r = f32[] exponential(a)", "a = f32[] -100", "LEGAL off -1"},
      {"", "ROOT r = f32[] exponential(a)", "a = f32[] -200", "FAIL at 0 -0x1p-149"},
      {"", "ROOT r = f32[] exponential-minus-one(a)", "a = f32[] -30", "FAIL off 1"},
      {"", "ROOT r = f32[] cosh(a)", "a = f32[] 0", "FAIL off -1"},
      // tan has no range.
      {"", "ROOT r = f32[] tan(a)", "a = f32[] 10", "LEGAL off 1"},
      // tanh 1/2 = 0.462117 lies between 0.46191 and 0.46216 in f16, and between 0.4609 and 0.4629 in bf16.
      {"functions of narrow types are off by a neighbour at most", "ROOT r = f16[] tanh(a)", "a = f16[] 0.5",
       "EXACT 0.46216; LEGAL 0.46191; FAIL 0.46240; FAIL 0.46167"},
      {"", "ROOT r = bf16[] tanh(a)", "a = bf16[] 0.5", "EXACT 0.4629; LEGAL 0.4609; FAIL 0.4648"},
      // And between 0.4375 and 0.46875 in f8e4m3fn.
      {"", "ROOT r = f8e4m3fn[] tanh(a)", "a = f8e4m3fn[] 0.5", "EXACT 0.46875; LEGAL 0.4375; FAIL 0.5; FAIL 0.40625"},
      // atan(-0.625) is -0.5586, and 1.25 times that is the tolerance; the rounded value is -0.5.
      {"a tolerance is relative to the exact value, not to what it rounds to",
       "ROOT r = f6e3m2fn[] atan(a), result_accuracy={tolerance={atol=0,rtol=0.25,ulps=5}}", "a = f6e3m2fn[] -0.625",
       "LEGAL -1.25; FAIL -1.5"},
  });
}

// exp(-40) by exp2(x log2 e): the product's rounding is an error of up to 40 * 2^-24 of the result, some 40 units.
TEST_CASE("the error of an exponential may grow with its operand", "[acceptance]") {
  const Profile& gpu = BuiltInProfile("xla-gpu");
  const Judged far = Unary("exponential", "f32[]", "f32[] -40");
  far.Expect("FAIL off 4");
  CHECK(far.Off(48, gpu) == Verdict::kLegal);  // 2 + 1.173 * 40 = 48.9, from the exact result
  far.Expect("xla-gpu FAIL off 50");
  Unary("exponential", "f32[]", "f32[] 0.5").Expect("xla-gpu LEGAL off 2; xla-gpu FAIL off 4");
  Unary("exponential", "f32[]", "f32[] 0").Expect("xla-gpu FAIL off 3");
  Unary("logistic", "f32[]", "f32[] -40").Expect("xla-gpu LEGAL off 54; xla-gpu FAIL off 60");
  Unary("logistic", "f32[]", "f32[] 0").Expect("xla-gpu FAIL off 13");
}

TEST_CASE("a profile's ulp_per_log is a number that is not negative", "[acceptance]") {
  const auto read = [](std::string_view per_log) {
    const std::string text = R"({"name": "p", "extends": "xla", "meaning": "m", "allowances": [)"
                             R"({"op": "exponential", "ulp": 2, "source": "s", "ulp_per_log": )" +
                             std::string(per_log) + "}]}";
    return Profile::Parse(text, "p.json");
  };
  CHECK(read("0.5")->AllowanceOf("exponential", F32).UlpAt(std::exp(4.0)) == 4);
  for (const std::string_view wrong : {"-1", "\"2\"", "null"}) {
    const auto profile = read(wrong);
    REQUIRE_FALSE(profile);
    CHECK(profile.error().message.find("ulp_per_log must be a number that is not negative") != std::string::npos);
  }
}

// With two digits, 6 units are more than a number itself. If y - y is anything in [-1.5, 1.5], logistic of it is from
// 0.18 to 0.82; of 0.5 in between, it may be 0.75 off, of 0.18 only 0.19.
TEST_CASE("units of a number between the ends may reach farthest", "[acceptance]") {
  Program(R"(y = f8e5m2fnuz[] logistic(x)  d = f8e5m2fnuz[] subtract(y, y)  ROOT r = f8e5m2fnuz[] logistic(d))",
          {"x = f8e5m2fnuz[] 0"})
      .Expect("fast EXACT 0.5; fast WEAK -0.25; fast FAIL -4");
}

}  // namespace
}  // namespace assay::testing
