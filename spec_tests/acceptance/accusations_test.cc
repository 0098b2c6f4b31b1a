// Lawful results that the judge once rejected, found by fuzzing lawful noise, each next to a wrong result.
#include <cstring>

#include "backends/lawful/lawful.h"
#include "conformance/judging/compare.h"
#include "conformance/judging/instruction_values.h"
#include "interpreter/acceptance/statistics/samples/judge_by_samples.h"
#include "spec_tests/acceptance/program.h"

namespace assay::testing {
namespace {

// The logarithm is -92.1, or -infinity where its operand is flushed; in f32 10933 has steps of 0.001.
TEST_CASE("a sum whose interval is infinite at one end has rounding errors at the other", "[acceptance][programs]") {
  const std::vector<std::string_view> arguments = {"f32[1] {1e-40}", "f32[2] {-10841, 10843}"};
  Program(R"(ENTRY e { x = f32[1] parameter(0)  y = f32[2] parameter(1)  l = f32[1] log(x)
  t = f32[3] concatenate(l, y), dimensions={0}
  z = f32[] constant(0)  ROOT r = f32[] reduce(t, z), dimensions={0}, to_apply=add_f32 })",
          arguments)
      .Expect("LEGAL -90.103424; LEGAL -90.1025; LEGAL -inf; FAIL -90; ieee FAIL -inf");
}

TEST_CASE("a dot of one product in each element may be fused with the addition of a bias", "[acceptance][programs]") {
  // (1 + 2^-12)^2 is 2^-24 more than 1 + 2^-11, to which it is rounded.
  const std::string_view numbers =
      "d = f32[2,2] {{1.000244140625, 0}, {0, 1}}; x = f32[2] {1.000244140625, -1.00048828125}; "
      "b = f32[2] {-1.00048828125, 1.00048828125}";
  const std::string_view verdicts = "EXACT {0, 0}; LEGAL {x33800000, 0}; FAIL {x35800000, 0}; ieee FAIL {x35800000, 0}";
  CheckRows<Program>({
      {"of a diagonal matrix",
       "p = f32[2] dot(d, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}  ROOT r = f32[2] add(p, b)", numbers,
       verdicts},
      {"moved and negated", R"(p = f32[2] dot(d, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  n = f32[2] negate(p)  m = f32[1,2] reshape(n)  v = f32[2] reshape(m)  ROOT r = f32[2] subtract(b, v))",
       numbers, verdicts},
      {"of integers",
       "p = f32[2] dot(d, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}  ROOT r = f32[2] add(p, b)",
       "d = s8[2,2] {{-3, 0}, {0, 2}}; x = f32[2] {1.0000001, 1}; b = f32[2] {3.0000005, 1}",
       "EXACT {0, 3}; LEGAL {x34000000, 3}; FAIL {x36800000, 3}"},
      {"of a kernel with one tap", R"(p = f32[1,1,2] convolution(i, k), window={size=3 pad=1_1}, dim_labels=bf0_oi0->bf0
  ROOT r = f32[1,1,2] add(p, b))",
       "i = f32[1,1,2] {{{1.000244140625, 0}}}; k = f32[1,1,3] {{{0, 1.000244140625, 0}}}; b = f32[1,1,2] "
       "{{{-1.00048828125, 0}}}",
       "EXACT {{{0, 0}}}; LEGAL {{{x33800000, 0}}}; FAIL {{{x35800000, 0}}}; ieee FAIL {{{x35800000, 0}}}"},
  });
}

// XLA's simplifier reduces a reduction of a reduction once, also if a reshape or a transposition is between them.
TEST_CASE("a reduction of sums that have one value may be one sum", "[acceptance][programs]") {
  const auto twice = [](std::string_view rows) {
    return fmt::format(R"(ENTRY e {{ x = f32[2,2] parameter(0)  z = f32[] constant(0)
  s = f32[2] reduce(x, z), dimensions={{1}}, to_apply=add_f32
  {}, to_apply=add_f32 }})",
                       rows);
  };
  const std::string plain = twice("ROOT r = f32[] reduce(s, z), dimensions={0}");
  const std::string kept = twice("k = f32[2,1] reshape(s)  ROOT r = f32[] reduce(k, z), dimensions={0,1}");
  for (const std::string& text : {plain, kept}) {
    // By rows 1 - (1 - 2^-24), and 2^-24 + 2^-24 behind 1 - 1.
    Program(text, {"f32[2,2] {{1, x33800000}, {-1, x33800000}}"}).Expect("EXACT x33800000; LEGAL x34000000; FAIL 1e-5");
    // No sum of a row is rounded.
    Program(text, {"f32[2,2] {{16777216, -16777216}, {1, 0.5}}"}).Expect("EXACT 1.5; WEAK 0; WEAK 2; FAIL 64");
    Program(text, {"f32[2,2] {{1, 2}, {3, 4}}"}).Expect("EXACT 10; FAIL 10.000001");
    // Rows of one term: two terms have one sum.
    Program(text, {"f32[2,2] {{1, 0}, {0, 0.3}}"}).Expect("EXACT 1.3; FAIL 1.3000001");
  }
}

