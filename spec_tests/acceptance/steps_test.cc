// Instructions whose computation is judged step by step: map, and scan in its one order.
#include "spec_tests/acceptance/program.h"

namespace assay::testing {
namespace {

// a * a - 1. x = 1 + 2^-12 has the square 1 + 2^-11 + 2^-24, which f32 rounds to 1 + 2^-11.
constexpr std::string_view kMap =
    R"(f { a = f32[] parameter(0)  o = f32[] constant(1)  s = f32[] multiply(a, a)  ROOT r = f32[] subtract(s, o) }
ENTRY e { x = f32[2] parameter(0)  ROOT r = f32[2] map(x), dimensions={0}, to_apply=f })";
constexpr std::string_view kRounded = "f32[2] { x3a000000, 3 }";  // 2^-11
constexpr std::string_view kFused = "f32[2] { x3a000400, 3 }";    // 2^-11 + 2^-24
constexpr std::string_view kNeither = "f32[2] { x3a000800, 3 }";  // 2^-11 + 2^-23

TEST_CASE("a map of several operations is judged by their sets", "[acceptance]") {
  const Judged map(std::string(kMap), {"f32[2] { x3f800800, 2 }"});
  CHECK(map.Is(kRounded) == Verdict::kExact);
  CHECK(map.Is(kFused) == Verdict::kLegal);
  CHECK(map.Of(kFused).reason == "contraction");
  CHECK(map.Is(kNeither) == Verdict::kFail);
  CHECK(map.Is(kFused, BuiltInProfile("ieee")) == Verdict::kFail);
  map.Expect("FAIL { x3a000000, 3.0000002 }");
}

// The maximum of 0 and -0 may be either zero, and the zero is no operand of the map.
std::string MapOf(std::string_view result, std::string_view root) {
  return fmt::format(R"(f {{ a = f32[] parameter(0)  n = f32[] negate(a)  m = f32[] maximum(a, n)
  {} }}
ENTRY e {{ x = f32[2] parameter(0)  ROOT r = {}[2] map(x), dimensions={{0}}, to_apply=f }})",
                     root, result);
}

TEST_CASE("a zero that a step of a map chooses may have either sign", "[acceptance]") {
  Judged(MapOf("f32", "ROOT c = f32[] copy(m)"), {"f32[2] { 0, 3 }"})
      .Expect("EXACT { 0, 3 }; LEGAL { -0, 3 }; FAIL { 0, -3 }; ieee FAIL { -0, 3 }");
  // The steps after it may read the sign.
  const Judged bits(MapOf("u32", "ROOT b = u32[] bitcast-convert(m)"), {"f32[2] { 0, 3 }"});
  bits.Expect("EXACT { 0, 1077936128 }");
  CHECK(!IsFailure(bits.Is("u32[2] { 2147483648, 1077936128 }")));
  bits.Expect("FAIL { 0, 1077936129 }; ieee FAIL { 2147483648, 1077936128 }");
}

TEST_CASE("the predicates of a map follow from the errors of its steps", "[acceptance]") {
  const Judged map(R"(f { a = f32[] parameter(0)  c = f32[] constant(1)  e = f32[] exponential(a)
  ROOT p = pred[] compare(e, c), direction=LT }
ENTRY e {   ROOT r = pred[2] map(x), dimensions={0}, to_apply=f })",
                   {"x = f32[2] { 0, 3 }"});
  map.Expect("EXACT { false, false }");
  CHECK(!IsFailure(map.Is("pred[2] { true, false }")));
  map.Expect("FAIL { false, true }");
}

// A reduction by a computation of two instructions may choose a zero that no operand has.
TEST_CASE("a zero that a step of a fold chooses may have either sign", "[acceptance]") {
  const Judged fold(R"(f { a = f32[] parameter(0)  b = f32[] parameter(1)  m = f32[] maximum(a, b)
  n = f32[] negate(m)  ROOT r = f32[] maximum(m, n) }
ENTRY e {   ROOT r = f32[] reduce(x, z), dimensions={0}, to_apply=f })",
                    {"x = f32[1] { 0 }", "z = f32[] 0"});
  CHECK(fold.Is("f32[] 0") <= Verdict::kLegal);
  CHECK(fold.Is("f32[] -0") <= Verdict::kLegal);
  fold.Expect("FAIL 1");
}

