// One instruction has one verdict: `diff`, which also goes through sets, and `check`, which goes by the rule, agree.
#include "conformance/judging/only_instruction.h"

#include "backends/reference/reference.h"
#include "conformance/judging/compare.h"
#include "conformance/judging/judge_case.h"
#include "interpreter/acceptance/sets/program_sets.h"
#include "spec_tests/acceptance/program.h"
#include "spec_tests/catch.h"
#include "spec_tests/conformance/told_backend.h"

namespace assay::testing {
namespace {

struct Verdicts {
  Verdict diff, check;
};

// The verdicts of a backend that returns `got`.
Verdicts VerdictsOf(const std::string& text, const std::vector<std::string_view>& arguments, std::string_view got,
                    std::string_view profile = "xla") {
  const auto module = Parsed(text);
  const DeviceValues values = {Values(arguments)};
  ToldBackend told(Value(got));
  const Result<ModuleReport> report =
      CompareModule(told, *module, values, {.profile = BuiltInProfile(profile), .limits = {}});
  REQUIRE(report);
  const Result<InstructionValues> reference = EvaluateRoot(*module, values, {});
  REQUIRE(reference);
  return {report->verdict, JudgeCase(told, *module, values, *reference, Value(got), BuiltInProfile(profile)).verdict};
}

void CheckBoth(const std::string& text, const std::vector<std::string_view>& arguments, std::string_view got,
               Verdict expected, std::string_view profile = "xla") {
  CAPTURE(text, got, profile);
  const Verdicts verdicts = VerdictsOf(text, arguments, got, profile);
  CHECK(verdicts.diff == expected);
  CHECK(verdicts.check == expected);
}

// x4 x6 are the bits of 1.1 x 1.3 = 1.43, rounded to f32; the neighbours end in other digits.
constexpr std::string_view kProduct = R"(  x = f32[1] parameter(0)
  y = f32[1] parameter(1)
  ROOT r = f32[] dot(x, y), lhs_contracting_dims={0}, rhs_contracting_dims={0})";

TEST_CASE("a dot of one product is rounded once", "[conformance][acceptance]") {
  const std::string text = Entry(std::string(kProduct));
  for (const auto& [y, want] : {std::pair{"f32[1] {x3fa66666}", "f32[] x3fb70a3d"}, {"f32[1] {x3fa66667}", ""}}) {
    const std::vector<std::string_view> arguments = {"f32[1] {x3f8ccccd}", y};
    const auto module = Parsed(text);
    const Result<Literal> exact = Evaluate(*module, Values(arguments));
    REQUIRE(exact);
    if (*want != 0) REQUIRE(exact->BitwiseEqual(Value(want)));
    const std::uint32_t bits = exact->values<std::uint32_t>()[0];
    for (const std::uint32_t other : {bits - 1, bits + 1}) {
      CheckBoth(text, arguments, fmt::format("f32[] x{:08x}", other), Verdict::kFail);
    }
  }
}

TEST_CASE("a fold of one element is that element", "[conformance][acceptance]") {
  const std::string text =
      "HloModule m\nf { a = f32[] parameter(0)\nb = f32[] parameter(1)\nROOT s = f32[] add(a, b) }\n"
      "ENTRY e { x = f32[2,1] parameter(0)\nz = f32[] constant(0)\n"
      "ROOT r = f32[2] reduce(x, z), dimensions={1}, to_apply=f }\n";
  CheckBoth(text, {"f32[2,1] {{x3f8ccccd}, {x3f8cccce}}"}, "f32[2] {x3f8ccccd, x3f8ccccf}", Verdict::kFail);
  CheckBoth(text, {"f32[2,1] {{x3f8ccccd}, {x3f8cccce}}"}, "f32[2] {x3f8cccce, x3f8cccce}", Verdict::kFail);
  // A subnormal element may be flushed.
  CheckBoth(text, {"f32[2,1] {{x00000001}, {1}}"}, "f32[2] {0, 1}", Verdict::kLegal);
}

TEST_CASE("the rows of a sort are a permutation of the operand's", "[conformance][acceptance]") {
  const std::string text =
      "HloModule m\nless { a = f8e4m3fnuz[] parameter(0)\nb = f8e4m3fnuz[] parameter(1)\n"
      "ROOT l = pred[] compare(a, b), direction=LT, type=TOTALORDER }\n"
      "ENTRY e { x = f8e4m3fnuz[3] parameter(0)\n"
      "ROOT r = f8e4m3fnuz[3] sort(x), dimensions={0}, to_apply=less }\n";
  CheckBoth(text, {"f8e4m3fnuz[3] {2, nan, 1}"}, "f8e4m3fnuz[3] {1, nan, nan}", Verdict::kFail);
}

// (2 + 3) - 4 is a sum of few terms in a format of four bits: no order gives 2.
TEST_CASE("a result that no order of a narrow sum gives is FAIL", "[conformance][acceptance]") {
  const std::string text =
      "HloModule m\nf { a = f8e4m3fn[] parameter(0)\nb = f8e4m3fn[] parameter(1)\nROOT s = f8e4m3fn[] add(a, b) }\n"
      "ENTRY e { x = f8e4m3fn[3] parameter(0)\nz = f8e4m3fn[] constant(0)\n"
      "ROOT r = f8e4m3fn[] reduce(x, z), dimensions={0}, to_apply=f }\n";
  const std::vector<std::string_view> arguments = {"f8e4m3fn[3] {1.125, 17, 1.125}"};
  const Verdicts far = VerdictsOf(text, arguments, "f8e4m3fn[] 24");
  CHECK(far.diff == far.check);
  CheckBoth(text, {"f8e4m3fn[3] {2, 3, -4}"}, "f8e4m3fn[] 2", Verdict::kFail);
}

// The specification's example of a reduction inserts the initial value three times. 3 x 2 x 3 x 5 is 90, and each
// further 3 is lawful: a device may start more partial results than it has elements.
TEST_CASE("no number of initial values gives a wrong product of integers", "[conformance][acceptance]") {
  const auto text = [](std::string_view type, std::string_view op) {
    return fmt::format(
        "HloModule m\nf {{ a = {0}[] parameter(0)\nb = {0}[] parameter(1)\nROOT s = {0}[] {1}(a, b) }}\n"
        "ENTRY e {{ x = {0}[3] parameter(0)\nz = {0}[] parameter(1)\n"
        "ROOT r = {0}[] reduce(x, z), dimensions={{0}}, to_apply=f }}\n",
        type, op);
  };
  const std::vector<std::string_view> product = {"s32[3] {2, 3, 5}", "s32[] 3"};
  CheckBoth(text("s32", "multiply"), product, "s32[] 90", Verdict::kExact);
  CheckBoth(text("s32", "multiply"), product, "s32[] 270", Verdict::kSpecGap);
  CheckBoth(text("s32", "multiply"), product, "s32[] 2430", Verdict::kSpecGap);
  CheckBoth(text("s32", "multiply"), product, "s32[] 7290", Verdict::kSpecGap);
  CheckBoth(text("s32", "multiply"), product, "s32[] 91", Verdict::kFail);
  CheckBoth(text("s32", "multiply"), product, "s32[] 30", Verdict::kFail);  // without the initial value
  CheckBoth(text("s32", "multiply"), product, "s32[] 270", Verdict::kFail, "exact");
  // 400 wraps to -112 in s8, 500 to -12.
  const std::vector<std::string_view> sum = {"s8[3] {100, 100, 100}", "s8[] 100"};
  CheckBoth(text("s8", "add"), sum, "s8[] -112", Verdict::kExact);
  CheckBoth(text("s8", "add"), sum, "s8[] -12", Verdict::kSpecGap);
  CheckBoth(text("s8", "add"), sum, "s8[] -11", Verdict::kFail);
  CheckBoth(text("u8", "xor"), {"u8[3] {1, 2, 4}", "u8[] 8"}, "u8[] 7", Verdict::kSpecGap);
  CheckBoth(text("u8", "xor"), {"u8[3] {1, 2, 4}", "u8[] 8"}, "u8[] 6", Verdict::kFail);
  // An order may be chosen for a reducer that does not commute.
  CheckBoth(text("s32", "subtract"), product, "s32[] 1", Verdict::kSpecGap);
}

// XLA's attribute is_stable=false leaves the indices of equal elements open.
TEST_CASE("topk without a stable order may return any index of equal elements", "[conformance][acceptance]") {
  const auto text = [](std::string_view attribute) {
    return Entry(fmt::format("  x = s8[2,4] parameter(0)\n  ROOT r = (s8[2,2], s32[2,2]) topk(x), k=2{}", attribute));
  };
  const std::vector<std::string_view> arguments = {"s8[2,4] {{7, 5, 7, 7}, {1, 2, 3, 4}}"};
  const std::string_view values = "s8[2,2] {{7, 7}, {4, 3}}";
  const auto result = [&](std::string_view indices) { return fmt::format("({}, s32[2,2] {})", values, indices); };
  const std::string stable = result("{{0, 2}, {3, 2}}"), other = result("{{3, 0}, {3, 2}}");
  CheckBoth(text(""), arguments, stable, Verdict::kExact);
  CheckBoth(text(""), arguments, other, Verdict::kFail);
  CheckBoth(text(", is_stable=true"), arguments, other, Verdict::kFail);
  CheckBoth(text(", is_stable=false"), arguments, other, Verdict::kSpecGap);
  CheckBoth(text(", is_stable=false"), arguments, result("{{0, 2}, {3, 1}}"), Verdict::kFail);
  CheckBoth(text(", is_stable=false"), arguments, "(s8[2,2] {{7, 5}, {4, 3}}, s32[2,2] {{0, 2}, {3, 2}})",
            Verdict::kFail);
}

// The specification: integer division overflow "produces an implementation-defined value".
TEST_CASE("a division of an integer by zero is the implementation's", "[conformance][acceptance]") {
  const auto text = [](std::string_view op) {
    return Entry(fmt::format("  x = s8[3] parameter(0)\n  y = s8[3] parameter(1)\n  ROOT r = s8[3] {}(x, y)", op));
  };
  const std::vector<std::string_view> arguments = {"s8[3] {7, -128, 7}", "s8[3] {0, -1, 2}"};
  CheckBoth(text("divide"), arguments, "s8[3] {-1, -128, 3}", Verdict::kExact);
  CheckBoth(text("divide"), arguments, "s8[3] {0, 127, 3}", Verdict::kSpecGap);
  CheckBoth(text("divide"), arguments, "s8[3] {-1, -128, 4}", Verdict::kFail);
  CheckBoth(text("remainder"), arguments, "s8[3] {0, 1, 1}", Verdict::kSpecGap);
  CheckBoth(text("remainder"), arguments, "s8[3] {7, 0, 0}", Verdict::kFail);
  CheckBoth(Entry("  x = f32[1] parameter(0)\n  y = f32[1] parameter(1)\n  ROOT r = f32[1] divide(x, y)"),
            {"f32[1] {1}", "f32[1] {0}"}, "f32[1] {5}", Verdict::kFail);
}

}  // namespace
}  // namespace assay::testing
