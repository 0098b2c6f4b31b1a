// Folds in which no step rounds. If the order matters to the op, the results of other orders are lawful too; otherwise
// one value is right.
#include <fmt/format.h>

#include "interpreter/acceptance/samples/judge_by_samples.h"
#include "spec_tests/acceptance/program.h"

namespace assay::testing {
namespace {

Judged Reduction(const std::string& op, std::string_view numbers, std::string_view start) {
  return Judged("HloModule m\nf {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT r = f32[] " + op +
                    "(a, b)\n}\nENTRY e {\n x = f32[3] parameter(0)\n s = f32[] parameter(1)\n ROOT r = f32[] "
                    "reduce(x, s), dimensions={0}, to_apply=f\n}\n",
                {numbers, start});
}

Judged Scan(const std::string& op, const std::string& is_associative, std::string_view numbers,
            std::string_view start) {
  return Judged("HloModule m\nstep {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n m = f32[] " + op +
                    "(b, a)\n ROOT t = (f32[], f32[]) tuple(m, m)\n}\nENTRY e {\n x = f32[3] parameter(0)\n"
                    " z = f32[] parameter(1)\n ROOT s = (f32[3], f32[]) scan(x, z), dimensions={0}, num_carries=1, "
                    "is_associative=" +
                    is_associative + ", to_apply=step\n}\n",
                {numbers, start});
}

// ((100 % 7) % 5) % 3 is 2, ((100 % 3) % 5) % 7 is 1.
TEST_CASE("the order of a fold by remainder is open", "[acceptance]") {
  const Judged fold = Reduction("remainder", "f32[3] { 7, 5, 3 }", "f32[] 100");
  CHECK(fold.With(0, 2) == Verdict::kExact);
  CHECK(fold.With(0, 1) == Verdict::kSpecGap);
  CHECK(fold.With(0, 1, BuiltInProfile("exact")) == Verdict::kFail);
  // A step that flushes does not make every subnormal number lawful.
  const Judged small = Reduction("remainder", "f32[3] { 7, 5, 1e-44 }", "f32[] 3e-44");
  CHECK(small.With(0, 0x1p-149f) != Verdict::kLegal);
}

TEST_CASE("the order of two folds by remainder in one is open", "[acceptance]") {
  const Judged fold(R"(HloModule m
f { a = f32[] parameter(0)
  b = f32[] parameter(1)
  c = f32[] parameter(2)
  d = f32[] parameter(3)
  m = f32[] remainder(a, c)
  n = f32[] remainder(b, d)
  ROOT t = (f32[], f32[]) tuple(m, n) }
ENTRY e { x = f32[3] parameter(0)
  y = f32[3] parameter(1)
  s = f32[] parameter(2)
  ROOT r = (f32[], f32[]) reduce(x, y, s, s), dimensions={0}, to_apply=f })",
                    {"f32[3] { 7, 5, 3 }", "f32[3] { 7, 5, 3 }", "f32[] 100"});
  CHECK(fold.WithPart(0, 0, 2) == Verdict::kExact);
  CHECK(fold.WithPart(0, 0, 1) == Verdict::kSpecGap);
}

TEST_CASE("the order of an all-reduce by remainder is open", "[acceptance]") {
  const auto module = Parsed(R"(HloModule m, replica_count=2
f { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT r = f32[] remainder(a, b) }
ENTRY e { x = f32[] parameter(0)
  ROOT r = f32[] all-reduce(x), replica_groups={{0,1}}, to_apply=f })");
  const DeviceValues operands = {Values({"f32[] 7"}), Values({"f32[] 4"})};
  const auto verdict = [&](std::string_view got, std::string_view profile) {
    const Literal both = Literal::MakeTuple({Value("f32[] 3"), Value("f32[] 3")});
    return JudgeInstruction(*module->entry->root, operands, both, Literal::MakeTuple({Value(got), Value(got)}),
                            BuiltInProfile(profile))
        .verdict;
  };
  CHECK(verdict("f32[] 3", "xla") == Verdict::kExact);
  CHECK(verdict("f32[] 4", "xla") == Verdict::kSpecGap);
  CHECK(verdict("f32[] 4", "exact") == Verdict::kFail);
}

// |a - b| commutes, and | |1 - 2| - 4| = 3, |1 - |2 - 4|| = 1. The larger of two numbers is a fold in any order, and so
// is one by a selection of it.
TEST_CASE("the order of a fold that does not associate is open", "[acceptance]") {
  const auto fold = [](std::string_view steps) {
    return Judged(fmt::format(R"(HloModule m
f {{ a = s32[] parameter(0)
  b = s32[] parameter(1)
  {} }}
ENTRY e {{ x = s32[3] parameter(0)
  z = s32[] parameter(1)
  ROOT r = s32[] reduce(x, z), dimensions={{0}}, to_apply=f }})",
                              steps),
                  {"s32[3] { 1, 2, 4 }", "s32[] 0"});
  };
  const Judged distance = fold("d = s32[] subtract(a, b)\n  ROOT r = s32[] abs(d)");
  CHECK(distance.Is("s32[] 3") == Verdict::kExact);
  CHECK(distance.Is("s32[] 1") == Verdict::kSpecGap);
  const Judged first = fold(
      "two = s32[] constant(1)\n  p = pred[] compare(a, two), direction=GT\n"
      "  ROOT r = s32[] select(p, a, b)");
  CHECK(first.Is("s32[] 4") == Verdict::kSpecGap);
  const Judged largest = fold("p = pred[] compare(a, b), direction=GT\n  ROOT r = s32[] select(p, a, b)");
  CHECK(largest.Is("s32[] 4") == Verdict::kExact);
  CHECK(largest.Is("s32[] 2") == Verdict::kFail);
}

