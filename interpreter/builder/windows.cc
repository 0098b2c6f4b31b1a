#include "interpreter/builder/windows.h"

#include <fmt/format.h>

#include <tuple>

namespace assay::xla {

Result<AttributeValue> MakeWindow(const WindowLists& lists) {
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
  const auto member = [](auto WindowDimension::*to) { return [to](WindowDimension& d, auto value) { d.*to = value; }; };
  ASSAY_CHECK_OK(fill(lists.strides, "window_strides", member(&WindowDimension::stride)));
  ASSAY_CHECK_OK(fill(lists.padding, "padding", [](WindowDimension& d, const auto& padding) {
    std::tie(d.padding_low, d.padding_high) = padding;
  }));
  ASSAY_CHECK_OK(fill(lists.base_dilations, "base dilation", member(&WindowDimension::base_dilation)));
  ASSAY_CHECK_OK(fill(lists.window_dilations, "window dilation", member(&WindowDimension::window_dilation)));
  ASSAY_CHECK_OK(fill(lists.reversal, "window_reversal", member(&WindowDimension::window_reversal)));
  return window.dimensions.empty() ? AttributeValue() : AttributeValue(std::move(window));
}

}  // namespace assay::xla
