// The lawful values of whole programs, by hand.
#include "interpreter/acceptance/sets/program_sets.h"

#include <cmath>

#include "spec_tests/acceptance/program.h"

namespace assay::testing {
namespace {

TEST_CASE("an initial value that is no identity may count again, and may not be missing", "[acceptance][programs]") {
  Program("c = s32[] constant(100) ROOT r = s32[] reduce(x, c), dimensions={0}, to_apply=add_s32",
          {"x = s32[4] {1, 2, 3, 4}"})
      .Expect("EXACT 110; SPEC-GAP 210; FAIL 10; exact FAIL 210");
}

TEST_CASE("arguments that a module does not take have no sets", "[acceptance][programs]") {
  const auto module = Parsed("ENTRY e { x = f32[2] parameter(0)  y = f32[2] parameter(1)  ROOT r = f32[2] add(x, y) }");
  const auto error = [&](std::vector<Literal> arguments) {
    const Result<ValueSet> set = EvaluateSets(*module, std::move(arguments), BuiltInProfile("xla"));
    REQUIRE(!set);
    CHECK(set.error().code == ErrorCode::kInput);
    return set.error().message;
  };
  CHECK(error(Values({"f32[2] {1, 2}"})) == "the entry computation e takes 2 arguments, found 1");
  CHECK(error(Values({"f32[2] {1, 2}", "f32[3] {1, 2, 3}"})) ==
        "argument 1 has shape f32[3], parameter y expects f32[2]");
  const Result<ValueSet> of_sets = EvaluateSetsOf(*module, {}, BuiltInProfile("xla"));
  REQUIRE(!of_sets);
  CHECK(of_sets.error().message == "the entry computation e takes 2 arguments, found 0");
}

TEST_CASE("integers and moved data have one value", "[acceptance][programs]") {
  const Program program(R"(b = s32[3] multiply(a, a)  c = s32[3] reverse(b), dimensions={0}
  ROOT r = s32[2] slice(c), slice={[0:2]})",
                        {"a = s32[3] {1, 2, 3}"});
  program.Expect("EXACT {9, 4}");
  const Judgement wrong = program.Of("s32[2] {9, 5}");
  CHECK(wrong.verdict == Verdict::kFail);
  CHECK(wrong.worst.name == "element [1]");
}

TEST_CASE("a product that is added next may stay unrounded", "[acceptance][programs]") {
  // (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24: rounded it loses 2^-24, which is all that is left of the difference.
  const Program program(R"(q = f32[] multiply(x, x)  s = f32[1] reshape(q)  ROOT r = f32[1] subtract(s, c))",
                        {"x = f32[] 1.000244140625", "c = f32[1] {1.00048828125}"});
  program.Expect("EXACT {0}");
  const Judgement fused = program.Of("f32[1] {5.9604644775390625e-08}");
  CHECK(fused.verdict == Verdict::kLegal);
  CHECK(fused.reason.find("contraction") != std::string::npos);
  program.Expect("ieee FAIL {5.9604644775390625e-08}; FAIL {1.2e-07}");
}

// Found by fuzzing XLA:CPU, which elides the fold and contracts the rest.
TEST_CASE("a sum of one product and 0 does not round the product", "[acceptance][programs]") {
  for (const char* fold : {"f32[] reduce(q, z), dimensions={0}", "f32[1] reduce-window(q, z), window={size=1}"}) {
    Program(fmt::format(R"(ENTRY e {{
  q = f32[1] multiply(x, x)  z = f32[] constant(0)  w = {}, to_apply=add_f32
  s = f32[] reshape(w)  ROOT r = f32[] subtract(s, c) }})",
                        fold),
            {"x = f32[1] {1.000244140625}", "c = f32[] 1.00048828125"})
        .Expect("EXACT 0; LEGAL 5.9604644775390625e-08; ieee FAIL 5.9604644775390625e-08; FAIL 1.2e-07");
  }
}

TEST_CASE("the addition of 0 does not round products of which one is -0", "[acceptance][programs]") {
  for (const char* sum : {"add(q, b)", "reduce-window(q, z), window={size=1}, to_apply=add_f32"}) {
    Program(fmt::format(R"(ENTRY e {{
  q = f32[2] multiply(x, y)  z = f32[] constant(0)  b = f32[2] broadcast(z), dimensions={{}}
  s = f32[2] {}
  ROOT r = f32[2] subtract(s, c) }})",
                        sum),
            {"x = f32[2] {1.000244140625, 0}", "y = f32[2] {1.000244140625, -1}", "c = f32[2] {1.00048828125, 1}"})
        .Expect("EXACT {0, -1}; LEGAL {5.9604644775390625e-08, -1}; ieee FAIL {5.9604644775390625e-08, -1}");
  }
}

