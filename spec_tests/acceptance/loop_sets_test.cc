// Sets through loops, and sums of products bounded by their values in f32.
#include <cmath>
#include <map>

#include "interpreter/acceptance/sets/widen.h"
#include "spec_tests/acceptance/program.h"

namespace assay::testing {
namespace {

std::string Loop(const std::string& body, int trips) {
  return fmt::format(R"(condition {{ p = (s32[], f32[4]) parameter(0)  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant({})  ROOT r = pred[] compare(i, n), direction=LT }}
body {{ p = (s32[], f32[4]) parameter(0)  i = s32[] get-tuple-element(p), index=0
  x = f32[4] get-tuple-element(p), index=1
  one = s32[] constant(1)  j = s32[] add(i, one)
  {}
  ROOT r = (s32[], f32[4]) tuple(j, y) }}
ENTRY e {{ x = f32[4] parameter(0)  z = s32[] constant(0)  t = (s32[], f32[4]) tuple(z, x)
  ROOT w = (s32[], f32[4]) while(t), condition=condition, body=body }})",
                     trips, body);
}

// Nearly a rotation: its numbers keep their size, and the errors double in each iteration.
constexpr std::string_view kGrows =
    R"(c = f32[4,4] constant({ { 0.7, -0.7, 0.1, 0.3 }, { 0.7, 0.7, -0.2, 0.1 }, { 0.1, 0.3, 0.6, -0.7 }, { -0.2, 0.1, 0.7, 0.6 } })
  d = f32[4] dot(x, c), lhs_contracting_dims={0}, rhs_contracting_dims={0}
  s = f32[] constant(0.1)  b = f32[4] broadcast(s), dimensions={}
  y = f32[4] add(d, b))";

// The numbers stay in [-0.9, 1.1], and the errors grow.
constexpr std::string_view kGrowsInSine =
    R"(c = f32[4,4] constant({ { 0.7, -0.7, 0.1, 0.3 }, { 0.7, 0.7, -0.2, 0.1 }, { 0.1, 0.3, 0.6, -0.7 }, { -0.2, 0.1, 0.7, 0.6 } })
  d = f32[4] dot(x, c), lhs_contracting_dims={0}, rhs_contracting_dims={0}
  s = f32[] constant(5)  b = f32[4] broadcast(s), dimensions={}
  m = f32[4] multiply(d, b)  w = f32[4] sine(m)  h = f32[] constant(0.1)  a = f32[4] broadcast(h), dimensions={}
  y = f32[4] add(w, a))";

}  // namespace

TEST_CASE("a loop's counter stays decided when its numbers lose their sets", "[acceptance][programs]") {
  const auto module = Parsed(Loop(std::string(kGrows), 40));
  const Result<ValueSet> set = EvaluateSets(*module, Values({"f32[4] { 0.1, 0.7, -0.3, 0.9 }"}), XlaProfile());
  REQUIRE(set);
  CHECK(set->elements[0].IsDecided());
  CHECK(set->elements[0].value.IntegerAt(0) == 40);
  CHECK_FALSE(set->elements[1].IsDecided());
}

TEST_CASE("a loop computes no intervals of products of arrays that have lost their sets", "[acceptance][programs]") {
  // Counts the finite interval ends that the addition evaluates in f64.
  const auto finite_ends = [](int trips) {
    const auto module = Parsed(Loop(std::string(kGrows), trips));
    int count = 0;
    EvaluationOptions options;
    options.observer = [&](const HloInstruction& instruction, std::span<const Literal> operands, const Literal& result,
                           DeviceId) {
      if (instruction.op->name != "add" || result.element_type() != F64) return;
      for (const double x : operands[0].values<double>()) count += std::isfinite(x) ? 1 : 0;
    };
    REQUIRE(EvaluateSets(*module, Values({"f32[4] { 0.1, 0.7, -0.3, 0.9 }"}), XlaProfile(), options));
    return count;
  };
  CHECK(finite_ends(2) > 0);
  CHECK(finite_ends(100) == finite_ends(200));
}

TEST_CASE("iterations of a state without sets compute no intervals", "[acceptance][programs]") {
  // Counts the evaluations in f64; those of values are in f32.
  const auto in_f64 = [](int trips) {
    const auto module = Parsed(Loop(std::string(kGrowsInSine), trips));
    int count = 0;
    EvaluationOptions options;
    options.observer = [&](const HloInstruction&, std::span<const Literal>, const Literal& result, DeviceId) {
      count += result.shape().IsArray() && result.element_type() == F64 ? 1 : 0;
    };
    REQUIRE(EvaluateSets(*module, Values({"f32[4] { 0.1, 0.7, -0.3, 0.9 }"}), XlaProfile(), options));
    return count;
  };
  CHECK(in_f64(2) > 0);
  CHECK(in_f64(100) == in_f64(200));
}

