#include "interpreter/builder/windows.h"

#include <fmt/format.h>

namespace assay::xla {

Result<Window> MakeWindow(const WindowLists& lists) {
  Window window;
  for (const std::int64_t size : lists.sizes) window.dimensions.push_back({.size = size});
  const auto fill = [&](const auto& list, const char* name, auto set) -> Status {
    if (list.empty()) return {};
    if (list.size() != window.dimensions.size()) {
      return Error{ErrorCode::kIllegal, fmt::format("{} must have one entry for each of the {} window dimensions, "
                                                    "found {}",
                                                    name, window.dimensions.size(), list.size())};
    }
    for (std::size_t d = 0; d < list.size(); ++d) set(window.dimensions[d], list[d]);
    return {};
  };
  using Dimension = WindowDimension;
  ASSAY_CHECK_OK(fill(lists.strides, "window_strides", [](Dimension& d, std::int64_t stride) { d.stride = stride; }));
  ASSAY_CHECK_OK(fill(lists.padding, "padding", [](Dimension& d, const std::pair<std::int64_t, std::int64_t>& pad) {
    d.padding_low = pad.first;
    d.padding_high = pad.second;
  }));
  ASSAY_CHECK_OK(fill(lists.base_dilations, "base dilation",
                      [](Dimension& d, std::int64_t dilation) { d.base_dilation = dilation; }));
  ASSAY_CHECK_OK(fill(lists.window_dilations, "window dilation",
                      [](Dimension& d, std::int64_t dilation) { d.window_dilation = dilation; }));
  ASSAY_CHECK_OK(
      fill(lists.reversal, "window_reversal", [](Dimension& d, bool reversal) { d.window_reversal = reversal; }));
  return window;
}

AttributeValue WindowAttribute(Window window) {
  if (window.dimensions.empty()) return {};
  return window;
}

}  // namespace assay::xla
