// Gathers and scatters of rows on the backend simd, alone and fused with element-wise instructions.

#include "backends/simd/element_wise_line.h"
#include "backends/simd/scatter.h"
#include "interpreter/types/replace_all.h"
#include "spec_tests/backends/simd_lines.h"

namespace assay::simd {
namespace {

// Indices of which most are inside of an array of some 20 rows.
constexpr std::string_view kIndices = R"(
  any = I[N] parameter(0)  fifteen = I[] constant(15)  fifteens = I[N] broadcast(fifteen), dimensions={}
  i = I[N] and(any, fifteens))";

// Replaces I with a type of indices, N with their dimensions, and T with a type.
std::string GatherText(std::string_view body, const std::string& index_type, const std::string& indices,
                       const std::string& type) {
  std::string text = fmt::format("{}{}\n", kIndices, body);
  const std::vector<std::pair<std::string, std::string>> names = {
      {"I[", index_type + "["}, {"[N]", "[" + indices + "]"}, {"T[", type + "["}, {"_T", "_" + type}};
  for (const auto& [name, value] : names) text = ReplaceAll(std::move(text), name, value);
  return text;
}

void CheckGather(std::size_t fusions, const std::string& index_type, const std::string& indices,
                 const std::string& type, std::string_view body) {
  CheckLines(GatherText(body, index_type, indices, type), fusions);
}

TEST_CASE("gathers of rows have the bits of the reference") {
  for (const std::string index_type : {"s8", "u8", "s16", "u16", "s32", "u32", "s64", "u64"}) {
    for (const std::string type : {"f32", "c128", "s4", "pred"}) {
      CheckGather(1, index_type, "300,1", type, R"(  x = T[12,3] parameter(1)
  ROOT r = T[300,3] gather(x, i), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1,
    slice_sizes={1,3})");
    }
  }
}

TEST_CASE("gathers of rows are fused with the ops that read them") {
  CheckGather(2, "s32", "300,1", "f32", R"(  x = T[12,40] parameter(1)  w = T[300] parameter(2)
  read = T[300,40] gather(x, i), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1,
    slice_sizes={1,40}
  wide = T[300,40] broadcast(w), dimensions={0}
  ROOT r = T[300,40] multiply(read, wide))");
  // Rows of several dimensions at positions of several dimensions, and a reduction of the rows.
  CheckGather(2, "u8", "7,30", "s32", R"(  x = T[12,2,5] parameter(1)
  read = T[7,30,2,5] gather(x, i), offset_dims={2,3}, collapsed_slice_dims={0}, start_index_map={0},
    index_vector_dim=2, slice_sizes={1,2,5}
  twice = T[7,30,2,5] add(read, read)  zero = T[] constant(0)
  ROOT r = T[7,30] reduce(twice, zero), dimensions={2,3}, to_apply=add_T)");
  // Single elements.
  CheckGather(2, "s64", "3000,1", "f64", R"(  x = T[12] parameter(1)
  read = T[3000] gather(x, i), offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1,
    slice_sizes={1}
  ROOT r = T[3000] negate(read))");
}

TEST_CASE("a gather of one row by a single index vector is not fused with scalars that its users read") {
  // A row without a dimension of its own: the index vector is the whole of the indices, or a scalar.
  for (const std::string indices : {"1", ""}) {
    for (const std::string row : {"9", "9,9", "40,70"}) {
      const std::string offsets = row == "9" ? "0" : "0,1";
      CheckGather(2, "s32", indices, "f32",
                  fmt::format(R"(  x = T[12,{0}] parameter(1)  y = T[{0}] parameter(2)  scalar = T[] parameter(3)
  read = T[{0}] gather(x, i), offset_dims={{{1}}}, collapsed_slice_dims={{0}}, start_index_map={{0}},
    index_vector_dim=0, slice_sizes={{1,{0}}}
  seven = T[] constant(7)  is_large = pred[] compare(scalar, seven), direction=GT
  choice = pred[{0}] broadcast(is_large), dimensions={{}}
  yes = pred[] constant(true)  always = pred[{0}] broadcast(yes), dimensions={{}}
  wide = T[{0}] broadcast(scalar), dimensions={{}}
  sum = T[{0}] add(read, wide)  either = T[{0}] select(choice, sum, y)  ROOT r = T[{0}] select(always, either, y))",
                              row, offsets));
    }
  }
}

TEST_CASE("gathers of other slices, and of computed arrays, are not fused") {
  // Parts of rows.
  CheckGather(1, "s32", "30,1", "f32", R"(  x = T[12,4] parameter(1)
  read = T[30,3] gather(x, i), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1,
    slice_sizes={1,3}
  ROOT r = T[30,3] negate(read))");
  // Columns.
  CheckGather(1, "s32", "30,1", "f32", R"(  x = T[4,12] parameter(1)
  read = T[4,30] gather(x, i), offset_dims={0}, collapsed_slice_dims={1}, start_index_map={1}, index_vector_dim=1,
    slice_sizes={4,1}
  ROOT r = T[4,30] negate(read))");
  // The operand has the dimensions of the result.
  CheckGather(2, "s32", "30,1", "f32", R"(  x = T[30,4] parameter(1)  y = T[30,4] negate(x)
  read = T[30,4] gather(y, i), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1,
    slice_sizes={1,4}
  ROOT r = T[30,4] add(read, read))");
}

// A scatter by addition into `operand`, which is an array of ROWS rows.
std::string Scatter(const std::string& updates, const std::string& operand) {
  return updates + fmt::format(R"(
  ROOT r = T[14,40] scatter({}, i, u), update_window_dims={{1}}, inserted_window_dims={{0}},
    scatter_dims_to_operand_dims={{0}}, index_vector_dim=1, to_apply=add_T)",
                               operand);
}

