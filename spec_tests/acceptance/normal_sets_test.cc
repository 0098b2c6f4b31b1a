// Sets of products of normal numbers, which have a short way through the pipeline of lawful results, beside those of
// numbers that have not. C++ converts the expected ends to f32.
#include <algorithm>
#include <cmath>
#include <random>

#include "interpreter/acceptance/profile.h"
#include "interpreter/acceptance/sets/program_sets.h"
#include "spec_tests/evaluator/module.h"

namespace assay::testing {
namespace {

constexpr std::int64_t kProducts = 4096;

Literal Filled(const auto& draw) {
  Literal array(ShapeUtil::MakeShape(F32, {kProducts}));
  for (float& x : array.mutable_values<float>()) x = draw();
  return array;
}

// Returns the interval of f32 numbers that products of [low, high] and y may round to; ends are computed in f64, and
// moved outwards. Under a flush a subnormal product may count as zero.
Reals RoundedProducts(const Reals& x, double y, bool flushes) {
  const auto [low, high] = std::minmax({x.low * y, x.high * y});
  Reals rounded = {static_cast<float>(std::nextafter(low, -INFINITY)),
                   static_cast<float>(std::nextafter(high, INFINITY)), false};
  constexpr double kLeastNormal = 0x1p-126;
  if (flushes && rounded.low > 0 && rounded.low <= kLeastNormal) rounded.low = 0;
  if (flushes && rounded.high < 0 && rounded.high >= -kLeastNormal) rounded.high = 0;
  return rounded;
}

TEST_CASE("the set of a product is the rounded products of the ends", "[acceptance][programs]") {
  const auto module = Parsed(R"(x = f32[4096] parameter(0)  y = f32[4096] parameter(1)  t = f32[4096] tanh(x)
  r = f32[4096] multiply(t, y)  ROOT both = (f32[4096], f32[4096]) tuple(t, r))");
  std::mt19937_64 bits(20261125);
  std::uniform_real_distribution<float> any(-4, 4);
  std::uniform_int_distribution<int> exponent(-128, -100);
  const std::vector<Literal> arguments = {
      Filled([&] { return any(bits); }),
      Filled([&] {
        const int drawn = exponent(bits);  // first: compilers differ in the order of arguments
        return std::ldexp(any(bits), drawn);
      }),
  };
  for (const auto& [profile, flushes] : {std::pair{"simd", false}, {"xla", true}}) {
    const Result<ValueSet> both = EvaluateSets(*module, arguments, BuiltInProfile(profile));
    REQUIRE(both);
    const ElementReader t(both->elements[0]), r(both->elements[1]);
    REQUIRE(t.HasOpen());
    std::int64_t subnormal = 0;
    for (std::int64_t i = 0; i < kProducts; ++i) {
      const double y = arguments[1].values<float>()[i];
      const bool is_flushed_operand = flushes && std::fabs(y) < 0x1p-126;
      if (is_flushed_operand) continue;
      const Reals expected = RoundedProducts(t.At(i), y, flushes), found = r.At(i);
      CAPTURE(profile, i, t.At(i).low, t.At(i).high, y);
      CHECK(found.low == expected.low);
      CHECK(found.high == expected.high);
      CHECK(!found.may_be_nan);
      subnormal += std::fabs(expected.high) < 0x1p-126 ? 1 : 0;
    }
    CHECK(subnormal > 50);
    CHECK(subnormal < kProducts / 2);
  }
}

}  // namespace
}  // namespace assay::testing
