// The metrics of small arrays, worked out by hand. spec_tests/python/metrics_test.py compares large ones with NumPy.
#include "conformance/judging/metrics.h"

#include <cmath>
#include <limits>

#include "spec_tests/evaluator/module.h"

namespace assay::testing {
namespace {

ArrayMetrics Of(std::string_view want, std::string_view got) {
  const std::vector<ArrayMetrics> metrics = MetricsOf(Value(want), Value(got));
  REQUIRE(metrics.size() == 1);
  return metrics[0];
}

std::vector<std::string> ErrorsOf(Verdict verdict, const std::vector<ArrayMetrics>& metrics) {
  std::vector<std::string> texts;
  for (const GateError& error : GateErrors(verdict, metrics)) texts.push_back(GateErrorText(error, verdict));
  return texts;
}

TEST_CASE("metrics of small arrays are those computed by hand", "[metrics]") {
  // The means are 2 and 3; the deviations (-1, 0, 1) and (-2, 1, 1).
  const ArrayMetrics metrics = Of("f32[3] {1, 2, 3}", "f32[3] {1, 4, 4}");
  CHECK(metrics.pcc == Approx(3 / std::sqrt(12.0)).epsilon(1e-15));
  CHECK(metrics.cosine == Approx(21 / std::sqrt(14.0 * 33)).epsilon(1e-15));
  CHECK(metrics.relative_l2 == Approx(std::sqrt(5.0 / 14)).epsilon(1e-15));
  CHECK(metrics.max_absolute == 2);
  CHECK(metrics.max_relative == 1);
  CHECK(metrics.max_ulps == 1 << 23);  // from 2 to 4
}

TEST_CASE("metrics of equal arrays are left out, and those of a tuple have their places", "[metrics]") {
  const std::vector<ArrayMetrics> metrics = MetricsOf(Value("(f32[2], (s32[1], f32[1])) ({1, 2}, ({3}, {4}))"),
                                                      Value("(f32[2], (s32[1], f32[1])) ({1, 2}, ({5}, {4.5}))"));
  REQUIRE(metrics.size() == 2);
  CHECK(metrics[0].tuple_index == std::vector<std::int64_t>{1, 0});
  CHECK(metrics[0].max_ulps == 2);
  CHECK(metrics[1].tuple_index == std::vector<std::int64_t>{1, 1});
}

TEST_CASE("metrics of constants, NaNs and infinities are those of NumPy", "[metrics]") {
  const ArrayMetrics constant = Of("f32[2] {3, 3}", "f32[2] {3, 3.5}");
  CHECK(std::isnan(constant.pcc));          // as of numpy.corrcoef
  CHECK_FALSE(std::signbit(constant.pcc));  // which would print -nan
  CHECK(constant.cosine < 1);
  const ArrayMetrics nan = Of("f32[2] {nan, 1}", "f32[2] {nan, 1.5}");
  CHECK(std::isnan(nan.pcc));
  CHECK(std::isnan(nan.relative_l2));
  CHECK(nan.max_absolute == 0.5);
  CHECK_FALSE(nan.is_close_by_numpy);
  const ArrayMetrics one_nan = Of("f32[2] {1, 1}", "f32[2] {nan, 1}");
  CHECK(one_nan.max_absolute == std::numeric_limits<double>::infinity());
  CHECK(Of("f32[2] {inf, 1}", "f32[2] {inf, 1.000001}").is_close_by_numpy);
  CHECK_FALSE(Of("f32[2] {inf, 1}", "f32[2] {-inf, 1}").is_close_by_numpy);
  const ArrayMetrics zero = Of("f32[2] {0, 1}", "f32[2] {1e-9, 1}");
  CHECK(zero.max_relative == std::numeric_limits<double>::infinity());
  CHECK(zero.is_close_by_numpy);  // 1e-9 is below atol
}

TEST_CASE("squares of large and small numbers neither overflow nor vanish", "[metrics]") {
  for (const double scale : {1e300, 1e-300}) {
    const auto array = [&](double last) {
      return LiteralUtil::Create<double>(F64, {3}, std::vector<double>{scale, 2 * scale, last * scale});
    };
    const std::vector<ArrayMetrics> metrics = MetricsOf(array(3), array(4));
    REQUIRE(metrics.size() == 1);
    CHECK(metrics[0].cosine == Approx(17 / std::sqrt(14.0 * 21)).epsilon(1e-14));
    CHECK(metrics[0].relative_l2 == Approx(std::sqrt(1.0 / 14)).epsilon(1e-14));
  }
}

TEST_CASE("the parts of a complex number are one element", "[metrics]") {
  const ArrayMetrics metrics = Of("c64[1] {(3, 4)}", "c64[1] {(6, 8)}");
  CHECK(metrics.max_absolute == 5);
  CHECK(metrics.max_relative == 1);
  CHECK(metrics.relative_l2 == 1);
}

TEST_CASE("tolerances follow the type", "[metrics]") {
  // The error is 0.01 of 1: within 1.6e-2 for bf16, and beyond 1e-3 for f16.
  CHECK(Of("bf16[1] {1}", "bf16[1] {1.0078125}").is_close_by_torch);
  CHECK_FALSE(Of("f16[1] {1}", "f16[1] {1.0078125}").is_close_by_torch);
  CHECK_FALSE(Of("s32[1] {1000000}", "s32[1] {1000001}").is_close_by_torch);
  CHECK(Of("s32[1] {1000000}", "s32[1] {1000001}").is_close_by_numpy);
}

TEST_CASE("a gate contradicts only a proof", "[metrics]") {
  const std::vector<ArrayMetrics> metrics = MetricsOf(Value("f32[4] {1, 2, 3, 100}"), Value("f32[4] {1, 2, 0, 100}"));
  CHECK(ErrorsOf(Verdict::kFail, metrics) == std::vector<std::string>{"PCC > 0.99 passes this, though it is FAIL",
                                                                      "cosine > 0.99 passes this, though it is FAIL"});
  CHECK(ErrorsOf(Verdict::kLegal, metrics) ==
        std::vector<std::string>{"numpy.allclose fails this, though it is LEGAL",
                                 "torch.testing.assert_close fails this, though it is LEGAL"});
  CHECK(ErrorsOf(Verdict::kSuspect, metrics).empty());
  CHECK(ErrorsOf(Verdict::kWeak, metrics).empty());
  CHECK(ErrorsOf(Verdict::kFail, {}).empty());
  // PCC of one number is undefined, which no tool counts as a pass or as a failure.
  CHECK(ErrorsOf(Verdict::kLegal, MetricsOf(Value("f32[1] {1}"), Value("f32[1] {1.00000012}"))).empty());
}

}  // namespace
}  // namespace assay::testing