TEST_CASE("the updates of a scatter are computed within its fusion") {
  const std::string updates = R"(  x = T[14,40] parameter(1)  w = T[5000] parameter(2)
  read = T[5000,40] gather(x, i), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1,
    slice_sizes={1,40}
  wide = T[5000,40] broadcast(w), dimensions={0}
  u = T[5000,40] multiply(read, wide)  zero = T[] constant(0)  zeros = T[14,40] broadcast(zero), dimensions={})";
  CheckGather(2, "s32", "5000,1", "s32", Scatter(updates, "zeros"));
  // The updates read the array that the scatter changes.
  CheckGather(2, "s32", "5000,1", "s32", Scatter(updates, "x"));
  // The indices are the array that the scatter changes.
  CheckGather(2, "s32", "300", "s32", R"(  y = T[300] parameter(1)  u = T[300] multiply(y, y)
  ROOT r = T[300] scatter(i, i, u), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0},
    index_vector_dim=1, to_apply=add_T)");
  // Without a gather, and computed updates that are a result, too.
  const std::string plain =
      R"(  y = T[5000,40] parameter(1)  x = T[14,40] parameter(2)  u = T[5000,40] multiply(y, y))";
  CheckGather(2, "s32", "5000,1", "u32", Scatter(plain, "x"));
  std::string both = GatherText(Scatter(plain, "x"), "s32", "5000,1", "u32");
  both.replace(both.find("ROOT r"), 6, "sums");
  both.append("  ROOT t = (u32[14,40], u32[5000,40]) tuple(sums, u)\n");
  CheckLines(both, 1);
  // The sum of many negative zeros is a negative zero.
  CheckGather(2, "s32", "5000,1", "f32",
              Scatter(
                  R"(  y = T[5000,40] parameter(1)  zero = T[] constant(0)
  positive_zeros = T[5000,40] broadcast(zero), dimensions={}
  size = T[5000,40] abs(y)  product = T[5000,40] multiply(size, positive_zeros)  u = T[5000,40] negate(product)
  negative_zero = T[] constant(-0)  x = T[14,40] broadcast(negative_zero), dimensions={})",
                  "x"));
}

TEST_CASE("a scatter into a scalar constant, and one at a constant index, are not fused") {
  const std::string updates = "  y = T[4] parameter(1)\n  v = T[4] multiply(y, y)\n  u = T[4] add(v, y)\n";
  CheckGather(2, "s32", "9", "f32", updates + R"(  x = T[8,4] parameter(2)  three = s32[] constant(3)
  ROOT r = T[8,4] scatter(x, three, u), update_window_dims={0}, inserted_window_dims={0},
    scatter_dims_to_operand_dims={0}, index_vector_dim=0, to_apply=add_T)");
  CheckGather(3, "s32", "9", "f32", updates + R"(
  none = s32[0] constant({})  five = T[] constant(5)  w = T[] parameter(2)  squared = T[] multiply(w, w)
  both = T[] add(squared, w)
  sum = T[] scatter(five, none, both), update_window_dims={}, inserted_window_dims={},
    scatter_dims_to_operand_dims={}, index_vector_dim=0, to_apply=add_T
  ROOT r = (T[], T[4]) tuple(sum, u))");
}

TEST_CASE("a scatter whose updates have window dimensions first computes them before") {
  CheckGather(
      2, "s32", "300,1", "s32",
      R"(  y = T[40,300] parameter(1)  x = T[14,40] parameter(2)  u = T[40,300] multiply(y, y)  v = T[40,300] add(u, y)
  ROOT r = T[14,40] scatter(x, i, v), update_window_dims={0}, inserted_window_dims={0},
    scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add_T)");
}

// Checks a scatter by addition of the updates `u` at the index vectors, which `starts` computes from `i`.
void CheckScatter(const std::string& update, const std::string& operand, const std::string& dimensions,
                  const std::string& index_type, const std::string& indices, const std::string& type,
                  const std::string& starts = "  starts = I[N] copy(i)\n") {
  CheckGather(1, index_type, indices, type,
              fmt::format("  u = T[{0}] parameter(1)\n  x = T[{1}] parameter(2)\n{2}"
                          "  ROOT r = T[{1}] scatter(x, starts, u), {3}, to_apply=add_T\n",
                          update, operand, starts, dimensions));
}

TEST_CASE("scatters with many windows have the bits of the reference") {
  // Windows that overlap, index vectors of two numbers, and positions of two dimensions.
  CheckScatter("9000,3,2", "18,17",
               "update_window_dims={1,2}, inserted_window_dims={}, scatter_dims_to_operand_dims={1,0}, "
               "index_vector_dim=1",
               "s16", "9000,2", "s32");
  CheckScatter("70,5,900", "18,5",
               "update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=2",
               "u16", "70,900", "u32");
  // Rows long enough that each thread changes rows of its own, and windows that overlap the parts of several threads.
  CheckScatter("3000,50", "13,50",
               "update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1",
               "s32", "3000,1", "s32");
  CheckScatter("20000,50", "160",
               "update_window_dims={1}, inserted_window_dims={}, scatter_dims_to_operand_dims={0}, index_vector_dim=1",
               "s32", "20000,1", "s32",
               "  seven = I[] constant(7)\n  sevens = I[N] broadcast(seven), dimensions={}\n"
               "  starts = I[N] multiply(i, sevens)\n");
}

}  // namespace
}  // namespace assay::simd