TEST_CASE("a sum with an infinite term is that infinity in every order", "[acceptance][programs]") {
  const std::vector<std::string_view> arguments = {"f32[2,1] {{0}, {inf}}", "f32[3] {-283.18991, -10841, 10843}"};
  Program(R"(ENTRY e { x = f32[2,1] parameter(0)  y = f32[3] parameter(1)
  one = f32[] constant(1)  s = f32[1] reduce(x, one), dimensions={0}, to_apply=add_f32
  b = f32[3,1] broadcast(s), dimensions={1}
  c = f32[3] reshape(b)  m = f32[3] minimum(y, c)  z = f32[] constant(0)
  ROOT r = f32[] reduce(m, z), dimensions={0}, to_apply=add_f32 })",
          arguments)
      .Expect("EXACT -281.18991; LEGAL -281.18945; FAIL -281.1; FAIL -inf");
}

TEST_CASE("cholesky of a matrix without a factor is SPEC-GAP in a format without NaN", "[acceptance]") {
  Judged("ROOT c = f6e2m3fn[2,2] cholesky(a)", {"a = f6e2m3fn[2,2] {{0, 1}, {0, 0}}"})
      .Expect("SPEC-GAP {{0, 7.5}, {0, 0}}");
  Judged("ROOT c = f6e2m3fn[2,2] cholesky(a)", {"a = f6e2m3fn[2,2] {{4, 1}, {1, 4}}"})
      .Expect("FAIL {{2, 7.5}, {0, 2}}");
  // Rounding errors make the fourth pivot zero, which represents NaN. A quotient by it is the largest number.
  const Judged edge("ROOT c = f6e2m3fn[5,5] cholesky(a)", {"a = f6e2m3fn[5,5] {{5, 0, 0.75, -2.5, 0}, {0, 1, 0, 0, 0}, "
                                                           "{0, 0, 7.5, 4, 0}, {0, 0, 0, 4, -0.5}, {0, 0, 0, 0, 2}}"});
  const std::string first_rows = "{2.25, 0, 0.375, -1.125, 0}, {0, 1, 0, 0, 0}, {0, 0, 2.75, 1.625, 0}, ";
  const auto factor = [&](const std::string& last_rows) { return "f6e2m3fn[5,5] {" + first_rows + last_rows + "}"; };
  CHECK(edge.Is(factor("{0, 0, 0, 0, -7.5}, {0, 0, 0, 0, 0}")) == Verdict::kSpecGap);
  CHECK(edge.Is(factor("{0, 0, 0, 0.375, -7.5}, {0, 0, 0, 0, 0.625}")) == Verdict::kFail);
}

TEST_CASE("a fold by maximum may flush a number in one step and not in another", "[acceptance][flush]") {
  const Judged greatest("ROOT r = f32[] reduce(x, init), dimensions={0}, to_apply=maximum_f32",
                        {"x = f32[3] {1e-40, 2e-40, -3e-40}", "init = f32[] -1"});
  for (const std::string_view lawful : {"f32[] 0", "f32[] 1e-40", "f32[] 2e-40"}) {
    CHECK(greatest.Is(lawful, BuiltInProfile("ftz")) <= Verdict::kLegal);
  }
  for (const std::string_view wrong : {"f32[] 3e-40", "f32[] -3e-40", "f32[] nan", "f32[] 1"}) {
    CHECK(greatest.Is(wrong, BuiltInProfile("ftz")) == Verdict::kFail);
  }
  greatest.Expect("ieee FAIL 1e-40");
}

