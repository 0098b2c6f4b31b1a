// Decisions that rounding errors leave open, and the outputs that follow from them.
#include <fmt/format.h>

#include "spec_tests/acceptance/sampled.h"

namespace assay::testing {
namespace {

TEST_CASE("nothing is said of what follows from numbers that errors may make NaN, if a profile promises none",
          "[acceptance][samples]") {
  // erf(-8) is -1. With an error it may be below, so that acos is NaN.
  const Sampled program(R"(e = f32[2] erf(x)  a = f32[2] acos(e)  r = f32[2] round-nearest-afz(a)
  n = f32[2] negate(x)  ROOT t = (f32[2], f32[2]) tuple(r, n))",
                        {"x = f32[2] {0, -8}"});
  const Literal anything = Value("(f32[2], f32[2]) ({2, 4782}, {0, 8})"),
                wrong = Value("(f32[2], f32[2]) ({2, 3}, {0, 9})");
  CHECK(program.Of(anything, "fast").suspect.empty());
  CHECK_FALSE(program.Of(anything, "fast").unexplained.empty());
  CHECK_FALSE(program.Of(anything, "xla").suspect.empty());
  CHECK_FALSE(program.Of(wrong, "fast").suspect.empty());
}

// Found by lawful noise on a Kalman filter. The divisor is the last place of the products, so it may be 0.
TEST_CASE("nothing is said of a quotient whose divisor errors may make zero, if a profile promises finite numbers",
          "[acceptance][samples]") {
  const Sampled program(R"(p = f32[1] multiply(a, b)  q = f32[1] multiply(c, d)  s = f32[1] subtract(p, q)
  ROOT r = f32[1] divide(x, s))",
                        {"a = f32[1] {1.7531738}", "b = f32[1] {1.8376465}", "c = f32[1] {1.5380859}",
                         "d = f32[1] {2.09462523}", "x = f32[1] {1}"});
  CHECK(program.Of(Value("f32[1] {1e+30}"), "fast").suspect.empty());
}

TEST_CASE("an integer next to a limit has more than two values if errors are wide", "[acceptance][samples]") {
  // The product of bf16 may be 4 * 2^23 less. A larger one is clamped, or saturates.
  const std::string product = R"(t = bf16[6] tanh(x)  c = bf16[] constant(2147483648)
  b = bf16[6] broadcast(c), dimensions={}
  q = bf16[6] multiply(t, b)
  )",
                    x = "x = bf16[6] {20, 20, 20, 20, 20, 20}",
                    less =
                        "s32[6] {2113929216, 2113929216, 2113929216, "
                        "2113929216, 2113929216, 2113929216}";
  const Sampled clamped(product + R"(n = bf16[6] negate(b)  l = bf16[6] clamp(n, q, b)
  e = bf16[6] round-nearest-even(l)  ROOT r = s32[6] convert(e))",
                        {x});
  CHECK_FALSE(clamped.IsSuspect(less));
  const Sampled saturated(product + "ROOT r = s32[6] convert(q)", {x});
  CHECK_FALSE(saturated.IsSuspect(less));
}

