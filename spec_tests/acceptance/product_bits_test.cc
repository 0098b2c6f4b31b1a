// Bits of products that a backend need not round, by hand.
#include "spec_tests/acceptance/program.h"

namespace assay::testing {
namespace {

// Found by fuzzing XLA:CPU: LLVM follows the bits of a product through what leaves them or restores them.
TEST_CASE("bits of a product become the product again", "[acceptance][programs]") {
  for (const char* restored :
       {"j = s32[2] not(i)\n  k = s32[2] not(j)",
        "j = s32[2] reverse(i), dimensions={0}\n  k = s32[2] reverse(j), dimensions={0}",
        "j = u32[2] bitcast-convert(i)\n  k = s32[2] bitcast-convert(j)",
        "zero = s32[] constant(0)\n  k = s32[2] dynamic-slice(i, zero), dynamic_slice_sizes={2}"}) {
    Program(fmt::format(R"(p = f32[2] multiply(x, x)  i = s32[2] bitcast-convert(p)
  {}
  q = f32[2] bitcast-convert(k)  ROOT r = f32[2] add(q, x))",
                        restored),
            {"x = f32[2] {xbf6ab16b, nan}"})
        .Expect("EXACT {xbd9c44c0, nan}; LEGAL {xbd9c44c3, nan}; FAIL {xbd9c44c9, nan}");
  }
  // Bits of another number are no product.
  Program(R"(p = f32[] multiply(x, x)  i = s32[] bitcast-convert(p)  one = s32[] constant(1)  k = s32[] add(i, one)
  q = f32[] bitcast-convert(k)  ROOT r = f32[] add(q, x))",
          {"x = f32[] xbf6ab16b"})
      .Expect("EXACT xbd9c44b8; FAIL xbd9c44bb");
}

}  // namespace
}  // namespace assay::testing