// XLA:CPU compares subnormal numbers as zeros, and moves them as they are. So the first of them is the least.
TEST_CASE("a fold that selects may flush what it compares, and not what it moves", "[acceptance][flush]") {
  const Judged least(
      R"(f { v = f32[] parameter(0)  i = s32[] parameter(1)  w = f32[] parameter(2)  j = s32[] parameter(3)
  lt = pred[] compare(v, w), direction=LT
  eq = pred[] compare(v, w), direction=EQ
  first = pred[] compare(i, j), direction=LT
  tie = pred[] and(eq, first)
  takes = pred[] or(lt, tie)
  x = f32[] select(takes, v, w)
  k = s32[] select(takes, i, j)
  ROOT t = (f32[], s32[]) tuple(x, k) }
ENTRY e {   ROOT r = (f32[], s32[]) reduce(x, i, z, o), dimensions={0}, to_apply=f })",
      {"x = f32[4] {3e-40, 2e-40, 1e-40, 5e-40}", "i = s32[4] {0, 1, 2, 3}", "z = f32[] inf", "o = s32[] 0"});
  CHECK(least.Is("(f32[] 3e-40, s32[] 0)") == Verdict::kWeak);
  CHECK(least.Is("(f32[] 3e-40, s32[] 0)", BuiltInProfile("ieee")) == Verdict::kFail);
  CHECK(least.Is("(f32[] 6e-40, s32[] 0)") == Verdict::kFail);
  CHECK(least.Is("(f32[] -1e-40, s32[] 0)") == Verdict::kFail);
  // The real parts are equal if they are flushed, and the least imaginary part decides.
  const Judged parts(R"(f { a = c64[] parameter(0)  b = c64[] parameter(1)
  ar = f32[] real(a)  br = f32[] real(b)  ai = f32[] imag(a)  bi = f32[] imag(b)
  eq = pred[] compare(ar, br), direction=EQ
  lt = pred[] compare(ar, br), direction=LT
  tie = pred[] compare(ai, bi), direction=LT
  takes = pred[] select(eq, tie, lt)
  ROOT r = c64[] select(takes, a, b) }
ENTRY e {   ROOT r = c64[] reduce(x, z), dimensions={0}, to_apply=f })",
                     {"x = c64[3] {(1e-40, 3), (2e-40, -5), (3, -9)}", "z = c64[] (inf, 0)"});
  CHECK(parts.Is("c64[] (2e-40, -5)") == Verdict::kWeak);
  CHECK(parts.Is("c64[] (2e-40, -5)", BuiltInProfile("ieee")) == Verdict::kFail);
  CHECK(parts.Is("c64[] (3, -9)") == Verdict::kFail);
}

// 2^-127 is subnormal in f32 and bf16, in which the sum may be kept.
TEST_CASE("a sum that is flushed in a wider accumulator is NaN in a format without zero", "[acceptance][flush]") {
  const std::string text = "ROOT r = f8e8m0fnu[] reduce(x, y), dimensions={0}, to_apply=add_f8e8m0fnu";
  Judged(text, {"x = f8e8m0fnu[0] {}", "y = f8e8m0fnu[] x00"}).Expect("LEGAL nan; ieee FAIL nan");
  Judged(text, {"x = f8e8m0fnu[0] {}", "y = f8e8m0fnu[] x01"}).Expect("FAIL nan");
}

// scale / deviation is subnormal, and its other factor is 1e27.
TEST_CASE("a subnormal factor of a gradient errs as far as its terms are large", "[acceptance]") {
  const Judged gradient(
      "ROOT r = (f64[1], f64[1], f64[1]) batch-norm-grad(x, scale, mean, variance, y), epsilon=0, feature_index=0",
      {"x = f64[1] {xc1d0000000000000}", "scale = f64[1] {x8000310679af6d90}", "mean = f64[1] {x3ff4608f0b18100b}",
       "variance = f64[1] {x3ff4608f0b18100b}", "y = f64[1] {xc1d0000000000000}"});
  const auto with = [&](std::uint64_t bits) {
    Literal got = gradient.want();
    std::memcpy(got.mutable_elements()[0].mutable_data(), &bits, sizeof bits);
    return gradient.Of(got, BuiltInProfile("ieee")).verdict;
  };
  CHECK(!IsFailure(with(0x85410e1a49c9a472)));
  CHECK(with(0x8a410e1a49c9a472) == Verdict::kFail);
}

