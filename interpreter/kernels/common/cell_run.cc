#include "interpreter/kernels/common/cell_run.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "interpreter/kernels/common/floor_divide.h"

namespace assay {
namespace {

// Returns the inverse of a modulo m, for coprime a and m > 0; 0 for m = 1.
template <class Integer>
Integer Inverse(Integer a, Integer m) {
  Integer r = m, next_r = ((a % m) + m) % m, t = 0, next_t = 1;
  while (next_r != 0) {
    const Integer quotient = r / next_r;
    std::swap(t -= quotient * next_t, next_t);
    std::swap(r -= quotient * next_r, next_r);
  }
  return m == 1 ? 0 : (t % m + m) % m;
}

// Integers hold products of two of the window's numbers.
template <class Integer>
CellRun FindRun(const WindowDimension& window, std::int64_t base_size, std::int64_t cell, std::int64_t begin,
                std::int64_t end) {
  // At position o the cell is at o * stride + offset in the dilated base. A multiple of base_dilation is an element.
  if (window.window_reversal) cell = window.size - 1 - cell;
  const Integer stride = window.stride;
  const Integer dilation = window.base_dilation;
  const Integer offset = Integer{cell} * window.window_dilation - window.padding_low;
  const Integer divisor = std::gcd(window.stride, window.base_dilation);
  if (base_size == 0 || offset % divisor != 0) return {};
  const Integer position_step = dilation / divisor;
  const Integer last_place = Integer{base_size - 1} * dilation;
  const Integer lowest = std::max(Integer{begin}, CeilDivide(-offset, stride));
  const Integer highest = std::min(Integer{end} - 1, FloorDivide(last_place - offset, stride));
  Integer first = lowest;
  if (position_step > 1) {
    // o * (stride / divisor) = -offset / divisor (mod position_step)
    const Integer residue =
        (-offset / divisor) % position_step * Inverse(stride / divisor, position_step) % position_step;
    first += ((residue - lowest) % position_step + position_step) % position_step;
  }
  if (first > highest) return {};
  return {.count = static_cast<std::int64_t>((highest - first) / position_step + 1),
          .first_position = static_cast<std::int64_t>(first - begin),
          .position_step = static_cast<std::int64_t>(position_step),
          .first_element = static_cast<std::int64_t>((first * stride + offset) / dilation),
          .element_step = static_cast<std::int64_t>(stride / divisor)};
}

}  // namespace

CellRun RunOfCell(const WindowDimension& window, std::int64_t base_size, std::int64_t cell, std::int64_t begin,
                  std::int64_t end) {
  constexpr std::int64_t kMost = std::int64_t{1} << 30;
  const auto is_small = [](std::int64_t x) { return -kMost < x && x < kMost; };
  const bool are_small = is_small(window.size) && is_small(window.stride) && is_small(window.window_dilation) &&
                         is_small(window.base_dilation) && is_small(window.padding_low) && is_small(base_size) &&
                         is_small(end);
  return are_small ? FindRun<std::int64_t>(window, base_size, cell, begin, end)
                   : FindRun<WideInteger>(window, base_size, cell, begin, end);
}

}  // namespace assay