TEST_CASE("decisions are open as far as errors reach", "[acceptance][samples]") {
  CheckRows<Sampled>({
      // log(exp(x)) <= x has either answer in each of six elements, which moves each by its sine.
      {"many open decisions are followed, each to the outputs that depend on it",
       R"(e = f32[6] exponential(x)  l = f32[6] log(e)  p = pred[6] compare(l, x), direction=LE
  a = f32[6] constant({1, 1, 1, 1, 1, 1})  b = f32[6] constant({2, 2, 2, 2, 2, 2})  ROOT r = f32[6] select(p, a, b))",
       "x = f32[6] {0.3, 0.5, 0.7, 0.9, 1.1, 1.3}",
       "LEGAL {1, 2, 1, 2, 1, 2}; LEGAL {2, 1, 2, 1, 2, 1}; SUSPECT {1, 2, 1.5, 2, 1, 2}"},
      // The sum of all depends on six decisions, so that nothing is said of it.
      {"", R"(e = f32[6] exponential(x)  l = f32[6] log(e)  p = pred[6] compare(l, x), direction=LE
  a = f32[6] constant({1, 1, 1, 1, 1, 1})  b = f32[6] constant({2, 3, 5, 9, 17, 33})  s = f32[6] select(p, a, b)
  ROOT r = f32[] dot(s, a), lhs_contracting_dims={0}, rhs_contracting_dims={0})",
       "x = f32[6] {0.3, 0.5, 0.7, 0.9, 1.1, 1.3}", "LEGAL 69"},
      // 3 logistic(log 2) is 2 or nearly: row 1 or 2, and no other.
      {"a decision that follows from an open one is open too",
       R"(l = f32[1] logistic(x)  k = f32[1] constant({3})  m = f32[1] multiply(l, k)
  f = f32[1] floor(m)  i = s32[1] convert(f)  e = f32[4] exponential(t)
  ROOT r = f32[1] gather(e, i), offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1})",
       "t = f32[4] {0, 1, 2, 3}; x = f32[1] {0.6931472}",
       "LEGAL {2.7182817}; LEGAL {7.389056}; SUSPECT {1}; SUSPECT {20.085537}"},
      // The quotient of f32 may be 64 less.
      {"integers that a called computation rounds are open",
       R"(halves { a = s32[] parameter(0)  n = f32[] convert(a)  one = f32[] constant(1)
  q = f32[] divide(n, one)  ROOT r = s32[] convert(q) }
ENTRY e { ROOT m = s32[1] map(x), dimensions={0}, to_apply=halves })",
       "x = s32[1] {-536870912}", "LEGAL {-536870976}"},
      // x = (x - x x) + x x or nearly. If the comparison finds them different, sign is that of an exact zero: a number
      // that
      // is near a step, though -x x is far from it.
      {"a decision may be open only after another one",
       R"(q = f32[2] multiply(x, x)  d = f32[2] subtract(x, q)  a = f32[2] add(d, q)
  p = pred[2] compare(x, a), direction=NE
  s = f32[2] select(p, x, d)  z = f32[2] subtract(s, x)  ROOT r = f32[2] sign(z))",
       "x = f32[2] {-2.121549, -1.7495328}", "LEGAL {0, 0}; LEGAL {0, -1}"},
      // The places of the rows that a router keeps, as floats: no sum of ones rounds.
      {"numbers that count are decided",
       R"(e = f32[6] exponential(x)  one = f32[6] constant({1, 1, 1, 1, 1, 1})  p = pred[6] compare(e, one), direction=GT
  m = f32[6] convert(p)  c = f32[6] dot(m, t), lhs_contracting_dims={0}, rhs_contracting_dims={0}
  q = f32[6] multiply(c, m)  s = f32[6] subtract(q, one)  ROOT r = s32[6] convert(s))",
       R"(x = f32[6] {3, -1, 2, 5, -4, 1}; t = f32[6,6] {{1, 1, 1, 1, 1, 1}, {0, 1, 1, 1, 1, 1}, {0, 0, 1, 1, 1, 1}, )"
       R"({0, 0, 0, 1, 1, 1}, {0, 0, 0, 0, 1, 1}, {0, 0, 0, 0, 0, 1}})",
       "LEGAL {0, -1, 1, 2, -1, 3}; SUSPECT {0, -1, 1, 2, -1, 2}"},
      // One weight of each row is 1 but for exp(-31), so each result is a row of v. The squares of the others
      // underflow.
      {"a share of a sum is smooth, though errors of the number and of the sum cancel",
       R"(ENTRY e { y = f32[8,3] multiply(x, x)  low = f32[] constant(-inf)
  m = f32[8] reduce(y, low), dimensions={1}, to_apply=maximum_f32
  mb = f32[8,3] broadcast(m), dimensions={0}
  d = f32[8,3] subtract(y, mb)  e = f32[8,3] exponential(d)  zero = f32[] constant(0)
  s = f32[8] reduce(e, zero), dimensions={1}, to_apply=add_f32
  sb = f32[8,3] broadcast(s), dimensions={0}
  p = f32[8,3] divide(e, sb)  ROOT r = f32[8] dot(p, v), lhs_contracting_dims={1}, rhs_contracting_dims={0} })",
       "x = f32[8,3] {{16, 15, 0}, {15, 16, 0}, {0, 15, 16}, {16, 0, 15}, {16, 15, 0}, {15, 16, 0}, {0, 15, 16}, {16, "
       "0, 15}}; v = f32[3] {8, 8.001, 8.002}",
       "LEGAL {8, 8.001, 8.002, 8, 8, 8.001, 8.002, 8.000001}; SUSPECT {8, 8.001, 8.002, 8, 8, 8.001, 8.002, 8.001}"},
  });
}