TEST_CASE("a choice that rounding decides may fall either way", "[acceptance][programs]") {
  const auto text = [](std::string_view bound) {
    return Entry(fmt::format(R"(  x = f32[] parameter(0)  e = f32[] exponential(x)  c = f32[] constant({})
  p = pred[] compare(e, c), direction=GT
  a = s32[] constant(7)  b = s32[] constant(9)  ROOT r = s32[] select(p, a, b))",
                             bound));
  };
  Program(text("2.7182817"), {"f32[] 1"}).Expect("WEAK 7; EXACT 9; FAIL 11");
  Program(text("2"), {"f32[] 1"}).Expect("FAIL 9");
}

TEST_CASE("a loop's sets follow as many iterations as its condition allows", "[acceptance][programs]") {
  const Program program(R"(body { s = (s32[], f32[]) parameter(0)  i = s32[] get-tuple-element(s), index=0
  x = f32[] get-tuple-element(s), index=1
  one = s32[] constant(1)  j = s32[] add(i, one)  y = f32[] tanh(x)  ROOT r = (s32[], f32[]) tuple(j, y) }
cond { s = (s32[], f32[]) parameter(0)  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(5)  ROOT r = pred[] compare(i, n), direction=LT }
ENTRY e { z = s32[] constant(0)  t = (s32[], f32[]) tuple(z, x)
  w = (s32[], f32[]) while(t), condition=cond, body=body
  ROOT r = f32[] get-tuple-element(w), index=1 })",
                        {"x = f32[] 0.5"});
  // tanh five times, by hand: 0.46211716, 0.43180..., 0.40682..., 0.38577..., 0.36770...
  double exact = 0.5;
  for (int i = 0; i < 5; ++i) exact = std::tanh(exact);
  const auto near = static_cast<float>(exact);
  CHECK(program.Is(fmt::format("f32[] {:.9g}", std::nextafter(near, 1.0F))) == Verdict::kLegal);
  CHECK(program.Is(fmt::format("f32[] {:.9g}", std::tanh(exact))) == Verdict::kFail);
}

TEST_CASE("the order of updates, and a window that is partly outside, are open", "[acceptance][programs]") {
  const std::string text = R"(second { a = f32[] parameter(0)  ROOT b = f32[] parameter(1) }
ENTRY e {
  s = f32[4] scatter(x, i, u), update_window_dims={1}, inserted_window_dims={}, scatter_dims_to_operand_dims={0},
    index_vector_dim=1, to_apply=second
  ROOT r = f32[4] negate(s) })";
  // The second window overlaps the first one in one element.
  Program(text, {"x = f32[4] {0, 0, 0, 0}", "i = s32[3,1] {{0}, {1}, {1}}", "u = f32[3,2] {{1, 2}, {3, 4}, {3, 4}}"})
      .Expect("EXACT {-1, -3, -4, -0}; SPEC-GAP {-1, -2, -4, -0}; FAIL {-1, -3, -5, -0}; exact FAIL {-2, -2, -4, -0}");
  // The last window begins at the last element.
  Program(text, {"x = f32[4] {0, 0, 0, 0}", "i = s32[3,1] {{0}, {0}, {3}}", "u = f32[3,2] {{1, 2}, {1, 2}, {3, 4}}"})
      .Expect("EXACT {-1, -2, -0, -0}; SPEC-GAP {-1, -2, -0, -3}; FAIL {-1, -2, -3, -0}");
}

TEST_CASE("a NaN gives a zero of either sign where a format has none", "[acceptance][programs]") {
  for (const auto& [conversion, verdict] :
       {std::pair("convert(n)", Verdict::kLegal), std::pair("stochastic-convert(n, u)", Verdict::kWeak)}) {
    const Program program(fmt::format("n = f16[2] sqrt(x) ROOT r = f6e2m3fn[2] {}", conversion),
                          {"x = f16[2] {-1, 1}", "u = u16[2] {0, 0}"});
    CHECK(program.Is("f6e2m3fn[2] {0, 1}", "ieee") == verdict);
    program.Expect("ieee EXACT {-0, 1}");
  }
  Program("n = f16[2] sqrt(x) ROOT r = f6e2m3fn[2] convert(n)", {"x = f16[2] {-1, 1}"})
      .Expect("ieee FAIL {1, 1}; ieee FAIL {0, 2}");
}

