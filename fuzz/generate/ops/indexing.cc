// Ops that read and write at indices that an operand holds.
#include <algorithm>
#include <utility>

#include "fuzz/generate/ops/computations.h"
#include "fuzz/generate/ops/drawings.h"
#include "interpreter/builder/add_instruction.h"
#include "interpreter/types/index_util.h"

namespace assay::generate {
using namespace xla;
namespace {

PrimitiveType IndexType(Random& random) { return random.OneOf({S32, S32, S64, U32, S8, U8, S16, U64}); }

// Returns a start index for each dimension of an array: scalars, or one vector of all.
std::vector<XlaOp> StartIndices(InstructionDrawer& drawer, const Dimensions& dimensions) {
  Random& random = drawer.random();
  const PrimitiveType type = IndexType(random);
  const auto rank = static_cast<std::int64_t>(dimensions.size());
  if (rank > 0 && random.OneIn(4)) {
    return {drawer.Value(DrawIndices(random, ShapeUtil::MakeShape(type, {rank}), dimensions))};
  }
  std::vector<XlaOp> starts;
  for (const std::int64_t size : dimensions) {
    starts.push_back(drawer.Value(DrawIndices(random, ShapeUtil::MakeScalarShape(type), size)));
  }
  return starts;
}

// The common part of gather and scatter: windows of an array, and the index vectors that select their positions.
struct Windows {
  Dimensions operand;
  Dimensions indices;
  PrimitiveType index_type = S32;
  std::int64_t index_vector_dim = 0;
  Int64List batching, indices_batching;  // the pairs of batching dimensions of operand and indices
  Int64List collapsed;                   // dimensions in which a window has one element and that the result lacks
  Int64List index_map;                   // the dimension of each component of an index vector
  Dimensions sizes;                      // of a window, in every dimension of the operand
  Int64List offset_dims;                 // dimensions of the result that are inside a window
  Dimensions result;
  std::vector<std::int64_t> limits;  // of each component of an index vector
};

// Makes each dimension of the operand batching, collapsed or neither.
void DrawRoles(Random& random, Windows& w) {
  const auto rank = static_cast<std::int64_t>(w.operand.size());
  Int64List free = random.Permutation(rank);
  const auto take = [&](std::int64_t most) {
    Int64List taken;
    for (std::int64_t i = random.Between(0, most); i > 0 && !free.empty(); --i) {
      // A window has one element in these dimensions, so the operand must have at least one.
      if (w.operand[free.back()] > 0) taken.push_back(free.back());
      free.pop_back();
    }
    return taken;
  };
  w.batching = random.OneIn(3) ? take(std::min<std::int64_t>(2, rank)) : Int64List();
  std::ranges::sort(w.batching);
  w.collapsed = take(rank);
  std::ranges::sort(w.collapsed);
  for (std::int64_t d = 0; d < rank; ++d) {
    const bool is_single = std::ranges::count(w.batching, d) + std::ranges::count(w.collapsed, d) > 0;
    w.sizes.push_back(is_single ? 1 : random.OneIn(3) ? w.operand[d] : random.Between(0, w.operand[d]));
    if (std::ranges::count(w.batching, d) == 0 && random.Between(0, 2) > 0) w.index_map.push_back(d);
  }
  random.Shuffle(w.index_map);
}

// Draws the index array: the larger the windows, the fewer of them. Together the windows have more elements than the
// operand, so that some overlap.
void DrawIndexArray(Random& random, std::int64_t most_elements, Windows& w) {
  const auto components = static_cast<std::int64_t>(w.index_map.size());
  w.index_type = IndexType(random);
  const std::int64_t most_windows = 8 * most_elements / std::max<std::int64_t>(1, Product(w.sizes));
  w.indices = DrawDimensions(random, {0, 2, std::max<std::int64_t>(2, most_windows)});
  for (const std::int64_t d : w.batching) {
    const std::int64_t at = random.Between(0, static_cast<std::int64_t>(w.indices.size()));
    for (std::int64_t& other : w.indices_batching) other += other >= at ? 1 : 0;
    w.indices.insert(w.indices.begin() + at, w.operand[d]);
    w.indices_batching.push_back(at);
  }
  w.result = w.indices;  // without the dimensions of the windows so far
  const auto rank = static_cast<std::int64_t>(w.indices.size());
  w.index_vector_dim = random.Between(0, rank);
  // Vectors of one component need no index vector dimension.
  const bool is_implied = components == 1 && w.index_vector_dim == rank && random.Flip();
  if (!is_implied) w.indices.insert(w.indices.begin() + w.index_vector_dim, components);
  for (std::int64_t& d : w.indices_batching) d += !is_implied && d >= w.index_vector_dim ? 1 : 0;
  // Often all windows are near the start, so that they overlap.
  const std::int64_t most_limit = random.Flip() ? 2 : INT32_MAX;
  for (const std::int64_t d : w.index_map) w.limits.push_back(std::min(most_limit, w.operand[d] - w.sizes[d] + 1));
}

Windows DrawWindows(InstructionDrawer& drawer, const Dimensions& operand) {
  Random& random = drawer.random();
  Windows w;
  w.operand = operand;
  DrawRoles(random, w);
  DrawIndexArray(random, drawer.constraints().most_elements, w);
  std::vector<std::int64_t> inside;
  for (std::size_t d = 0; d < operand.size(); ++d) {
    const auto number = static_cast<std::int64_t>(d);
    const bool is_single = std::ranges::count(w.batching, number) + std::ranges::count(w.collapsed, number) > 0;
    if (!is_single) inside.push_back(w.sizes[d]);
  }
  const auto count = static_cast<std::int64_t>(inside.size());
  w.offset_dims = random.SortedSome(count, count + static_cast<std::int64_t>(w.result.size()));
  for (std::int64_t i = 0; i < count; ++i) w.result.insert(w.result.begin() + w.offset_dims[i], inside[i]);
  return w;
}

XlaOp IndexOperand(InstructionDrawer& drawer, const Windows& w) {
  const Shape shape = ShapeUtil::MakeShape(w.index_type, w.indices);
  if (w.limits.empty()) return drawer.Value(Literal(shape));
  const bool is_implied = w.index_vector_dim == static_cast<std::int64_t>(w.indices.size());
  return drawer.Value(DrawIndices(drawer.random(), shape, w.limits, is_implied ? 0 : w.index_vector_dim));
}

// Draws a promise about indices, such as unique_indices, which always holds if there is at most one index vector.
AttributeValue DrawPromise(InstructionDrawer& drawer, const Windows& w) {
  const auto components = static_cast<std::int64_t>(w.index_map.size());
  const bool holds = components > 0 && Product(w.indices) <= components;
  return holds && drawer.random().Flip() ? AttributeValue(true) : AttributeValue();
}

// The sizes of a slice, and the number of its positions in each dimension.
struct Slice {
  Dimensions sizes, limits;
};

Slice DrawSlice(Random& random, const Shape& shape) {
  Slice slice;
  for (const std::int64_t size : shape.dimensions()) {
    slice.sizes.push_back(random.Between(0, size));
    slice.limits.push_back(size - slice.sizes.back() + 1);
  }
  return slice;
}

}  // namespace

XlaOp DrawDynamicSlice(InstructionDrawer& drawer) {
  const Shape shape = drawer.ArrayShape();
  const auto [sizes, limits] = DrawSlice(drawer.random(), shape);
  const XlaOp operand = drawer.Value(shape);
  return drawer.Add({Joined({operand}, StartIndices(drawer, limits)),
                     {{"dynamic_slice_sizes", sizes}},
                     ShapeUtil::MakeShape(shape.element_type(), sizes)});
}

XlaOp DrawDynamicUpdateSlice(InstructionDrawer& drawer) {
  const Shape shape = drawer.ArrayShape();
  const auto [sizes, limits] = DrawSlice(drawer.random(), shape);
  const std::vector<XlaOp> arrays = {drawer.Value(shape),
                                     drawer.Value(ShapeUtil::MakeShape(shape.element_type(), sizes))};
  return drawer.Add({Joined(arrays, StartIndices(drawer, limits))});
}

XlaOp DrawGather(InstructionDrawer& drawer) {
  const Shape shape = drawer.ArrayShape();
  const Windows w = DrawWindows(drawer, shape.dimensions());
  return drawer.Add({{drawer.Value(shape), IndexOperand(drawer, w)},
                     {{"offset_dims", w.offset_dims},
                      {"collapsed_slice_dims", w.collapsed},
                      {"start_index_map", w.index_map},
                      {"operand_batching_dims", w.batching},
                      {"start_indices_batching_dims", w.indices_batching},
                      {"index_vector_dim", w.index_vector_dim},
                      {"slice_sizes", w.sizes},
                      {"indices_are_sorted", DrawPromise(drawer, w)}}});
}

XlaOp DrawScatter(InstructionDrawer& drawer) {
  Random& random = drawer.random();
  const Shape shape = drawer.ArrayShape();
  const Windows w = DrawWindows(drawer, shape.dimensions());
  Types types = {shape.element_type()};
  if (random.OneIn(4)) types.push_back(drawer.TypeBeside(types[0]));
  std::vector<XlaOp> operands, updates;
  for (const PrimitiveType type : types) {
    operands.push_back(drawer.Value(ShapeUtil::MakeShape(type, w.operand)));
    updates.push_back(drawer.Value(ShapeUtil::MakeShape(type, w.result)));
  }
  operands.push_back(IndexOperand(drawer, w));
  return drawer.Add({Joined(operands, updates),
                     {{"update_window_dims", w.offset_dims},
                      {"inserted_window_dims", w.collapsed},
                      {"scatter_dims_to_operand_dims", w.index_map},
                      {"input_batching_dims", w.batching},
                      {"scatter_indices_batching_dims", w.indices_batching},
                      {"index_vector_dim", w.index_vector_dim},
                      {"indices_are_sorted", DrawPromise(drawer, w)},
                      {"unique_indices", DrawPromise(drawer, w)},
                      {"to_apply", DrawFold(drawer, types)}}});
}

}  // namespace assay::generate
