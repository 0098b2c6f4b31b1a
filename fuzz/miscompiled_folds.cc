#include "fuzz/miscompilations.h"

namespace assay {
namespace {

// clang-format off
constexpr Miscompilation kFolds[] = {
  {"start_of_the_outer_fold", "s32 f32 f64", "a $T[3,4] normal; v $T[] normal", "$T[]", R"(
zero = $T[] constant(0)
x = $T[3] reduce(a, zero), dimensions={1}, to_apply=plus
r = $T[] reduce(x, v), dimensions={0}, to_apply=plus)", R"(
zero = $T[] constant(0)
r = $T[] reduce(a, zero), dimensions={0,1}, to_apply=plus)"},
  {"folds_of_two_kinds", "s32 f32 f64", "a $T[3,4] normal", "$T[]", R"(
zero = $T[] constant(0)
x = $T[3] reduce(a, zero), dimensions={1}, to_apply=larger
r = $T[] reduce(x, zero), dimensions={0}, to_apply=plus)", R"(
zero = $T[] constant(0)
r = $T[] reduce(a, zero), dimensions={0,1}, to_apply=larger)", R"(
larger {
  lx = $T[] parameter(0)
  ly = $T[] parameter(1)
  ROOT lr = $T[] maximum(lx, ly)
})"},
  {"sum_of_nothing", "s32 f32 bf16", "a $T[$N,0] normal; v $T[] normal", "$T[$N]", R"(
r = $T[$N] reduce(a, v), dimensions={1}, to_apply=plus)", R"(
zero = $T[] constant(0)
r = $T[$N] broadcast(zero), dimensions={})"},
  {"sum_of_one", "s32 f32 f64 bf16", "a $T[$N,1] normal; v $T[] normal", "$T[$N]", R"(
r = $T[$N] reduce(a, v), dimensions={1}, to_apply=plus)", R"(
r = $T[$N] reshape(a))"},
  {"window_of_one", "s32 f32", "a $T[$N] normal; v $T[] normal", "$T[$N]", R"(
r = $T[$N] reduce-window(a, v), window={size=1}, to_apply=plus)", R"(
r = $T[$N] copy(a))"},
  {"sum_through_a_transpose", "s32 f32 f64", "a $T[3,3] distinct", "$T[3]", R"(
zero = $T[] constant(0)
x = $T[3,3] transpose(a), dimensions={1,0}
r = $T[3] reduce(x, zero), dimensions={1}, to_apply=plus)", R"(
zero = $T[] constant(0)
r = $T[3] reduce(a, zero), dimensions={1}, to_apply=plus)"},
  {"pad_into_a_convolution", "f32 f64", "a $T[1,8,1] normal; k $T[3,1,1] positive; v $T[] positive", "$T[1,8,1]", R"(
x = $T[1,10,1] pad(a, v), padding=0_0x1_1x0_0
r = $T[1,8,1] convolution(x, k), window={size=3}, dim_labels=b0f_0io->b0f)", R"(
r = $T[1,8,1] convolution(a, k), window={size=3 pad=1_1}, dim_labels=b0f_0io->b0f)"},
  {"pad_of_one_side_into_a_convolution", "s32 f32", "a $T[1,8,1] normal; k $T[3,1,1] positive", "$T[1,8,1]", R"(
zero = $T[] constant(0)
x = $T[1,10,1] pad(a, zero), padding=0_0x2_0x0_0
r = $T[1,8,1] convolution(x, k), window={size=3}, dim_labels=b0f_0io->b0f)", R"(
r = $T[1,8,1] convolution(a, k), window={size=3 pad=1_1}, dim_labels=b0f_0io->b0f)"},
  {"pad_between_into_a_convolution", "s32 f32", "a $T[1,4,1] normal; k $T[3,1,1] positive; v $T[] positive",
   "$T[1,5,1]", R"(
x = $T[1,7,1] pad(a, v), padding=0_0x0_0_1x0_0
r = $T[1,5,1] convolution(x, k), window={size=3}, dim_labels=b0f_0io->b0f)", R"(
r = $T[1,5,1] convolution(a, k), window={size=3 lhs_dilate=2}, dim_labels=b0f_0io->b0f)"},
  {"reversed_kernel", "s32 f32", "a $T[1,8,1] normal; k $T[3,1,1] distinct", "$T[1,6,1]", R"(
y = $T[3,1,1] reverse(k), dimensions={0}
r = $T[1,6,1] convolution(a, y), window={size=3}, dim_labels=b0f_0io->b0f)", R"(
r = $T[1,6,1] convolution(a, k), window={size=3}, dim_labels=b0f_0io->b0f)"},
  {"product_over_one", "s32 f32 f64 bf16", "a $T[3,1] normal; b $T[1,3] normal", "$T[3,3]", R"(
r = $T[3,3] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0})", R"(
x = $T[3] reshape(a)
y = $T[3] reshape(b)
p = $T[3,3] broadcast(x), dimensions={1}
q = $T[3,3] broadcast(y), dimensions={0}
r = $T[3,3] multiply(p, q))"},
  {"product_over_nothing", "s32 f32 f64", "a $T[3,0] normal; b $T[0,4] normal; c $T[3,4] normal", "$T[3,4]", R"(
x = $T[3,4] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
r = $T[3,4] subtract(c, x))", R"(
one = $T[] constant(1)
x = $T[3,4] broadcast(one), dimensions={}
r = $T[3,4] subtract(c, x))"},
  {"product_over_the_other", "s32 f32 f64", "a $T[3,3] distinct; b $T[3] normal", "$T[3]", R"(
r = $T[3] dot(b, a), lhs_contracting_dims={0}, rhs_contracting_dims={0})", R"(
r = $T[3] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0})"},
  {"triangle_without_diagonal", "s32 f32 f64 bf16", "a $T[4,4] positive", "$T[4,4]", R"(
i = s32[4,4] iota(), iota_dimension=0
j = s32[4,4] iota(), iota_dimension=1
p = pred[4,4] compare(i, j), direction=GE
zero = $T[] constant(0)
none = $T[4,4] broadcast(zero), dimensions={}
r = $T[4,4] select(p, a, none))", R"(
i = s32[4,4] iota(), iota_dimension=0
j = s32[4,4] iota(), iota_dimension=1
p = pred[4,4] compare(i, j), direction=GT
zero = $T[] constant(0)
none = $T[4,4] broadcast(zero), dimensions={}
r = $T[4,4] select(p, a, none))"},
  {"slice_of_a_pad", "s32 f32 f64 bf16", "a $T[8] distinct; v $T[] normal", "$T[6]", R"(
x = $T[11] pad(a, v), padding=2_1
r = $T[6] slice(x), slice={[1:7]})", R"(
r = $T[6] slice(a), slice={[1:7]})"},
  {"slices_with_a_gap", "s32 f32 f64 bf16", "a $T[8] distinct", "$T[6]", R"(
x = $T[3] slice(a), slice={[0:3]}
y = $T[3] slice(a), slice={[4:7]}
r = $T[6] concatenate(x, y), dimensions={0})", R"(
r = $T[6] slice(a), slice={[0:6]})"},
  {"chain_of_places", "s32 f32 f64 bf16", "a $T[2,3,4] distinct", "$T[8,3]", R"(
x = $T[3,2,4] transpose(a), dimensions={1,0,2}
y = $T[3,8] reshape(x)
r = $T[8,3] transpose(y), dimensions={1,0})", R"(
r = $T[8,3] reshape(a))"},
  {"constants_that_wrap", "s8", "a $T[$N] any-bits", "$T[$N]", R"(
c = $T[] constant(100)
x = $T[] add(c, c)
y = $T[$N] broadcast(x), dimensions={}
r = $T[$N] maximum(a, y))", R"(
c = $T[] constant(127)
y = $T[$N] broadcast(c), dimensions={}
r = $T[$N] maximum(a, y))"},
  {"quotient_of_constants", "s32 s64 s8", "a $T[$N] normal", "$T[$N]", R"(
c = $T[] constant(-7)
d = $T[] constant(2)
x = $T[] divide(c, d)
y = $T[$N] broadcast(x), dimensions={}
r = $T[$N] add(a, y))", R"(
c = $T[] constant(-4)
y = $T[$N] broadcast(c), dimensions={}
r = $T[$N] add(a, y))"},
  {"constant_as_its_reverse", "s32 f32", "a $T[4] normal", "$T[4]", R"(
c = $T[4] constant({1, 2, 3, 4})
x = $T[4] reverse(c), dimensions={0}
r = $T[4] subtract(a, x))", R"(
c = $T[4] constant({1, 2, 3, 4})
r = $T[4] subtract(a, c))"},
  {"backward_loop", "s32 f32 f64", "a $T[8] distinct", "$T[4]", R"(
i = s32[] constant(0)
zero = $T[] constant(0)
y = $T[4] broadcast(zero), dimensions={}
s = (s32[], $T[8], $T[4]) tuple(i, a, y)
w = (s32[], $T[8], $T[4]) while(s), condition=more, body=turn
r = $T[4] get-tuple-element(w), index=2)", R"(
r = $T[4] slice(a), slice={[4:8]})", R"(
more {
  ms = (s32[], $T[8], $T[4]) parameter(0)
  mi = s32[] get-tuple-element(ms), index=0
  mk = s32[] constant(4)
  ROOT mr = pred[] compare(mi, mk), direction=LT
}
turn {
  ts = (s32[], $T[8], $T[4]) parameter(0)
  ti = s32[] get-tuple-element(ts), index=0
  ta = $T[8] get-tuple-element(ts), index=1
  ty = $T[4] get-tuple-element(ts), index=2
  tl = s32[] constant(7)
  tk = s32[] subtract(tl, ti)
  tx = $T[1] dynamic-slice(ta, tk), dynamic_slice_sizes={1}
  tz = $T[4] dynamic-update-slice(ty, tx, ti)
  tc = s32[] constant(1)
  tj = s32[] add(ti, tc)
  ROOT tr = (s32[], $T[8], $T[4]) tuple(tj, ta, tz)
})"},
  {"count_down_by_two", "s32 f32", "a $T[$N] normal; n $T[$N] positive", "$T[$N]", R"(
i = s32[] constant(5)
s = (s32[], $T[$N], $T[$N]) tuple(i, a, n)
w = (s32[], $T[$N], $T[$N]) while(s), condition=more, body=turn
r = $T[$N] get-tuple-element(w), index=1)", R"(
x = $T[$N] subtract(a, n)
r = $T[$N] subtract(x, n))", R"(
more {
  ms = (s32[], $T[$N], $T[$N]) parameter(0)
  mi = s32[] get-tuple-element(ms), index=0
  mk = s32[] constant(0)
  ROOT mr = pred[] compare(mi, mk), direction=GT
}
turn {
  ts = (s32[], $T[$N], $T[$N]) parameter(0)
  ti = s32[] get-tuple-element(ts), index=0
  tc = s32[] constant(2)
  tj = s32[] subtract(ti, tc)
  ta = $T[$N] get-tuple-element(ts), index=1
  tn = $T[$N] get-tuple-element(ts), index=2
  tb = $T[$N] subtract(ta, tn)
  ROOT tr = (s32[], $T[$N], $T[$N]) tuple(tj, tb, tn)
})"},
  {"loop_of_no_turn", "s32 f32", "a $T[$N] normal; n $T[$N] positive; k s32[] index:3", "$T[$N]", R"(
s = (s32[], $T[$N], $T[$N]) tuple(k, a, n)
w = (s32[], $T[$N], $T[$N]) while(s), condition=more, body=turn
r = $T[$N] get-tuple-element(w), index=1)", R"(
s = (s32[], $T[$N], $T[$N]) tuple(k, a, n)
t = (s32[], $T[$N], $T[$N]) call(s), to_apply=turn
w = (s32[], $T[$N], $T[$N]) while(t), condition=more, body=turn
r = $T[$N] get-tuple-element(w), index=1)", R"(
more {
  ms = (s32[], $T[$N], $T[$N]) parameter(0)
  mi = s32[] get-tuple-element(ms), index=0
  mk = s32[] constant(2)
  ml = s32[] constant(-2)
  mp = pred[] compare(mi, mk), direction=LT
  mq = pred[] compare(mi, ml), direction=GT
  ROOT mr = pred[] and(mp, mq)
}
turn {
  ts = (s32[], $T[$N], $T[$N]) parameter(0)
  ti = s32[] get-tuple-element(ts), index=0
  tc = s32[] constant(1)
  tj = s32[] add(ti, tc)
  ta = $T[$N] get-tuple-element(ts), index=1
  tn = $T[$N] get-tuple-element(ts), index=2
  tb = $T[$N] add(ta, tn)
  ROOT tr = (s32[], $T[$N], $T[$N]) tuple(tj, tb, tn)
})"},
};
// clang-format on

}  // namespace

std::span<const Miscompilation> MiscompiledFolds() { return kFolds; }

}  // namespace assay