// The squares of 505,000 and 1.5 may be rounded in one place and not in the other, so that the differences are up to
// 8,192 and below 0. Only together they change the product of their floors.
TEST_CASE("two decisions may change a product of zeros together", "[acceptance][samples]") {
  Sampled(R"(m = f32[2,2] multiply(x, x)  d = f32[2,2] subtract(m, m)  f = f32[2,2] floor(d)
  ROOT r = f32[2,2] dot(f, f), lhs_contracting_dims={1}, rhs_contracting_dims={0})",
          {"x = f32[2,2] {{x3fc8749d, x48f68c80}, {x3fc8749d, x3fc8749d}}"})
      .Expect("LEGAL {{1, 119}, {1, 0}}; LEGAL {{-118, 119}, {1, 0}}; SUSPECT {{1, 9e9}, {1, 0}}");
}

TEST_CASE("a NaN or infinity is far from numbers that neither overflow nor meet a pole", "[acceptance][samples]") {
  Sampled("y = f32[2] exponential(x)  z = f32[2] sine(y)  ROOT r = f32[2] add(z, y)", {"x = f32[2] {1, 3}"})
      .Expect("SUSPECT {nan, 21.030008}; SUSPECT {-inf, 21.030008}; fast LEGAL {nan, 21.030008}");
  // The exponentials of 85 and 88 are 8e36 and 1.7e38, and the largest number is 3.4e38.
  Sampled("y = f32[2] abs(x)  ROOT r = f32[2] exponential(y)", {"x = f32[2] {85, 88}"})
      .Expect("SUSPECT {inf, 1.6516363e+38}; LEGAL {8.223013e+36, inf}");
  // x x - 0.01 is 0 or a rounding error, of either sign.
  Sampled(R"(m = f32[2] multiply(x, x)  c = f32[] constant(0.010000000707805157)  b = f32[2] broadcast(c), dimensions={}
  d = f32[2] subtract(m, b)  s = f32[2] sqrt(d)  ROOT r = f32[2] add(s, x))",
          {"x = f32[2] {0.1, 3}"})
      .Expect("LEGAL {nan, 5.9983329}; SUSPECT {0.1, nan}");
  // The second product may overflow to -inf beside inf, or not: found by lawful noise.
  const std::string dot =
      "d = f32[] dot(x, y), lhs_contracting_dims={0}, rhs_contracting_dims={0}  ROOT r = f32[] tanh(d)";
  Sampled(dot, {"x = f32[2] {inf, 1.7e38}", "y = f32[2] {1, -7e25}"}).Expect("LEGAL nan");
  Sampled(dot, {"x = f32[2] {inf, 1.7e10}", "y = f32[2] {1, -7e25}"}).Expect("SUSPECT nan");
  // f8e8m0fnu has no zero: a number that is flushed is NaN.
  Sampled("s = f8e8m0fnu[] add(x, x)  ROOT r = f8e8m0fnu[] maximum(s, x)", {"x = f8e8m0fnu[] x00"}).Expect("LEGAL nan");
}

