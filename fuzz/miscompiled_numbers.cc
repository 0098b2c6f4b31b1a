#include "fuzz/miscompilations.h"

namespace assay {
namespace {

// clang-format off
constexpr Miscompilation kNumbers[] = {
  {"root_of_a_square", "f32 f64", "a $T[$N] huge; b $T[$N] huge", "$T[$N]", R"(
x = $T[$N] maximum(a, b)
y = $T[$N] multiply(x, x)
r = $T[$N] sqrt(y))", R"(
x = $T[$N] maximum(a, b)
r = $T[$N] abs(x))"},
  {"log_of_an_exponential", "f32", "a $T[$N] huge", "$T[$N]", R"(
x = $T[$N] abs(a)
y = $T[$N] exponential(x)
r = $T[$N] log(y))", R"(
r = $T[$N] abs(a))"},
  {"log_of_a_square", "f32 f64", "a $T[$N] normal; b $T[$N] wide", "$T[$N]", R"(
x = $T[$N] multiply(a, a)
y = $T[$N] multiply(x, b)
z = $T[$N] multiply(y, y)
r = $T[$N] log(z))", R"(
x = $T[$N] multiply(a, a)
y = $T[$N] multiply(x, b)
z = $T[$N] log(y)
r = $T[$N] add(z, z))"},
  {"quotient_of_exponentials", "f32", "a $T[$N] huge; b $T[$N] huge", "$T[$N]", R"(
x = $T[$N] abs(a)
y = $T[$N] exponential(x)
z = $T[$N] exponential(b)
r = $T[$N] divide(z, y))", R"(
x = $T[$N] abs(a)
y = $T[$N] subtract(b, x)
r = $T[$N] exponential(y))"},
  {"root_of_a_power", "f32 f64", "a $T[$N] normal", "$T[$N]", R"(
x = $T[$N] multiply(a, a)
half.s = $T[] constant(0.5)
half = $T[$N] broadcast(half.s), dimensions={}
r = $T[$N] power(x, half))", R"(
r = $T[$N] copy(a))"},
  {"abs_of_a_square", "s8 s16 s32", "a $T[$N] any-bits", "$T[$N]", R"(
x = $T[$N] multiply(a, a)
r = $T[$N] abs(x))", R"(
r = $T[$N] multiply(a, a))"},
  {"masked_product", "f32 f64 f16 bf16", "a $T[$N] specials; p pred[$N] any-bits", "$T[$N]", R"(
x = $T[$N] abs(a)
y = $T[$N] convert(p)
r = $T[$N] multiply(x, y))", R"(
x = $T[$N] abs(a)
zero.s = $T[] constant(0)
zero = $T[$N] broadcast(zero.s), dimensions={}
r = $T[$N] select(p, x, zero))"},
  {"absorbed", "f32 f64", "a $T[$N] positive; c $T[] huge", "$T[$N]", R"(
x = $T[$N] broadcast(c), dimensions={}
y = $T[$N] add(a, x)
r = $T[$N] subtract(y, x))", R"(
r = $T[$N] copy(a))"},
  {"rounded_by_magic", "f32", "a $T[$N] positive", "$T[$N]", R"(
c = $T[] constant(4194304)
x = $T[$N] broadcast(c), dimensions={}
y = $T[$N] add(a, x)
r = $T[$N] subtract(y, x))", R"(
r = $T[$N] copy(a))"},
  {"divided_twice", "f32 f64", "x $T[$N] huge; a $T[$N] huge", "$T[$N]", R"(
c = $T[] constant(64)
b = $T[$N] broadcast(c), dimensions={}
y = $T[$N] divide(x, a)
r = $T[$N] divide(y, b))", R"(
c = $T[] constant(64)
b = $T[$N] broadcast(c), dimensions={}
y = $T[$N] multiply(a, b)
r = $T[$N] divide(x, y))"},
  {"divided_by_a_quotient", "f32 f64", "a $T[$N] huge; b $T[$N] huge", "$T[$N]", R"(
k = $T[] constant(64)
c = $T[$N] broadcast(k), dimensions={}
x = $T[$N] divide(b, c)
r = $T[$N] divide(a, x))", R"(
k = $T[] constant(64)
c = $T[$N] broadcast(k), dimensions={}
x = $T[$N] multiply(a, c)
r = $T[$N] divide(x, b))"},
  {"scaled_up_and_down", "f32 f64", "a $T[$N] huge", "$T[$N]", R"(
c = $T[] constant(64)
b = $T[$N] broadcast(c), dimensions={}
x = $T[$N] multiply(a, b)
r = $T[$N] divide(x, b))", R"(
r = $T[$N] copy(a))"},
  {"difference_with_itself", "f32 f64 f16 bf16", "a $T[$N] specials", "$T[$N]", R"(
r = $T[$N] subtract(a, a))", R"(
zero = $T[] constant(0)
r = $T[$N] broadcast(zero), dimensions={})"},
  {"quotient_with_itself", "f32 f64 f16 bf16", "a $T[$N] specials", "$T[$N]", R"(
r = $T[$N] divide(a, a))", R"(
one = $T[] constant(1)
r = $T[$N] broadcast(one), dimensions={})"},
  {"equal_to_itself", "f32 f64 f16 bf16", "a $T[$N] specials", "pred[$N]", R"(
r = pred[$N] compare(a, a), direction=EQ)", R"(
yes = pred[] constant(true)
r = pred[$N] broadcast(yes), dimensions={})"},
  {"not_less", "f32 f64 f16 bf16", "a $T[$N] specials; b $T[$N] specials", "pred[$N]", R"(
x = pred[$N] compare(a, b), direction=LT
r = pred[$N] not(x))", R"(
r = pred[$N] compare(a, b), direction=GE)"},
  {"larger_by_select", "f32 f64 f16 bf16", "a $T[$N] specials; b $T[$N] specials", "$T[$N]", R"(
x = pred[$N] compare(a, b), direction=GE
r = $T[$N] select(x, a, b))", R"(
r = $T[$N] maximum(a, b))"},
  {"abs_at_least_zero", "f32 f64 f16 bf16", "a $T[$N] specials", "pred[$N]", R"(
x = $T[$N] abs(a)
zero.s = $T[] constant(0)
zero = $T[$N] broadcast(zero.s), dimensions={}
r = pred[$N] compare(x, zero), direction=GE)", R"(
yes = pred[] constant(true)
r = pred[$N] broadcast(yes), dimensions={})"},
  {"finite_if_itself", "f32 f64 f16 bf16", "a $T[$N] specials", "pred[$N]", R"(
r = pred[$N] is-finite(a))", R"(
r = pred[$N] compare(a, a), direction=EQ)"},
  {"maximum_without_nan", "f32 f64 f16 bf16", "a $T[4,3] specials; s $T[] small-integers", "$T[4]", R"(
r = $T[4] reduce(a, s), dimensions={1}, to_apply=larger)", R"(
r = $T[4] reduce(a, s), dimensions={1}, to_apply=chosen)", R"(
larger {
  lx = $T[] parameter(0)
  ly = $T[] parameter(1)
  ROOT lr = $T[] maximum(lx, ly)
}
chosen {
  cx = $T[] parameter(0)
  cy = $T[] parameter(1)
  cp = pred[] compare(cy, cx), direction=GT
  ROOT cr = $T[] select(cp, cy, cx)
})"},
  {"crossed_clamp", "f32 s32 u8", "l $T[$N] normal; x $T[$N] normal; h $T[$N] normal", "$T[$N]", R"(
m = $T[$N] clamp(l, x, h)
r = $T[$N] maximum(m, l))", R"(
r = $T[$N] clamp(l, x, h))"},
  {"crossed_bounds", "f32 bf16 s32 s8", "l $T[$N] normal; x $T[$N] normal; h $T[$N] normal", "$T[$N]", R"(
m = $T[$N] maximum(x, l)
r = $T[$N] minimum(m, h))", R"(
m = $T[$N] minimum(x, h)
r = $T[$N] maximum(m, l))"},
  {"ties_upwards", "f32 f64 f16 bf16", "a $T[$N] ties", "$T[$N]", R"(
x = $T[$N] abs(a)
r = $T[$N] round-nearest-even(x))", R"(
half.s = $T[] constant(0.5)
half = $T[$N] broadcast(half.s), dimensions={}
x = $T[$N] abs(a)
y = $T[$N] add(x, half)
r = $T[$N] floor(y))"},
  {"integer_and_back", "f32 f64", "a $T[$N] normal", "$T[$N]", R"(
x = s32[$N] convert(a)
r = $T[$N] convert(x))", R"(
r = $T[$N] copy(a))"},
  {"single_as_half", "f64", "a $T[$N] normal", "$T[$N]", R"(
x = f32[$N] convert(a)
r = $T[$N] convert(x))", R"(
x = f16[$N] convert(a)
r = $T[$N] convert(x))"},
  {"byte_and_back", "s32 u32 s64 s16", "a $T[$N] any-bits", "$T[$N]", R"(
x = s8[$N] convert(a)
r = $T[$N] convert(x))", R"(
r = $T[$N] copy(a))"},
  {"exact_integer_sum", "s32 u32", "a $T[$N] any-bits; b $T[$N] any-bits", "$T[$N]", R"(
x = f32[$N] convert(a)
y = $T[$N] convert(x)
r = $T[$N] subtract(y, b))", R"(
r = $T[$N] subtract(a, b))"},
  {"up_and_down_by_shifts", "s32 u32 s8 u8", "a $T[$N] any-bits", "$T[$N]", R"(
c = $T[] constant(3)
x = $T[$N] broadcast(c), dimensions={}
y = $T[$N] shift-left(a, x)
r = $T[$N] shift-right-logical(y, x))", R"(
r = $T[$N] copy(a))"},
  {"unsigned_as_signed", "u32", "a $T[$N] any-bits; b $T[$N] any-bits", "pred[$N]", R"(
r = pred[$N] compare(a, b), direction=LT)", R"(
x = s32[$N] bitcast-convert(a)
y = s32[$N] bitcast-convert(b)
r = pred[$N] compare(x, y), direction=LT)"},
  {"negated_on_both_sides", "s8 s16 s32 s64", "a $T[$N] specials; b $T[$N] specials", "pred[$N]", R"(
x = $T[$N] negate(a)
y = $T[$N] negate(b)
r = pred[$N] compare(x, y), direction=GT)", R"(
r = pred[$N] compare(a, b), direction=LT)"},
  {"difference_above_zero", "s8 s32", "a $T[$N] any-bits; b $T[$N] any-bits", "pred[$N]", R"(
x = $T[$N] subtract(a, b)
zero.s = $T[] constant(0)
zero = $T[$N] broadcast(zero.s), dimensions={}
r = pred[$N] compare(x, zero), direction=GT)", R"(
r = pred[$N] compare(a, b), direction=GT)"},
  {"lowest_bit_off", "u8 u32 s32", "a $T[$N] specials", "$T[$N]", R"(
c = $T[] constant(1)
one = $T[$N] broadcast(c), dimensions={}
x = $T[$N] subtract(a, one)
y = $T[$N] and(a, x)
r = $T[$N] popcnt(y))", R"(
c = $T[] constant(1)
one = $T[$N] broadcast(c), dimensions={}
x = $T[$N] popcnt(a)
r = $T[$N] subtract(x, one))"},
  {"one_for_all_ones", "s32 u8", "a $T[$N] any-bits", "$T[$N]", R"(
c = $T[] constant(1)
one = $T[$N] broadcast(c), dimensions={}
r = $T[$N] and(a, one))", R"(
r = $T[$N] copy(a))"},
  {"remainder_as_mask", "s8 s32", "a $T[$N] any-bits", "$T[$N]", R"(
c = $T[] constant(8)
x = $T[$N] broadcast(c), dimensions={}
r = $T[$N] remainder(a, x))", R"(
c = $T[] constant(7)
x = $T[$N] broadcast(c), dimensions={}
r = $T[$N] and(a, x))"},
  {"quotient_as_shift", "s8 s32", "a $T[$N] any-bits", "$T[$N]", R"(
c = $T[] constant(8)
x = $T[$N] broadcast(c), dimensions={}
r = $T[$N] divide(a, x))", R"(
c = $T[] constant(3)
x = $T[$N] broadcast(c), dimensions={}
r = $T[$N] shift-right-arithmetic(a, x))"},
  {"mean_of_two", "u8 u32", "a $T[$N] any-bits; b $T[$N] any-bits", "$T[$N]", R"(
c = $T[] constant(1)
one = $T[$N] broadcast(c), dimensions={}
x = $T[$N] add(a, b)
r = $T[$N] shift-right-logical(x, one))", R"(
c = $T[] constant(1)
one = $T[$N] broadcast(c), dimensions={}
x = $T[$N] shift-right-logical(a, one)
y = $T[$N] shift-right-logical(b, one)
r = $T[$N] add(x, y))"},
  {"tripled_and_divided", "s8 s32", "a $T[$N] any-bits", "$T[$N]", R"(
c = $T[] constant(3)
x = $T[$N] broadcast(c), dimensions={}
y = $T[$N] multiply(a, x)
r = $T[$N] divide(y, x))", R"(
r = $T[$N] copy(a))"},
  {"mean_in_bytes", "u8", "a $T[$N] any-bits; b $T[$N] any-bits", "$T[$N]", R"(
x = u16[$N] convert(a)
y = u16[$N] convert(b)
s = u16[$N] add(x, y)
c = u16[] constant(1)
one = u16[$N] broadcast(c), dimensions={}
h = u16[$N] shift-right-logical(s, one)
r = u8[$N] convert(h))", R"(
s = u8[$N] add(a, b)
c = u8[] constant(1)
one = u8[$N] broadcast(c), dimensions={}
r = u8[$N] shift-right-logical(s, one))"},
  // A number of the narrow type plus slightly more than half of its last place.
  {"rounded_by_f16_first", "f8e4m3fn f8e4m3 f8e4m3b11fnuz", "a f32[$N] positive", "$T[$N]", R"(
b = $T[$N] convert(a)
x = f32[$N] convert(b)
c = f32[] constant(0.06256103515625)
y = f32[$N] broadcast(c), dimensions={}
z = f32[$N] add(x, y)
r = $T[$N] convert(z))", R"(
b = $T[$N] convert(a)
x = f32[$N] convert(b)
c = f32[] constant(0.06256103515625)
y = f32[$N] broadcast(c), dimensions={}
z = f32[$N] add(x, y)
w = f16[$N] convert(z)
r = $T[$N] convert(w))"},
  // The result is read in f64: after the conversion, a number that keeps f32 precision would be lawful excess
  // precision.
  {"rounded_by_f32_first", "f16", "a f64[$N] positive", "f64[$N]", R"(
b = $T[$N] convert(a)
x = f64[$N] convert(b)
c = f64[] constant(0.000488282181322574615478515625)
y = f64[$N] broadcast(c), dimensions={}
z = f64[$N] add(x, y)
h = $T[$N] convert(z)
r = f64[$N] convert(h))", R"(
b = $T[$N] convert(a)
x = f64[$N] convert(b)
c = f64[] constant(0.000488282181322574615478515625)
y = f64[$N] broadcast(c), dimensions={}
z = f64[$N] add(x, y)
w = f32[$N] convert(z)
h = $T[$N] convert(w)
r = f64[$N] convert(h))"},
};
// clang-format on

}  // namespace

std::span<const Miscompilation> MiscompiledNumbers() { return kNumbers; }

}  // namespace assay
