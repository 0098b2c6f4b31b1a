// Sets of numbers that a backend need not round, by hand: products that go into a fused addition, and numbers kept in
// more bits. Each result here is lawful, and was once judged wrong.
#include "spec_tests/acceptance/program.h"

namespace assay::testing {
namespace {

// Found by fuzzing XLA:CPU, which drops the conversion and contracts the rest.
TEST_CASE("a conversion to the same type, or to a wider one and back, does not round a product",
          "[acceptance][programs]") {
  for (const char* conversion : {"c = f32[] convert(p)", "w = f64[] convert(p)\n  c = f32[] convert(w)"}) {
    Program(fmt::format(R"(p = f32[] multiply(x, x)
  {}
  ROOT r = f32[] add(c, x))",
                        conversion),
            {"x = f32[] xbf6ab16b"})
        .Expect("EXACT xbd9c44c0; LEGAL xbd9c44c3; exact FAIL xbd9c44c3");
  }
}

// The imaginary part of a real number is 0, and its real part is what another conversion would keep.
TEST_CASE("a real number keeps its set as a complex one", "[acceptance][programs]") {
  Program(R"(p = f32[] multiply(x, x)  z = c64[] convert(p)  y = c64[] convert(x)  s = c64[] add(z, y)
  ROOT r = f32[] real(s))",
          {"x = f32[] xbf6ab16b"})
      .Expect("EXACT xbd9c44c0; LEGAL xbd9c44c3; exact FAIL xbd9c44c3; FAIL xbd9c44c9");
  Program("t = f32[] tanh(x) ROOT r = c64[] convert(t)", {"x = f32[] 1"})
      .Expect("EXACT (0.76159418, 0); LEGAL (0.76159424, 0); FAIL (0.76159418, 1e-9); FAIL (0.8, 0)");
  Program("e = c64[] exponential(x) ROOT r = s32[] convert(e)", {"x = c64[] (1, 0)"}).Expect("EXACT 2; FAIL 3");
  Program("e = c64[] exponential(x) ROOT r = pred[] convert(e)", {"x = c64[] (1, 0)"}).Expect("WEAK false");
}

// Found by fuzzing XLA:CPU, which emits an outer product as multiplications in the loop that adds the bias.
TEST_CASE("a dot of one product may be contracted with an addition", "[acceptance][programs]") {
  const char* const dot = "f32[1,1] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}";
  const char* const convolution = "f32[1,1] convolution(x, y), dim_labels=bf_io->bf";
  for (const char* product : {dot, convolution}) {
    Program(fmt::format("q = {} ROOT r = f32[1,1] subtract(q, c)", product),
            {"x = f32[1,1] {{1.000244140625}}", "y = f32[1,1] {{1.000244140625}}", "c = f32[1,1] {{1.00048828125}}"})
        .Expect(
            "EXACT {{0}}; LEGAL {{5.9604644775390625e-08}}; ieee FAIL {{5.9604644775390625e-08}}; FAIL {{1.2e-07}}");
  }
}

// Found by fuzzing XLA:CPU: y - x * y is one fused operation there, although a reduce-precision that keeps all 23 bits
// is in between.
TEST_CASE("a reduced precision that drops no bit does not round a product", "[acceptance][programs]") {
  const auto reduced = [](int mantissa_bits) {
    return Program(fmt::format(R"(p = f32[] multiply(x, y)
  k = f32[] reduce-precision(p), exponent_bits=8, mantissa_bits={}
  ROOT r = f32[] subtract(y, k))",
                               mantissa_bits),
                   {"x = f32[] 7", "y = f32[] xc49a671b"});
  };
  reduced(23).Expect("EXACT x45e79aa9; LEGAL x45e79aa8; exact FAIL x45e79aa8");
  reduced(22).Expect("FAIL x45e79aa8");
}

