// Sorts of the backend simd by keys of one operand.
#include "spec_tests/backends/simd_loops.h"
#include "spec_tests/backends/simd_targets.h"

namespace assay::simd {
namespace {

// Checks that every bit of a sort is the reference's on every instruction set, for keys with duplicates, zeros of both
// signs and NaN.
void CheckSort(const std::string& text) {
  INFO(text);
  const auto module = Parsed(text);
  generate::Random random(4);
  using enum generate::EdgeClass;
  for (const generate::EdgeClass edge_class : {kSmallIntegers, kSpecials, kAnyBits, kNormal, kConstant}) {
    INFO(generate::EdgeClassName(edge_class));
    const std::vector<Literal> arguments = DrawArguments(*module, random, edge_class);
    const Literal want = Evaluate(*module, arguments).value();
    OnEveryTarget([&] { CHECK(Evaluate(*module, arguments, {}, Overrides()).value().BitwiseEqual(want)); });
  }
}

TEST_CASE("simd's sorts by keys are the reference's, bit by bit") {
  for (const std::string_view type :
       {"f32", "f64", "bf16", "f16", "s8", "u8", "s16", "u16", "s32", "u32", "s64", "u64", "pred"}) {
    for (const std::string_view direction : {"LT", "GT", "LT, type=TOTALORDER", "GT, type=TOTALORDER", "LE", "GE"}) {
      if (direction.size() > 2 && type[0] != 'f' && type != "bf16") continue;
      for (const std::string_view shape :
           {"[3000] {0}", "[40,50] {1}", "[40,50] {0}", "[3,1] {1}", "[4,30,5] {1}", "[0,3] {0}"}) {
        for (const std::string_view compared : {"c, d", "d, c"}) {
          const std::size_t space = shape.find(' ');
          const std::string_view dimensions = shape.substr(0, space), sorted = shape.substr(space + 1);
          CheckSort(fmt::format(
              R"(less {{ a = s32[] parameter(0)  b = s32[] parameter(1)  c = {0}[] parameter(2)  d = {0}[] parameter(3)
  e = c64[] parameter(4)  f = c64[] parameter(5)  ROOT r = pred[] compare({1}), direction={2} }}
ENTRY e {{ v = s32{3} parameter(0)  k = {0}{3} parameter(1)  w = c64{3} parameter(2)
  ROOT r = (s32{3}, {0}{3}, c64{3}) sort(v, k, w), dimensions={4}, is_stable=true, to_apply=less }})",
              type, compared, direction, dimensions, sorted));
          CheckSort(fmt::format(R"(less {{ c = {0}[] parameter(0)  d = {0}[] parameter(1)
  ROOT r = pred[] compare({1}), direction={2} }}
ENTRY e {{ k = {0}{3} parameter(0)  ROOT r = {0}{3} sort(k), dimensions={4}, to_apply=less }})",
                                type, compared, direction, dimensions, sorted));
        }
      }
    }
  }
}

TEST_CASE(
    "simd sorts by a comparator that compares two operands, or a key with another operand, as the reference does") {
  for (const std::string_view compared : {"a, d", "c, b", "a, a"}) {
    CheckSort(fmt::format(R"(less {{ a = f32[] parameter(0)  b = f32[] parameter(1)  c = f32[] parameter(2)
  d = f32[] parameter(3)  ROOT r = pred[] compare({}), direction=LT }}
ENTRY e {{ v = f32[50] parameter(0)  k = f32[50] parameter(1)
  ROOT r = (f32[50], f32[50]) sort(v, k), dimensions={{0}}, is_stable=true, to_apply=less }})",
                          compared));
  }
}

}  // namespace
}  // namespace assay::simd
