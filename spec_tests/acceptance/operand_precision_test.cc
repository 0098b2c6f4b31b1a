// Dots whose operands, products or sums are less exact than their types, as profiles allow for operand_precision.
#include <cstring>

#include "interpreter/acceptance/profile.h"
#include "spec_tests/acceptance/judged.h"
#include "spec_tests/acceptance/sampled.h"

namespace assay::testing {
namespace {

// Returns a dot of four products with an operand_precision.
Judged DotOfFour(const std::string& type, const std::string& levels, std::string_view lhs, std::string_view rhs) {
  const std::string attribute = levels.empty() ? "" : ", operand_precision={" + levels + "}";
  return Judged(Entry("a = " + type + "[4] parameter(0)\nb = " + type + "[4] parameter(1)\nROOT r = " + type +
                      "[] dot(a, b), lhs_contracting_dims={0}, rhs_contracting_dims={0}" + attribute),
                {lhs, rhs});
}

TEST_CASE("a profile opens the precision of a dot's operands", "[acceptance]") {
  // 1 + 2^-11 is 1 in TF32, to nearest and cut. Cut, 1 + 2^-10 - 2^-23 is 1 as well: the sum of four squares is 4, and
  // 4 (1 + 2^-10)^2 = 4.0078163 is the exact one.
  constexpr std::string_view kOnes = "f32[4] {1.0009764, 1.0009764, 1.0009764, 1.0009764}";
  for (const std::string levels : {"", "default,default", "high,default", "high,high"}) {
    const Judged dot = DotOfFour("f32", levels, kOnes, kOnes);
    INFO(levels);
    dot.Expect("xla-gpu LEGAL at 0 4; xla-gpu FAIL at 0 3.999");
    for (const std::string_view closed : {"exact", "xla", "xla-cpu", "stablehlo", "xla-rocm"}) {
      CHECK(dot.With(0, 4.0f, BuiltInProfile(closed)) == Verdict::kFail);
    }
  }
  for (const std::string levels : {"highest,highest", "default,highest"}) {
    DotOfFour("f32", levels, kOnes, kOnes).Expect("xla-gpu FAIL at 0 4");
  }
  // In bf16 with one pass 1.004 is 1, with three parts a number 2^-13 of the product off, with six one of 2^-20.
  constexpr std::string_view kBf16 = "f32[4] {1.0039, 1.0039, 1.0039, 1.0039}";
  const Profile& tpu = BuiltInProfile("xla-tpu");
  DotOfFour("f32", "", kBf16, kBf16).Expect("xla-tpu LEGAL at 0 4");
  DotOfFour("f32", "high,high", kBf16, kBf16).Expect("xla-tpu FAIL at 0 4");
  const Judged high = DotOfFour("f32", "high,high", kBf16, kBf16);
  const Judged highest = DotOfFour("f32", "highest,highest", kBf16, kBf16);
  CHECK(high.Off(1000, tpu) == Verdict::kLegal);  // 4.77e-4 of 4.03; 2^-13 of it are 4.92e-4
  high.Expect("xla-tpu FAIL off 1200");
  CHECK(highest.Off(8, tpu) == Verdict::kLegal);  // 3.81e-6; 2^-20 of it are 3.84e-6, and six roundings 1.4e-6
  highest.Expect("xla-tpu FAIL off 14");
}

TEST_CASE("a result that only the precision of operands explains says so", "[acceptance]") {
  constexpr std::string_view kOnes = "f32[4] {1.0009764, 1.0009764, 1.0009764, 1.0009764}";
  const Judged dot = DotOfFour("f32", "", kOnes, kOnes);
  Literal got = dot.want();
  const float four = 4;
  std::memcpy(got.mutable_data(), &four, sizeof four);
  CHECK(dot.Of(got, BuiltInProfile("xla-gpu")).reason == "operand precision");
}

TEST_CASE("products of 16 bits may be rounded on a GPU", "[acceptance]") {
  // The products are 63.9375 and -63.984375, in f16 -64: the sum is -0.046875, or -0.0625 after the rounding.
  const Judged dot = DotOfFour("f16", "", "f16[4] {192, -192, 0, 0}", "f16[4] {0.333, 0.3333, 0, 0}");
  dot.Expect("FAIL -0.0625; xla-gpu LEGAL -0.0625");
}

// XLA sums with fast accumulation at the default level alone. In other ones 128 products keep 13 fractional bits:
// 0.0177 of the sum.
TEST_CASE("dots of f8 have fast accumulation at the default level", "[acceptance]") {
  std::string ones = "f8e4m3fn[4096] {1";
  for (int i = 1; i < 4096; ++i) ones += ", 1";
  ones += "}";
  const auto dot = [&](const std::string& levels) {
    return Judged(Entry("a = f8e4m3fn[4096] parameter(0)\nb = f8e4m3fn[4096] parameter(1)\nROOT r = f32[] dot(a, b), "
                        "lhs_contracting_dims={0}, rhs_contracting_dims={0}, operand_precision={" +
                        levels + "}"),
                  {ones, ones});
  };
  dot("default,default").Expect("FAIL at 0 4030; xla-gpu LEGAL at 0 4030; xla-gpu LEGAL at 0 4000");
  dot("high,default").Expect("FAIL at 0 4030; xla-gpu LEGAL at 0 4030; xla-gpu FAIL at 0 4000");
  dot("default,highest").Expect("xla-gpu LEGAL at 0 4030; xla-gpu FAIL at 0 4000");
}

// 1024 products of 1.265625: cuts to 14 bits, one after the other, have one direction.
TEST_CASE("cuts in a coarse accumulator add up", "[acceptance][samples]") {
  Sampled(R"(a = f8e4m3fn[1024] broadcast(x), dimensions={}
  ROOT r = f32[] dot(a, a), lhs_contracting_dims={0}, rhs_contracting_dims={0})",
          {"x = f8e4m3fn[] 1.125"})
      .Expect("SUSPECT 1276; xla-gpu LEGAL 1276; xla-gpu LEGAL 1220; xla-gpu SUSPECT 13200; xla-gpu SUSPECT -9000");
}

// A tile of a transform holds 4 and the weights 1, 1, 1, so that each of its outputs may err by 12 * 2^-12: also that
// of three zeros.
TEST_CASE("a convolution by a transform errs by its tile", "[acceptance]") {
  const auto convolution = [](const std::string& attributes) {
    return Judged(Entry("x = f32[1,6,1] parameter(0)\nw = f32[3,1,1] parameter(1)\nROOT r = f32[1,4,1] "
                        "convolution(x, w), window={size=3}, dim_labels=b0f_0io->b0f" +
                        attributes),
                  {"f32[1,6,1] {{{0}, {0}, {0}, {4}, {-4}, {4}}}", "f32[3,1,1] {{{1}}, {{1}}, {{1}}}"});
  };
  convolution("").Expect(
      "FAIL at 0 0.0029; xla-gpu LEGAL at 0 0.0029; xla-gpu FAIL at 0 0.003; xla-gpu LEGAL at 3 4.006");
  convolution(", operand_precision={highest,highest}").Expect("xla-gpu FAIL at 0 0.0029");
}

}  // namespace
}  // namespace assay::testing
