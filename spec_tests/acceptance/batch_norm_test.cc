// The bounds of the batch-norm ops, worked out by hand. u = 2^-24; gamma(k) = k u up to a factor of 1 + k u.
#include "spec_tests/acceptance/judged.h"

namespace assay::testing {
namespace {

Judged Inference(std::string_view x, std::string_view variance) {
  return Judged(R"(x = f32[1,1] parameter(0)  scale = f32[1] parameter(1)  offset = f32[1] parameter(2)
  mean = f32[1] parameter(3)  variance = f32[1] parameter(4)
  ROOT r = f32[1,1] batch-norm-inference(x, scale, offset, mean, variance), epsilon=1, feature_index=1)",
                {x, "f32[1] {1}", "f32[1] {0}", "f32[1] {1}", variance});
}

TEST_CASE("a normalization is judged by the magnitudes of its terms", "[acceptance]") {
  // (3 - 1) / sqrt(3 + 1) = 1. 14 roundings, and twice (3 + 2) / 4 for the radicand: 16.5 u of 1/2 (3 + 1), 33 u.
  const Judged one = Inference("f32[1,1] {{3}}", "f32[1] {3}");
  REQUIRE(one.want().values<float>()[0] == 1);
  one.Expect(
      "LEGAL at 0 1+32u; FAIL at 0 1+34u; LEGAL at 0 1-33u; FAIL at 0 1-34u; exact FAIL at 0 1-1u; FAIL at 0 nan");
  // The root of -1 is NaN.
  Inference("f32[1,1] {{3}}", "f32[1] {-2}").Expect("FAIL at 0 1");
  Inference("f32[1,1] {{inf}}", "f32[1] {3}").Expect("SPEC-GAP at 0 1");
}

TEST_CASE("a normalization whose result is NaN is SPEC-GAP in a format without NaN", "[acceptance]") {
  // The root of -1: the operand differs between a backend that computes it in f32 and one that rounds each step.
  const Judged none(
      "ROOT r = f4e2m1fn[1] batch-norm-inference(x, scale, offset, mean, variance), epsilon=0, feature_index=0",
      {"x = f4e2m1fn[1] {0}", "scale = f4e2m1fn[1] {0.5}", "offset = f4e2m1fn[1] {-0.5}", "mean = f4e2m1fn[1] {0}",
       "variance = f4e2m1fn[1] {-0.5}"});
  for (const std::string_view got : {"f4e2m1fn[1] {-6}", "f4e2m1fn[1] {-0.5}", "f4e2m1fn[1] {0}", "f4e2m1fn[1] {1}"}) {
    CHECK(none.Is(got, BuiltInProfile("ieee")) == Verdict::kSpecGap);
  }
}

TEST_CASE("an epsilon below the normal numbers of the type may count as zero", "[acceptance]") {
  // 1e-5 is subnormal in f16: (0 - 1) / sqrt(2^-14 + 1e-5) + 1 = -117.6, and -127 without it.
  Judged(
      "ROOT r = f16[1] batch-norm-inference(x, scale, offset, mean, variance), epsilon=1e-05, feature_index=0",
      {"x = f16[1] {0}", "scale = f16[1] {1}", "offset = f16[1] {1}", "mean = f16[1] {1}", "variance = f16[1] {x0400}"})
      .Expect("LEGAL {-127}; FAIL {-140}");
}

TEST_CASE("a normalization that cancels may be off by more than its value", "[acceptance]") {
  // x = mean: 16.5 u of 1/2 (1 + 1).
  const Judged zero = Inference("f32[1,1] {{1}}", "f32[1] {3}");
  REQUIRE(zero.want().values<float>()[0] == 0);
  zero.Expect("LEGAL at 0 0+16u; LEGAL at 0 0-16u; FAIL at 0 0+17u");
}

Judged Training(std::string_view x) {
  return Judged(R"(x = f32[2,1] parameter(0)  scale = f32[1] parameter(1)  offset = f32[1] parameter(2)
  ROOT r = (f32[2,1], f32[1], f32[1]) batch-norm-training(x, scale, offset), epsilon=1, feature_index=1)",
                {x, "f32[1] {1}", "f32[1] {0}"});
}

TEST_CASE("the statistics of a batch are judged by the magnitudes of its elements", "[acceptance]") {
  // 1 and 3: mean 2, off by (2 + 3) u 2 = 10 u. Variance 1, the mean square 5: (2 + 8) u (5 + 4) and 2 (2 + 2) 10 u,
  // 170 u.
  Training("f32[2,1] {{1}, {3}}")
      .Expect(
          "LEGAL at 1.0 2+8u; FAIL at 1.0 2+12u; LEGAL at 2.0 1+168u; FAIL at 2.0 1+172u; LEGAL at 2.0 1-170u; FAIL at "
          "2.0 "
          "1-171u; FAIL at 1.0 nan; exact FAIL at 2.0 1-1u");
}