// 1 / (exp(0) - 0.998) errs by 0.03, 1 / (e - 1) by 1e-7.
TEST_CASE("an element is far by its own errors beside one that errs by more", "[acceptance][samples]") {
  Sampled(
      "y = f32[2] exponential(x)  z = f32[2] subtract(y, c)  o = f32[2] constant({1, 1})  ROOT r = f32[2] divide(o, z)",
      {"x = f32[2] {0, 1}", "c = f32[2] {0.998, 1}"})
      .Expect("LEGAL {500.01, 0.5819768}; SUSPECT {500.01, 0.5821}; SUSPECT {520, 0.5819768}");
  // The products of the other row are a million times as large.
  Sampled(R"(d = f32[2] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}  s = f32[2] add(d, b)
  ROOT r = f32[2] tanh(s))",
          {"x = f32[2,2] {{1000, 1000}, {0.001, 0.002}}", "w = f32[2] {1, 1}", "b = f32[2] {0.1, 0.1}"})
      .Expect("LEGAL {1, 0.10263731}; SUSPECT {1, 0.1026341}");
}

// atan2(-0, -0) is -pi, atan2(0, 0) is 0: by fast, zeros have either sign.
TEST_CASE("a function of zeros is open though the results of runs jump", "[acceptance][samples]") {
  const Sampled program(
      R"(y = f64[2] multiply(a, z)  x = f64[2] multiply(b, c)  t = f64[2] atan2(y, x)
  s = f64[2] add(t, n)  k = f64[2] clamp(z, s, c)  ROOT r = s8[2] convert(k))",
      {"a = f64[2] {0, 15}", "b = f64[2] {7, 0}", "c = f64[2] {1, 1}", "n = f64[2] {3, 3}", "z = f64[2] {0, 0}"});
  program.Expect("LEGAL {1, 1}; fast LEGAL {1, 0}; SUSPECT {2, 1}");
}

// 4^4 overflows, and may be the largest number, 240; 3^3 is near neither. The product 3.5 is one of both in each run.
TEST_CASE("an element that overflows in a run is not far", "[acceptance][samples]") {
  Sampled("m = f8e4m3[2] multiply(x, x)  n = f8e4m3[2] round-nearest-afz(m)  ROOT p = f8e4m3[2] power(n, n)",
          {"x = f8e4m3[2] {0, -1.875}"})
      .Expect("LEGAL {1, 240}; LEGAL {0.9375, 30}");
}

// Softmax of {0, 0, 1} and a masked number. The second mask makes it overflow; a compiler may keep the sum finite.
TEST_CASE("numbers that overflow open only what depends on them", "[acceptance][samples]") {
  CheckRows<Sampled>({
      {"masks that are the largest number", R"(
ENTRY e { low = bf16[] constant(-3.39e38)  l = bf16[4] broadcast(low), dimensions={}
  a = bf16[4] multiply(m, l)  b = bf16[4] add(x, a)  c = bf16[4] add(b, a)
  e = bf16[4] exponential(c)  z = bf16[] constant(0)  t = bf16[] reduce(e, z), dimensions={0}, to_apply=add_bf16
  u = bf16[4] broadcast(t), dimensions={}  ROOT r = bf16[4] divide(e, u) })",
       "x = bf16[4] {0, 0, 1, 2}; m = bf16[4] {0, 0, 0, 1}",
       "LEGAL {0.2119, 0.2119, 0.5781, 0}; SUSPECT {0.2119, 0.2119, 0.9, 0}; SUSPECT {0.08, 0.08, 0.23, 0.61}"},
      {"a function may err where its result is the largest number of the type",
       "c = f32[2] constant({1, 1}) ROOT r = f32[2] power(x, c)", "x = f32[2] {x7f7fffff, 3}",
       "LEGAL {x7f7fffef, 3}; SUSPECT {x7f7f8000, 3}"},
      // 120000 is infinite in f16, and twice 60000 in a wider type.
      {"a product by a half", "a = f16[2] add(x, x)  b = f16[2] multiply(a, h)  ROOT r = f16[2] negate(b)",
       "x = f16[2] {60000, 1}; h = f16[2] {0.5, 0.5}", "LEGAL {-60000, -1}; LEGAL {-32750, -1}; SUSPECT {-60000, -2}"},
      {"a limit", "a = f16[2] add(x, x)  b = f16[2] minimum(a, m)  ROOT r = f16[2] sqrt(b)",
       "x = f16[2] {60000, 1}; m = f16[2] {1600, 1600}", "LEGAL {40, 1.414}; SUSPECT {42, 1.414}"},
  });
}

