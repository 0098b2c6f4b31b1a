// The lawful values of whole programs, by hand.
#include "interpreter/acceptance/sets/program_sets.h"

#include <fmt/format.h>

#include <cmath>

#include "interpreter/acceptance/profile.h"
#include "spec_tests/acceptance/program.h"
#include "spec_tests/catch.h"

namespace assay::testing {
namespace {

TEST_CASE("integers and moved data have one value", "[acceptance][programs]") {
  const Program program(Entry(R"(  a = s32[3] parameter(0)
  b = s32[3] multiply(a, a)
  c = s32[3] reverse(b), dimensions={0}
  ROOT r = s32[2] slice(c), slice={[0:2]})"),
                        {"s32[3] {1, 2, 3}"});
  CHECK(program.Is("s32[2] {9, 4}") == Verdict::kExact);
  const Judgement wrong = program.Of("s32[2] {9, 5}");
  CHECK(wrong.verdict == Verdict::kFail);
  CHECK(wrong.worst.name == "element [1]");
}

TEST_CASE("a square that overflows has no root", "[acceptance][programs]") {
  // openxla/xla#42732: sqrt(x * x) is not |x| where x * x is infinite.
  const Program program(Entry(R"(  x = f32[2] parameter(0)
  q = f32[2] multiply(x, x)
  ROOT r = f32[2] sqrt(q))"),
                        {"f32[2] {3, 2e+19}"});
  CHECK(program.Is("f32[2] {3, inf}") == Verdict::kExact);
  CHECK(program.Is("f32[2] {3, 2e+19}") == Verdict::kFail);
}

TEST_CASE("a product that is added next may stay unrounded", "[acceptance][programs]") {
  // (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24: rounded it loses 2^-24, which is all that is left of the difference.
  const Program program(Entry(R"(  x = f32[] parameter(0)
  q = f32[] multiply(x, x)
  s = f32[1] reshape(q)
  c = f32[1] parameter(1)
  ROOT r = f32[1] subtract(s, c))"),
                        {"f32[] 1.000244140625", "f32[1] {1.00048828125}"});
  CHECK(program.Is("f32[1] {0}") == Verdict::kExact);
  const Judgement fused = program.Of("f32[1] {5.9604644775390625e-08}");
  CHECK(fused.verdict == Verdict::kLegal);
  CHECK(fused.reason.find("contraction") != std::string::npos);
  CHECK(program.Is("f32[1] {5.9604644775390625e-08}", "ieee") == Verdict::kFail);
  CHECK(program.Is("f32[1] {1.2e-07}") == Verdict::kFail);
}

constexpr std::string_view kAdd =
    "HloModule m\nadd { x = f32[] parameter(0) y = f32[] parameter(1) ROOT z = f32[] add(x, y) }\n";

// Found by fuzzing XLA:CPU, which elides the fold and contracts the rest.
TEST_CASE("a sum of one product and 0 does not round the product", "[acceptance][programs]") {
  for (const char* fold : {"f32[] reduce(q, z), dimensions={0}", "f32[1] reduce-window(q, z), window={size=1}"}) {
    const Program program(fmt::format(R"({}ENTRY e {{
  x = f32[1] parameter(0)
  q = f32[1] multiply(x, x)
  z = f32[] constant(0)
  w = {}, to_apply=add
  s = f32[] reshape(w)
  c = f32[] parameter(1)
  ROOT r = f32[] subtract(s, c)
}})",
                                      kAdd, fold),
                          {"f32[1] {1.000244140625}", "f32[] 1.00048828125"});
    CHECK(program.Is("f32[] 0") == Verdict::kExact);
    CHECK(program.Is("f32[] 5.9604644775390625e-08") == Verdict::kLegal);
    CHECK(program.Is("f32[] 5.9604644775390625e-08", "ieee") == Verdict::kFail);
    CHECK(program.Is("f32[] 1.2e-07") == Verdict::kFail);
  }
}

