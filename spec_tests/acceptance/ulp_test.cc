// Functions: the profile's allowance, and what the instruction itself asks for.
#include <cmath>

#include "spec_tests/acceptance/judged.h"

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
    return log.Of(got).verdict;
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
    // Whatever the profile says.
    CHECK(tanh.Off(side * 4, BuiltInProfile("ieee")) == Verdict::kLegal);
  }
  CHECK(tanh.With(0, INFINITY) == Verdict::kFail);
  CHECK(tanh.With(0, NAN) == Verdict::kFail);
  // More than the profile gives.
  const Judged wide = Tanh("tolerance={atol=0,rtol=0,ulps=20}");
  CHECK(wide.Off(37) == Verdict::kLegal);
  CHECK(wide.Off(38) == Verdict::kFail);
}

TEST_CASE("an instruction asks for an absolute or a relative accuracy", "[acceptance]") {
  const Judged absolute = Tanh("tolerance={atol=0.001,rtol=0,ulps=0}");
  CHECK(absolute.With(0, 0.46311f) == Verdict::kLegal);
  CHECK(absolute.With(0, 0.46312f) == Verdict::kFail);
  CHECK(absolute.With(0, 0.46112f) == Verdict::kLegal);
  CHECK(absolute.With(0, 0.46111f) == Verdict::kFail);
  // 0.0046211717
  const Judged relative = Tanh("tolerance={atol=0.001,rtol=0.01,ulps=2}");
  CHECK(relative.With(0, 0.46673f) == Verdict::kLegal);
  CHECK(relative.With(0, 0.46674f) == Verdict::kFail);
}

TEST_CASE("the highest accuracy has no number", "[acceptance]") {
  const Judged tanh = Tanh("mode=highest");
  CHECK(tanh.Off(1) == Verdict::kLegal);
  CHECK(tanh.Off(2) == Verdict::kSpecGap);
  CHECK(tanh.Off(6) == Verdict::kSpecGap);
  CHECK(tanh.Off(7) == Verdict::kFail);
  CHECK(Tanh("mode=default").Off(6) == Verdict::kLegal);
}

}  // namespace
}  // namespace assay::testing
