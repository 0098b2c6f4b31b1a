#include "fuzz/generate/windows.h"

#include <algorithm>

namespace assay::generate {
namespace {

std::int64_t Dilated(std::int64_t size, std::int64_t dilation) { return size == 0 ? 0 : (size - 1) * dilation + 1; }

// Draws a factor, usually 1.
std::int64_t Factor(Random& random) { return random.OneIn(3) ? random.Between(2, 3) : 1; }

// Draws padding; negative padding removes elements.
std::int64_t Edge(Random& random) { return random.Flip() ? 0 : random.Between(-2, 3); }

WindowDimension DrawWindowDimension(Random& random, std::int64_t base_size) {
  WindowDimension window;
  window.stride = Factor(random);
  window.padding_low = Edge(random);
  window.padding_high = Edge(random);
  window.base_dilation = Factor(random);
  window.window_reversal = random.OneIn(4);
  const std::int64_t area = window.padding_low + Dilated(base_size, window.base_dilation) + window.padding_high;
  window.size = random.Between(1, std::clamp<std::int64_t>(area, 1, 4));
  window.window_dilation = window.size == 1 || Dilated(window.size, 2) <= area || random.OneIn(8) ? Factor(random) : 1;
  return window;
}

}  // namespace

Window DrawWindow(Random& random, const Dimensions& base) {
  Window window;
  for (const std::int64_t size : base) window.dimensions.push_back(DrawWindowDimension(random, size));
  return window;
}

Dimensions WindowPositions(const Window& window, const Dimensions& base) {
  Dimensions positions;
  for (std::size_t i = 0; i < base.size(); ++i) {
    const WindowDimension& w = window.dimensions[i];
    const std::int64_t area = w.padding_low + Dilated(base[i], w.base_dilation) + w.padding_high;
    const std::int64_t extent = Dilated(w.size, w.window_dilation);
    positions.push_back(area <= 0 || extent > area ? 0 : (area - extent) / w.stride + 1);
  }
  return positions;
}

PaddingConfig DrawPadding(Random& random, const Dimensions& dimensions) {
  PaddingConfig padding;
  for (const std::int64_t size : dimensions) {
    PaddingConfigDimension& dimension = *padding.add_dimensions();
    dimension.interior_padding = Factor(random) - 1;
    dimension.edge_padding_low = Edge(random);
    const std::int64_t so_far = dimension.edge_padding_low + Dilated(size, dimension.interior_padding + 1);
    dimension.edge_padding_high = std::max(Edge(random), -so_far);
  }
  return padding;
}

}  // namespace assay::generate