TEST_CASE("the last iteration of a loop bounds numbers that had no sets", "[acceptance][programs]") {
  Program(Loop(std::string(kGrowsInSine), 100), {"f32[4] { 0.1, 0.7, -0.3, 0.9 }"})
      .Expect(
          "WEAK ( 100, { 0.5, 0.5, 0.5, 0.5 } ); FAIL ( 100, { 1.5, 0.5, 0.5, 0.5 } ); FAIL ( 101, { 0.5, 0.5, 0.5, "
          "0.5 } )");
}

TEST_CASE("elements of a loop that become undecided in a late iteration are undecided", "[acceptance][programs]") {
  // From iteration 60 on, an integer and a number that were zero depend on unknown numbers.
  const auto module = Parsed(fmt::format(R"(condition {{ p = (s32[], f32[4], s32[4], f32[4], f32[4]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant(100)  ROOT r = pred[] compare(i, n), direction=LT }}
body {{ p = (s32[], f32[4], s32[4], f32[4], f32[4]) parameter(0)  i = s32[] get-tuple-element(p), index=0
  x = f32[4] get-tuple-element(p), index=1
  integer = s32[4] get-tuple-element(p), index=2
  number = f32[4] get-tuple-element(p), index=3
  kept = f32[4] get-tuple-element(p), index=4
  one = s32[] constant(1)  j = s32[] add(i, one)
  {}
  sixty = s32[] constant(60)  late = pred[] compare(i, sixty), direction=GT
  is_late = pred[4] broadcast(late), dimensions={{}}
  scaled = s32[4] convert(m)  integers = s32[4] select(is_late, scaled, integer)
  numbers = f32[4] select(is_late, y, number)
  ROOT r = (s32[], f32[4], s32[4], f32[4], f32[4]) tuple(j, y, integers, numbers, kept) }}
ENTRY e {{ x = f32[4] parameter(0)  z = s32[] constant(0)  zeros = s32[4] broadcast(z), dimensions={{}}
  w = f32[] constant(0)  reals = f32[4] broadcast(w), dimensions={{}}
  t = (s32[], f32[4], s32[4], f32[4], f32[4]) tuple(z, x, zeros, reals, x)
  ROOT l = (s32[], f32[4], s32[4], f32[4], f32[4]) while(t), condition=condition, body=body }})",
                                         kGrowsInSine));
  const Result<ValueSet> set = EvaluateSets(*module, Values({"f32[4] { 0.1, 0.7, -0.3, 0.9 }"}), XlaProfile());
  REQUIRE(set);
  CHECK(set->elements[0].IsDecided());
  CHECK_FALSE(set->elements[1].IsDecided());
  CHECK_FALSE(set->elements[2].IsDecided());
  CHECK_FALSE(set->elements[3].IsDecided());
  CHECK(set->elements[4].IsDecided());
}

TEST_CASE("a loop whose number of iterations is undecided computes no intervals", "[acceptance][programs]") {
  // Both functions have errors, so that either may be the larger one.
  constexpr std::string_view kModule =
      R"(condition {{ p = (s32[], f32[4]) parameter(0)  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant({})  l = pred[] compare(i, n), direction=LT
  one = f32[] constant(1)  a = f32[] exponential(one)  b = f32[] exponential(one)
  g = pred[] compare(a, b), direction=GE
  ROOT r = pred[] and(l, g) }}
body {{ p = (s32[], f32[4]) parameter(0)  i = s32[] get-tuple-element(p), index=0
  x = f32[4] get-tuple-element(p), index=1
  one = s32[] constant(1)  j = s32[] add(i, one)
  {}
  ROOT r = (s32[], f32[4]) tuple(j, y) }}
ENTRY e {{ x = f32[4] parameter(0)  z = s32[] constant(0)  t = (s32[], f32[4]) tuple(z, x)
  ROOT w = (s32[], f32[4]) while(t), condition=condition, body=body }})";
  const auto intervals = [&](int trips) {
    const auto module = Parsed(fmt::format(fmt::runtime(kModule), trips, kGrows));
    int count = 0;
    EvaluationOptions options;
    options.observer = [&](const HloInstruction&, std::span<const Literal>, const Literal& result, DeviceId) {
      count += result.shape().IsArray() && result.element_type() == F64 ? 1 : 0;
    };
    const auto set = EvaluateSets(*module, Values({"f32[4] { 0.1, 0.7, -0.3, 0.9 }"}), XlaProfile(), options);
    REQUIRE(set);
    CHECK(set->elements[0].value.IntegerAt(0) == trips);
    CHECK_FALSE(set->elements[0].IsDecided());
    CHECK_FALSE(set->elements[1].IsDecided());
    return count;
  };
  CHECK(intervals(5) == intervals(50));
}