// atan(2) is 1 in f8e5m2fnuz, and 1.25 by an error that one run in four has. The other elements are exact zeros.
TEST_CASE("a function of one number may err though no run shows it", "[acceptance][samples]") {
  for (int elements = 2; elements < 40; ++elements) {
    const std::string shape = fmt::format("f8e5m2fnuz[{}]", elements);
    std::string x = shape + " {2", y = shape + " {nan";
    for (int i = 1; i < elements; ++i) x += ", 0", y += ", 0";
    const Sampled program(fmt::format("t = {0} atan(x)  ROOT s = {0} asin(t)", shape), {"x = " + x + "}"});
    CHECK(program.Of(Value(y + "}")).suspect.empty());
  }
}

// Newton's iteration for a root, until the square is near enough: it may take a step more. The error of its result is
// found by runs that do.
TEST_CASE("a limit that ends some of the runs is named", "[acceptance][samples]") {
  const auto module = Parsed(R"(body { s = (f32[], f32[]) parameter(0)  x = f32[] get-tuple-element(s), index=0
  r = f32[] get-tuple-element(s), index=1
  q = f32[] divide(x, r)  t = f32[] add(q, r)  half = f32[] constant(0.5)  n = f32[] multiply(t, half)
  ROOT u = (f32[], f32[]) tuple(x, n) }
condition { s = (f32[], f32[]) parameter(0)  x = f32[] get-tuple-element(s), index=0
  r = f32[] get-tuple-element(s), index=1
  q = f32[] multiply(r, r)  d = f32[] subtract(q, x)  a = f32[] abs(d)  e = f32[] constant(1e-6)
  ROOT c = pred[] compare(a, e), direction=GT }
ENTRY e { x = f32[] parameter(0)  one = f32[] constant(1)  t = (f32[], f32[]) tuple(x, one)
  w = (f32[], f32[]) while(t), condition=condition, body=body
  ROOT r = f32[] get-tuple-element(w), index=1 })");
  const DeviceValues arguments = {Values({"f32[] 2"})};
  EvaluationLimits limits = {.steps = 1};
  while (!Evaluate(*module, arguments[0], {.limits = limits})) ++limits.steps;
  const auto judged = [&](const EvaluationLimits& some) {
    return JudgeBySamples(*module, arguments, *Evaluate(*module, arguments[0]), Value("f32[] 1.4152"), XlaProfile(),
                          some);
  };
  CHECK_FALSE(judged({}).suspect.empty());
  CHECK(judged({}).limit.empty());
  CHECK_FALSE(judged(limits).limit.empty());
}

// The dot of device 0 errs by its terms of a million, in another way each time that it is computed; that of device 1
// not at all. All devices have computed their dots before the first subtraction.
TEST_CASE("the errors of a value are those of its device", "[acceptance][samples]") {
  const auto module = Parsed(R"(HloModule m, replica_count=2
ENTRY e { x = f32[1,3] parameter(0)  w = f32[3] parameter(1)
  d = f32[1] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}  n = f32[1] slice(w), slice={[0:1]}
  m = f32[1] all-reduce(n), replica_groups={}, to_apply=maximum_f32  y = f32[1] subtract(d, d)
  ROOT t = (f32[1], f32[1]) tuple(y, m) })");
  const std::string_view w = "f32[3] {1, 1, 1}";
  const DeviceValues arguments = {Values({"f32[1,3] {{1e6, -1e6, 0.3}}", w}), Values({"f32[1,3] {{0, 0, 0}}", w})};
  const Literal want = *EvaluateTogether(*module, arguments);
  const auto is_suspect = [&](std::string_view of_first, std::string_view of_second) {
    const Literal got = Value(
        fmt::format("((f32[1], f32[1]), (f32[1], f32[1])) (({{{}}}, {{1}}), ({{{}}}, {{1}}))", of_first, of_second));
    return !JudgeBySamples(*module, arguments, want, got, XlaProfile()).suspect.empty();
  };
  CHECK_FALSE(is_suspect("0.06", "0"));
  CHECK(is_suspect("0", "0.06"));
}

