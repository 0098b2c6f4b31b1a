#include "backends/cuda/kernels/sorting.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace assay::cuda {
namespace {

// The number of places that a block sorts in shared memory, and that a thread sorts by insertion.
constexpr std::int64_t kTile = 2048;
constexpr std::int64_t kFew = 8;

// Returns the number of places of a row in a tile, a power of two.
std::int64_t PlacesInTile(const RowSort& sort) {
  return std::min(kTile,
                  std::max(kFew, static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(sort.row_size)))));
}

void WriteComparator(const RowSort& sort, Body& body, ElementEmitter& emitter) {
  body.Open(fmt::format("const auto before = [&](const {0} a, const {0} b) {{", body.index_type()));
  body.Line(fmt::format("return bits_of({}) != 0;", sort.before("row", "a", "b", body, emitter)));
  body.Close("};");
}

// Sorts short rows completely, several in a block, and long rows in pieces of kTile places.
KernelLaunch SortTiles(const RowSort& sort, const EntryText& form, std::string_view order) {
  const std::int64_t places = PlacesInTile(sort);
  const std::int64_t tiles_of_row = BlocksFor(sort.row_size, static_cast<int>(kTile));
  std::int64_t rows_of_tile = tiles_of_row > 1 ? 1 : std::min(kTile / places, sort.rows);
  EntryText entry = form;
  entry.threads = static_cast<int>(rows_of_tile * places / kFew);
  Body body(IsWide(form.fused));
  ElementEmitter emitter(body);
  const std::string_view type = body.index_type();
  body.Line(fmt::format("__shared__ {} memory[2][{}];", type, rows_of_tile * places));
  body.Line(fmt::format("const {0} own = ({0})threadIdx.x * {1};", type, kFew));
  body.Line(fmt::format("const {} start = own / {} * {};", type, places, places));
  body.Line(fmt::format("const {} at = own - start;", type));
  if (tiles_of_row > 1) {
    body.Line(fmt::format("const {0} row = ({0})blockIdx.x / {1};", type, tiles_of_row));
    body.Line(fmt::format("const {0} base = ({0})blockIdx.x % {1} * {2};", type, tiles_of_row, kTile));
  } else {
    body.Line(fmt::format("const {0} row = ({0})blockIdx.x * {1} + start / {2};", type, rows_of_tile, places));
    body.Line(fmt::format("const {} base = 0;", type));
  }
  body.Line(fmt::format("const {0} count = row >= {1} ? 0 : clamped<{0}>({2} - base, 0, {3});", type, sort.rows,
                        sort.row_size, places));
  WriteComparator(sort, body, emitter);
  body.Line(fmt::format("{}* from = memory[0] + start;", type));
  body.Line(fmt::format("{}* to = memory[1] + start;", type));
  body.Line(fmt::format("const {0} few = clamped<{0}>(count - at, 0, {1});", type, kFew));
  body.Line(fmt::format("for ({} k = 0; k < few; ++k) from[at + k] = base + at + k;", type));
  body.Line("sort_few(from + at, few, before);");
  body.Open(fmt::format("for ({} width = {}; width < {}; width *= 2) {{", type, kFew, places));
  body.Line("__syncthreads();");
  body.Open("if (few > 0) {");
  body.Line(fmt::format("const {} pair = at / (2 * width) * (2 * width);", type));
  body.Line(fmt::format("{0} i = 0, i_end = clamped<{0}>(count - pair, 0, width);", type));
  body.Line(fmt::format("{0} j = 0, j_end = clamped<{0}>(count - pair - width, 0, width);", type));
  body.Line(fmt::format("const {0}* const left = from + pair;", type));
  body.Line(fmt::format("find_piece<{}>(left, left + width, at - pair, {}, i, j, i_end, j_end, before);", type, kFew));
  body.Line("merge_piece(left, left + width, i, j, i_end, j_end, to + at, before);");
  body.Close();
  body.Line(fmt::format("{}* const turned = from;", type));
  body.Line("from = to;");
  body.Line("to = turned;");
  body.Close();
  body.Line(fmt::format("for ({0} k = 0; k < few; ++k) {1}[(row * {2}) + base + at + k] = from[at + k];", type, order,
                        sort.row_size));
  return {.text = TextOf(entry, emitter, body),
          .blocks = tiles_of_row > 1 ? sort.rows * tiles_of_row : (sort.rows + rows_of_tile - 1) / rows_of_tile,
          .threads = entry.threads,
          .arguments = ArgumentsOf(entry)};
}

