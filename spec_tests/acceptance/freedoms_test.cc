// What a profile opens whatever the op: subnormal numbers as zeros, signs of zero, numbers that are not finite. A value
// just inside and one just outside of each.
#include <cmath>

#include "spec_tests/acceptance/judged.h"

namespace assay::testing {
namespace {

const Profile& Fast() { return BuiltInProfile("fast"); }

TEST_CASE("an approximation may be flushed", "[acceptance][flush]") {
  // asinh of the least normal number is a little less: a subnormal number is within the allowance, and then a zero.
  const Judged asinh = Unary("asinh", "f32[]", "f32[] 1.1754944e-38");
  CHECK(asinh.With(0, 0x1p-126f) == Verdict::kExact);
  CHECK(asinh.Off(-1) == Verdict::kLegal);
  CHECK(asinh.With(0, 0.0f) == Verdict::kLegal);
  CHECK(asinh.With(0, -0.0f) == Verdict::kFail);
  CHECK(asinh.With(0, 0.0f, BuiltInProfile("ieee")) == Verdict::kFail);
  // At 1.0000014e-38... times 1.2 it is 2^-126 1.2: no subnormal number is near.
  const Judged normal = Unary("asinh", "f32[]", "f32[] 1.41e-38");
  CHECK(normal.With(0, 0.0f) == Verdict::kFail);
}

TEST_CASE("formats that no unit computes in are not flushed", "[acceptance][flush]") {
  // Half the least normal number of f8e5m2 (2^-14), and of f16.
  CHECK(Binary("multiply", "f8e5m2[]", "f8e5m2[] 6.1035e-05", "f8e5m2[] 0.5").Is("f8e5m2[] 0") == Verdict::kFail);
  CHECK(Binary("multiply", "f4e2m1fn[]", "f4e2m1fn[] 1", "f4e2m1fn[] 0.5").Is("f4e2m1fn[] 0") == Verdict::kFail);
  CHECK(Binary("multiply", "f16[]", "f16[] 6.1035e-05", "f16[] 0.5").Is("f16[] 0") == Verdict::kLegal);
}

TEST_CASE("comparisons may see zeros for subnormal operands", "[acceptance][flush]") {
  const Judged equal(
      "HloModule m\nENTRY e {\na = f32[] parameter(0)\nb = f32[] parameter(1)\n"
      "ROOT r = pred[] compare(a, b), direction=EQ\n}\n",
      {"f32[] 1e-45", "f32[] 0"});
  REQUIRE(equal.want().BitwiseEqual(Value("pred[] false")));
  CHECK(equal.Is("pred[] true") == Verdict::kLegal);
  CHECK(equal.Is("pred[] true", BuiltInProfile("ieee")) == Verdict::kFail);
  const Judged normal(
      "HloModule m\nENTRY e {\na = f32[] parameter(0)\nb = f32[] parameter(1)\n"
      "ROOT r = pred[] compare(a, b), direction=EQ\n}\n",
      {"f32[] 1.1754944e-38", "f32[] 0"});
  CHECK(normal.Is("pred[] true") == Verdict::kFail);
}

TEST_CASE("bits are not flushed", "[acceptance][flush]") {
  const Judged bits("HloModule m\nENTRY e {\na = f32[] parameter(0)\nROOT r = s32[] bitcast-convert(a)\n}\n",
                    {"f32[] 1e-45"});
  REQUIRE(bits.want().BitwiseEqual(Value("s32[] 1")));
  CHECK(bits.Is("s32[] 0") == Verdict::kFail);
}

TEST_CASE("the sign of a zero", "[acceptance]") {
  const Judged sum = Binary("add", "f32[]", "f32[] -0", "f32[] -0");
  CHECK(sum.With(0, 0.0f) == Verdict::kFail);
  const Judgement open = sum.Of("f32[] 0", Fast());
  CHECK(open.verdict == Verdict::kLegal);
  CHECK(open.reason == "sign of zero");
  CHECK(sum.With(0, -0x1p-149f, Fast()) == Verdict::kFail);
  // A flush and a sign together.
  CHECK(Unary("abs", "f32[]", "f32[] -1e-45").With(0, -0.0f) == Verdict::kFail);
  CHECK(Unary("abs", "f32[]", "f32[] -1e-45").With(0, -0.0f, Fast()) == Verdict::kLegal);
}

TEST_CASE("of two zeros either may be the larger one", "[acceptance]") {
  // By IEEE 754-2019 the larger of -0 and +0 is +0, the smaller -0; XLA's tests let hardware return the other one.
  const Profile& ieee = BuiltInProfile("ieee");
  const Judged larger = Binary("maximum", "f32[]", "f32[] -0", "f32[] 0");
  CHECK(larger.With(0, 0.0f) == Verdict::kExact);
  const Judgement other = larger.Of("f32[] -0");
  CHECK(other.verdict == Verdict::kLegal);
  CHECK(other.reason == "tie");
  CHECK(larger.With(0, -0.0f, ieee) == Verdict::kFail);
  CHECK(Binary("minimum", "f32[]", "f32[] 0", "f32[] -0").With(0, 0.0f) == Verdict::kLegal);
  CHECK(Binary("minimum", "f32[]", "f32[] 0", "f32[] -0").With(0, 0.0f, ieee) == Verdict::kFail);
  // A zero that neither operand is.
  CHECK(Binary("maximum", "f32[]", "f32[] 0", "f32[] 0").With(0, -0.0f) == Verdict::kFail);
  CHECK(Binary("maximum", "f32[]", "f32[] -0", "f32[] -0").With(0, 0.0f) == Verdict::kFail);
  CHECK(Binary("maximum", "f32[]", "f32[] 0", "f32[] 0").With(0, -0.0f, Fast()) == Verdict::kLegal);
  const Judged clamped(
      "HloModule m\nENTRY e {\na = f32[] parameter(0)\nb = f32[] parameter(1)\nc = f32[] parameter(2)\n"
      "ROOT r = f32[] clamp(a, b, c)\n}\n",
      {"f32[] 0", "f32[] -0", "f32[] 1"});
  CHECK(clamped.With(0, 0.0f) == Verdict::kExact);
  CHECK(clamped.With(0, -0.0f) == Verdict::kLegal);
  CHECK(clamped.With(0, -0.0f, ieee) == Verdict::kFail);
  // Other ops do not choose.
  CHECK(Binary("add", "f32[]", "f32[] -0", "f32[] 0").With(0, -0.0f) == Verdict::kFail);
  const auto folded = [](std::string_view numbers) {
    return Judged(
        "HloModule m\nf {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT r = f32[] maximum(a, b)\n}\n"
        "ENTRY e {\n x = f32[2] parameter(0)\n s = f32[] parameter(1)\n ROOT r = f32[] reduce(x, s), "
        "dimensions={0}, to_apply=f\n}\n",
        {numbers, "f32[] -inf"});
  };
  CHECK(folded("f32[2] {0, -0}").With(0, -0.0f) == Verdict::kLegal);
  CHECK(folded("f32[2] {0, 0}").With(0, -0.0f) == Verdict::kFail);
}

TEST_CASE("numbers that are not finite", "[acceptance]") {
  const Judged infinite = Binary("add", "f32[]", "f32[] inf", "f32[] 1");
  CHECK(infinite.With(0, 5) == Verdict::kFail);
  CHECK(infinite.With(0, 5, Fast()) == Verdict::kSpecGap);
  const Judged finite = Binary("add", "f32[]", "f32[] 4", "f32[] 1");
  CHECK(finite.With(0, 6, Fast()) == Verdict::kFail);
  CHECK(finite.With(0, NAN, Fast()) == Verdict::kFail);
}

}  // namespace
}  // namespace assay::testing
