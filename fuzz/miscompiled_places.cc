#include "fuzz/miscompilations.h"

namespace assay {
namespace {

// clang-format off
constexpr Miscompilation kMiscompiledPlaces[] = {
  {"slice_of_a_slice", "s32 f32 bf16 s8", "a $T[8] distinct; i s32[] index:8; j s32[] index:4", "$T[2]", R"(
x = $T[4] dynamic-slice(a, i), dynamic_slice_sizes={4}
r = $T[2] dynamic-slice(x, j), dynamic_slice_sizes={2})", R"(
k = s32[] add(i, j)
r = $T[2] dynamic-slice(a, k), dynamic_slice_sizes={2})"},
  {"update_of_a_slice", "s32 f32 bf16 s8", "a $T[8] distinct; b $T[2] normal; i s32[] index:8; j s32[] index:4",
   "$T[8]", R"(
x = $T[4] dynamic-slice(a, i), dynamic_slice_sizes={4}
y = $T[4] dynamic-update-slice(x, b, j)
r = $T[8] dynamic-update-slice(a, y, i))", R"(
k = s32[] add(i, j)
r = $T[8] dynamic-update-slice(a, b, k))"},
  {"updates_in_the_other_order", "s32 f32 f64", "a $T[8] distinct; b $T[4] normal; c $T[3] normal; i s32[] index:5; "
   "j s32[] index:6", "$T[8]", R"(
x = $T[8] dynamic-update-slice(a, b, i)
r = $T[8] dynamic-update-slice(x, c, j))", R"(
x = $T[8] dynamic-update-slice(a, c, j)
r = $T[8] dynamic-update-slice(x, b, i))"},
  {"slice_of_its_update", "s32 f32 f16", "a $T[8] distinct; b $T[3] normal; i s32[] index:8; j s32[] index:8", "$T[3]",
   R"(
x = $T[8] dynamic-update-slice(a, b, i)
r = $T[3] dynamic-slice(x, j), dynamic_slice_sizes={3})", R"(
r = $T[3] copy(b))"},
  {"pads_as_one", "s32 f32 f64 bf16", "b $T[10] normal; v $T[] small-integers; w $T[] normal", "$T[20]", R"(
x = $T[14] pad(b, v), padding=1_3
r = $T[20] pad(x, w), padding=2_4)", R"(
r = $T[20] pad(b, v), padding=3_7)"},
  {"pad_after_reduction", "s32 f32", "a $T[3,4] normal; v $T[] normal", "$T[5]", R"(
s = $T[] constant(0)
x = $T[5,4] pad(a, v), padding=1_1x0_0
r = $T[5] reduce(x, s), dimensions={1}, to_apply=plus)", R"(
s = $T[] constant(0)
x = $T[3] reduce(a, s), dimensions={1}, to_apply=plus
r = $T[5] pad(x, v), padding=1_1)"},
  {"slice_of_a_concatenation", "s32 f32 f64 bf16", "a $T[4] normal; b $T[5] distinct", "$T[4]", R"(
x = $T[9] concatenate(a, b), dimensions={0}
r = $T[4] slice(x), slice={[4:8]})", R"(
r = $T[4] slice(b), slice={[1:5]})"},
  {"reversed_twice", "s32 f32 f64 bf16", "a $T[3,4] distinct", "$T[3,4]", R"(
x = $T[3,4] reverse(a), dimensions={0}
r = $T[3,4] reverse(x), dimensions={1})", R"(
r = $T[3,4] copy(a))"},
  {"transposed_twice", "s32 f32 f64 bf16", "a $T[3,3,3] distinct", "$T[3,3,3]", R"(
x = $T[3,3,3] transpose(a), dimensions={1,2,0}
r = $T[3,3,3] transpose(x), dimensions={1,2,0})", R"(
r = $T[3,3,3] copy(a))"},
  {"transpose_in_a_product", "s32 f32 f64 bf16", "a $T[3,3] normal; b $T[3,3] normal", "$T[3,3]", R"(
x = $T[3,3] transpose(a), dimensions={1,0}
r = $T[3,3] dot(x, b), lhs_contracting_dims={1}, rhs_contracting_dims={0})", R"(
r = $T[3,3] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0})"},
  {"reshape_for_transpose", "s32 f32 f64 bf16", "a $T[2,3] distinct", "$T[6]", R"(
x = $T[3,2] transpose(a), dimensions={1,0}
r = $T[6] reshape(x))", R"(
r = $T[6] reshape(a))"},
  {"broadcast_along_the_other", "s32 f32 f64 bf16", "a $T[3] normal; b $T[3,3] normal", "$T[3,3]", R"(
x = $T[3,3] broadcast(a), dimensions={0}
r = $T[3,3] subtract(b, x))", R"(
x = $T[3,3] broadcast(a), dimensions={1}
r = $T[3,3] subtract(b, x))"},
  {"sum_of_a_broadcast", "s32 f32 f64 bf16", "a $T[$N] normal", "$T[$N]", R"(
x = $T[$N,3] broadcast(a), dimensions={0}
zero = $T[] constant(0)
r = $T[$N] reduce(x, zero), dimensions={1}, to_apply=plus)", R"(
r = $T[$N] add(a, a))"},
  {"one_more_by_iota", "s32 f32 f64 bf16", "a $T[8] normal; b $T[8] normal; k s32[] index:7", "$T[8]", R"(
x = s32[8] iota(), iota_dimension=0
y = s32[8] broadcast(k), dimensions={}
p = pred[8] compare(x, y), direction=LT
r = $T[8] select(p, a, b))", R"(
x = s32[8] iota(), iota_dimension=0
y = s32[8] broadcast(k), dimensions={}
p = pred[8] compare(x, y), direction=LE
r = $T[8] select(p, a, b))"},
  {"rows_of_rows", "s32 f32 f64", "a $T[8] distinct; i s32[4] index:8; j s32[3] index:4", "$T[3]", R"(
x = $T[4] gather(a, i), offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1}
r = $T[3] gather(x, j), offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1})",
   R"(