// Merges pairs of runs of n0 places each; a block writes kTile places of a row.
KernelLaunch MergeTiles(const RowSort& sort, const EntryText& form, std::string_view order, std::string_view merged) {
  const std::int64_t tiles_of_row = BlocksFor(sort.row_size, static_cast<int>(kTile));
  EntryText entry = form;
  entry.threads = static_cast<int>(kTile / kFew);
  entry.numbers = 1;
  Body body(IsWide(form.fused));
  ElementEmitter emitter(body);
  const std::string_view type = body.index_type();
  body.Line(fmt::format("__shared__ {} memory[2][{}];", type, kTile));
  body.Line(fmt::format("__shared__ {} ends[4];", type));
  body.Line(fmt::format("const {0} row = ({0})blockIdx.x / {1};", type, tiles_of_row));
  body.Line(fmt::format("const {0} first = ({0})blockIdx.x % {1} * {2};", type, tiles_of_row, kTile));
  body.Line(fmt::format("const {0} width = ({0})n0;", type));
  body.Line(fmt::format("const {} pair = first / width / 2 * 2 * width;", type));
  body.Line(fmt::format("const {}* const left = {} + row * {} + pair;", type, order, sort.row_size));
  body.Line(fmt::format("const {}* const right = left + width;", type));
  WriteComparator(sort, body, emitter);
  body.Open("if (threadIdx.x == 0) {");
  body.Line(fmt::format("{0} i = 0, i_end = clamped<{0}>({1} - pair, 0, width);", type, sort.row_size));
  body.Line(fmt::format("{0} j = 0, j_end = clamped<{0}>({1} - pair - i_end, 0, width);", type, sort.row_size));
  body.Line(fmt::format("find_piece<{}>(left, right, first - pair, {}, i, j, i_end, j_end, before);", type, kTile));
  body.Line("ends[0] = i;");
  body.Line("ends[1] = j;");
  body.Line("ends[2] = i_end;");
  body.Line("ends[3] = j_end;");
  body.Close();
  body.Line("__syncthreads();");
  body.Line(fmt::format("const {} from_left = ends[2] - ends[0], from_right = ends[3] - ends[1];", type));
  body.Open(fmt::format("for ({0} k = threadIdx.x; k < from_left + from_right; k += {1}) {{", type, entry.threads));
  body.Line("memory[0][k] = k < from_left ? left[ends[0] + k] : right[ends[1] + k - from_left];");
  body.Close();
  body.Line("__syncthreads();");
  body.Line(fmt::format("const {0} own = ({0})threadIdx.x * {1};", type, kFew));
  body.Open("if (own < from_left + from_right) {");
  body.Line(fmt::format("{0} i = 0, j = 0, i_end = from_left, j_end = from_right;", type));
  body.Line(fmt::format("const {}* const tile = memory[0];", type));
  body.Line(fmt::format("find_piece<{}>(tile, tile + from_left, own, {}, i, j, i_end, j_end, before);", type, kFew));
  body.Line("merge_piece(tile, tile + from_left, i, j, i_end, j_end, memory[1] + own, before);");
  body.Close();
  body.Line("__syncthreads();");
  body.Open(fmt::format("for ({0} k = threadIdx.x; k < from_left + from_right; k += {1}) {{", type, entry.threads));
  body.Line(fmt::format("{}[row * {} + first + k] = memory[1][k];", merged, sort.row_size));
  body.Close();
  return {.text = TextOf(entry, emitter, body),
          .blocks = sort.rows * tiles_of_row,
          .threads = entry.threads,
          .arguments = ArgumentsOf(entry)};
}

}  // namespace

std::vector<std::int64_t> RowSortBytes(std::int64_t rows, std::int64_t row_size, std::int64_t place_bytes) {
  const std::int64_t bytes = rows * row_size * place_bytes;
  // Rows that one block sorts are not merged.
  return {bytes, row_size > kTile ? bytes : place_bytes};
}

std::size_t AddRowSort(const RowSort& sort, const HloComputation& fused, const std::vector<std::string>& scratch,
                       std::size_t first, KernelProgram& program) {
  const EntryText form = {.fused = fused, .scratch = scratch};
  const std::string here = fmt::format("x{}", first), there = fmt::format("x{}", first + 1);
  program.launches.push_back(SortTiles(sort, form, here));
  if (sort.row_size <= kTile) return first;
  const KernelLaunch merge = MergeTiles(sort, form, here, there);
  bool is_turned = false;
  for (std::int64_t width = kTile; width < sort.row_size; width *= 2, is_turned = !is_turned) {
    KernelLaunch launch = merge;
    for (KernelArgument& argument : launch.arguments) {
      if (!is_turned || argument.kind != KernelArgument::kScratch) continue;
      const auto index = static_cast<std::size_t>(argument.index);
      if (index == first || index == first + 1) argument.index = static_cast<std::int64_t>(2 * first + 1 - index);
    }
    launch.arguments.push_back({KernelArgument::kNumber, width});
    program.launches.push_back(std::move(launch));
  }
  return is_turned ? first + 1 : first;
}

}  // namespace assay::cuda
