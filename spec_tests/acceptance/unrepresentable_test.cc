// Results that their type does not hold: open by StableHLO's specification, decided by XLA (docs/spec_gaps.md).
#include "spec_tests/acceptance/program.h"

namespace assay::testing {
namespace {

struct Case {
  std::string text;  // the entry
  std::vector<std::string_view> operands;
  std::string_view got;
  Verdict by_stablehlo;
};

std::string Conversion(const std::string& from, const std::string& to) {
  return Entry("x = " + from + " parameter(0)\n ROOT r = " + to + " convert(x)");
}
std::string OfTwo(const std::string& op, const std::string& shape) {
  return Entry("x = " + shape + " parameter(0)\n y = " + shape + " parameter(1)\n ROOT r = " + shape + " " + op +
               "(x, y)");
}
std::string SumOfThree(const std::string& type) {
  return fmt::format(R"(x = {0}[3] parameter(0)  s = {0}[] parameter(1)
  ROOT r = {0}[] reduce(x, s), dimensions={{0}}, to_apply=add_{0})",
                     type);
}

TEST_CASE("a number that the type does not hold is open by StableHLO only", "[acceptance]") {
  constexpr Verdict kOpen = Verdict::kSpecGap, kDecided = Verdict::kFail;
  const Case cases[] = {
      {Conversion("f32[]", "s32[]"), {"f32[] 2147483648"}, "s32[] -2147483648", kOpen},
      {Conversion("f32[]", "s32[]"), {"f32[] nan"}, "s32[] 7", kOpen},
      {Conversion("f32[]", "s32[]"), {"f32[] -2147483648"}, "s32[] 7", kDecided},
      {Conversion("f32[]", "s8[]"), {"f32[] 127.5"}, "s8[] -128", kDecided},
      {Conversion("f32[]", "u8[]"), {"f32[] -1"}, "u8[] 255", kOpen},
      {Conversion("f32[]", "u8[]"), {"f32[] -0.5"}, "u8[] 255", kDecided},
      {Conversion("f64[]", "u64[]"), {"f64[] 18446744073709551616"}, "u64[] 0", kOpen},
      {Conversion("f64[]", "u64[]"), {"f64[] 9223372036854775808"}, "u64[] 0", kDecided},
      {Conversion("s32[]", "s8[]"), {"s32[] 300"}, "s8[] 127", kOpen},
      {Conversion("s32[]", "pred[]"), {"s32[] 300"}, "pred[] false", kDecided},
      {Conversion("f32[]", "f8e4m3fn[]"), {"f32[] 1000"}, "f8e4m3fn[] 448", kOpen},
      {Conversion("f32[]", "f8e4m3fn[]"), {"f32[] 464"}, "f8e4m3fn[] 416", kDecided},
      {Conversion("f32[]", "f8e4m3fn[]"), {"f32[] nan"}, "f8e4m3fn[] 448", kDecided},
      {Conversion("f32[]", "f8e5m2[]"), {"f32[] 1e30"}, "f8e5m2[] 57344", kDecided},
      {Conversion("f32[]", "f4e2m1fn[]"), {"f32[] 8"}, "f4e2m1fn[] 0", kOpen},
      {Conversion("f32[]", "f4e2m1fn[]"), {"f32[] 6.5"}, "f4e2m1fn[] 0", kDecided},
      {OfTwo("add", "s8[]"), {"s8[] 127", "s8[] 1"}, "s8[] 127", kOpen},
      {OfTwo("add", "s8[]"), {"s8[] 126", "s8[] 1"}, "s8[] -128", kDecided},
      {OfTwo("subtract", "u32[]"), {"u32[] 3", "u32[] 5"}, "u32[] 0", kOpen},
      {OfTwo("subtract", "u32[]"), {"u32[] 5", "u32[] 5"}, "u32[] 1", kDecided},
      {OfTwo("add", "s64[]"), {"s64[] 4611686018427387904", "s64[] 4611686018427387903"}, "s64[] 0", kDecided},
      {OfTwo("add", "s64[]"), {"s64[] 4611686018427387904", "s64[] 4611686018427387904"}, "s64[] 0", kOpen},
      {OfTwo("multiply", "s64[]"), {"s64[] 4294967296", "s64[] 4294967296"}, "s64[] 1", kOpen},
      {OfTwo("multiply", "s64[]"), {"s64[] 3037000499", "s64[] 3037000499"}, "s64[] 1", kDecided},
      {OfTwo("power", "s32[]"), {"s32[] 2", "s32[] 40"}, "s32[] 1", kOpen},
      {OfTwo("power", "s32[]"), {"s32[] 2", "s32[] -1"}, "s32[] 1", kDecided},
      {OfTwo("add", "f8e4m3fn[]"), {"f8e4m3fn[] 448", "f8e4m3fn[] 448"}, "f8e4m3fn[] 448", kDecided},
      {SumOfThree("s8"), {"s8[3] { 100, 100, 1 }", "s8[] 0"}, "s8[] 127", kOpen},
      {SumOfThree("s8"), {"s8[3] { 100, -100, 1 }", "s8[] 0"}, "s8[] 127", kDecided},
  };
  for (const Case& one : cases) {
    INFO(one.text << one.operands[0] << " gives " << one.got);
    const Judged judged(one.text, one.operands);
    CHECK(judged.Is(one.got, BuiltInProfile("stablehlo")) == one.by_stablehlo);
    CHECK(judged.Is(one.got) == Verdict::kFail);
    const Program program(one.text, one.operands);
    CHECK(program.Is(one.got, "stablehlo") == one.by_stablehlo);
    CHECK(program.Is(one.got) == Verdict::kFail);
  }
}

TEST_CASE("only results that follow from a number that its type does not hold are SPEC-GAP", "[acceptance]") {
  Program(R"(e = f32[2] exponential(x)  i = s32[2] convert(e)  ROOT n = s32[2] negate(i))", {"x = f32[2] { 80, 0 }"})
      .Expect("stablehlo SPEC-GAP { -2147483648, -1 }; stablehlo FAIL { -2147483647, 5 }");
}

}  // namespace
}  // namespace assay::testing
