// Sets of numbers that a backend need not round, by hand: products that go into a fused addition, and numbers kept in
// more bits. Each result here is lawful, and was once judged wrong.
#include <fmt/format.h>

#include "spec_tests/acceptance/program.h"
#include "spec_tests/catch.h"

namespace assay::testing {
namespace {

// Found by fuzzing XLA:CPU, which drops the conversion and contracts the rest.
TEST_CASE("a conversion to the type that is there, or to a wider one and back, does not round a product",
          "[acceptance][programs]") {
  for (const char* conversion : {"c = f32[] convert(p)", "w = f64[] convert(p)\n  c = f32[] convert(w)"}) {
    const Program program(Entry(fmt::format(R"(  x = f32[] parameter(0)
  p = f32[] multiply(x, x)
  {}
  ROOT r = f32[] add(c, x))",
                                            conversion)),
                          {"f32[] xbf6ab16b"});
    CHECK(program.Is("f32[] xbd9c44c0") == Verdict::kExact);
    CHECK(program.Is("f32[] xbd9c44c3") == Verdict::kLegal);
    CHECK(program.Is("f32[] xbd9c44c3", "exact") == Verdict::kFail);
  }
}

// Found by fuzzing XLA:CPU, which emits an outer product as multiplications in the loop that adds the bias.
TEST_CASE("a dot of one product may be contracted with an addition", "[acceptance][programs]") {
  const char* const dot = "f32[1,1] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}";
  const char* const convolution = "f32[1,1] convolution(x, y), dim_labels=bf_io->bf";
  for (const char* product : {dot, convolution}) {
    const Program program(fmt::format(R"(HloModule m
ENTRY e {{
  x = f32[1,1] parameter(0)
  y = f32[1,1] parameter(1)
  q = {}
  c = f32[1,1] parameter(2)
  ROOT r = f32[1,1] subtract(q, c)
}})",
                                      product),
                          {"f32[1,1] {{1.000244140625}}", "f32[1,1] {{1.000244140625}}", "f32[1,1] {{1.00048828125}}"});
    CHECK(program.Is("f32[1,1] {{0}}") == Verdict::kExact);
    CHECK(program.Is("f32[1,1] {{5.9604644775390625e-08}}") == Verdict::kLegal);
    CHECK(program.Is("f32[1,1] {{5.9604644775390625e-08}}", "ieee") == Verdict::kFail);
    CHECK(program.Is("f32[1,1] {{1.2e-07}}") == Verdict::kFail);
  }
}

// Found by fuzzing XLA:CPU: y - x * y is one fused operation there, although a reduce-precision that keeps all 23 bits
// is in between.
TEST_CASE("a reduced precision that drops no bit does not round a product", "[acceptance][programs]") {
  const auto reduced = [](int mantissa_bits) {
    return Program(Entry(fmt::format(R"(  x = f32[] parameter(0)
  y = f32[] parameter(1)
  p = f32[] multiply(x, y)
  k = f32[] reduce-precision(p), exponent_bits=8, mantissa_bits={}
  ROOT r = f32[] subtract(y, k))",
                                     mantissa_bits)),
                   {"f32[] 7", "f32[] xc49a671b"});
  };
  CHECK(reduced(23).Is("f32[] x45e79aa9") == Verdict::kExact);
  CHECK(reduced(23).Is("f32[] x45e79aa8") == Verdict::kLegal);
  CHECK(reduced(23).Is("f32[] x45e79aa8", "exact") == Verdict::kFail);
  CHECK(reduced(22).Is("f32[] x45e79aa8") == Verdict::kFail);
}

// Found by fuzzing XLA:CPU of jaxlib 0.4.30, which keeps 257 in f32: with 1 it is 258, but 256 + 1 rounds to 256.
TEST_CASE("a number that an iota rounds may be kept in more bits", "[acceptance][programs]") {
  const Program program(Entry(R"(  x = bf16[] parameter(0)
  b = bf16[258] broadcast(x), dimensions={}
  i = bf16[258] iota(), iota_dimension=0
  s = bf16[258] add(i, b)
  ROOT r = bf16[1] slice(s), slice={[257:258]})"),
                        {"bf16[] 1"});
  CHECK(program.Is("bf16[1] {256}") == Verdict::kExact);
  CHECK(program.Is("bf16[1] {258}") == Verdict::kLegal);
  CHECK(program.Is("bf16[1] {258}", "ieee") == Verdict::kFail);
  CHECK(program.Is("bf16[1] {260}") == Verdict::kFail);
}

// Found by fuzzing XLA:CPU of jaxlib 0.4.30: 1124.247 is kept in f32, and its floor, 1124, is rounded to even.
TEST_CASE("a number kept in more bits is rounded behind what cuts it off", "[acceptance][programs]") {
  const Program program(Entry(R"(  x = f32[] parameter(0)
  c = bf16[] convert(x)
  ROOT r = bf16[] floor(c))"),
                        {"f32[] x448c87e9"});
  CHECK(program.Is("bf16[] 1128") == Verdict::kExact);
  CHECK(program.Is("bf16[] 1120") == Verdict::kLegal);
  CHECK(program.Is("bf16[] 1112") == Verdict::kFail);
  CHECK(program.Is("bf16[] 1120", "exact") == Verdict::kFail);
}