TEST_CASE("an instruction that returns a product unchanged may be elided", "[acceptance][programs]") {
  for (const char* left_out : {"maximum(p, p)", "multiply(p, one)", "select(yes, p, p)", "bitcast-convert(i)"}) {
    Program(fmt::format(R"(one = f32[] constant(1)  yes = pred[] constant(true)  p = f32[] multiply(x, x)
  i = s32[] bitcast-convert(p)  q = f32[] {}
  ROOT r = f32[] add(q, x))",
                        left_out),
            {"x = f32[] xbf6ab16b"})
        .Expect("EXACT xbd9c44c0; LEGAL xbd9c44c3; FAIL xbd9c44c9");
  }
  Program(R"(p = f32[] multiply(x, x)  n = f32[] negate(x)  m = f32[] maximum(p, n)  ROOT r = f32[] add(m, x))",
          {"x = f32[] xbf6ab16b"})
      .Expect("EXACT 0; FAIL xbd9c44c3");
  // A quotient that is the product again may be off by 1.5 ULP: here by one.
  Program(R"(y = f32[] add(x, x)  p = f32[] multiply(x, y)  s = f32[] multiply(p, p)  q = f32[] divide(s, p)
  ROOT r = f32[] subtract(q, p))",
          {"x = f32[] x3fc6385a"})
      .Expect("EXACT 0; LEGAL xb5000000; ieee FAIL xb5800000; FAIL xb6800000");
}

// XLA:CPU computes the first as (p + c) * 2, and LLVM drops the magnitude of a square.
TEST_CASE("a product stays unrounded behind a multiplication by 2, and behind its magnitude",
          "[acceptance][programs]") {
  for (const auto& [made, wrong] : {std::pair("multiply(p, t)", "x34000001"), std::pair("abs(p)", "x33800001")}) {
    const bool is_scaled = std::string_view(made).starts_with("multiply");
    const Program program(fmt::format(R"(x = f32[] parameter(0)  p = f32[] multiply(x, x)  t = f32[] constant(2)
  s = f32[] {}
  c = f32[] parameter(1)  ROOT r = f32[] subtract(s, c))",
                                      made),
                          {"f32[] 1.000244140625", is_scaled ? "f32[] 2.0009765625" : "f32[] 1.00048828125"});
    program.Expect("EXACT 0");
    CHECK(program.Is(is_scaled ? "f32[] x34000000" : "f32[] x33800000") == Verdict::kLegal);
    CHECK(program.Is(is_scaled ? "f32[] x34000000" : "f32[] x33800000", "ieee") == Verdict::kFail);
    CHECK(program.Is(fmt::format("f32[] {}", wrong)) == Verdict::kFail);
  }
}

// XLA:CPU of jaxlib 0.4.30 and 0.7.2 does so for a matrix that it reads by columns.
TEST_CASE("the sum of a dot or convolution may start from the number that is added to it", "[acceptance][programs]") {
  const char* const dot = "f32[1,1] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}";
  const char* const convolution = "f32[1,1] convolution(x, y), dim_labels=bf_io->bf";
  for (const char* sum : {dot, convolution}) {
    for (const char* added : {"add(q, c)", "add(c, m)", "subtract(c, n)"}) {
      const auto text = fmt::format(R"(x = f32[1,2] parameter(0)  y = f32[2,1] parameter(1)  q = {}
  m = f32[1,1] transpose(q), dimensions={{1,0}}
  n = f32[1,1] negate(q)  c = f32[1,1] parameter(2)  ROOT r = f32[1,1] {})",
                                    sum, added);
      // Each product is 0.75 * 2^-24. One of them is lost beside 1, both together are not.
      const Program small(text, {"f32[1,2] {{1, 1}}", "f32[2,1] {{x33400000}, {x33400000}}", "f32[1,1] {{1}}"});
      small.Expect("EXACT {{x3f800001}}");
      const Judgement started = small.Of("f32[1,1] {{1}}");
      CHECK(started.verdict == Verdict::kLegal);
      CHECK(started.reason.find("initial accumulator") != std::string::npos);
      small.Expect("ieee FAIL {{1}}; FAIL {{x3f800008}}");
      // Integers are added without rounding, whatever the order.
      Program(text, {"f32[1,2] {{3, 5}}", "f32[2,1] {{7}, {1}}", "f32[1,1] {{1000}}"})
          .Expect("EXACT {{1026}}; FAIL {{x44804001}}");
    }
  }
}