TEST_CASE("the addition of 0 does not round products of which one is -0", "[acceptance][programs]") {
  for (const char* sum : {"add(q, b)", "reduce-window(q, z), window={size=1}, to_apply=add"}) {
    const Program program(fmt::format(R"({}ENTRY e {{
  x = f32[2] parameter(0)
  y = f32[2] parameter(1)
  q = f32[2] multiply(x, y)
  z = f32[] constant(0)
  b = f32[2] broadcast(z), dimensions={{}}
  s = f32[2] {}
  c = f32[2] parameter(2)
  ROOT r = f32[2] subtract(s, c)
}})",
                                      kAdd, sum),
                          {"f32[2] {1.000244140625, 0}", "f32[2] {1.000244140625, -1}", "f32[2] {1.00048828125, 1}"});
    CHECK(program.Is("f32[2] {0, -1}") == Verdict::kExact);
    CHECK(program.Is("f32[2] {5.9604644775390625e-08, -1}") == Verdict::kLegal);
    CHECK(program.Is("f32[2] {5.9604644775390625e-08, -1}", "ieee") == Verdict::kFail);
  }
}

TEST_CASE("narrow numbers may be kept wide, where the profile says so", "[acceptance][programs]") {
  // 257 is no bf16: 256 + 1 rounds to 256, and 256 - 256 is 0. In f32 it is 1.
  const Program program(Entry(R"(  x = bf16[] parameter(0)
  y = bf16[] parameter(1)
  s = bf16[] add(x, y)
  ROOT r = bf16[] subtract(s, x))"),
                        {"bf16[] 256", "bf16[] 1"});
  CHECK(program.Is("bf16[] 0") == Verdict::kExact);
  CHECK(program.Is("bf16[] 1") == Verdict::kLegal);
  CHECK(program.Is("bf16[] 1", "ieee") == Verdict::kFail);
  CHECK(program.Is("bf16[] 3") == Verdict::kFail);
}

TEST_CASE("the grouping of several additions is what the program says", "[acceptance][programs]") {
  const Program program(Entry(R"(  x = f32[] parameter(0)
  c = f32[] parameter(1)
  s = f32[] add(x, c)
  ROOT r = f32[] subtract(s, c))"),
                        {"f32[] 1", "f32[] 1e+30"});
  CHECK(program.Is("f32[] 1") == Verdict::kFail);
  CHECK(program.Is("f32[] 1", "fast") == Verdict::kLegal);
}

TEST_CASE("a choice that rounding decides may fall either way", "[acceptance][programs]") {
  const auto text = [](std::string_view bound) {
    return Entry(fmt::format(R"(  x = f32[] parameter(0)
  e = f32[] exponential(x)
  c = f32[] constant({})
  p = pred[] compare(e, c), direction=GT
  a = s32[] constant(7)
  b = s32[] constant(9)
  ROOT r = s32[] select(p, a, b))",
                             bound));
  };
  const Program near(text("2.7182817"), {"f32[] 1"});
  CHECK(near.Is("s32[] 7") == Verdict::kWeak);
  CHECK(near.Is("s32[] 9") == Verdict::kExact);
  CHECK(near.Is("s32[] 11") == Verdict::kFail);
  const Program far(text("2"), {"f32[] 1"});
  CHECK(far.Is("s32[] 9") == Verdict::kFail);
}

TEST_CASE("an undecided branch may be either", "[acceptance][programs]") {
  const Program program(R"(HloModule m
t { x = f32[] parameter(0)
  ROOT r = f32[] negate(x) }
f { x = f32[] parameter(0)
  c = f32[] constant(10)
  ROOT r = f32[] add(x, c) }
ENTRY e {
  x = f32[] parameter(0)
  e1 = f32[] exponential(x)
  c = f32[] constant(2.7182817)
  p = pred[] compare(e1, c), direction=GT
  ROOT r = f32[] conditional(p, x, x), true_computation=t, false_computation=f
})",
                        {"f32[] 1"});
  CHECK(program.Is("f32[] -1") == Verdict::kWeak);
  CHECK(program.Is("f32[] 11") == Verdict::kExact);
  CHECK(program.Is("f32[] 12") == Verdict::kFail);
}