// sin(-8.6e25 - 5.5e28 i) has two infinite parts, and sinh of it has two NaN parts of any sign. acos of those is NaN
// and an infinity, which may have the sign of a NaN.
TEST_CASE("complex functions in a step of a scan pass on NaNs of either sign", "[acceptance][programs]") {
  const Program scan(R"(step { a = c64[] parameter(0)  s = c64[] sine(a)  h = c64[] sinh(s)  r = c64[] acos(h)
  ROOT t = (c64[]) tuple(r) }
ENTRY e { s = (c64[1]) scan(x), dimensions={0}, num_carries=0, is_associative=false, to_apply=step
  ROOT r = c64[1] get-tuple-element(s), index=0 })",
                     {"x = c64[1] {(xea8eec86, xef3031a5)}"});
  for (const std::string_view profile : {"simd", "xla"}) {
    CHECK(scan.Is("c64[1] {(nan, inf)}", profile) == Verdict::kWeak);
    CHECK(scan.Is("c64[1] {(nan, -inf)}", profile) == Verdict::kExact);
  }
  scan.Expect("exact FAIL {(nan, inf)}");
}

// atan2(1.25, 1.25) is pi/4 = 0.785398, and lies between two numbers of f16.
TEST_CASE("a fold by a function has the function's errors", "[acceptance][programs]") {
  Program(R"(step { a = f16[1] parameter(0)  b = f16[1] parameter(1)  r = f16[1] atan2(b, a)
  ROOT t = (f16[1]) tuple(r) }
ENTRY e { s = (f16[1,1]) scan(x, x), dimensions={1}, num_carries=0, is_associative=false, to_apply=step
  ROOT r = f16[1,1] get-tuple-element(s), index=0 })",
          {"x = f16[1,1] {{1.25}}"})
      .Expect("EXACT {{0.78515625}}; LEGAL {{0.78564453125}}");
  const Judged reduce("i = f32[] constant(3) ROOT r = f32[] reduce(x, i), dimensions={0}, to_apply=atan2_f32",
                      {"x = f32[1] {1.25}"});
  reduce.Expect("WEAK off 1");
}

// Elements without an update are moduli, which are not exact.
TEST_CASE("the modulus of a complex number is not moved into a sum", "[acceptance][samples]") {
  const auto module = Parsed(R"(z = c64[3] parameter(0)  i = s32[1] parameter(1)  u = f32[1] parameter(2)
  a = f32[3] abs(z)  ROOT r = f32[3] scatter(a, i, u), update_window_dims={}, inserted_window_dims={0},
    scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add_f32)");
  const std::vector<Literal> arguments = Values({"c64[3] {(1, 0), (1, 0), (1, 0)}", "s32[1] {0}", "f32[1] {1}"});
  const auto finding = [&](std::string_view got) {
    return JudgeBySamples(*module, {arguments}, Value("f32[3] {2, 1, 1}"), Value(got), XlaProfile());
  };
  CHECK(finding("f32[3] {2, 1, x3f7ffffd}").suspect.empty());
  CHECK_FALSE(finding("f32[3] {2, 1, 1.5}").suspect.empty());
}

// The remainder of infinities is NaN of either sign, below or above all numbers.
TEST_CASE("a total order of a computed NaN is explained both ways", "[acceptance][samples]") {
  const auto module = Parsed(R"(x = f32[2] parameter(0)  r = f32[2] remainder(x, x)
  ROOT g = pred[2] compare(r, x), direction=GT, type=TOTALORDER)");
  const auto explains = [&](std::string_view got) {
    return JudgeBySamples(*module, {Values({"f32[2] {inf, 1}"})}, Value("pred[2] {1, 0}"), Value(got), XlaProfile())
        .unexplained.empty();
  };
  CHECK(explains("pred[2] {0, 0}"));
  CHECK_FALSE(explains("pred[2] {1, 1}"));
}