TEST_CASE("parts of complex numbers have sets of their own", "[acceptance][programs]") {
  const auto text = [](std::string_view part) {
    return Entry(fmt::format(R"(  x = f32[2] parameter(0)  e = f32[2] exponential(x)  t = f32[2] tanh(x)
  z = c64[2] complex(e, t)  ROOT r = f32[2] {}(z))",
                             part));
  };
  Program(text("real"), {"f32[2] {1, 0}"}).Expect("EXACT {2.7182817, 1}; FAIL {0.76159418, 1}");
  Program(text("imag"), {"f32[2] {1, 0}"}).Expect("EXACT {0.76159418, 0}; FAIL {2.7182817, 0}");
}

TEST_CASE("programs have their sets", "[acceptance][programs]") {
  CheckRows<Program>({
      // openxla/xla#42732: sqrt(x * x) is not |x| where x * x is infinite.
      {"a square that overflows has no root", "q = f32[2] multiply(x, x) ROOT r = f32[2] sqrt(q)",
       "x = f32[2] {3, 2e+19}", "EXACT {3, inf}; FAIL {3, 2e+19}"},
      // 257 is no bf16: 256 + 1 rounds to 256, and 256 - 256 is 0. In f32 it is 1.
      {"narrow numbers may be kept wide, where the profile says so",
       "s = bf16[] add(x, y) ROOT r = bf16[] subtract(s, x)", "x = bf16[] 256; y = bf16[] 1",
       "EXACT 0; LEGAL 1; ieee FAIL 1; FAIL 3"},
      {"several additions keep the program's grouping unless regrouping is open",
       "s = f32[] add(x, c) ROOT r = f32[] subtract(s, c)", "x = f32[] 1; c = f32[] 1e+30", "FAIL 1; fast LEGAL 1"},
      // Found with XLA:CPU's fast-math on an associative scan, whose steps slice and interleave products.
      {"a sum that is moved, negated and halved may be grouped with the next one under regrouping",
       R"(s = f32[2] add(x, c)  m = f32[1] slice(s), slice={[1:2]}  n = f32[1] negate(m)  h = f32[1] constant({0.5})
  k = f32[1] multiply(n, h)  ROOT r = f32[1] add(k, d))",
       "x = f32[2] {1, 1}; c = f32[2] {1, 1e+30}; d = f32[1] {5e+29}", "EXACT {0}; FAIL {-0.5}; fast LEGAL {-0.5}"},
      // LLVM's vectors of v + c * sum(t) begin with v. In steps of 1.5 each sum above 2^24 rounds up.
      {"a product may be distributed over the terms of a sum under regrouping",
       R"(z = f32[] constant(0)  s = f32[] reduce(t, z), dimensions={0}, to_apply=add_f32  c = f32[] constant(1.5)
  p = f32[] multiply(c, s)  ROOT r = f32[] add(v, p))",
       "t = f32[8] {1, 1, 1, 1, 1, 1, 1, 1}; v = f32[] 16777216",
       "EXACT 16777228; FAIL 16777232; fast LEGAL 16777232; fast FAIL 16777264"},
      {"a sum may be grouped with the next one under regrouping",
       "z = f32[] constant(0)  s = f32[] reduce(t, z), dimensions={0}, to_apply=add_f32  ROOT r = f32[] add(v, s)",
       "t = f32[8] {1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5}; v = f32[] 16777216",
       "EXACT 16777228; FAIL 16777232; fast LEGAL 16777232; fast FAIL 16777264"},
      // (1.7 * 1.7) * 1.1 is 3.1790001, and 1.7 * (1.7 * 1.1) the next number.
      {"a product that is moved, negated and added to zeros may be grouped with the next one under regrouping",
       R"(p = f32[2] multiply(x, x)  m = f32[1] slice(p), slice={[1:2]}  n = f32[1] negate(m)  z = f32[] constant(0)
  o = f32[2] pad(n, z), padding=0_1  q = f32[2] pad(y, z), padding=1_0  i = f32[2] add(o, q)
  ROOT r = f32[2] multiply(i, y2))",
       "x = f32[2] {1, 1.7}; y = f32[1] {3}; y2 = f32[2] {1.1, 1}",
       "EXACT {-3.17900014, 3}; FAIL {-3.17900038, 3}; fast LEGAL {-3.17900038, 3}; fast FAIL {-3.17901, 3}"},
      {"a partial product may overflow or vanish in another order under regrouping",  // 2^70 2^70, 2^-100 2^-100
       "p = f32[2] multiply(x, y) ROOT r = f32[2] multiply(p, y)",
       "x = f32[2] {x35800000, x71800000}; y = f32[2] {x62800000, x0d800000}",
       "EXACT {x7b800000, x0d800000}; FAIL {inf, x0d800000}; FAIL {x7b800000, 0}; fast WEAK {inf, 0}"},
      {"an undecided branch may be either", R"(t { x = f32[] parameter(0)  ROOT r = f32[] negate(x) }
f { x = f32[] parameter(0)  c = f32[] constant(10)  ROOT r = f32[] add(x, c) }
ENTRY e { e1 = f32[] exponential(x)  c = f32[] constant(2.7182817)  p = pred[] compare(e1, c), direction=GT
  ROOT r = f32[] conditional(p, x, x), true_computation=t, false_computation=f })",
       "x = f32[] 1", "WEAK -1; EXACT 11; FAIL 12"},
      {"a sort keeps its order where numbers that rounded stand far apart", R"(less { a = f32[] parameter(0)
  b = f32[] parameter(1)  i = s32[] parameter(2)  j = s32[] parameter(3)
  ROOT r = pred[] compare(a, b), direction=LT }