TEST_CASE("loops are walked as often as their condition says", "[acceptance][programs]") {
  const Program program(R"(HloModule m
body { s = (s32[], f32[]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = f32[] get-tuple-element(s), index=1
  one = s32[] constant(1)
  j = s32[] add(i, one)
  y = f32[] tanh(x)
  ROOT r = (s32[], f32[]) tuple(j, y) }
cond { s = (s32[], f32[]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(5)
  ROOT r = pred[] compare(i, n), direction=LT }
ENTRY e {
  x = f32[] parameter(0)
  z = s32[] constant(0)
  t = (s32[], f32[]) tuple(z, x)
  w = (s32[], f32[]) while(t), condition=cond, body=body
  ROOT r = f32[] get-tuple-element(w), index=1
})",
                        {"f32[] 0.5"});
  // tanh five times, by hand: 0.46211716, 0.43180..., 0.40682..., 0.38577..., 0.36770...
  double exact = 0.5;
  for (int i = 0; i < 5; ++i) exact = std::tanh(exact);
  const auto near = static_cast<float>(exact);
  CHECK(program.Is(fmt::format("f32[] {:.9g}", std::nextafter(near, 1.0F))) == Verdict::kLegal);
  CHECK(program.Is(fmt::format("f32[] {:.9g}", std::tanh(exact))) == Verdict::kFail);
}

TEST_CASE("a sort keeps its order where numbers that rounded stand far apart", "[acceptance][programs]") {
  const Program program(R"(HloModule m
less { a = f32[] parameter(0)
  b = f32[] parameter(1)
  i = s32[] parameter(2)
  j = s32[] parameter(3)
  ROOT r = pred[] compare(a, b), direction=LT }
ENTRY e {
  x = f32[3] parameter(0)
  y = f32[3] exponential(x)
  i = s32[3] iota(), iota_dimension=0
  s = (f32[3], s32[3]) sort(y, i), dimensions={0}, is_stable=true, to_apply=less
  ROOT r = s32[3] get-tuple-element(s), index=1
})",
                        {"f32[3] {2, 0, 1}"});
  CHECK(program.Is("s32[3] {1, 2, 0}") == Verdict::kExact);
  CHECK(program.Is("s32[3] {2, 1, 0}") == Verdict::kFail);
}

TEST_CASE("an initial value that is no identity may count again, and may not be missing", "[acceptance][programs]") {
  const Program program(R"(HloModule m
add { a = s32[] parameter(0)
  b = s32[] parameter(1)
  ROOT r = s32[] add(a, b) }
ENTRY e {
  x = s32[4] parameter(0)
  c = s32[] constant(100)
  ROOT r = s32[] reduce(x, c), dimensions={0}, to_apply=add
})",
                        {"s32[4] {1, 2, 3, 4}"});
  CHECK(program.Is("s32[] 110") == Verdict::kExact);
  CHECK(program.Is("s32[] 210") == Verdict::kSpecGap);
  CHECK(program.Is("s32[] 10") == Verdict::kFail);
  CHECK(program.Is("s32[] 210", "exact") == Verdict::kFail);
}

TEST_CASE("the order of updates, and a window that is partly outside, are open", "[acceptance][programs]") {
  const std::string text = R"(HloModule m
second {
  a = f32[] parameter(0)
  ROOT b = f32[] parameter(1)
}
ENTRY e {
  x = f32[4] parameter(0)
  i = s32[3,1] parameter(1)
  u = f32[3,2] parameter(2)
  s = f32[4] scatter(x, i, u), update_window_dims={1}, inserted_window_dims={}, scatter_dims_to_operand_dims={0},
    index_vector_dim=1, to_apply=second
  ROOT r = f32[4] negate(s)
})";
  // The second window overlaps the first one in one element.
  const Program across(text, {"f32[4] {0, 0, 0, 0}", "s32[3,1] {{0}, {1}, {1}}", "f32[3,2] {{1, 2}, {3, 4}, {3, 4}}"});
  CHECK(across.Is("f32[4] {-1, -3, -4, -0}") == Verdict::kExact);
  CHECK(across.Is("f32[4] {-1, -2, -4, -0}") == Verdict::kSpecGap);
  CHECK(across.Is("f32[4] {-1, -3, -5, -0}") == Verdict::kFail);
  CHECK(across.Is("f32[4] {-2, -2, -4, -0}", "exact") == Verdict::kFail);
  // The last window begins at the last element.
  const Program outside(text, {"f32[4] {0, 0, 0, 0}", "s32[3,1] {{0}, {0}, {3}}", "f32[3,2] {{1, 2}, {1, 2}, {3, 4}}"});
  CHECK(outside.Is("f32[4] {-1, -2, -0, -0}") == Verdict::kExact);
  CHECK(outside.Is("f32[4] {-1, -2, -0, -3}") == Verdict::kSpecGap);
  CHECK(outside.Is("f32[4] {-1, -2, -3, -0}") == Verdict::kFail);
}