// The second number of a reduce-scatter is that of device 1.
TEST_CASE("a sum over devices errs by its own terms, not by those of the largest one", "[acceptance][samples]") {
  const auto is_suspect = [](std::string_view sum, const DeviceValues& arguments, std::string_view got) {
    const auto module =
        Parsed(fmt::format("HloModule m, replica_count=2\nENTRY e {{ x = bf16[2] parameter(0)  {} }}", sum));
    const Literal want = *EvaluateTogether(*module, arguments);
    return !JudgeBySamples(*module, arguments, want, Value(got), XlaProfile()).suspect.empty();
  };
  const DeviceValues arguments = {Values({"bf16[2] {9984, 0.51}"}), Values({"bf16[2] {9984, 0.77}"})};
  const std::string_view reduced =
      "y = bf16[2] all-reduce(x), replica_groups={}, to_apply=add_bf16  ROOT r = bf16[2] negate(y)";
  CHECK(is_suspect(reduced, arguments, "(bf16[2], bf16[2]) ({-19968, -0.77}, {-19968, -1.28})"));
  CHECK_FALSE(is_suspect(reduced, arguments, "(bf16[2], bf16[2]) ({-20096, -1.2734375}, {-19840, -1.28})"));
  const std::string_view scattered =
      R"(y = bf16[1] reduce-scatter(x), replica_groups={}, dimensions={0}, to_apply=add_bf16
  ROOT r = bf16[1] negate(y))";
  CHECK(is_suspect(scattered, arguments, "(bf16[1], bf16[1]) ({-9984}, {-1.28})"));
  CHECK_FALSE(is_suspect(scattered, arguments, "(bf16[1], bf16[1]) ({-20096}, {-1.2734375})"));
}

// 1.0078125 squared is 1.0156860, and 1.015625 in bf16. A compiler may round it in one of its uses only.
TEST_CASE("a narrow number may be compared with itself before it is rounded", "[acceptance][samples]") {
  Sampled(
      R"(p = bf16[2] multiply(x, x)  t = bf16[2] transpose(p), dimensions={0}  c = pred[2] compare(t, p), direction=GE
  ROOT r = bf16[2] select(c, a, b))",
      {"x = bf16[2] {1.0078125, 0}", "a = bf16[2] {1, 1}", "b = bf16[2] {2, 2}"})
      .Expect("LEGAL {1, 1}; LEGAL {2, 1}; SUSPECT {1, 3}");
}

// The gradient of a maximum compares it with its operands. A sum of all elements depends on six comparisons.
TEST_CASE("a number and its maximum with another one have the same error", "[acceptance][samples]") {
  const std::string ends = R"(  a = f32[6] constant({1, 1, 1, 1, 1, 1})  b = f32[6] constant({2, 3, 5, 9, 17, 33})
  s = f32[6] select(p, a, b)  ROOT r = f32[] dot(s, a), lhs_contracting_dims={0}, rhs_contracting_dims={0})";
  const std::string_view x = "x = f32[6] {0.3, 0.5, 0.7, 0.9, 1.1, 1.3}";
  const std::string wide = "e = f32[6] exponential(x)  c = f32[] constant(0)  o = f32[6] broadcast(c), dimensions={}\n",
                    narrow =
                        "e = bf16[6] exponential(y)  c = bf16[] constant(0)  o = bf16[6] broadcast(c), dimensions={}\n";
  const auto compared = [&](std::string_view type, std::string_view pair) {
    return fmt::format("m = {}[6] maximum(e, o)  p = pred[6] compare({}), direction=EQ", type, pair) + ends;
  };
  CHECK(Sampled(wide + compared("f32", "e, m"), {x}).IsSuspect("f32[] 7"));
  CHECK(Sampled(wide + compared("f32", "o, m"), {x}).IsSuspect("f32[] 68"));
  const std::string largest = R"(most { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT m = f32[] maximum(a, b) }
