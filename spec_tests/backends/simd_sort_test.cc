// Sorts of the backend simd by keys of one operand.
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "backends/simd/simd.h"
#include "fuzz/generate/random.h"
#include "fuzz/generate/values.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/parser.h"
#include "interpreter/hlo/verifier.h"
#include "spec_tests/catch.h"

namespace assay::simd {
namespace {

// Checks that every bit of a sort is the reference's, for keys with duplicates, zeros of both signs and NaN.
void CheckSort(const std::string& text) {
  INFO(text);
  const auto module = *ParseHloModule(text);
  REQUIRE(VerifyHloModule(*module));
  generate::Random random(4);
  using enum generate::EdgeClass;
  for (const generate::EdgeClass edge_class : {kSmallIntegers, kSpecials, kAnyBits, kNormal, kConstant}) {
    INFO(generate::EdgeClassName(edge_class));
    std::vector<Literal> arguments;
    for (const HloInstruction* parameter : module->entry->Parameters()) {
      arguments.push_back(generate::DrawValue(random, parameter->shape, edge_class));
    }
    const Literal want = Evaluate(*module, arguments).value();
    CHECK(Evaluate(*module, arguments, {}, Overrides()).value().BitwiseEqual(want));
  }
}

TEST_CASE("simd's sorts by keys are the reference's, bit by bit") {
  for (const std::string_view type : {"f32", "f64", "bf16", "f16", "s8", "u8", "s16", "s32", "u32", "s64", "pred"}) {
    for (const std::string_view direction : {"LT", "GT", "LT, type=TOTALORDER", "GT, type=TOTALORDER", "GE"}) {
      if (direction.size() > 2 && type[0] != 'f' && type != "bf16") continue;
      for (const std::string_view shape : {"[700] {0}", "[30,40] {1}", "[30,40] {0}", "[3,1] {1}", "[0,3] {0}"}) {
        for (const std::string_view compared : {"c, d", "d, c"}) {
          const std::size_t space = shape.find(' ');
          const std::string_view dimensions = shape.substr(0, space), sorted = shape.substr(space + 1);
          CheckSort(fmt::format(
              "HloModule m\nless {{ a = s32[] parameter(0)\n b = s32[] parameter(1)\n c = {0}[] parameter(2)\n"
              " d = {0}[] parameter(3)\n e = c64[] parameter(4)\n f = c64[] parameter(5)\n"
              " ROOT r = pred[] compare({1}), direction={2} }}\nENTRY e {{\n v = s32{3} parameter(0)\n"
              " k = {0}{3} parameter(1)\n w = c64{3} parameter(2)\n ROOT r = (s32{3}, {0}{3}, c64{3}) sort(v, k, w), "
              "dimensions={4}, is_stable=true, to_apply=less\n}}\n",
              type, compared, direction, dimensions, sorted));
          CheckSort(
              fmt::format("HloModule m\nless {{ c = {0}[] parameter(0)\n d = {0}[] parameter(1)\n"
                          " ROOT r = pred[] compare({1}), direction={2} }}\nENTRY e {{\n k = {0}{3} parameter(0)\n"
                          " ROOT r = {0}{3} sort(k), dimensions={4}, is_stable=true, to_apply=less\n}}\n",
                          type, compared, direction, dimensions, sorted));
        }
      }
    }
  }
}

TEST_CASE(
    "simd sorts by a comparator that compares two operands, or a key with another operand, as the reference does") {
  for (const std::string_view compared : {"a, d", "c, b", "a, a"}) {
    CheckSort(
        fmt::format("HloModule m\nless {{ a = f32[] parameter(0)\n b = f32[] parameter(1)\n c = f32[] parameter(2)\n"
                    " d = f32[] parameter(3)\n ROOT r = pred[] compare({}), direction=LT }}\nENTRY e {{\n"
                    " v = f32[50] parameter(0)\n k = f32[50] parameter(1)\n ROOT r = (f32[50], f32[50]) sort(v, k), "
                    "dimensions={{0}}, is_stable=true, to_apply=less\n}}\n",
                    compared));
  }
}

}  // namespace
}  // namespace assay::simd