// XLA's simplifier: HandleAdd of algebraic_simplifier.cc.
TEST_CASE("the updates of a scatter may be added to the number that is added to it", "[acceptance][programs]") {
  const std::string scatter =
      "update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, "
      "to_apply=add_f32";
  const auto text = [&](std::string_view rest) {
    return fmt::format(R"(
ENTRY e {{ i = s32[3,1] parameter(0)  u = f32[3] parameter(1)  j = s32[2,1] parameter(2)  v = f32[2] parameter(3)
  y = f32[2] parameter(4)  b = f32[2] parameter(5)  s = f32[2] scatter(b, i, u), {0}
  t = f32[2] scatter(y, j, v), {0}
  {1} }})",
                       scatter, rest);
  };
  const std::vector<std::string_view> arguments = {"s32[3,1] {{1}, {1}, {0}}",
                                                   "f32[3] {x33800000, x33800000, 1}",
                                                   "s32[2,1] {{1}, {0}}",
                                                   "f32[2] {-1, 2}",
                                                   "f32[2] {2, 1}",
                                                   "f32[2] {1, 0}"};
  // 2^-24 + 2^-24 + 1, from the left and from the right.
  for (const char* sum : {"ROOT r = f32[2] add(s, y)", "ROOT r = f32[2] add(y, s)", "ROOT r = f32[2] subtract(y, s)"}) {
    const bool subtracts = std::string_view(sum).find("subtract") != std::string_view::npos;
    Program(text(sum), arguments)
        .Expect(subtracts ? "EXACT {0, x3f7ffffe}; LEGAL {0, 1}; FAIL {0, x3f7ffff0}"
                          : "EXACT {4, x3f800001}; LEGAL {4, 1}; FAIL {4, x3f800008}; ieee FAIL {4, 1}");
  }
  // 2^-24 + 2^-24 beside 1 - 1, in one scatter of all five updates.
  Program(text("ROOT r = f32[2] add(s, t)"), arguments)
      .Expect("EXACT {6, x34000000}; LEGAL {6, 0}; LEGAL {6, x34800000}; FAIL {6, x36000000}; ieee FAIL {6, 0}");
  // Integers are added without rounding, whatever the order.
  std::vector<std::string_view> integers = arguments;
  integers[1] = "f32[3] {3, 5, 1}";
  Program(text("ROOT r = f32[2] add(s, t)"), integers).Expect("EXACT {6, 8}; FAIL {6, 8.000001}");
}