ENTRY e { y = f32[3] exponential(x)  i = s32[3] iota(), iota_dimension=0
  s = (f32[3], s32[3]) sort(y, i), dimensions={0}, is_stable=true, to_apply=less
  ROOT r = s32[3] get-tuple-element(s), index=1 })",
       "x = f32[3] {2, 0, 1}", "EXACT {1, 2, 0}; FAIL {2, 1, 0}"},
      {"bits of a NaN are open, its place is not", "n = f32[2] sqrt(x) ROOT r = u32[2] bitcast-convert(n)",
       "x = f32[2] {-1, 4}", "WEAK {4290772992, 1073741824}; FAIL {2143289344, 1073741825}"},
      {"", R"(t = f32[3] tanh(x)  c = f32[] constant(-inf)
  ROOT r = f32[] reduce(t, c), dimensions={0}, to_apply=maximum_f32)",
       "x = f32[3] {1, nan, 2}", "EXACT nan; FAIL 0.96402758"},
      {"bits of a complex NaN are open, part by part", "n = c64[2] log(x) ROOT r = u64[2] bitcast(n)",
       "x = c64[2] {(nan, nan), (1, 0)}", "WEAK {18428729675200069632, 0}"},
      {"", "ROOT r = f32[1] real(x)", "x = c64[1] {(2, nan)}", "FAIL {3}"},
      // 2.7182817 squared is 7.3890557, and its set, 7.4 by 7.4 in each part, 8 and 2 units of the larger one.
      {"products, quotients and moduli of open complex numbers are known",
       "e = c64[] exponential(x) ROOT r = c64[] multiply(e, e)", "x = c64[] (1, 0)",
       "LEGAL (7.38906, 1e-06); FAIL (7.3892, 0); FAIL (7.389056, 0.0001); fast WEAK (7.3892, 0)"},
      {"", "e = c64[] exponential(x) ROOT r = c64[] divide(e, y)", "x = c64[] (1, 0); y = c64[] (3, 4)",
       "LEGAL (0.3261942, -0.4349254); FAIL (0.3261942, 0.4349254); FAIL (0.3263, -0.4349)"},
      {"", "e = c64[] exponential(x) ROOT r = f32[] abs(e)", "x = c64[] (1, 1)", "LEGAL 2.718283; FAIL 2.7184"},
      {"", "e = c64[] exponential(x) ROOT r = c64[] divide(y, e)", "x = c64[] (-60, 0); y = c64[] (1e+20, 0)",
       "WEAK (1, 0)"},
      // C leaves the sign of the zero in catan(inf + NaN i) open; here it is the sign of the NaN.
      {"a zero that comes from a complex NaN has either sign", "ROOT r = c64[] atan(x)", "x = c64[] (inf, nan)",
       "ieee WEAK (1.57079637, -0)"},
      {"", "ROOT r = c64[] atan(x)", "x = c64[] (inf, 1)", "ieee FAIL (1.57079637, -0)"},
      // asinh(9e37) is near 88, and cosh of a quarter more is beyond f32.
      {"a number that may overflow may be anything under not_finite",
       R"(y = f32[] asinh(x), result_accuracy={tolerance={atol=0,rtol=0.25,ulps=0}}
  ROOT r = f32[] cosh(y))",
       "x = f32[] 9e+37", "LEGAL inf; FAIL 0.5; fast WEAK 0.5"},
      {"a loop may return anything for a NaN under not_finite", R"(body { s = (s32[], f32[]) parameter(0)
  ROOT r = (s32[], f32[]) copy(s) }