TEST_CASE("the variance of a batch far from zero may be off by more than its value", "[acceptance]") {
  // 10000 and 10001: E[x^2] - E[x]^2 in f32 may be off by some 240, so that the root is unknown. The mean is known.
  Training("f32[2,1] {{10000}, {10001}}")
      .Expect("LEGAL at 2.0 0; FAIL at 2.0 1000; WEAK at 0.0 0; LEGAL at 1.0 10000.502; FAIL at 1.0 10001");
}

TEST_CASE("the gradients of a normalization are judged by their terms", "[acceptance]") {
  const Judged grad(
      "ROOT r = (f32[1,1], f32[1], f32[1]) batch-norm-grad(x, scale, mean, variance, grad_y), epsilon=1, "
      "feature_index=1",
      {"x = f32[1,1] {{1}}", "scale = f32[1] {1}", "mean = f32[1] {0}", "variance = f32[1] {3}",
       "grad_y = f32[1,1] {{2}}"});
  // 1/2 (2 - 2 - 1/2) = -1/4; 1 + 16 + 2 (3 + 2) / 4 = 19.5 roundings of 1/2 (2 + 2 + 1/2): 43.9 u.
  grad.Expect("LEGAL at 0.0 -0.25-43u; FAIL at 0.0 -0.25-45u");
  // 2 / 2 = 1, off by 1 + 10 + 5/4 = 12.25 u.
  grad.Expect("LEGAL at 1.0 1-12u; FAIL at 1.0 1-13u");
  // 2, off by (1 + 3) u 2.
  grad.Expect("LEGAL at 2.0 2-8u; FAIL at 2.0 2-10u");
}

// Two elements of bf16 with grad y = 1, 1 and x - mean = 1, 1.5: grad scale is 2.5 / 1, off by at most 2 + 10 + 1
// roundings, 13 / (256 - 13) of 2.5, or 0.134.
TEST_CASE("a gradient of bf16 with the other sign is FAIL unless its bound exceeds it", "[acceptance]") {
  const auto grad = [](int n, std::string_view x, std::string_view grad_y) {
    const std::string array = "bf16[" + std::to_string(n) + ",1]";
    return Judged(Entry("x = " + array +
                        " parameter(0)\nscale = bf16[1] parameter(1)\nmean = bf16[1] parameter(2)\n"
                        "variance = bf16[1] parameter(3)\ngrad_y = " +
                        array +
                        " parameter(4)\n"
                        "ROOT r = (" +
                        array +
                        ", bf16[1], bf16[1]) batch-norm-grad(x, scale, mean, variance, grad_y), "
                        "epsilon=0, feature_index=1"),
                  {x, "bf16[1] {1}", "bf16[1] {0}", "bf16[1] {1}", grad_y});
  };
  const Judged small = grad(2, "bf16[2,1] {{1}, {1.5}}", "bf16[2,1] {{1}, {1}}");
  REQUIRE(small.want().BitwiseEqual(
      Literal::MakeTuple({small.want().elements()[0], Value("bf16[1] {2.5}"), Value("bf16[1] {2}")})));
  const auto with = [](const Judged& judged, std::string_view grad_scale, std::string_view grad_offset) {
    return judged.Of(Literal::MakeTuple({judged.want().elements()[0], Value(grad_scale), Value(grad_offset)})).verdict;
  };
  CHECK(with(small, "bf16[1] {2.375}", "bf16[1] {2}") == Verdict::kLegal);
  CHECK(with(small, "bf16[1] {2.25}", "bf16[1] {2}") == Verdict::kFail);
  CHECK(with(small, "bf16[1] {-2.5}", "bf16[1] {2}") == Verdict::kFail);
  CHECK(with(small, "bf16[1] {2.5}", "bf16[1] {-2}") == Verdict::kFail);
  // 31 terms of 1 and 29 of -1: 60 + 10 + 1 roundings, 71 / (256 - 71) of the terms' 60, are 23, and more than the sum
  // of 2. Nothing is known of its sign.
  std::string ones = "bf16[60,1] {";
  for (int i = 0; i < 60; ++i) ones += i == 0 ? "{1}" : i < 31 ? ", {1}" : ", {-1}";
  std::string x = "bf16[60,1] {";
  for (int i = 0; i < 60; ++i) x += i == 0 ? "{1}" : ", {1}";
  const Judged large = grad(60, x + "}", ones + "}");
  REQUIRE(large.want().elements()[1].BitwiseEqual(Value("bf16[1] {2}")));
  CHECK(with(large, "bf16[1] {-2}", "bf16[1] {2}") == Verdict::kWeak);
  CHECK(with(large, "bf16[1] {2.5}", "bf16[1] {2}") == Verdict::kWeak);
  CHECK(with(large, "bf16[1] {30}", "bf16[1] {2}") == Verdict::kFail);
}

}  // namespace
}  // namespace assay::testing
