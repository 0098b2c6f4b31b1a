// Sums of products that need not be rounded, in f64. The ends of the products' intervals may add up to one number.
#include "spec_tests/acceptance/program.h"

namespace assay::testing {
namespace {

// The products are -7.1..., -3.28... and 1.87...: only the first one rounds, and so does one order of the additions.
Program SumOf(std::string_view mover) {
  return Program(fmt::format(R"(p = f64[3] multiply(x, y)  m = f64[3] {}
  z = f64[] constant(0)  ROOT r = f64[] reduce(m, z), dimensions={{0}}, to_apply=add_f64)",
                             mover),
                 {"x = f64[3] {x3ff03a84ef34dcb6, x3ffa3d73fbce4bfe, x3ffe0f5b5401d486}", "y = f64[3] {-7, -2, 1}"});
}

TEST_CASE("products are added in any order after instructions that keep them", "[acceptance][programs]") {
  for (const std::string_view mover :
       {"copy(p)", "convert(p)", "reshape(p)", "transpose(p), dimensions={0}", "bitcast-convert(p)"}) {
    CAPTURE(mover);
    SumOf(mover).Expect(
        "EXACT xc02100a5e5c1998e; LEGAL xc02100a5e5c1998d; FAIL xc02100a5e5c19a00; exact FAIL xc02100a5e5c1998d");
  }
}

// Found on XLA:CPU with fast math, as LLVM takes a common factor out.
TEST_CASE("a factor of two terms may be taken out by fast", "[acceptance][programs]") {
  Program(R"(p = f32[] multiply(x, z)  q = f32[] multiply(y, z)  ROOT r = f32[] add(p, q))",
          {"x = f32[] x4054ac06", "y = f32[] x3e67349b", "z = f32[] xbeb48c06"})
      .Expect("EXACT xbfa02e3e; FAIL xbfa02e3f; fast LEGAL xbfa02e3f; fast FAIL xbfa02e41");
}

// 1 + 2^-40 is 1 in f32. Elided conversions keep f64, and a number of f64 is not kept in f32.
TEST_CASE("a conversion to f64 does not round to f32", "[acceptance][programs]") {
  Program(R"(c = f64[] convert(x)  o = f64[] constant(-1)  ROOT r = f64[] add(c, o))", {"x = f64[] x3ff0000000001000"})
      .Expect("EXACT x3d70000000000000; FAIL 0");
}

}  // namespace
}  // namespace assay::testing