cond { s = (s32[], f32[]) parameter(0)  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(0)  ROOT r = pred[] compare(i, n), direction=LT }
ENTRY e { z = s32[] constant(0)  t = (s32[], f32[]) tuple(z, x)
  w = (s32[], f32[]) while(t), condition=cond, body=body
  ROOT r = f32[] get-tuple-element(w), index=1 })",
       "x = f32[] nan", "FAIL 1; fast WEAK 1"},
      // A number that moves by e moves no part of a transform farther. The average has a quarter of its error.
      {"a transform adds up the errors of its numbers", R"(e = f32[4] exponential(x)
  f = c64[3] fft(e), fft_type=RFFT, fft_length={4}  r = f32[3] real(f)  ROOT s = f32[1] slice(r), slice={[0:1]})",
       "x = f32[4] {0, 0, 0, 0}", "EXACT {4}; LEGAL {4.000001}; FAIL {4.001}"},
      {"", R"(e = f32[4] exponential(x)  f = c64[3] fft(e), fft_type=RFFT, fft_length={4}
  ROOT r = f32[4] fft(f), fft_type=IRFFT, fft_length={4})",
       "x = f32[4] {0, 0, 0, 0}", "EXACT {1, 1, 1, 1}; LEGAL {1.000001, 1, 1, 1}; FAIL {1, 1.001, 1, 1}"},
      // XLA:CPU folds both arrays whole.
      {"no text says which elements of two arrays count whose sizes differ at run time",
       R"(f { p = s32[] parameter(0)  q = s32[] parameter(1)  s = s32[] parameter(2)  t = s32[] parameter(3)
  u = s32[] add(p, s)  v = s32[] maximum(q, t)  ROOT w = (s32[], s32[]) tuple(u, v) }
ENTRY e { v = s32[<=3] set-dimension-size(x, n), dimensions={0}
  r = (s32[], s32[]) reduce(y, v, z, z), dimensions={0}, to_apply=f  ROOT a = s32[] get-tuple-element(r), index=0 })",
       "x = s32[3] {4, 5, 6}; n = s32[] 2; y = s32[3] {1, 2, 3}; z = s32[] 0", "EXACT 3; SPEC-GAP 6"},
      {"a complex function has its bound in a program", "e = c64[1] exponential(x) ROOT r = f32[1] imag(e)",
       "x = c64[1] {(0, 1)}", "EXACT {0.841470957}; LEGAL {0.841471016}; FAIL {0.8415}"},
      {"a product stays unrounded as a part of a complex number", R"(q = f32[] multiply(x, x)
  z = c64[] complex(q, x)  s = f32[] real(z)  ROOT r = f32[] subtract(s, c))",
       "x = f32[] 1.000244140625; c = f32[] 1.00048828125", "LEGAL 5.9604644775390625e-08; FAIL 1.2e-07"},
  });
}

TEST_CASE("a set that proves nothing is weak, and names what made it wide", "[acceptance][programs]") {
  const Program program(R"(e = f32[] exponential(x)  c = f32[] constant(2.7182817)  d = f32[] subtract(e, c)
  ROOT r = f32[] divide(c, d))",
                        {"x = f32[] 1"});
  const Judgement judgement = program.Of("f32[] 12345");
  CHECK(judgement.verdict == Verdict::kWeak);
  CHECK(judgement.reason.find("widened it") != std::string::npos);
}

TEST_CASE("a program without sets is unsupported", "[acceptance][programs]") {
  const auto module = Parsed("ROOT r = u32[] replica-id()");
  const Result<ValueSet> set = EvaluateSets(*module, {}, XlaProfile());
  REQUIRE_FALSE(set);
  CHECK(set.error().code == ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace assay::testing
