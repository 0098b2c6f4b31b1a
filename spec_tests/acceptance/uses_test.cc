// Values that a compiler computes again for each of their uses, in another way.
#include "spec_tests/acceptance/sampled.h"

namespace assay::testing {
namespace {

TEST_CASE("each use of a value may have errors of its own", "[acceptance][samples]") {
  CheckRows<Sampled>({
      // 1.7492 squared in TF32 is 0.00077 less than in f32; the second selection is the one of the first.
      {"behind a selection of a dot",
       R"(d = f32[1,1] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  s = f32[1,1] select(p, d, y)  c = pred[1,1] compare(y, s), direction=LT  t = f32[1,1] select(c, y, d)
  ROOT r = f32[1,1] subtract(t, s))",
       "x = f32[1,1] {{x3fdfe736}}; y = f32[1,1] {{9}}; p = pred[1,1] {{true}}",
       "xla-gpu LEGAL {{0.00077}}; xla-gpu SUSPECT {{0.1}}; xla SUSPECT {{0.00077}}"},
      {"of two selected numbers",
       R"(a = f32[2] multiply(x, x)  b = f32[2] multiply(y, y)  s = f32[2] select(p, a, b)
  ROOT r = f32[2] subtract(a, s))",
       "x = f32[2] {1.1, 1.3}; y = f32[2] {1.1, 1.3}; p = pred[2] {true, false}",
       "LEGAL {5e-8, -5e-8}; SUSPECT {5e-8, 1e-5}"},
  });
}

TEST_CASE("the imaginary part of a real number is a zero, of either sign if signs do not count",
          "[acceptance][samples]") {
  Sampled("i = f64[] imag(x) ROOT r = s64[] bitcast-convert(i)", {"x = f64[] 1"})
      .Expect("fast LEGAL -9223372036854775808; fast SUSPECT 1; xla SUSPECT -9223372036854775808");
}

// An infinity of f16 has the bytes 0 and 124, and the latter is a NaN with a payload of f8e3m4.
TEST_CASE("the bits of a NaN are those of any other one", "[acceptance][samples]") {
  Sampled("b = f8e3m4[2] bitcast-convert(x) ROOT r = s8[2] bitcast-convert(b)", {"x = f16[] inf"})
      .Expect("LEGAL {0, 123}; LEGAL {0, -4}; SUSPECT {0, 112}; SUSPECT {1, 124}");
}

}  // namespace
}  // namespace assay::testing