TEST_CASE("numbers that a backend need not round have their sets", "[acceptance][programs]") {
  CheckRows<Program>({
      // Found by fuzzing XLA:CPU of jaxlib 0.4.30, which keeps 257 in f32: with 1 it is 258, but 256 + 1 rounds to 256.
      {"a number that an iota rounds may be kept in more bits", R"(b = bf16[258] broadcast(x), dimensions={}
  i = bf16[258] iota(), iota_dimension=0
  s = bf16[258] add(i, b)  ROOT r = bf16[1] slice(s), slice={[257:258]})",
       "x = bf16[] 1", "EXACT {256}; LEGAL {258}; ieee FAIL {258}; FAIL {260}"},
      // Found by fuzzing XLA:CPU of jaxlib 0.4.30: 1124.247 is kept in f32, and its floor, 1124, is rounded to even.
      {"a number kept in more bits is rounded after a floor", "c = bf16[] convert(x) ROOT r = bf16[] floor(c)",
       "x = f32[] x448c87e9", "EXACT 1128; LEGAL 1120; FAIL 1112; exact FAIL 1120"},
      // Found by fuzzing XLA:CPU: cosh(5) is 74.2, more than the format can hold, and stays a number if it is kept in
      // f16.
      {"a number too large for a format without infinities may be kept wider",
       "c = f8e4m3b11fnuz[] cosh(x) ROOT r = f16[] convert(c)", "x = f8e4m3b11fnuz[] x6a",
       "EXACT nan; LEGAL x54a3; FAIL 1000"},
      {"a zero keeps its sign if the rounding to a format without -0 is omitted",
       "c = f8e4m3fnuz[] convert(x) ROOT r = f32[] convert(c)", "x = f32[] -0", "EXACT 0; LEGAL -0; ieee FAIL -0"},
      {"", "c = f8e4m3[] convert(x) ROOT r = f32[] convert(c)", "x = f32[] -0", "EXACT -0; FAIL 0"},
      // Found by fuzzing XLA:CPU: 2^1024 is not an f64 number, but 2^1024 - 2^1021 is.
      {"a product of f64 that overflows may be finite in a fused addition",
       "p = f64[] multiply(x, y) ROOT r = f64[] add(p, z)",
       "x = f64[] x7f90000000000000; y = f64[] 64; z = f64[] xffc0000000000000",
       "EXACT inf; LEGAL x7fec000000000000; FAIL x7fdc000000000000; exact FAIL x7fec000000000000"},
      {"a product of f64 that is NaN stays NaN in a fused addition",
       "p = f64[] multiply(x, y) ROOT r = f64[] add(p, z)", "x = f64[] nan; y = f64[] 1; z = f64[] 0",
       "EXACT nan; FAIL inf; FAIL 0"},
      // -(1 + 2^-30) (1 + 2^-30) = -(1 + 2^-29 + 2^-60), which rounds towards zero. `fast` bounds the magnitude of
      // operands.
      {"a negative product of f64 stays unrounded beside an open one", R"(f = f64[1] exponential(a)
  v = f64[2] concatenate(f, b), dimensions={0}
  p = f64[2] multiply(v, w)  ROOT r = f64[2] add(p, c))",
       "a = f64[1] {0}; b = f64[1] {xbff0000000400000}; w = f64[2] {1, x3ff0000000400000}; c = f64[2] {1, "
       "x3ff0000000800000}",
       "EXACT {2, 0}; LEGAL {2, xbc30000000000000}; fast LEGAL {2, xbc30000000000000}; FAIL {2, x3c30000000000000}"},
      // LLVM multiplies in the narrow type, and contracts that product.
      {"a product of widened numbers that is rounded to their type may stay unrounded", R"(w = f64[] convert(x)
  q = f64[] multiply(w, w)  p = f32[] convert(q)  ROOT r = f32[] subtract(p, c))",
       "x = f32[] 1.000244140625; c = f32[] 1.00048828125",
       "EXACT 0; LEGAL x33800000; ieee FAIL x33800000; FAIL x33800001"},
      // LLVM turns a choice between x * y and x * z into x times a choice, and contracts that product.
      {"a product that is selected stays unrounded", R"(a = f32[2] multiply(x, x)  b = f32[2] multiply(x, y)
  s = f32[2] select(p, a, b)  ROOT r = f32[2] subtract(s, c))",
       "x = f32[2] {1.000244140625, 1}; y = f32[2] {1, 1}; p = pred[2] {1, 0}; c = f32[2] {1.00048828125, 1}",
       "EXACT {0, 0}; LEGAL {x33800000, 0}; ieee FAIL {x33800000, 0}; FAIL {x33800001, 0}; FAIL {0, x33800000}"},
      // Found with IREE, for which LLVM turns the second multiplication into a choice.
      {"a product times a predicate stays unrounded", R"(q = f32[2] multiply(x, x)  k = f32[2] convert(p)
  m = f32[2] multiply(q, k)  ROOT r = f32[2] subtract(m, c))",
       "x = f32[2] {1.000244140625, 3}; p = pred[2] {1, 0}; c = f32[2] {1.00048828125, 1}",
       "EXACT {0, -1}; LEGAL {x33800000, -1}; ieee FAIL {x33800000, -1}; FAIL {0, xbf7fffff}"},
      // (1 + 2^-30)^2 = 1 + 2^-29 + 2^-60: the product of two numbers lies between two neighbours, of f64 too.
      {"a dot of one product of f64 may be contracted with an addition",
       R"(q = f64[2,1] dot(x, y), lhs_contracting_dims={}, rhs_contracting_dims={}
  ROOT r = f64[2,1] subtract(q, c))",
       "x = f64[2] {x3ff0000000400000, 1}; y = f64[1] {x3ff0000000400000}; c = f64[2,1] {{x3ff0000000800000}, "
       "{x3ff0000000400000}}",
       "EXACT {{0}, {0}}; LEGAL {{x3c30000000000000}, {0}}; ieee FAIL {{x3c30000000000000}, {0}}; FAIL "
       "{{x3cc0000000000000}, {0}}"},
  });
}