TEST_CASE("bits of a NaN are open, its place is not", "[acceptance][programs]") {
  const Program bits(Entry(R"(  x = f32[2] parameter(0)
  n = f32[2] sqrt(x)
  ROOT r = u32[2] bitcast-convert(n))"),
                     {"f32[2] {-1, 4}"});
  CHECK(bits.Is("u32[2] {4290772992, 1073741824}") == Verdict::kWeak);
  CHECK(bits.Is("u32[2] {2143289344, 1073741825}") == Verdict::kFail);
  const Program maximum(R"(HloModule m
max { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT r = f32[] maximum(a, b) }
ENTRY e {
  x = f32[3] parameter(0)
  t = f32[3] tanh(x)
  c = f32[] constant(-inf)
  ROOT r = f32[] reduce(t, c), dimensions={0}, to_apply=max
})",
                        {"f32[3] {1, nan, 2}"});
  CHECK(maximum.Is("f32[] nan") == Verdict::kExact);
  CHECK(maximum.Is("f32[] 0.96402758") == Verdict::kFail);
}

TEST_CASE("bits of a complex NaN are open, part by part", "[acceptance][programs]") {
  const Program bits(Entry(R"(  x = c64[2] parameter(0)
  n = c64[2] log(x)
  ROOT r = u64[2] bitcast(n))"),
                     {"c64[2] {(nan, nan), (1, 0)}"});
  CHECK(bits.Is("u64[2] {18428729675200069632, 0}") == Verdict::kWeak);
  const Program parts(Entry(R"(  x = c64[1] parameter(0)
  ROOT r = f32[1] real(x))"),
                      {"c64[1] {(2, nan)}"});
  CHECK(parts.Is("f32[1] {3}") == Verdict::kFail);
}

// C leaves the sign of the zero in catan(inf + NaN i) open; here it is the sign of the NaN.
TEST_CASE("a zero that comes from a complex NaN has either sign", "[acceptance][programs]") {
  const Program program(Entry("x = c64[] parameter(0)\nROOT r = c64[] atan(x)"), {"c64[] (inf, nan)"});
  CHECK(program.Is("c64[] (1.57079637, -0)", "ieee") == Verdict::kWeak);
  const Program finite(Entry("x = c64[] parameter(0)\nROOT r = c64[] atan(x)"), {"c64[] (inf, 1)"});
  CHECK(finite.Is("c64[] (1.57079637, -0)", "ieee") == Verdict::kFail);
}

TEST_CASE("a NaN gives a zero of either sign where a format has none", "[acceptance][programs]") {
  for (const auto& [conversion, verdict] :
       {std::pair("convert(n)", Verdict::kLegal), std::pair("stochastic-convert(n, u)", Verdict::kWeak)}) {
    const Program program(Entry(fmt::format(R"(  x = f16[2] parameter(0)
  u = u16[2] parameter(1)
  n = f16[2] sqrt(x)
  ROOT r = f6e2m3fn[2] {})",
                                            conversion)),
                          {"f16[2] {-1, 1}", "u16[2] {0, 0}"});
    CHECK(program.Is("f6e2m3fn[2] {0, 1}", "ieee") == verdict);
    CHECK(program.Is("f6e2m3fn[2] {-0, 1}", "ieee") == Verdict::kExact);
  }
  const Program converted(Entry(R"(  x = f16[2] parameter(0)
  n = f16[2] sqrt(x)
  ROOT r = f6e2m3fn[2] convert(n))"),
                          {"f16[2] {-1, 1}"});
  CHECK(converted.Is("f6e2m3fn[2] {1, 1}", "ieee") == Verdict::kFail);
  CHECK(converted.Is("f6e2m3fn[2] {0, 2}", "ieee") == Verdict::kFail);
}

