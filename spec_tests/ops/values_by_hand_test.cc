// Values by hand that no golden has.
#include "spec_tests/evaluator/module.h"

namespace assay::testing {
namespace {

struct HandRow {
  const char* text;
  std::vector<std::string_view> operands;
  const char* result;
};

const HandRow kHandRows[] = {
    // The widest interior, and the largest edges that cut or pad.
    {"ROOT r = s32[2] pad(x, y), padding=1_0_9223372036854775807", {"x = s32[1] {1}", "y = s32[] 9"}, "s32[2] {9, 1}"},
    {"ROOT r = s32[2] pad(x, y), padding=-1_2_9223372036854775807", {"x = s32[1] {1}", "y = s32[] 9"}, "s32[2] {9, 9}"},
    {"ROOT r = s32[1] pad(x, y), padding=-9223372036854775808_9223372036854775807",
     {"x = s32[2] {1, 2}", "y = s32[] 9"},
     "s32[1] {9}"},
    // A size outside of the bound counts as the nearer end.
    {"s = f32[<=6] set-dimension-size(x, n), dimensions={0}\n ROOT r = s32[] get-dimension-size(s), dimensions={0}",
     {"x = f32[6] {1, 2, 3, 4, 5, 6}", "n = s32[] 9"},
     "s32[] 6"},
    {"s = f32[<=6] set-dimension-size(x, n), dimensions={0}\n ROOT r = s32[] get-dimension-size(s), dimensions={0}",
     {"x = f32[6] {1, 2, 3, 4, 5, 6}", "n = s32[] -1"},
     "s32[] 0"},
    // A window without an element: the initial value.
    {"ROOT r = f32[2] reduce-window(x, z), window={size=1 pad=2_0}, to_apply=add_f32",
     {"x = f32[0] {}", "z = f32[] 5"},
     "f32[2] {5, 5}"},
    // StableHLO, reduce_window: the example.
    {"ROOT r = s32[2,2] reduce-window(x, z), window={size=2x1 stride=4x1 pad=2_1x0_0 lhs_dilate=2x1 rhs_dilate=3x1}, "
     "to_apply=add_s32",
     {"x = s32[3,2] {{1, 2}, {3, 4}, {5, 6}}", "z = s32[] 0"},
     "s32[2,2] {{0, 0}, {3, 4}}"},
    // Padding is never selected, and a window of padding scatters nothing.
    {"ROOT r = f32[2] select-and-scatter(x, s, z), window={size=2 pad=3_2}, select=GE_f32, scatter=add_f32",
     {"x = f32[2] {-5, -6}", "s = f32[6] {1, 2, 4, 8, 16, 32}", "z = f32[] 100"},
     "f32[2] {112, 116}"},
    // An indefinite matrix has no factor.
    {"ROOT r = f32[2,2] cholesky(x), lower=true",
     {"x = f32[2,2] {{1, 2}, {2, 1}}"},
     "f32[2,2] {{nan, nan}, {nan, nan}}"},
    // A later operand breaks ties.
    {R"(less { a = s32[] parameter(0) b = s32[] parameter(1) c = s32[] parameter(2) d = s32[] parameter(3)
          before = pred[] compare(a, b), direction=LT tied = pred[] compare(a, b), direction=EQ
          first = pred[] compare(c, d), direction=LT both = pred[] and(tied, first) ROOT r = pred[] or(before, both) }
        ENTRY e { ROOT r = (s32[4], s32[4]) sort(x, y), dimensions={0}, to_apply=less })",
     {"x = s32[4] {2, 1, 2, 1}", "y = s32[4] {0, 3, -1, 2}"},
     "(s32[4], s32[4]) ( {1, 1, 2, 2}, {2, 3, -1, 0} )"},
    // A computation that adds sums exactly, though it has an instruction that nothing uses.
    {R"(f { a = f32[] parameter(0) b = f32[] parameter(1) unused = f32[] multiply(a, b) ROOT s = f32[] add(a, b) }
        ENTRY e { ROOT r = f32[] reduce(x, y), dimensions={0}, to_apply=f })",
     {"x = f32[3] {16777216, 1, 1}", "y = f32[] 0"},
     "f32[] 16777218"},
    {R"(f { a = f32[] parameter(0) b = f32[] parameter(1) unused = f32[] multiply(a, b) ROOT s = f32[] add(a, b) }
        ENTRY e { ROOT r = f32[2] reduce-window(x, y), window={size=3}, to_apply=f })",
     {"x = f32[4] {16777216, 1, 1, 1}", "y = f32[] 0"},
     "f32[2] {16777218, 3}"},
    // Types of less than a byte are sign-extended.
    {"ROOT r = (u64[2], s4[5]) rng-bit-generator(x), algorithm=rng_philox",
     {"x = u64[2] {81985529216486895, 18364758544493064720}"},
     "(u64[2], s4[5]) ( {81985529216486895, 18364758544493064722}, {2, 5, 2, 7, -7} )"},
    // Without a tuple the result is the bits alone.
    {"ROOT r = u32[3] rng-bit-generator(x), algorithm=rng_default",
     {"x = u64[2] {1, 2}"},
     "u32[3] {2100602697, 2847456232, 2074354647}"},
    // A tiled array, there and back.
    {"t = s32[4,4]{1,0:T(2,2)} copy(x)\n ROOT r = s32[16] bitcast(t)",
     {"x = s32[4,4] {{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}, {12, 13, 14, 15}}"},
     "s32[16] {0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15}"},
    {"t = s32[4,4]{1,0:T(2,2)} bitcast(x)\n ROOT r = s32[4,4] copy(t)",
     {"x = s32[16] {0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15}"},
     "s32[4,4] {{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}, {12, 13, 14, 15}}"},
};

TEST_CASE("ops return the values by hand") {
  for (const HandRow& row : kHandRows) {
    INFO(row.text);
    const Literal found = Evaluated(WithParameters(row.text, row.operands), Values(row.operands));
    INFO(LiteralUtil::ToString(found));
    CHECK(found.BitwiseEqual(Value(row.result)));
  }
}

}  // namespace
}  // namespace assay::testing