ENTRY t { e = f32[6] exponential(x)  c = f32[] constant(0)  l = f32[] reduce(e, c), dimensions={0}, to_apply=most
  m = f32[6] broadcast(l), dimensions={}  p = pred[6] compare(e, m), direction=EQ)";
  CHECK(Sampled(largest + ends + " }", {x}).IsSuspect("f32[] 68"));
  // An operand that is not nearest decides as before, and so do numbers that may be compared before they are rounded.
  const std::string near = "e = f32[6] exponential(x)  l = f32[6] log(e)  m = f32[6] maximum(l, x)\n";
  CHECK_FALSE(Sampled(near + "p = pred[6] compare(l, m), direction=EQ" + ends, {x}).IsSuspect("f32[] 69"));
  CHECK_FALSE(Sampled("y = bf16[6] convert(x)  " + narrow + compared("bf16", "e, m"), {x}).IsSuspect("f32[] 7"));
}

// Found by lawful noise: one use of the selected dot is computed in TF32, the other one is not.
TEST_CASE("numbers that are chosen among dots, or scaled, have the errors of dots from use to use",
          "[acceptance][samples]") {
  for (const std::string_view chosen : {"select(p, d, d)", "maximum(d, n)", "clamp(n, d, d)", "multiply(d, o)"}) {
    const Sampled program(fmt::format(R"(d = f32[1] dot(x, y), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}
  n = f32[1] negate(y)  p = pred[1] compare(y, y), direction=GE  o = f32[1] constant({{1}})
  s = f32[1] {}  ROOT r = f32[1] subtract(s, s))",
                                      chosen),
                          {"x = f32[1,1] {{1.2913}}", "y = f32[1] {6}"});
    CHECK_FALSE(program.IsSuspect("f32[1] {0.00193}", "xla-gpu"));
    CHECK(program.IsSuspect("f32[1] {1}", "xla-gpu"));
  }
}

// Found by lawful noise. The dot of 14 - 18 + 4 is 0 in any order, unless it starts from -0.0588.
TEST_CASE("a dot of whole numbers may start from a number that is none", "[acceptance][samples]") {
  const Sampled program(R"(d = f32[1] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT r = f32[1] subtract(d, z))",
                        {"x = f32[1,3] {{7, -2, 1}}", "y = f32[3] {2, 9, 4}", "z = f32[1] {0.05880866}"});
  CHECK_FALSE(program.IsSuspect("f32[1] {-0.058807373}", "xla-cpu"));
  CHECK(program.IsSuspect("f32[1] {-0.0587}", "xla-cpu"));
}

// Causal masks and distances of positions compare differences of iotas.
TEST_CASE("a difference of whole numbers in order decides as it is", "[acceptance][samples]") {
  const Sampled program(R"(i = f32[8] iota(), iota_dimension=0  r = f32[8,8] broadcast(i), dimensions={0}
  c = f32[8,8] broadcast(i), dimensions={1}  d = f32[8,8] subtract(c, r)  z = f32[] constant(0)
  o = f32[8,8] broadcast(z), dimensions={}  p = pred[8,8] compare(d, o), direction=LE  e = f32[8] exponential(x)
  w = f32[8,8] broadcast(e), dimensions={1}  s = f32[8,8] select(p, w, o)
  ROOT y = f32[] reduce(s, z), dimensions={0,1}, to_apply=add_f32)",
                        {"x = f32[8] {0.1, 0.4, 0.2, 0.7, 0.3, 0.5, 0.9, 0.6}"});
  CHECK(program.IsSuspect("f32[] 53.7790"));
  CHECK_FALSE(program.IsSuspect("f32[] 53.768250"));
}

// A recurrence over log probabilities subtracts the largest of several states, most of which are masked.
TEST_CASE("a mask and its maximum with other masks have no error", "[acceptance][samples]") {
  const std::string_view chosen = "l = f32[3] maximum(x, y)  m = f32[3] maximum(l, x)  d = f32[3] subtract(x, m)";
  const std::string_view called = R"(larger { a = f32[3] parameter(0)  b = f32[3] parameter(1)
  ROOT m = f32[3] maximum(a, b) }