// XLA expands x^2 to x * x. The freedom explains a difference of two instructions, each of which is exact alone.
TEST_CASE("a power by a whole number may be contracted with an addition", "[acceptance][programs]") {
  for (const auto& [type, got] : {std::pair("f32", "f32[] 1.0625001"), std::pair("f64", "f64[] 1.0625000000000002")}) {
    const auto reason = [type = type, got = got](const char* exponent) {
      const Program program(fmt::format(R"(x = {0}[] parameter(0)  n = {0}[] constant({1})  p = {0}[] power(x, n)
  c = {0}[] parameter(1)  ROOT r = {0}[] subtract(p, c))",
                                        type, exponent),
                            {fmt::format("{}[] 1.25", type), fmt::format("{}[] 0.5", type)});
      return program.Of(got).reason;
    };
    CHECK(reason("2").find("contraction") != std::string::npos);
    CHECK(reason("2.5").find("contraction") == std::string::npos);
  }
}

// xla.proto, xla_allow_excess_precision: "all floating-point conversions to be simplified, including those that affect
// the numerics". XLA's pass SimplifyFPConversions turns a chain of conversions into one.
TEST_CASE("a conversion between others may be elided, of any floating-point type", "[acceptance][programs]") {
  for (const char* narrow : {"f32", "f16", "bf16", "f8e5m2"}) {
    Program(fmt::format("c = {}[] convert(x) ROOT r = f64[] convert(c)", narrow), {"x = f64[] x3ff0000000400000"})
        .Expect(
            "EXACT 1; LEGAL x3ff0000000400000; ieee FAIL x3ff0000000400000; FAIL x3ff0000000600000; FAIL "
            "x3fefffffffffffff");
  }
  Program("c = f32[] convert(x) ROOT r = f64[] convert(c)", {"x = s32[] 16777217"})
      .Expect("EXACT 16777216; LEGAL 16777217; FAIL 16777218");
  Program("c = f32[] convert(x) ROOT r = s32[] convert(c)", {"x = s32[] 16777217"})
      .Expect("EXACT 16777216; FAIL 16777217");
  Program("ROOT c = f32[] convert(x)", {"x = f64[] x3ff0000010000001"}).Expect("EXACT x3f800001; FAIL 1");
}

// Nothing else is known of a number that is rounded to a format without zero.
TEST_CASE("the set of an elided conversion to f8e8m0fnu takes two instructions", "[acceptance][programs]") {
  const auto module = Parsed(R"(x = f8e4m3fn[] parameter(0)  c = f8e8m0fnu[] convert(x)  ROOT r = f32[] convert(c))");
  const std::vector<std::string_view> x = {"f8e4m3fn[] -2.75"};
  CHECK(TakesTwoInstructions(*EvaluateSets(*module, Values(x), XlaProfile())));
  CHECK_FALSE(TakesTwoInstructions(*EvaluateSets(*module, Values(x), BuiltInProfile("ieee"))));
}

// Found with XLA:CPU of jaxlib 0.4.30, which drops both conversions and contracts the rest.
TEST_CASE("a product stays unrounded behind conversions that may be elided", "[acceptance][programs]") {
  for (const char* narrow : {"bf16", "f16"}) {
    Program(fmt::format(R"(p = f32[] multiply(x, x)  n = {}[] convert(p)  w = f32[] convert(n)
  ROOT r = f32[] subtract(w, c))",
                        narrow),
            {"x = f32[] 1.000244140625", "c = f32[] 1.00048828125"})
        .Expect("EXACT xba000000; LEGAL 0; LEGAL x33800000; ieee FAIL x33800000; FAIL x34000000");
  }
}

// The sum with 0 returns every product, though one of them has overflowed.
TEST_CASE("an infinity in an array does not round the other products", "[acceptance][programs]") {
  const auto program = [](const char* x) {
    return Program(R"(x = f32[2] parameter(0)  p = f32[2] multiply(x, x)  z.s = f32[] constant(0)
  z = f32[2] broadcast(z.s), dimensions={}
  q = f32[2] add(p, z)  c = f32[2] parameter(1)  ROOT r = f32[2] subtract(q, c))",
                   {x, "f32[2] {1.000244140625, 1}"});
  };
  program("f32[2] {1.0001220703125, 1e30}").Expect("EXACT {0, inf}; LEGAL {x32800000, inf}; FAIL {x32800001, inf}");
}

}  // namespace
}  // namespace assay::testing