TEST_CASE("a scan by remainder has one order, unless it is called associative", "[acceptance]") {
  const Judged fixed = Scan("remainder", "false", "f32[3] { 7, 5, 3 }", "f32[] 100");
  CHECK(fixed.WithPart(1, 0, 2) == Verdict::kExact);
  CHECK(fixed.WithPart(1, 0, 1) == Verdict::kFail);
  CHECK(Scan("remainder", "true", "f32[3] { 7, 5, 3 }", "f32[] 100").WithPart(1, 0, 1) == Verdict::kSpecGap);
}

// The carry enters the scan once, so no initial value is open.
TEST_CASE("a scan by maximum has one result", "[acceptance]") {
  const Judged scan = Scan("maximum", "true", "f32[3] { 7, 9, 3 }", "f32[] 8");
  CHECK(scan.WithPart(0, 0, 8) == Verdict::kExact);
  CHECK(scan.WithPart(0, 0, 7) == Verdict::kFail);
  CHECK(scan.WithPart(1, 0, 100) == Verdict::kFail);
}

TEST_CASE("a call of one remainder is no fold", "[acceptance]") {
  const Judged call(R"(HloModule m
f { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT r = f32[] remainder(a, b) }
ENTRY e { x = f32[3] parameter(0)
  y = f32[3] parameter(1)
  ROOT r = f32[3] map(x, y), dimensions={0}, to_apply=f })",
                    {"f32[3] { 7, 5, 3 }", "f32[3] { 4, 4, 4 }"});
  CHECK(call.With(0, 3) == Verdict::kExact);
  CHECK(call.With(0, 4) == Verdict::kFail);
}

TEST_CASE("the trials flush what an exact fold may flush", "[acceptance][trials]") {
  const auto module = Parsed(R"(HloModule m
step { a = f32[] parameter(0)
  b = f32[] parameter(1)
  m = f32[] maximum(a, b)
  ROOT t = (f32[], f32[]) tuple(m, m) }
ENTRY e { x = f32[3] parameter(0)
  z = f32[] parameter(1)
  s = (f32[3], f32[]) scan(x, z), dimensions={0}, num_carries=1, is_associative=true, to_apply=step
  ROOT r = f32[3] get-tuple-element(s), index=0 })");
  const std::vector<Literal> arguments = Values({"f32[3] { 1e-40, 2e-40, 1 }", "f32[] -1"});
  const Literal want = Value("f32[3] { 1e-40, 2e-40, 1 }");
  const auto unexplained = [&](std::string_view got, std::string_view profile) {
    return JudgeBySamples(*module, {arguments}, want, Value(got), BuiltInProfile(profile)).unexplained;
  };
  CHECK(unexplained("f32[3] { 0, 2e-40, 1 }", "xla").empty());
  CHECK_FALSE(unexplained("f32[3] { 0, 2e-40, 1 }", "ieee").empty());
  CHECK_FALSE(unexplained("f32[3] { 1e-40, 2e-40, 2 }", "xla").empty());
}

}  // namespace
}  // namespace assay::testing