ENTRY t { l = f32[3] call(x, y), to_apply=larger  m = f32[3] maximum(l, x)  d = f32[3] subtract(x, m))";
  for (const std::string_view difference : {chosen, called}) {
    const std::string end = difference == called ? " }" : "";
    const Sampled program(std::string(difference) + "  e = f32[3] exponential(d)  ROOT r = f32[3] multiply(e, w)" + end,
                          {"x = f32[3] {-1e9, 0.1, -1e9}", "y = f32[3] {-1e9, 0.3, 0.2}", "w = f32[3] {3, 4, 5}"});
    CHECK(program.IsSuspect("f32[3] {3.001, 3.27492309, 0}"));
    CHECK(program.IsSuspect("f32[3] {3, 3.276, 0}"));
    CHECK_FALSE(program.IsSuspect("f32[3] {3, 3.27492332, 0}"));
  }
}

// Found by lawful noise on a quantization. The quotient is 128, and may be 126.5 by the product with a reciprocal.
TEST_CASE("a clamp hides the error of a number from runs, not from its decision", "[acceptance][samples]") {
  const Sampled program(R"(q = bf16[2] divide(x, y)  l = bf16[2] constant({0, 0})  h = bf16[2] constant({127, 127})
  c = bf16[2] clamp(l, q, h)  ROOT r = s32[2] convert(c))",
                        {"x = bf16[2] {1, 0}", "y = bf16[2] {0.0078125, 1}"});
  CHECK_FALSE(program.IsSuspect("s32[2] {126, 0}"));
  CHECK(program.IsSuspect("s32[2] {127, 1}"));
}

// Found by lawful noise. A compiler may flush one of two equal numbers, which moves at random seldom tell.
TEST_CASE("equal subnormal numbers may be compared as different ones", "[acceptance][samples]") {
  Sampled(
      R"(a = f64[4] copy(y)  n = f64[4] negate(x)  b = f64[4] negate(n)  ROOT c = pred[4] compare(a, b), direction=LT)",
      {"x = f64[4] {-inf, -5e-324, 5e-324, 1}", "y = f64[4] {1, -5e-324, -1.7e308, 1.7e308}"})
      .Expect("LEGAL {0, 1, 1, 0}; SUSPECT {0, 0, 1, 1}");
}

// exp(exp(exp(0.5))) is 181, and may be infinite where each function errs by one unit in the last place of f8e5m2.
TEST_CASE("a number that a sample nearly makes overflow may overflow", "[acceptance][samples]") {
  Sampled(R"(l = f8e5m2[3] logistic(x)  a = f8e5m2[3] exponential(l)  b = f8e5m2[3] exponential(a)
  ROOT c = f8e5m2[3] exponential(b))",
          {"x = f8e5m2[3] {0, 0, 0}"})
      .Expect("LEGAL {inf, 192, 192}");
}

// Found by lawful noise. asinh may return a number just below the least normal one, which is flushed. Few runs err to
// that side, and the place decides which ones do.
TEST_CASE("a function that returns the least normal number may return zero", "[acceptance][samples]") {
  for (int place = 0; place < 32; ++place) {
    std::vector<std::string_view> x(32, "0"), zeros = x;
    x[place] = "x00800000";
    const std::string argument = fmt::format("x = f32[32] {{{}}}", fmt::join(x, ", "));
    const Sampled program("s = f32[32] asinh(x)  ROOT r = f32[32] cbrt(s)", {argument});
    CHECK_FALSE(program.IsSuspect(fmt::format("f32[32] {{{}}}", fmt::join(zeros, ", ")), "ftz"));
    zeros[place] = "1e-6";
    CHECK(program.IsSuspect(fmt::format("f32[32] {{{}}}", fmt::join(zeros, ", ")), "ftz"));
  }
}

// Found by lawful noise. One of the conversions may take the product before it is rounded to bf16.
TEST_CASE("a narrow number that is converted twice may be rounded once only", "[acceptance][samples]") {
  Sampled(R"(p = bf16[1] multiply(x, y)  a = f32[1] convert(p)  b = f32[1] convert(p)  d = f32[1] subtract(a, b)
  ROOT r = f32[1] negate(d))",
          {"x = bf16[1] {300}", "y = bf16[1] {1.0078125}"})
      .Expect("LEGAL {-0.34375}; SUSPECT {-300}");
}

}  // namespace
}  // namespace assay::testing