TEST_CASE("instructions with lawful results that were once accused have their verdicts", "[acceptance]") {
  CheckRows<Judged>({
      // Two terms, -0.3 and 1.4: (2 + 2) u 1.7 is 3.4 steps.
      {"the sizes of products count integers as numbers of either sign",
       "ROOT r = f32[] dot(a, b), lhs_contracting_dims={0}, rhs_contracting_dims={0}",
       "a = s8[3] {-3, 2, 0}; b = f32[3] {0.1, 0.7, 5}",
       "EXACT off 0; LEGAL off 2; LEGAL off -2; FAIL off 5; FAIL off -5"},
      // 2^-127 squared is zero in f32, and f8e8m0fnu represents zero by NaN.
      {"products that vanish in a wider accumulator are NaN in a format without zero",
       "ROOT r = f8e8m0fnu[] dot(a, b), lhs_contracting_dims={0}, rhs_contracting_dims={0}",
       "a = f8e8m0fnu[2] {x00, x00}; b = f8e8m0fnu[2] {x00, x00}", "LEGAL nan"},
      {"", "ROOT r = f8e8m0fnu[] dot(a, b), lhs_contracting_dims={0}, rhs_contracting_dims={0}",
       "a = f8e8m0fnu[2] {x00, x00}; b = f8e8m0fnu[2] {x00, x7f}", "ieee FAIL nan"},
      {"", "ROOT r = f8e8m0fnu[] dot(a, b), lhs_contracting_dims={0}, rhs_contracting_dims={0}",
       "a = f8e8m0fnu[2] {x00, x01}; b = f8e8m0fnu[2] {x00, x80}", "FAIL nan"},
      {"a branch may flush the result of a correctly rounded function",
       R"(b0 { x = f32[] parameter(0)  ROOT e = f32[] exponential(x) }
ENTRY e { ROOT c = f32[] conditional(i, x), branch_computations={b0} })",
       "i = s32[] 0; x = f32[] -101", "ftz LEGAL 0; ieee FAIL 0"},
      // e^3 is 20.1, and the largest number of f8e3m4 is 15.5.
      // log(1 + z) is z. The larger part uses most of the tolerance; the smaller one may have been 0.32e-38.
      {"a part of a complex number with an error may be flushed",
       "ROOT r = c64[] log-plus-one(a), result_accuracy={tolerance={atol=0,rtol=0.25,ulps=1}}",
       "a = c64[] (5.0521563e-38, 1.2969596e-38)", "LEGAL (5.9002479e-38, 0); FAIL (6.6e-38, 0)"},
      {"a tolerance reaches back from beyond the largest number",
       "ROOT r = f8e3m4[] exponential(a), result_accuracy={tolerance={atol=0,rtol=0.3,ulps=0}}", "a = f8e3m4[] 3",
       "EXACT inf; LEGAL 15; FAIL 12"},
  });
}

// sinh(28) is 7.2e11, and 28 the largest number of f6e3m2fn; 6 units of 2^-2 are one and a half times that.
TEST_CASE("a tolerance reaches back from far beyond the largest number", "[acceptance]") {
  const std::string text = "ROOT r = f6e3m2fn[] sinh(a), result_accuracy={tolerance={atol=0,rtol=0,ulps=6}}";
  Judged(text, {"a = f6e3m2fn[] 28"}).Expect("LEGAL -28");
  Judged(text, {"a = f6e3m2fn[] 2"}).Expect("FAIL -28");
  Program(text, {"a = f6e3m2fn[] 28"}).Expect("WEAK -28");
}

// e^7 is 1097, and 448 the largest number of f8e4m3fn, which has NaN beyond it.
TEST_CASE("a tolerance reaches back from the NaN of an overflow", "[acceptance]") {
  const std::string text = "ROOT r = f8e4m3fn[] exponential(a), result_accuracy={tolerance={atol=0,rtol=0.7,ulps=0}}";
  Judged(text, {"a = f8e4m3fn[] 7"}).Expect("EXACT nan; LEGAL 448; FAIL 192");
  Program(text, {"a = f8e4m3fn[] 7"}).Expect("LEGAL 448");
}

