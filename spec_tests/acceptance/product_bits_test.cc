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

// The square of x rounds to x3f82, and is x3f8202 in f32: compilers keep it wider, and no two steps round it otherwise.
TEST_CASE("bits of an open number are those of its interval", "[acceptance][programs]") {
  struct Bits {
    const char *computed, *expected;
  };
  for (const auto& [computed, expected] :
       {Bits{"ROOT r = u16[] shift-right-logical(i, seven)", "EXACT 127; FAIL 126; FAIL 128"},
        Bits{"ROOT r = u16[] shift-left(i, one)", "EXACT 32516; FAIL 32514; FAIL 32520"},
        Bits{"ROOT r = u16[] and(i, mantissa)", "EXACT 2; LEGAL 3; FAIL 1; FAIL 4"},
        Bits{"ROOT r = u16[] or(i, exponent)", "EXACT 32642; FAIL 32639; FAIL 32644"},
        Bits{"ROOT r = u16[] xor(i, sign)", "EXACT 49026; FAIL 49024; FAIL 49028"},
        Bits{"ROOT r = u16[] not(i)", "EXACT 49277; FAIL 49275; FAIL 49279"},
        Bits{"j = u16[] or(i, sign)  ROOT r = bf16[] bitcast-convert(j)", "EXACT xbf82; FAIL xbf80; FAIL xbf84"}}) {
    INFO(computed);
    Program(std::string(R"(p = bf16[] multiply(x, x)  i = u16[] bitcast-convert(p)  one = u16[] constant(1)
  seven = u16[] constant(7)  mantissa = u16[] constant(127)  exponent = u16[] constant(32640)
  sign = u16[] constant(32768)  )") +
                computed,
            {"x = bf16[] x3f81"})
        .Expect(expected);
  }
  // A stochastic rounding: random bits are added, and half of the number is cut off.
  const auto rounded = [](int random) {
    return Program(fmt::format(R"(p = f32[] multiply(x, x)  s = f32[] add(p, x)  i = u32[] bitcast-convert(s)
  r = u32[] constant({})  j = u32[] add(i, r)  m = u32[] constant(4294901760)  k = u32[] and(j, m)
  ROOT b = f32[] bitcast-convert(k))",
                               random),
                   {"x = f32[] xbf6ab16b"});
  };
  rounded(0x3b3c).Expect("EXACT xbd9c0000; FAIL xbd9d0000; FAIL xbd9b0000");
  rounded(0xbb3f).Expect("EXACT xbd9c0000; LEGAL xbd9d0000; FAIL xbd9e0000");
}

}  // namespace
}  // namespace assay::testing