TEST_CASE("what gives its operand may be left out behind a product", "[acceptance][programs]") {
  for (const char* left_out : {"maximum(p, p)", "multiply(p, one)", "select(yes, p, p)"}) {
    const Program program(Entry(fmt::format(R"(  x = f32[] parameter(0)
  one = f32[] constant(1)
  yes = pred[] constant(true)
  p = f32[] multiply(x, x)
  q = f32[] {}
  ROOT r = f32[] add(q, x))",
                                            left_out)),
                          {"f32[] xbf6ab16b"});
    CHECK(program.Is("f32[] xbd9c44c0") == Verdict::kExact);
    CHECK(program.Is("f32[] xbd9c44c3") == Verdict::kLegal);
    CHECK(program.Is("f32[] xbd9c44c9") == Verdict::kFail);
  }
  const Program rounded(Entry(R"(  x = f32[] parameter(0)
  p = f32[] multiply(x, x)
  n = f32[] negate(x)
  m = f32[] maximum(p, n)
  ROOT r = f32[] add(m, x))"),
                        {"f32[] xbf6ab16b"});
  CHECK(rounded.Is("f32[] 0") == Verdict::kExact);
  CHECK(rounded.Is("f32[] xbd9c44c3") == Verdict::kFail);
  // A quotient that is the product again may be off by 1.5 ULP: here by one.
  const Program quotient(Entry(R"(  x = f32[] parameter(0)
  y = f32[] add(x, x)
  p = f32[] multiply(x, y)
  s = f32[] multiply(p, p)
  q = f32[] divide(s, p)
  ROOT r = f32[] subtract(q, p))"),
                         {"f32[] x3fc6385a"});
  CHECK(quotient.Is("f32[] 0") == Verdict::kExact);
  CHECK(quotient.Is("f32[] xb5000000") == Verdict::kLegal);
  CHECK(quotient.Is("f32[] xb5800000", "ieee") == Verdict::kFail);
  CHECK(quotient.Is("f32[] xb6800000") == Verdict::kFail);
}

// Found by fuzzing XLA:CPU: cosh(5) is 74.2, more than the format can hold, and stays a number if it is kept in f16.
TEST_CASE("what is too large for a format without infinities may be kept wider", "[acceptance][programs]") {
  const Program program(Entry(R"(  x = f8e4m3b11fnuz[] parameter(0)
  c = f8e4m3b11fnuz[] cosh(x)
  ROOT r = f16[] convert(c))"),
                        {"f8e4m3b11fnuz[] x6a"});
  CHECK(program.Is("f16[] nan") == Verdict::kExact);
  CHECK(program.Is("f16[] x54a3") == Verdict::kLegal);
  CHECK(program.Is("f16[] 1000") == Verdict::kFail);
}

// Found by fuzzing XLA:CPU: 2^1024 is not an f64 number, but 2^1024 - 2^1021 is.
TEST_CASE("a product of f64 that overflows may come back in a fused addition", "[acceptance][programs]") {
  const Program program(Entry(R"(  x = f64[] parameter(0)
  y = f64[] parameter(1)
  z = f64[] parameter(2)
  p = f64[] multiply(x, y)
  ROOT r = f64[] add(p, z))"),
                        {"f64[] x7f90000000000000", "f64[] 64", "f64[] xffc0000000000000"});
  CHECK(program.Is("f64[] inf") == Verdict::kExact);
  CHECK(program.Is("f64[] x7fec000000000000") == Verdict::kLegal);
  CHECK(program.Is("f64[] x7fdc000000000000") == Verdict::kFail);
  CHECK(program.Is("f64[] x7fec000000000000", "exact") == Verdict::kFail);
}

TEST_CASE("a product of f64 that is NaN stays NaN in a fused addition", "[acceptance][programs]") {
  const Program program(Entry(R"(  x = f64[] parameter(0)
  y = f64[] parameter(1)
  z = f64[] parameter(2)
  p = f64[] multiply(x, y)
  ROOT r = f64[] add(p, z))"),
                        {"f64[] nan", "f64[] 1", "f64[] 0"});
  CHECK(program.Is("f64[] nan") == Verdict::kExact);
  CHECK(program.Is("f64[] inf") == Verdict::kFail);
  CHECK(program.Is("f64[] 0") == Verdict::kFail);
}