TEST_CASE("lawful results that were once accused have their verdicts", "[acceptance][programs]") {
  CheckRows<Program>({
      // In f32 the square is 1.05517578125, which lies between 1.0546875 (x3c38) and x3c39. Its exact value is larger.
      {"a result that is kept in f32 is rounded twice", R"(a = f16[] add(x, y)  p = f16[] multiply(y, a)
  ROOT r = f16[] multiply(p, p))",
       "x = f16[] xc500; y = f16[] xb253", "EXACT x3c39; LEGAL x3c38; FAIL x3c37; ieee FAIL x3c38"},
      // 1 + 2^-11 + 2^-40 is above the middle of two numbers of f16; rounded to f32 it is the middle.
      {"a conversion is rounded twice where its result moves in f32",
       "c = f16[1] convert(x) ROOT r = f16[1] reverse(c), dimensions={0}", "x = f64[1] {x3ff0020000001000}",
       "EXACT {x3c01}; LEGAL {x3c00}; ieee FAIL {x3c00}"},
      {"", "ROOT c = f16[1] convert(x)", "x = f64[1] {x3ff0020000001000}", "FAIL {x3c00}"},
      // e^-101 is subnormal.
      {"a step of a scan may flush the result of a correctly rounded function", R"(step { x = f32[1] parameter(0)
  c = f32[1] parameter(1)  z = f32[1] constant({0})  e = f32[1] exponential(x)  ROOT t = (f32[1], f32[1]) tuple(z, e)
}
ENTRY e { s = (f32[1,1], f32[1]) scan(x, z), dimensions={1}, num_carries=1, is_associative=false, to_apply=step
  ROOT r = f32[1] get-tuple-element(s), index=1 })",
       "x = f32[1,1] {{-101}}; z = f32[1] {0}", "ftz LEGAL {0}; ieee FAIL {0}"},
      // log(1 + 2^-14) is 2^-14 - 2^-29, which rounds to the least normal number.
      {"a correctly rounded function may flush what is subnormal before its rounding", "ROOT r = f16[] log-plus-one(x)",
       "x = f16[] x0400", "EXACT x0400; ftz LEGAL 0; ieee FAIL 0"},
      // log(8e-308) = -707 is 10^310 times the divisor: an error of one unit leaves any remainder.
      {"a remainder by a number far below the dividend's error is open",
       "l = f64[] log(x) ROOT r = f64[] remainder(l, x)", "x = f64[] x002cfbacdcdf0cea",
       "stablehlo WEAK x8016d44af33e31fc; stablehlo FAIL -1"},
      {"a tolerance of 0 keeps an infinity", R"(a = f32[] atanh(x), result_accuracy={tolerance={atol=0,rtol=0,ulps=0}}
  ROOT r = f32[] exponential-minus-one(a))",
       "x = f32[] -1", "LEGAL xbf7ffffb; FAIL nan"},
  });
}

constexpr std::string_view kPair = R"(HloModule m, replica_count=3
ENTRY e { x = f32[2] parameter(0)  s = f32[2] all-reduce-start(x), replica_groups={}, to_apply=add_f32
  ROOT d = f32[2] all-reduce-done(s) })";

struct Pair {
  std::unique_ptr<HloModule> module = Parsed(std::string(kPair));
  DeviceValues arguments = {Values({"f32[2] {0.1, 1}"}), Values({"f32[2] {3.3, 2}"}), Values({"f32[2] {0.1, 3}"})};
  Result<InstructionValues> root = EvaluateRoot(*module, arguments, {});
};

TEST_CASE("the end of an asynchronous pair is judged as the operation", "[acceptance]") {
  const Pair pair;
  REQUIRE(pair.root);
  CHECK(pair.root->operands.size() == 3);
  const auto off = [&](int steps) {
    Literal got = pair.root->want;
    got.mutable_elements()[1].mutable_values<std::uint32_t>()[0] += steps;
    return JudgeInstruction(*pair.module->entry->root, pair.root->operands, pair.root->want, got, XlaProfile()).verdict;
  };
  CHECK(off(0) == Verdict::kExact);
  CHECK(off(1) == Verdict::kLegal);
  CHECK(off(1000) == Verdict::kFail);
}

TEST_CASE("the errors of an asynchronous sum are explained", "[acceptance][trials]") {
  const Pair pair;
  REQUIRE(pair.root);
  const auto unexplained = [&](int steps) {
    Literal got = pair.root->want;
    got.mutable_elements()[1].mutable_values<std::uint32_t>()[0] += steps;
    return JudgeBySamples(*pair.module, pair.arguments, pair.root->want, got, XlaProfile()).unexplained;
  };
  CHECK(unexplained(1).empty());
  CHECK(!unexplained(1 << 20).empty());
}

