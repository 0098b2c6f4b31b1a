// Bits of products that a backend need not round, by hand.
#include <fmt/format.h>

#include "spec_tests/acceptance/program.h"
#include "spec_tests/catch.h"

namespace assay::testing {
namespace {

// Found by fuzzing XLA:CPU: LLVM follows the bits of a product through what leaves them or restores them.
TEST_CASE("bits of a product become the product again", "[acceptance][programs]") {
  for (const char* restored :
       {"j = s32[2] not(i)\n  k = s32[2] not(j)",
        "j = s32[2] reverse(i), dimensions={0}\n  k = s32[2] reverse(j), dimensions={0}",
        "j = u32[2] bitcast-convert(i)\n  k = s32[2] bitcast-convert(j)",
        "zero = s32[] constant(0)\n  k = s32[2] dynamic-slice(i, zero), dynamic_slice_sizes={2}"}) {
    const Program program(Entry(fmt::format(R"(  x = f32[2] parameter(0)
  p = f32[2] multiply(x, x)
  i = s32[2] bitcast-convert(p)
  {}
  q = f32[2] bitcast-convert(k)
  ROOT r = f32[2] add(q, x))",
                                            restored)),
                          {"f32[2] {xbf6ab16b, nan}"});
    CHECK(program.Is("f32[2] {xbd9c44c0, nan}") == Verdict::kExact);
    CHECK(program.Is("f32[2] {xbd9c44c3, nan}") == Verdict::kLegal);
    CHECK(program.Is("f32[2] {xbd9c44c9, nan}") == Verdict::kFail);
  }
  // Bits of another number are no product.
  const Program next(Entry(R"(  x = f32[] parameter(0)
  p = f32[] multiply(x, x)
  i = s32[] bitcast-convert(p)
  one = s32[] constant(1)
  k = s32[] add(i, one)
  q = f32[] bitcast-convert(k)
  ROOT r = f32[] add(q, x))"),
                     {"f32[] xbf6ab16b"});
  CHECK(next.Is("f32[] xbd9c44b8") == Verdict::kExact);
  CHECK(next.Is("f32[] xbd9c44bb") == Verdict::kFail);
}

}  // namespace
}  // namespace assay::testing