c = s32[] constant(3)
mask = s32[3] broadcast(c), dimensions={}
in = s32[3] and(j, mask)
k = s32[3] gather(i, in), offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1}
r = $T[3] gather(a, k), offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1})"},
  {"one_hot_as_gather", "s32 f32 f64 bf16", "a $T[5] distinct; i s32[4] index:5", "$T[4]", R"(
x = s32[4,5] iota(), iota_dimension=1
y = s32[4,5] broadcast(i), dimensions={0}
p = pred[4,5] compare(x, y), direction=EQ
h = $T[4,5] convert(p)
r = $T[4] dot(h, a), lhs_contracting_dims={1}, rhs_contracting_dims={0})", R"(
r = $T[4] gather(a, i), offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1})"},
  {"repeated_updates_once", "s32 f32 f64", "a $T[5] normal; i s32[6,1] index:5; u $T[6] normal", "$T[5]", R"(
r = $T[5] scatter(a, i, u), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=plus)",
   R"(
zero = $T[] constant(0)
none = $T[5] broadcast(zero), dimensions={}
x = $T[5] scatter(none, i, u), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=last
r = $T[5] add(a, x))", R"(
last {
  lx = $T[] parameter(0)
  ROOT ly = $T[] parameter(1)
})"},
  {"ties_in_the_other_order", "s32 f32", "a $T[9] small-integers; b s32[9] distinct", "s32[9]", R"(
x = ($T[9], s32[9]) sort(a, b), dimensions={0}, is_stable=true, to_apply=greater
r = s32[9] get-tuple-element(x), index=1)", R"(
x = ($T[9], s32[9]) sort(a, b), dimensions={0}, is_stable=true, to_apply=less
y = s32[9] get-tuple-element(x), index=1
r = s32[9] reverse(y), dimensions={0})", R"(
greater {
  ga = $T[] parameter(0)
  gb = $T[] parameter(1)
  gc = s32[] parameter(2)
  gd = s32[] parameter(3)
  ROOT gr = pred[] compare(ga, gb), direction=GT
}
less {
  la = $T[] parameter(0)
  lb = $T[] parameter(1)
  lc = s32[] parameter(2)
  ld = s32[] parameter(3)
  ROOT lr = pred[] compare(la, lb), direction=LT
})"},
  {"counting_bytes", "s8 u8", "a $T[300] small-integers", "$T[300]", R"(
x = $T[300] iota(), iota_dimension=0
r = $T[300] add(a, x))", R"(
x = s32[300] iota(), iota_dimension=0
l = s32[] constant(0)
h = s32[] constant(127)
y = s32[300] clamp(l, x, h)
z = $T[300] convert(y)
r = $T[300] add(a, z))"},
  {"scalars_of_a_fusion", "s32 s64 u8", "a $T[$N] normal; i $T[] any-bits; j $T[] any-bits", "$T[$N]", R"(
x = $T[] fusion(i, j), kind=kLoop, calls=less
y = $T[$N] broadcast(x), dimensions={}
r = $T[$N] add(a, y))", R"(
x = $T[] fusion(j, i), kind=kLoop, calls=less
y = $T[$N] broadcast(x), dimensions={}
r = $T[$N] add(a, y))", R"(
less {
  la = $T[] parameter(0)
  lb = $T[] parameter(1)
  ROOT lr = $T[] subtract(la, lb)
})"},
  {"counter_that_wraps", "s32 f32", "a $T[$N] normal; n $T[$N] normal", "$T[$N]", R"(
i = s8[] constant(100)
s = (s8[], $T[$N], $T[$N]) tuple(i, a, n)
w = (s8[], $T[$N], $T[$N]) while(s), condition=more, body=turn
r = $T[$N] get-tuple-element(w), index=1)", R"(
r = $T[$N] add(a, n))", R"(
more {
  ms = (s8[], $T[$N], $T[$N]) parameter(0)
  mi = s8[] get-tuple-element(ms), index=0
  mk = s8[] constant(120)
  ROOT mr = pred[] compare(mi, mk), direction=LT
}
turn {
  ts = (s8[], $T[$N], $T[$N]) parameter(0)
  ti = s8[] get-tuple-element(ts), index=0
  tc = s8[] constant(50)
  tj = s8[] add(ti, tc)
  ta = $T[$N] get-tuple-element(ts), index=1
  tn = $T[$N] get-tuple-element(ts), index=2
  tb = $T[$N] add(ta, tn)
  ROOT tr = (s8[], $T[$N], $T[$N]) tuple(tj, tb, tn)
})"},
  {"hoisted_though_it_varies", "s32 f32 f64", "a $T[$N] normal; n $T[$N] normal", "$T[$N]", R"(
i = s32[] constant(0)
s = (s32[], $T[$N], $T[$N]) tuple(i, a, n)
w = (s32[], $T[$N], $T[$N]) while(s), condition=more, body=turn
r = $T[$N] get-tuple-element(w), index=1)", R"(
x = $T[$N] multiply(a, n)
y = $T[$N] subtract(x, n)
r = $T[$N] subtract(y, n))", R"(
more {
  ms = (s32[], $T[$N], $T[$N]) parameter(0)
  mi = s32[] get-tuple-element(ms), index=0
  mk = s32[] constant(2)
  ROOT mr = pred[] compare(mi, mk), direction=LT
}
turn {
  ts = (s32[], $T[$N], $T[$N]) parameter(0)
  ti = s32[] get-tuple-element(ts), index=0
  tc = s32[] constant(1)
  tj = s32[] add(ti, tc)
  ta = $T[$N] get-tuple-element(ts), index=1
  tn = $T[$N] get-tuple-element(ts), index=2
  tx = $T[$N] multiply(ta, tn)
  tb = $T[$N] subtract(tx, tn)
  ROOT tr = (s32[], $T[$N], $T[$N]) tuple(tj, tb, tn)
})"},
  {"first_branch_for_no_branch", "s32 f32 f64", "a $T[$N] normal; i s32[] index:3", "$T[$N]", R"(
r = $T[$N] conditional(i, a, a, a), branch_computations={same, opposite, twice})", R"(
zero = s32[] constant(0)
two = s32[] constant(2)
k = s32[] clamp(zero, i, two)
r = $T[$N] conditional(k, a, a, a), branch_computations={same, opposite, twice})", R"(
same {
  ROOT sa = $T[$N] parameter(0)
}
opposite {
  oa = $T[$N] parameter(0)
  ROOT or = $T[$N] negate(oa)
}
twice {
  wa = $T[$N] parameter(0)
  ROOT wr = $T[$N] add(wa, wa)
})"},
};
// clang-format on

}  // namespace

std::span<const Miscompilation> MiscompiledPlaces() { return kMiscompiledPlaces; }

}  // namespace assay