// 1.5 - 1 of the least normal numbers is flushed, and 1.25 is left.
TEST_CASE("a partial sum that is flushed is explained behind a scale", "[acceptance][trials]") {
  const auto module = Parsed(R"(
ENTRY e { a = f32[3] parameter(0)  b = f32[3] parameter(1)  c = f32[] constant(1.2676506e30)
  s = f32[] dot(a, b), lhs_contracting_dims={0}, rhs_contracting_dims={0}  ROOT r = f32[] multiply(s, c) })");
  const std::vector<Literal> arguments = Values({"f32[3] {x00800000, x00800000, x00800000}", "f32[3] {1.5, -1, 1.25}"});
  const Literal want = Evaluated(*module, arguments);
  const auto unexplained = [&](std::string_view got) {
    return JudgeBySamples(*module, {arguments}, want, Value(got), XlaProfile()).unexplained;
  };
  CHECK(want.BitwiseEqual(Value("f32[] x32e00000")));
  CHECK(unexplained("f32[] x32a00000").empty());
  CHECK(!unexplained("f32[] x37800000").empty());
}

// Found by fuzzing lawful noise: samples flushed arguments and results only.
TEST_CASE("a constant that is flushed is explained", "[acceptance][trials]") {
  const auto module = Parsed(R"(
ENTRY e { c = f64[1] constant({-1.1125369292536007e-308})  r = f64[1] cbrt(c)  x = f64[1] parameter(0)
  ROOT s = f64[1] negate(r) })");
  const std::vector<Literal> arguments = Values({"f64[1] {1}"});
  const Literal want = Evaluated(*module, arguments);
  const auto judge = [&](std::string_view got) {
    return JudgeBySamples(*module, {arguments}, want, Value(got), XlaProfile());
  };
  CHECK(judge("f64[1] {0}").suspect.empty());
  CHECK(!judge("f64[1] {1e-90}").suspect.empty());
}

// Found by fuzzing lawful noise: -0.5 is rounded to 0, or to -1 if the quotient errs. From -1, the order decides:
// ((-1 * 2) / 128) * 8192 / 128 is 0, and -1 * (2 * 8192 / 128) / 128 is -1.
TEST_CASE("samples do not vary a fold to integers that rounds real numbers", "[acceptance][trials]") {
  const auto module = Parsed(R"(
region { a = s32[] parameter(0)  b = s32[] parameter(1)  c = bf16[] convert(a)  d = bf16[] convert(b)
  s = bf16[] constant(0.0078125)  e = bf16[] multiply(c, s)  f = bf16[] multiply(e, d)
  g = bf16[] round-nearest-even(f)  ROOT h = s32[] convert(g) }
ENTRY e { x = s32[2] parameter(0)  y = bf16[] parameter(1)  z = bf16[] parameter(2)  q = bf16[] divide(y, z)
  r = bf16[] round-nearest-even(q)  i = s32[] convert(r)
  ROOT t = s32[] reduce(x, i), dimensions={0}, to_apply=region })");
  const std::vector<Literal> arguments = Values({"s32[2] {2, 8192}", "bf16[] -0.00390625", "bf16[] 0.0078125"});
  const Literal want = Evaluated(*module, arguments);
  CHECK(want.BitwiseEqual(Value("s32[] 0")));
  const SampleFinding found = JudgeBySamples(*module, {arguments}, want, Value("s32[] -1"), XlaProfile());
  CHECK(found.suspect.empty());
  CHECK(found.unexplained.find("samples do not vary them") != std::string::npos);
}

// Alone, the sum may be exact; in the module it is another order's.
TEST_CASE("a sum over devices in another order is legal", "[acceptance]") {
  const std::string plain = R"(HloModule m, replica_count=3
ENTRY e { x = f32[2] parameter(0)  s = f32[2] all-reduce(x), replica_groups={}, to_apply=add_f32
  ROOT n = f32[2] negate(s) })";
  const DeviceValues arguments = Pair().arguments;
  for (const std::string& text : {std::string(kPair), plain}) {
    const auto module = Parsed(text);
    int differing = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      LawfulBackend backend(XlaProfile(), seed);
      const Result<ModuleReport> report = CompareModule(backend, *module, arguments, {});
      REQUIRE(report);
      if (report->verdict == Verdict::kExact) continue;
      INFO(report->reason);
      CHECK(report->verdict == Verdict::kLegal);
      ++differing;
    }
    CHECK(differing > 0);
  }
}

}  // namespace
}  // namespace assay::testing