TEST_CASE("what may overflow may be anything where infinities are free", "[acceptance][programs]") {
  // asinh(9e37) is near 88, and cosh of a quarter more is beyond f32.
  const Program program(Entry(R"(  x = f32[] parameter(0)
  y = f32[] asinh(x), result_accuracy={tolerance={atol=0,rtol=0.25,ulps=0}}
  ROOT r = f32[] cosh(y))"),
                        {"f32[] 9e+37"});
  CHECK(program.Is("f32[] inf") == Verdict::kLegal);
  CHECK(program.Is("f32[] 0.5") == Verdict::kFail);
  CHECK(program.Is("f32[] 0.5", "fast") == Verdict::kWeak);
}

TEST_CASE("a loop may do what it likes with a NaN where those are free", "[acceptance][programs]") {
  const Program program(R"(HloModule m
body { s = (s32[], f32[]) parameter(0)
  ROOT r = (s32[], f32[]) copy(s) }
cond { s = (s32[], f32[]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(0)
  ROOT r = pred[] compare(i, n), direction=LT }
ENTRY e {
  x = f32[] parameter(0)
  z = s32[] constant(0)
  t = (s32[], f32[]) tuple(z, x)
  w = (s32[], f32[]) while(t), condition=cond, body=body
  ROOT r = f32[] get-tuple-element(w), index=1
})",
                        {"f32[] nan"});
  CHECK(program.Is("f32[] 1") == Verdict::kFail);
  CHECK(program.Is("f32[] 1", "fast") == Verdict::kWeak);
}

TEST_CASE("parts of complex numbers have sets of their own", "[acceptance][programs]") {
  const auto text = [](std::string_view part) {
    return Entry(fmt::format(R"(  x = f32[2] parameter(0)
  e = f32[2] exponential(x)
  t = f32[2] tanh(x)
  z = c64[2] complex(e, t)
  ROOT r = f32[2] {}(z))",
                             part));
  };
  const Program real(text("real"), {"f32[2] {1, 0}"});
  CHECK(real.Is("f32[2] {2.7182817, 1}") == Verdict::kExact);
  CHECK(real.Is("f32[2] {0.76159418, 1}") == Verdict::kFail);
  const Program imaginary(text("imag"), {"f32[2] {1, 0}"});
  CHECK(imaginary.Is("f32[2] {0.76159418, 0}") == Verdict::kExact);
  CHECK(imaginary.Is("f32[2] {2.7182817, 0}") == Verdict::kFail);
}

TEST_CASE("a product stays unrounded as a part of a complex number", "[acceptance][programs]") {
  const Program program(Entry(R"(  x = f32[] parameter(0)
  q = f32[] multiply(x, x)
  z = c64[] complex(q, x)
  s = f32[] real(z)
  c = f32[] parameter(1)
  ROOT r = f32[] subtract(s, c))"),
                        {"f32[] 1.000244140625", "f32[] 1.00048828125"});
  CHECK(program.Is("f32[] 5.9604644775390625e-08") == Verdict::kLegal);
  CHECK(program.Is("f32[] 1.2e-07") == Verdict::kFail);
}

TEST_CASE("a set that proves nothing is weak, and names what made it wide", "[acceptance][programs]") {
  const Program program(Entry(R"(  x = f32[] parameter(0)
  e = f32[] exponential(x)
  c = f32[] constant(2.7182817)
  d = f32[] subtract(e, c)
  ROOT r = f32[] divide(c, d))"),
                        {"f32[] 1"});
  const Judgement judgement = program.Of("f32[] 12345");
  CHECK(judgement.verdict == Verdict::kWeak);
  CHECK(judgement.reason.find("widened it") != std::string::npos);
}

TEST_CASE("sets say which programs they do not go through", "[acceptance][programs]") {
  const auto module = Parsed(Entry("  ROOT r = u32[] replica-id()"));
  const Result<ValueSet> set = EvaluateSets(*module, {}, XlaProfile());
  REQUIRE_FALSE(set);
  CHECK(set.error().code == ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace assay::testing
