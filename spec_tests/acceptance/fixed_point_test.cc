// The freedom fixed_point: results of kernels of integers, by hand. docs/quantized.md has the bounds.
#include <cmath>

#include "interpreter/acceptance/statistics/samples/judge_by_samples.h"
#include "spec_tests/acceptance/program.h"

namespace assay::testing {
namespace {

// Returns a program that dequantizes `q` by a scale, and quantizes `x`, which may be that, by another one.
std::string Requantized(std::string_view scale, std::string_view result_scale, std::string_view x = "d",
                        std::string_view further = "", std::string_view rounding = "round-nearest-even") {
  return Entry(fmt::format(R"(  q = s32[] parameter(0)  f = f32[] convert(q)  s = f32[] constant({})
  d = f32[] multiply(f, s)
  {}
  t = f32[] constant({})  quotient = f32[] divide({}, t)  z = f32[] constant(3)  shifted = f32[] add(quotient, z)
  low = f32[] constant(-128)  high = f32[] constant(127)  c = f32[] clamp(low, shifted, high)  r = f32[] {}(c)
  ROOT i = s8[] convert(r))",
                           scale, further, result_scale, x, rounding));
}

Verdict Is(const std::string& text, std::string_view q, std::string_view got,
           std::string_view profile = "quantized-fixed-point") {
  return Program(text, {q}).Is(got, profile);
}

// gemmlowp: 0.4 is 0.8 / 2, so that 1 * 0.4 is rounded to a multiple of 1/2, and 1/2 to 1.
TEST_CASE("a requantization may round twice", "[acceptance][quantized]") {
  const std::string text = Requantized("0.4", "1");
  CHECK(Is(text, "s32[] 1", "s8[] 3") == Verdict::kExact);
  CHECK(Is(text, "s32[] 1", "s8[] 4") == Verdict::kLegal);
  CHECK(Is(text, "s32[] 1", "s8[] 4", "xla") == Verdict::kFail);
  CHECK(Is(text, "s32[] 1", "s8[] 5") == Verdict::kFail);
  CHECK(Is(text, "s32[] 1", "s8[] 2") == Verdict::kFail);
  // 0.8 and 1.2 are rounded to 1 both times.
  CHECK(Is(text, "s32[] 2", "s8[] 3") == Verdict::kFail);
  CHECK(Is(text, "s32[] 3", "s8[] 5") == Verdict::kFail);
  CHECK(Is(text, "s32[] -1", "s8[] 2") == Verdict::kLegal);
}

TEST_CASE("the first rounding is as fine as the multiplier is small", "[acceptance][quantized]") {
  // 0.01 is 0.64 / 64: the first rounding is to multiples of 1/64.
  const std::string text = Requantized("0.01", "1");
  CHECK(Is(text, "s32[] 49", "s8[] 4") == Verdict::kFail);
  CHECK(Is(text, "s32[] 50", "s8[] 3") == Verdict::kLegal);
  // A multiplier of 1/2 and more has one rounding: 0.75 is 1, and the tie 1.5 may go up or down.
  CHECK(Is(Requantized("0.75", "1"), "s32[] 1", "s8[] 3") == Verdict::kFail);
  CHECK(Is(Requantized("0.75", "1"), "s32[] -2", "s8[] 1") == Verdict::kLegal);
  CHECK(Is(Requantized("0.75", "1"), "s32[] -2", "s8[] 1", "exact") == Verdict::kFail);
  CHECK(Is(Requantized("3", "1"), "s32[] 1", "s8[] 7") == Verdict::kFail);
}

// 15/64 of a step of 1/2 is 0.46875. 1/32 is a multiplier whose first rounding is to multiples of 1/16: 0.5 is a tie.
TEST_CASE("an integer that a tie of the first rounding gives is explained", "[acceptance][quantized][samples]") {
  const auto module = Parsed(Requantized("0.015625", "0.5"));
  const std::vector<Literal> arguments = Values({"s32[] 15"});
  const auto explains = [&](std::string_view got) {
    return JudgeBySamples(*module, {arguments}, Value("s8[] 3"), Value(got), BuiltInProfile("quantized-fixed-point"))
        .unexplained.empty();
  };
  CHECK(explains("s8[] 4"));
  CHECK_FALSE(explains("s8[] 5"));
  CHECK_FALSE(explains("s8[] 2"));
}

TEST_CASE("a tie of a narrow type may be rounded away from zero", "[acceptance][quantized]") {
  const std::string text = Entry(R"(  x = f16[] parameter(0)  s = f16[] constant(0.5)  quotient = f16[] divide(x, s)
  low = f16[] constant(-128)  high = f16[] constant(127)  c = f16[] clamp(low, quotient, high)
  r = f16[] round-nearest-even(c)  ROOT i = s32[] convert(r))");
  CHECK(Is(text, "f16[] 0.25", "s32[] 0") == Verdict::kExact);
  CHECK(Is(text, "f16[] 0.25", "s32[] 1") == Verdict::kLegal);
  CHECK(Is(text, "f16[] 0.25", "s32[] 2") == Verdict::kFail);
}

// The largest integer is 2^31 - 1, which a kernel keeps where f32 has 2^31.
TEST_CASE("an infinity that is quantized is the largest integer", "[acceptance][quantized]") {
  const std::string text = Entry(R"(  x = f32[] parameter(0)  s = f32[] constant(1)  quotient = f32[] divide(x, s)
  c = f32[] clamp(s, quotient, x)  r = f32[] round-nearest-even(c)  i = s32[] convert(r)
  f = f32[] convert(i)  ROOT d = f32[] divide(f, s))");
  CHECK(Is(text, "f32[] inf", "f32[] 2147483648") == Verdict::kExact);
  CHECK(Is(text, "f32[] inf", "f32[] 2147483520") == Verdict::kLegal);
  CHECK(Is(text, "f32[] inf", "f32[] 0") == Verdict::kFail);
}

TEST_CASE("limits are those of the storage type", "[acceptance][quantized]") {
  // 309 * 0.4 = 123.6, and 124.2 is 127 at most.
  CHECK(Is(Requantized("0.4", "1"), "s32[] 310", "s8[] 127") == Verdict::kExact);
  CHECK(Is(Requantized("0.4", "1"), "s32[] 312", "s8[] 126") == Verdict::kFail);
  CHECK(Is(Requantized("0.4", "1"), "s32[] 4000", "s8[] 126") == Verdict::kFail);
}

TEST_CASE("sums of two arrays have multipliers of 21 bits", "[acceptance][quantized]") {
  // 1/2 - n 2^-13: the error of the sum is 2^-12 of the larger scale, 1/2.
  const auto sum = [](int n) {
    return Requantized("0.5", "1", "a",
                       fmt::format("k = s32[] constant({})\n  g = f32[] convert(k)\n  u = f32[] "
                                   "constant(0.0001220703125)\n  h = f32[] multiply(g, u)\n  a = f32[] subtract(d, h)",
                                   n));
  };
  CHECK(Is(sum(1), "s32[] 1", "s8[] 4") == Verdict::kLegal);
  CHECK(Is(sum(1), "s32[] 1", "s8[] 4", "xla") == Verdict::kFail);
  CHECK(Is(sum(2), "s32[] 1", "s8[] 4") == Verdict::kFail);
}

TEST_CASE("functions and floats are not multiplied", "[acceptance][quantized]") {
  const std::string table = Requantized("0.4", "1", "y", "y = f32[] tanh(d)");
  // tanh(0.4) = 0.38.
  CHECK(Is(table, "s32[] 1", "s8[] 3") == Verdict::kExact);
  CHECK(Is(table, "s32[] 1", "s8[] 4") == Verdict::kFail);
  const std::string floats = Entry(R"(  x = f32[] parameter(0)  t = f32[] constant(1)  quotient = f32[] divide(x, t)
  low = f32[] constant(-128)  high = f32[] constant(127)  c = f32[] clamp(low, quotient, high)
  r = f32[] round-nearest-even(c)  ROOT i = s8[] convert(r))");
  CHECK(Is(floats, "f32[] 0.4", "s8[] 1") == Verdict::kFail);
  CHECK(Is(floats, "f32[] 2.5", "s8[] 3") == Verdict::kLegal);
}

// Found by fuzzing lawful noise: the middle of two neighbors rounds to one of them, and cosine of the other was
// outside.
TEST_CASE("the cosine and the sine of a product may be those of the unrounded one", "[acceptance][quantized]") {
  const auto wave = [](std::string_view op) {
    return Entry(fmt::format(R"(  q = s32[] parameter(0)  f = f64[] convert(q)  s = f64[] constant(0.001)
  d = f64[] multiply(f, s)  ROOT r = f64[] {}(d))",
                             op));
  };
  CHECK(Is(wave("cosine"), "s32[] -32754", "f64[] x3fcd8536808bf039") == Verdict::kExact);
  CHECK(Is(wave("cosine"), "s32[] -32754", "f64[] x3fcd8536808bf038") == Verdict::kLegal);
  CHECK(Is(wave("cosine"), "s32[] -32754", "f64[] x3fcd8536808bf100") == Verdict::kFail);
  for (int q = 32700; q < 32760; ++q) {
    const std::string number = fmt::format("s32[] {}", q);
    const double sine = std::sin(q * 0.001);
    CHECK(Is(wave("sine"), number, fmt::format("f64[] {:.17g}", std::nextafter(sine, 2))) <= Verdict::kLegal);
  }
}

TEST_CASE("a negative or a zero scale is none", "[acceptance][quantized]") {
  CHECK(Is(Requantized("0.4", "-1"), "s32[] -1", "s8[] 4") == Verdict::kFail);
  CHECK(Is(Requantized("0.4", "0"), "s32[] 1", "s8[] 126") == Verdict::kFail);
}

TEST_CASE("an error of a dequantized number is no error of a float", "[acceptance][quantized]") {
  // The numbers of the expressed type need not be rounded, but results are.
  const std::string text = Entry(R"(  q = s32[] parameter(0)  f = f32[] convert(q)  s = f32[] constant(0.4)
  d = f32[] multiply(f, s)  t = f32[] constant(1)  ROOT r = f32[] divide(d, t))");
  CHECK(Is(text, "s32[] 1", "f32[] 0.5") == Verdict::kFail);
  CHECK(Is(text, "s32[] 1", "f32[] 0.4") == Verdict::kExact);
}

}  // namespace
}  // namespace assay::testing
