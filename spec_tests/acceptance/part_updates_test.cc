// Sets of arrays in which a part is replaced: the written part, the rest, and other owners of the buffer, which keep
// it.
#include "interpreter/types/join_text.h"
#include "spec_tests/acceptance/program.h"

namespace assay::testing {
namespace {

// tanh(0.5) is x3eec9a9f, tanh(1) x3f42f7d6.
constexpr std::string_view kReplaces =
    R"(x = f32[4] parameter(0)  u = f32[2] parameter(1)  i = s32[] parameter(2)  t = f32[4] tanh(x)
  p = f32[2] tanh(u)  d = f32[4] dynamic-update-slice(t, p, i)  ROOT r = (f32[4], f32[4]) tuple(t, d))";

std::string Outputs(const std::vector<std::string>& whole, const std::vector<std::string>& replaced) {
  return fmt::format("(f32[4], f32[4]) ( {{ {} }}, {{ {} }} )", JoinText(whole, ", "), JoinText(replaced, ", "));
}

// As a scan stacks its outputs: row i of three is tanh of the one before.
constexpr std::string_view kStacks =
    R"(condition { p = (s32[], f32[2], f32[3,2]) parameter(0)  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant(3)  ROOT r = pred[] compare(i, n), direction=LT }
body { p = (s32[], f32[2], f32[3,2]) parameter(0)  i = s32[] get-tuple-element(p), index=0
  x = f32[2] get-tuple-element(p), index=1
  s = f32[3,2] get-tuple-element(p), index=2
  one = s32[] constant(1)  zero = s32[] constant(0)  j = s32[] add(i, one)  y = f32[2] tanh(x)
  row = f32[1,2] reshape(y)  d = f32[3,2] dynamic-update-slice(s, row, i, zero)
  ROOT r = (s32[], f32[2], f32[3,2]) tuple(j, y, d) }
ENTRY e { x = f32[2] parameter(0)  s = f32[3,2] parameter(1)  z = s32[] constant(0)
  t = (s32[], f32[2], f32[3,2]) tuple(z, x, s)
  w = (s32[], f32[2], f32[3,2]) while(t), condition=condition, body=body
  d = f32[3,2] get-tuple-element(w), index=2
  ROOT r = (f32[3,2], f32[3,2]) tuple(s, d) })";

TEST_CASE("a part that is replaced has the set of the part, the rest that of the whole", "[acceptance][programs]") {
  const Program program(std::string(kReplaces), {"f32[4] { 0.5, 0.5, 0.5, 0.5 }", "f32[2] { 1, 1 }", "s32[] 1"});
  const std::string whole = "x3eec9a9f", part = "x3f42f7d6", near_part = "x3f42f7d7", near_whole = "x3eec9aa0";
  for (const std::string_view profile : {"xla", "simd", "fast"}) {
    INFO(profile);
    const auto verdict = [&](const std::vector<std::string>& t, const std::vector<std::string>& d) {
      return program.Is(Outputs(t, d), profile);
    };
    const std::vector<std::string> same(4, whole);
    CHECK(verdict(same, {whole, part, part, whole}) == Verdict::kExact);
    CHECK(verdict(same, {near_whole, near_part, part, whole}) == Verdict::kLegal);
    CHECK(verdict(same, {whole, whole, part, whole}) == Verdict::kFail);
    CHECK(verdict(same, {whole, part, part, part}) == Verdict::kFail);
    // The whole array is read again after the instruction.
    CHECK(verdict({whole, part, part, whole}, {whole, part, part, whole}) == Verdict::kFail);
  }
}

TEST_CASE("a decided update makes the elements that it replaces decided", "[acceptance][programs]") {
  Program("t = f32[2] tanh(x) ROOT d = f32[2] dynamic-update-slice(t, u, i)",
          {"x = f32[2] { 0.5, 0.5 }", "u = f32[1] { 7 }", "i = s32[] 9"})
      .Expect("LEGAL { x3eec9aa0, 7 }; FAIL { x3eec9a9f, x40e00001 }");
}

TEST_CASE("a loop stacks sets, and its operand keeps its own", "[acceptance][programs]") {
  const Program program(std::string(kStacks), {"f32[2] { 0.5, 1 }", "f32[3,2] { { 5, 5 }, { 5, 5 }, { 5, 5 } }"});
  const std::string before = "{ { 5, 5 }, { 5, 5 }, { 5, 5 } }";
  const auto verdict = [&](const std::string& start, const std::string& first, const std::string& last) {
    // tanh(tanh(0.5)) is 0.4318081; tanh(tanh(1)) is 0.642015; once more 0.4068313 and 0.56626998.
    return program.Is(
        fmt::format("(f32[3,2], f32[3,2]) ( {}, {{ {}, {{ 0.4318081, 0.642015 }}, {} }} )", start, first, last));
  };
  const std::string first = "{ x3eec9a9f, x3f42f7d6 }", last = "{ 0.40683132, 0.56627 }";
  CHECK(verdict(before, first, last) <= Verdict::kLegal);
  CHECK(verdict(before, "{ x3eec9aa0, x3f42f7d7 }", last) == Verdict::kLegal);
  CHECK(verdict(before, "{ 5, x3f42f7d6 }", last) == Verdict::kFail);
  CHECK(verdict(before, first, "{ 0.4318081, 0.56627 }") == Verdict::kFail);
  CHECK(verdict("{ { x3eec9a9f, 5 }, { 5, 5 }, { 5, 5 } }", first, last) == Verdict::kFail);
}

}  // namespace
}  // namespace assay::testing
