// Sizes of windowed results, and the element under a cell of a window.
#include "interpreter/ops/common/window_rules.h"

#include <algorithm>
#include <map>

#include "interpreter/kernels/common/cell_run.h"
#include "spec_tests/ops/graph.h"
#include "spec_tests/property.h"

namespace assay::testing {
namespace {

// Returns the base with its holes and padding: the offset of the element at each position, or -1.
std::vector<std::int64_t> DilatedAndPadded(const WindowDimension& w, std::int64_t base_size) {
  std::vector<std::int64_t> places;
  for (std::int64_t i = 0; i < base_size; ++i) {
    if (i > 0) places.insert(places.end(), w.base_dilation - 1, -1);
    places.push_back(i);
  }
  const auto pad = [&](std::int64_t amount, bool at_front) {
    for (; amount > 0; --amount) places.insert(at_front ? places.begin() : places.end(), -1);
    for (; amount < 0 && !places.empty(); ++amount) places.erase(at_front ? places.begin() : places.end() - 1);
  };
  pad(w.padding_low, true);
  pad(w.padding_high, false);
  return places;
}

// Draws a window dimension. Its negative padding cuts off at most the base.
WindowDimension AnyWindow(std::int64_t base_size) {
  const auto range = [](std::int64_t low, std::int64_t high) { return InRange(low, high); };
  WindowDimension w;
  w.size = range(1, 5);
  w.stride = range(1, 7);
  w.window_dilation = range(1, 5);
  w.base_dilation = range(1, 7);
  w.window_reversal = range(0, 2) == 1;
  const std::int64_t dilated = base_size == 0 ? 0 : (base_size - 1) * w.base_dilation + 1;
  w.padding_low = range(std::max<std::int64_t>(-4, -dilated), 6);
  w.padding_high = range(std::max<std::int64_t>(-4, -dilated - std::min<std::int64_t>(w.padding_low, 0)), 6);
  return w;
}

TEST_CASE("A window stands wherever all of it fits on the dilated and padded base") {
  Holds([] {
    const auto base_size = InRange(0, 12);
    const WindowDimension w = AnyWindow(base_size);
    const auto places = static_cast<std::int64_t>(DilatedAndPadded(w, base_size).size());
    std::int64_t expected = 0;
    for (std::int64_t start = 0; start + (w.size - 1) * w.window_dilation < places; start += w.stride) ++expected;
    ENSURE(*WindowPositions(w, base_size) == expected);
  });
}

TEST_CASE("A cell's run lists exactly the positions at which it lies on an element") {
  Holds([] {
    const auto base_size = InRange(0, 12);
    const WindowDimension w = AnyWindow(base_size);
    const auto places = DilatedAndPadded(w, base_size);
    const std::int64_t positions = *WindowPositions(w, base_size);
    const auto begin = InRange(0, positions + 1);
    const auto end = InRange(begin, positions + 1);
    const auto cell = InRange(0, w.size);
    std::map<std::int64_t, std::int64_t> expected, found;
    for (std::int64_t o = begin; o < end; ++o) {
      const std::int64_t in_window = w.window_reversal ? w.size - 1 - cell : cell;
      const std::int64_t element = places[o * w.stride + in_window * w.window_dilation];
      if (element >= 0) expected[o - begin] = element;
    }
    const CellRun run = RunOfCell(w, base_size, cell, begin, end);
    for (std::int64_t t = 0; t < run.count; ++t) {
      found[run.first_position + t * run.position_step] = run.first_element + t * run.element_step;
    }
    ENSURE(found == expected);
  });
}

TEST_CASE("The element under a cell is what the dilated and padded base has at the cell's place") {
  Holds([] {
    const auto base_size = InRange(0, 12);
    const WindowDimension w = AnyWindow(base_size);
    const auto places = DilatedAndPadded(w, base_size);
    for (std::int64_t position = 0; position < *WindowPositions(w, base_size); ++position) {
      for (std::int64_t cell = 0; cell < w.size; ++cell) {
        const std::int64_t in_window = w.window_reversal ? w.size - 1 - cell : cell;
        const std::int64_t expected = places[position * w.stride + in_window * w.window_dilation];
        const auto found = ElementUnder({{w}}, {position}, {cell}, {base_size});
        ENSURE((found ? found->front() : -1) == expected);
      }
    }
  });
}

TEST_CASE("A place beyond 63 bits is no element") {
  const WindowDimension w = {.size = 2, .padding_low = INT64_MIN + 1, .window_dilation = 4};
  CHECK(!ElementUnder({{w}}, {0}, {1}, {3}));
}

TEST_CASE("The result shape of a window over a base") {
  Graph g;
  const HloInstruction& op = g.Add(op_reduce_window, {});
  const auto infer = [&](Dimensions base, std::vector<WindowDimension> window) {
    const auto shape = InferWindowOutputShape(op, ShapeUtil::MakeShape(F32, std::move(base)), {window}, S32);
    return shape ? shape->ToStringWithoutLayout() : shape.error().message;
  };
  CHECK(infer({4, 6}, {{.size = 2, .stride = 2}, {.size = 3, .stride = 3}}) == "s32[2,2]");
  CHECK(infer({}, {}) == "s32[]");
  CHECK(infer({0}, {{.size = 1, .padding_low = 1, .padding_high = 1}}) == "s32[2]");
  CHECK(infer({3}, {{.size = 4}}) == "s32[0]");
  CHECK(infer({3}, {{.size = 1, .padding_low = -4}}) == "s32[0]");
  CHECK(infer({3}, {{.size = 2, .window_dilation = 2, .base_dilation = 2}}) == "s32[3]");
  CHECK(infer({3}, {}) ==
        "reduce-window: the window must have one entry for each of the 1 dimensions of f32[3], found 0");
  const Shape dynamic = ShapeUtil::MakeShape(F32, {8, Shape::kUnboundedSize}, {true, true});
  CHECK(InferWindowOutputShape(op, dynamic, {{{.size = 2}, {.size = 9}}}, F32)->ToStringWithoutLayout() ==
        "f32[<=7,?]");
}

}  // namespace
}  // namespace assay::testing
