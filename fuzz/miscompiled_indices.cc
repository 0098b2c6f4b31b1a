#include "fuzz/miscompilations.h"

namespace assay {
namespace {

// Indexing as JAX lowers it: negative indices count from the end, starts out of range are clamped, or found by a mask
// and replaced by a fill value.
// clang-format off
constexpr std::string_view kBoth = R"(
both {
  bx = pred[] parameter(0)
  by = pred[] parameter(1)
  ROOT br = pred[] and(bx, by)
})";

constexpr Miscompilation kMiscompiledIndices[] = {
  {"filled_rows_as_clipped", "s32 f32 bf16 s8", "a $T[8,$N] distinct; i s32[4] index:8", "$T[4,$N]", R"(
zero = s32[] constant(0)
zeros = s32[4] broadcast(zero), dimensions={}
lt = pred[4] compare(i, zeros), direction=LT
n = s32[] constant(8)
ns = s32[4] broadcast(n), dimensions={}
from_end = s32[4] add(i, ns)
j = s32[4] select(lt, from_end, i)
starts = s32[4,1] reshape(j)
firsts = s32[4,1] broadcast(zero), dimensions={}
ge = pred[4,1] compare(starts, firsts), direction=GE
last_row = s32[] constant(7)
lasts = s32[4,1] broadcast(last_row), dimensions={}
le = pred[4,1] compare(starts, lasts), direction=LE
inside = pred[4,1] and(ge, le)
yes = pred[] constant(true)
mask = pred[4] reduce(inside, yes), dimensions={1}, to_apply=both
wide_mask = pred[4,$N] broadcast(mask), dimensions={0}
rows = $T[4,$N] gather(a, starts), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,$N}
fill = $T[] constant(77)
fills = $T[4,$N] broadcast(fill), dimensions={}
r = $T[4,$N] select(wide_mask, rows, fills))", R"(
starts = s32[4,1] reshape(i)
r = $T[4,$N] gather(a, starts), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,$N})", kBoth},
  {"filled_plane_as_clipped", "s32 f32 f64 s8", "a $T[3,$N,5] distinct; i s32[1] index:3; y $T[$N,5] normal",
   "$T[$N,5]", R"(
first = s32[1] constant({0})
ge = pred[1] compare(i, first), direction=GE
last_plane = s32[1] constant({2})
le = pred[1] compare(i, last_plane), direction=LE
inside = pred[1] and(ge, le)
yes = pred[] constant(true)
mask = pred[] reduce(inside, yes), dimensions={0}, to_apply=both
wide_mask = pred[$N,5] broadcast(mask), dimensions={}
plane = $T[$N,5] gather(a, i), offset_dims={0,1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=0, slice_sizes={1,$N,5}
r = $T[$N,5] select(wide_mask, plane, y))", R"(
r = $T[$N,5] gather(a, i), offset_dims={0,1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=0, slice_sizes={1,$N,5})", kBoth},
  {"plane_of_a_scalar_index", "s32 f32 bf16", "a $T[4,$N] distinct; b $T[$N] normal; w $T[] normal; i s32[] index:4",
   "$T[$N]", R"(
row = $T[$N] gather(a, i), offset_dims={0}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=0, slice_sizes={1,$N}
ws = $T[$N] broadcast(w), dimensions={}
zero = s32[] constant(0)
is_first = pred[] compare(i, zero), direction=LE
choice = pred[$N] broadcast(is_first), dimensions={}
either = $T[$N] select(choice, ws, row)
r = $T[$N] select(choice, b, either))", R"(
row = $T[1,$N] dynamic-slice(a, i, i), dynamic_slice_sizes={1,$N}
r = $T[$N] reshape(row))"},
  {"along_an_axis_as_clipped", "s32 f32 f64", "a $T[5,$N] distinct; i s32[5,2] index:3", "$T[5,2]", R"(
starts = s32[5,2,1] reshape(i)
zero = s32[] constant(0)
firsts = s32[5,2,1] broadcast(zero), dimensions={}
ge = pred[5,2,1] compare(starts, firsts), direction=GE
yes = pred[] constant(true)
mask = pred[5,2] reduce(ge, yes), dimensions={2}, to_apply=both
taken = $T[5,2] gather(a, starts), offset_dims={}, collapsed_slice_dims={1}, start_index_map={1}, operand_batching_dims={0}, start_indices_batching_dims={0}, index_vector_dim=2, slice_sizes={1,1}
fill = $T[] constant(77)
fills = $T[5,2] broadcast(fill), dimensions={}
r = $T[5,2] select(mask, taken, fills))", R"(
starts = s32[5,2,1] reshape(i)
r = $T[5,2] gather(a, starts), offset_dims={}, collapsed_slice_dims={1}, start_index_map={1}, operand_batching_dims={0}, start_indices_batching_dims={0}, index_vector_dim=2, slice_sizes={1,1})", kBoth},
  {"filled_columns_as_clipped", "s32 f32 bf16", "a $T[$N,6] distinct; i s32[3,2] index:6", "$T[$N,3,2]", R"(
starts = s32[3,2,1] reshape(i)
last_column = s32[] constant(5)
last = u32[] convert(last_column)
lasts = u32[3,2] broadcast(last), dimensions={}
places = u32[3,2] convert(i)
mask = pred[3,2] compare(places, lasts), direction=LE
wide_mask = pred[$N,3,2] broadcast(mask), dimensions={1,2}
columns = $T[$N,3,2] gather(a, starts), offset_dims={0}, collapsed_slice_dims={1}, start_index_map={1}, index_vector_dim=2, slice_sizes={$N,1}
fill = $T[] constant(77)
fills = $T[$N,3,2] broadcast(fill), dimensions={}
r = $T[$N,3,2] select(wide_mask, columns, fills))", R"(
starts = s32[3,2,1] reshape(i)
r = $T[$N,3,2] gather(a, starts), offset_dims={0}, collapsed_slice_dims={1}, start_index_map={1}, index_vector_dim=2, slice_sizes={$N,1})"},
  {"exchanged_index_vectors", "s32 f32 f64 u8", "a $T[4,4] distinct; i s32[$N] index:4; j s32[$N] index:4", "$T[$N]", R"(
rows = s32[$N,1] reshape(i)
columns = s32[$N,1] reshape(j)
starts = s32[$N,2] concatenate(rows, columns), dimensions={1}
r = $T[$N] gather(a, starts), offset_dims={}, collapsed_slice_dims={0,1}, start_index_map={0,1}, index_vector_dim=1, slice_sizes={1,1})", R"(
rows = s32[$N,1] reshape(i)
columns = s32[$N,1] reshape(j)
starts = s32[$N,2] concatenate(columns, rows), dimensions={1}
r = $T[$N] gather(a, starts), offset_dims={}, collapsed_slice_dims={0,1}, start_index_map={0,1}, index_vector_dim=1, slice_sizes={1,1})"},
  {"added_without_negative_indices", "s32 f32 f64", "a $T[6,$N] normal; i s32[5] index:6; u $T[5,$N] normal",
   "$T[6,$N]", R"(
zero = s32[] constant(0)
zeros = s32[5] broadcast(zero), dimensions={}
lt = pred[5] compare(i, zeros), direction=LT
n = s32[] constant(6)
ns = s32[5] broadcast(n), dimensions={}
from_end = s32[5] add(i, ns)
j = s32[5] select(lt, from_end, i)
starts = s32[5,1] reshape(j)
r = $T[6,$N] scatter(a, starts, u), update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=plus)", R"(
starts = s32[5,1] reshape(i)
r = $T[6,$N] scatter(a, starts, u), update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=plus)"},
  {"set_without_clamping", "s32 f32 bf16", "a $T[$N,4] normal; i s32[1] index:4; u $T[$N,1] distinct", "$T[$N,4]", R"(
starts = s32[1,1] reshape(i)
zero = s32[] constant(0)
firsts = s32[1,1] broadcast(zero), dimensions={}
last_column = s32[] constant(3)
lasts = s32[1,1] broadcast(last_column), dimensions={}
inside = s32[1,1] clamp(firsts, starts, lasts)
r = $T[$N,4] scatter(a, inside, u), update_window_dims={0}, inserted_window_dims={1}, scatter_dims_to_operand_dims={1}, index_vector_dim=1, to_apply=set)", R"(
starts = s32[1,1] reshape(i)
r = $T[$N,4] scatter(a, starts, u), update_window_dims={0}, inserted_window_dims={1}, scatter_dims_to_operand_dims={1}, index_vector_dim=1, to_apply=set)", R"(
set {
  sa = $T[] parameter(0)
  ROOT sb = $T[] parameter(1)
})"},
};
// clang-format on

}  // namespace

std::span<const Miscompilation> MiscompiledIndices() { return kMiscompiledIndices; }

}  // namespace assay
