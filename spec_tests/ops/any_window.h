// Random windows over random bases, and the definition of the elements under a window.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "interpreter/hlo/attributes.h"
#include "interpreter/types/index_util.h"
#include "interpreter/types/shape.h"
#include "spec_tests/property.h"

namespace assay::testing {

// Returns the size of a base dimension with its holes.
inline std::int64_t DilatedBase(const WindowDimension& w, std::int64_t base_size) {
  return base_size == 0 ? 0 : (base_size - 1) * w.base_dilation + 1;
}

// Returns a window dimension. Its negative padding cuts off at most the base.
inline WindowDimension AnyWindowDimension(std::int64_t base_size) {
  const auto range = [](std::int64_t low, std::int64_t high) { return InRange(low, high); };
  WindowDimension w;
  if (range(0, 3) == 0) return w;
  w.size = range(1, 5);
  w.stride = range(1, 5);
  w.window_dilation = range(1, 4);
  w.base_dilation = range(1, 5);
  w.window_reversal = range(0, 2) == 1;
  const std::int64_t dilated = DilatedBase(w, base_size);
  w.padding_low = range(std::max<std::int64_t>(-4, -dilated), 6);
  w.padding_high = range(std::max<std::int64_t>(-4, -dilated - std::min<std::int64_t>(w.padding_low, 0)), 6);
  return w;
}

struct WindowedBase {
  Dimensions base;
  Window window;
  Dimensions positions;
};

inline WindowedBase AnyWindowedBase(int max_rank) {
  WindowedBase any;
  const auto rank = InRange(0, max_rank + 1);
  for (int d = 0; d < rank; ++d) {
    any.base.push_back(OneOf<std::int64_t>({0, 1, 2, 3, 5, 8}));
    any.window.dimensions.push_back(AnyWindowDimension(any.base.back()));
    const WindowDimension& w = any.window.dimensions.back();
    const std::int64_t padded = DilatedBase(w, any.base.back()) + w.padding_low + w.padding_high;
    const std::int64_t size = (w.size - 1) * w.window_dilation + 1;
    any.positions.push_back(size > padded ? 0 : (padded - size) / w.stride + 1);
  }
  return any;
}

// Returns the offset of the element under one cell of the window at a position, or -1 for padding and holes.
inline std::int64_t BaseElementUnder(const WindowedBase& w, const std::vector<std::int64_t>& position,
                                     const std::vector<std::int64_t>& cell) {
  std::int64_t offset = 0;
  for (std::size_t d = 0; d < position.size(); ++d) {
    const WindowDimension& dimension = w.window.dimensions[d];
    const std::int64_t in_window = dimension.window_reversal ? dimension.size - 1 - cell[d] : cell[d];
    const std::int64_t place =
        position[d] * dimension.stride + in_window * dimension.window_dilation - dimension.padding_low;
    if (place < 0 || place % dimension.base_dilation != 0 || place / dimension.base_dilation >= w.base[d]) return -1;
    offset = offset * w.base[d] + place / dimension.base_dilation;
  }
  return offset;
}

// Calls visit(position offset, element offset) for every element under every window, cells in row-major order.
template <class Visit>
void ForEachElementUnder(const WindowedBase& w, Visit visit) {
  if (Product(w.positions) == 0) return;
  Dimensions cells;
  for (const WindowDimension& d : w.window.dimensions) cells.push_back(d.size);
  std::vector<std::int64_t> position(w.base.size(), 0);
  std::int64_t offset = 0;
  do {
    std::vector<std::int64_t> cell(w.base.size(), 0);
    do {
      const std::int64_t element = BaseElementUnder(w, position, cell);
      if (element >= 0) visit(offset, element);
    } while (IndexUtil::BumpIndices(cells, cell));
    ++offset;
  } while (IndexUtil::BumpIndices(w.positions, position));
}

// Returns floats of widely different sizes, or floats whose sums often differ from a tie between two floats by less
// than the precision of double.
inline std::vector<double> AnyNumbers(std::int64_t count) {
  std::mt19937_64 random(AnyBits());
  const bool have_ties = random() % 2 == 0;
  std::vector<double> numbers;
  for (std::int64_t i = 0; i < count; ++i) {
    if (have_ties) {
      constexpr double kSizes[] = {1, 0x1p-24, 0x1p-80};
      const double size = kSizes[random() % 3];
      numbers.push_back(random() % 2 == 0 ? size : -size);
      continue;
    }
    const auto significand = static_cast<float>(static_cast<std::int32_t>(random()));
    numbers.push_back(std::ldexp(significand, static_cast<int>(random() % 60) - 30));
  }
  return numbers;
}
inline std::vector<double> AnyIntegers(std::int64_t count, int below) {
  std::mt19937_64 random(AnyBits());
  std::vector<double> numbers;
  for (std::int64_t i = 0; i < count; ++i) numbers.push_back(static_cast<double>(random() % below));
  return numbers;
}

}  // namespace assay::testing