TEST_CASE("an observer sees calls and loops outside of loops with their sets", "[acceptance][programs]") {
  const auto module = Parsed(R"(inner { x = f32[4] parameter(0)  ROOT y = f32[4] exponential(x) }
condition { p = (s32[], f32[4]) parameter(0)  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant(2)  ROOT r = pred[] compare(i, n), direction=LT }
body { p = (s32[], f32[4]) parameter(0)  i = s32[] get-tuple-element(p), index=0
  x = f32[4] get-tuple-element(p), index=1
  one = s32[] constant(1)  j = s32[] add(i, one)  inside = f32[4] call(x), to_apply=inner
  ROOT r = (s32[], f32[4]) tuple(j, inside) }
outer { x = f32[4] parameter(0)  z = s32[] constant(0)  t = (s32[], f32[4]) tuple(z, x)
  loop = (s32[], f32[4]) while(t), condition=condition, body=body
  ROOT y = f32[4] get-tuple-element(loop), index=1 }
ENTRY e { x = f32[4] parameter(0)  first = f32[4] call(x), to_apply=outer
  ROOT of_open = f32[4] call(first), to_apply=inner })");
  const std::vector<Literal> arguments = Values({"f32[4] { 0.1, 0.7, -0.3, 0.9 }"});
  std::map<std::string, std::vector<Literal>> operands;
  const auto see = [&](const HloInstruction& instruction, std::span<const Literal> given, const ValueSet& result) {
    operands[instruction.name].assign(given.begin(), given.end());
    CHECK_FALSE(result.IsDecided());
  };
  const auto set = EvaluateSets(*module, arguments, XlaProfile(), {}, see);
  REQUIRE(set);
  // Neither a call in a loop nor one on operands that are not decided.
  REQUIRE(operands.size() == 2);
  CHECK(operands.at("first")[0].BitwiseEqual(arguments[0]));
  CHECK(operands.at("loop")[0].elements()[0].IntegerAt(0) == 0);
  CHECK(operands.at("loop")[0].elements()[1].BitwiseEqual(arguments[0]));
}

TEST_CASE("a loop whose errors stay small keeps its sets", "[acceptance][programs]") {
  Program(Loop("h = f32[] constant(0.3)\n  b = f32[4] broadcast(h), dimensions={}\n"
               "  y = f32[4] multiply(x, b)",
               30),
          {"f32[4] { 1, 2, 3, 4 }"})
      .Expect("FAIL ( 30, { 1, 2, 3, 4 } )");
}

TEST_CASE("sums of products in f32 are those in f64 but for one rounding", "[acceptance][sums]") {
  const auto module = Parsed(R"(a = f32[1,3] parameter(0)  b = f32[3,1] parameter(1)
  ROOT d = f32[1,1] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0})");
  const HloInstruction& dot = *module->entry->root;
  const auto quick = [&](std::string_view a, std::string_view b) { return QuickSumsOfProducts(dot, Values({a, b})); };
  const auto sum = quick("f64[1,3] { { 1, 0.1, 1e-5 } }", "f64[3,1] { {0.7}, {3}, {0} }");
  REQUIRE(sum);
  CHECK(std::fabs(sum->values<double>()[0] - 1.0) <= 0x1p-24);
  // Beyond the range of f32 there is none, and the sum is computed in f64.
  CHECK_FALSE(quick("f64[1,3] { { 1e30, 0, 0 } }", "f64[3,1] { {1e30}, {0}, {0} }"));
  CHECK_FALSE(quick("f64[1,3] { { 1e-30, 0, 0 } }", "f64[3,1] { {1e-30}, {0}, {0} }"));
  const auto magnitudes = [&](std::string_view a, std::string_view b) {
    return EvaluateInF64(dot, Values({a, b}), [](double x) { return std::fabs(x); })->values<double>()[0];
  };
  CHECK(std::fabs(magnitudes("f32[1,3] { { -1e30, 0, 0 } }", "f32[3,1] { {1e30}, {0}, {0} }") / 1e60 - 1) < 1e-6);
  CHECK(std::fabs(magnitudes("f32[1,3] { { -1e-30, 0, 0 } }", "f32[3,1] { {1e-30}, {0}, {0} }") / 1e-60 - 1) < 1e-6);
  // A true zero is one in f32 too.
  CHECK(magnitudes("f32[1,3] { { 0, 2, 0 } }", "f32[3,1] { {5}, {0}, {7} }") == 0);
}

}  // namespace assay::testing