// -(1 + 2^-30) (1 + 2^-30) = -(1 + 2^-29 + 2^-60), which rounds towards zero. `fast` bounds the magnitude of operands.
TEST_CASE("a negative product of f64 stays unrounded beside an open one", "[acceptance][programs]") {
  const Program program(
      Entry(R"(  a = f64[1] parameter(0)
  b = f64[1] parameter(1)
  w = f64[2] parameter(2)
  c = f64[2] parameter(3)
  f = f64[1] exponential(a)
  v = f64[2] concatenate(f, b), dimensions={0}
  p = f64[2] multiply(v, w)
  ROOT r = f64[2] add(p, c))"),
      {"f64[1] {0}", "f64[1] {xbff0000000400000}", "f64[2] {1, x3ff0000000400000}", "f64[2] {1, x3ff0000000800000}"});
  CHECK(program.Is("f64[2] {2, 0}") == Verdict::kExact);
  CHECK(program.Is("f64[2] {2, xbc30000000000000}") == Verdict::kLegal);
  CHECK(program.Is("f64[2] {2, xbc30000000000000}", "fast") == Verdict::kLegal);
  CHECK(program.Is("f64[2] {2, x3c30000000000000}") == Verdict::kFail);
}

// XLA:CPU computes the first as (p + c) * 2, and LLVM drops the magnitude of a square.
TEST_CASE("a product stays unrounded behind a multiplication by 2, and behind its magnitude",
          "[acceptance][programs]") {
  for (const auto& [made, wrong] : {std::pair("multiply(p, t)", "x34000001"), std::pair("abs(p)", "x33800001")}) {
    const bool is_scaled = std::string_view(made).starts_with("multiply");
    const Program program(Entry(fmt::format(R"(  x = f32[] parameter(0)
  p = f32[] multiply(x, x)
  t = f32[] constant(2)
  s = f32[] {}
  c = f32[] parameter(1)
  ROOT r = f32[] subtract(s, c))",
                                            made)),
                          {"f32[] 1.000244140625", is_scaled ? "f32[] 2.0009765625" : "f32[] 1.00048828125"});
    CHECK(program.Is("f32[] 0") == Verdict::kExact);
    CHECK(program.Is(is_scaled ? "f32[] x34000000" : "f32[] x33800000") == Verdict::kLegal);
    CHECK(program.Is(is_scaled ? "f32[] x34000000" : "f32[] x33800000", "ieee") == Verdict::kFail);
    CHECK(program.Is(fmt::format("f32[] {}", wrong)) == Verdict::kFail);
  }
}

// LLVM multiplies in the narrow type, and contracts that product.
TEST_CASE("a product of widened numbers that is rounded to their type may stay unrounded", "[acceptance][programs]") {
  const Program program(Entry(R"(  x = f32[] parameter(0)
  w = f64[] convert(x)
  q = f64[] multiply(w, w)
  p = f32[] convert(q)
  c = f32[] parameter(1)
  ROOT r = f32[] subtract(p, c))"),
                        {"f32[] 1.000244140625", "f32[] 1.00048828125"});
  CHECK(program.Is("f32[] 0") == Verdict::kExact);
  CHECK(program.Is("f32[] x33800000") == Verdict::kLegal);
  CHECK(program.Is("f32[] x33800000", "ieee") == Verdict::kFail);
  CHECK(program.Is("f32[] x33800001") == Verdict::kFail);
}

// XLA:CPU of jaxlib 0.4.30 and 0.7.2 does so for a matrix that it reads by columns.
TEST_CASE("the sum of a dot or convolution may start from the number that is added to it", "[acceptance][programs]") {
  const char* const dot = "f32[1,1] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}";
  const char* const convolution = "f32[1,1] convolution(x, y), dim_labels=bf_io->bf";
  for (const char* sum : {dot, convolution}) {
    for (const char* added : {"add(q, c)", "add(c, m)", "subtract(c, n)"}) {
      const auto text = fmt::format(R"(HloModule m
ENTRY e {{
  x = f32[1,2] parameter(0)
  y = f32[2,1] parameter(1)
  q = {}
  m = f32[1,1] transpose(q), dimensions={{1,0}}
  n = f32[1,1] negate(q)
  c = f32[1,1] parameter(2)
  ROOT r = f32[1,1] {}
}})",
                                    sum, added);
      // Each product is 0.75 * 2^-24. One of them is lost beside 1, both together are not.
      const Program small(text, {"f32[1,2] {{1, 1}}", "f32[2,1] {{x33400000}, {x33400000}}", "f32[1,1] {{1}}"});
      CHECK(small.Is("f32[1,1] {{x3f800001}}") == Verdict::kExact);
      const Judgement started = small.Of("f32[1,1] {{1}}");
      CHECK(started.verdict == Verdict::kLegal);
      CHECK(started.reason.find("initial accumulator") != std::string::npos);
      CHECK(small.Is("f32[1,1] {{1}}", "ieee") == Verdict::kFail);
      CHECK(small.Is("f32[1,1] {{x3f800008}}") == Verdict::kFail);
      // Integers are added without rounding, whatever the order.
      const Program whole(text, {"f32[1,2] {{3, 5}}", "f32[2,1] {{7}, {1}}", "f32[1,1] {{1000}}"});
      CHECK(whole.Is("f32[1,1] {{1026}}") == Verdict::kExact);
      CHECK(whole.Is("f32[1,1] {{x44804001}}") == Verdict::kFail);
    }
  }
}

}  // namespace
}  // namespace assay::testing