TEST_CASE("a program with a map has the set of the map's operations", "[acceptance]") {
  const Program map(std::string(kMap), {"f32[2] { x3f800800, 2 }"});
  CHECK(map.Is(kFused) == Verdict::kLegal);
  CHECK(map.Is(kNeither) == Verdict::kFail);
  CHECK(map.Is(kFused, "ieee") == Verdict::kFail);
  // The product in front of a map may be fused with the subtraction in it, and that with the one behind it.
  Program(R"(f { a = f32[] parameter(0)  o = f32[] constant(1)  ROOT r = f32[] subtract(a, o) }
ENTRY e {   s = f32[1] multiply(x, x)  ROOT r = f32[1] map(s), dimensions={0}, to_apply=f })",
          {"x = f32[1] { x3f800800 }"})
      .Expect("LEGAL { x3a000400 }; FAIL { x3a000800 }");
  Program(R"(f { a = f32[] parameter(0)  ROOT r = f32[] multiply(a, a) }
ENTRY e {   o = f32[1] constant({1})  s = f32[1] map(x), dimensions={0}, to_apply=f
  ROOT r = f32[1] subtract(s, o) })",
          {"x = f32[1] { x3f800800 }"})
      .Expect("LEGAL { x3a000400 }; FAIL { x3a000800 }");
}

std::string ScanBy(const std::string& step, std::string_view attributes) {
  return fmt::format(R"(step {{ a = f32[] parameter(0)  b = f32[] parameter(1)
{} ROOT t = (f32[], f32[]) tuple(m, m) }}
ENTRY e {{ x = f32[3] parameter(0)  z = f32[] parameter(1)
  ROOT s = (f32[3], f32[]) scan(x, z), dimensions={{0}}, num_carries=1, {}to_apply=step }})",
                     step, attributes);
}

Verdict IfLast(const Judged& scan, std::string_view outputs, std::string_view carry, const Profile& profile) {
  return scan.Of(Literal::MakeTuple({Value(outputs), Value(carry)}), profile).verdict;
}

// ((1 + 2^-24) + 2^-24) + 2^-24 is 1: each half of a unit is lost. From the other end it is 1 + 2^-23.
TEST_CASE("a scan that is not associative has one order", "[acceptance]") {
  const Judged forward(ScanBy(" m = f32[] add(b, a)\n", ""), {"f32[3] { x33800000, x33800000, x33800000 }", "f32[] 1"});
  CHECK(IfLast(forward, "f32[3] {1, 1, 1}", "f32[] 1", XlaProfile()) == Verdict::kExact);
  CHECK(IfLast(forward, "f32[3] {1, 1, x3f800001}", "f32[] x3f800001", XlaProfile()) == Verdict::kFail);
  const Judged backward(ScanBy(" m = f32[] add(b, a)\n", "is_reverse=true, "),
                        {"f32[3] { 1, x33800000, x33800000 }", "f32[] 0"});
  CHECK(IfLast(backward, "f32[3] {x3f800001, x34000000, x33800000}", "f32[] x3f800001", XlaProfile()) ==
        Verdict::kExact);
  CHECK(IfLast(backward, "f32[3] {1, x34000000, x33800000}", "f32[] 1", XlaProfile()) == Verdict::kFail);
}

// The carry after each step is c / 2 + x, so an error of a step is halved by the next: 1.5, 1.75, 1.875. The product is
// exact, so no freedom changes a value.
TEST_CASE("the steps of a scan are judged by their sets", "[acceptance]") {
  const std::string half = " h = f32[] constant(0.5)\n p = f32[] multiply(b, h)\n m = f32[] add(p, a)\n";
  const Judged scan(ScanBy(half, ""), {"f32[3] { 1, 1, 1 }", "f32[] 1"});
  CHECK(IfLast(scan, "f32[3] {1.5, 1.75, 1.875}", "f32[] 1.875", XlaProfile()) == Verdict::kExact);
  CHECK(IfLast(scan, "f32[3] {1.5, 1.75, x3ff00001}", "f32[] 1.875", XlaProfile()) == Verdict::kFail);
  // tanh may be off by 5 units in the last place, not by 2^-10.
  const Judged curved(ScanBy(" h = f32[] tanh(b)\n m = f32[] add(h, a)\n", ""), {"f32[3] { 1, 1, 1 }", "f32[] 0"});
  const float last = curved.want().elements()[1].values<float>()[0];
  CHECK(curved.WithPart(1, 0, last + 0x1p-22f) == Verdict::kLegal);
  CHECK(curved.WithPart(1, 0, last + 0x1p-10f) == Verdict::kFail);
}

}  // namespace
}  // namespace assay::testing
