#include "backends/pjrt/device/entry_layouts.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "backends/pjrt/device/entry_attributes.h"
#include "interpreter/hlo/parser.h"

namespace assay::pjrt {
namespace {

ElementOrder OrderOf(const Shape& shape) {
  if (!shape.IsArray() || !shape.has_layout() || !shape.layout().tiles.empty()) return {};
  return shape.layout().minor_to_major;
}

// Returns the order in a text such as {0,1}: a shape of so many dimensions has that layout.
ElementOrder OrderIn(const std::string& text) {
  if (!text.starts_with('{')) return {};
  const std::string_view order = std::string_view(text).substr(1, text.find_first_of(":}") - 1);
  const auto rank = order.empty() ? 0 : std::ranges::count(order, ',') + 1;
  const std::vector<std::string_view> sizes(static_cast<std::size_t>(rank), "1");
  const Result<Shape> shape = ParseShape(fmt::format("pred[{}]{}", fmt::join(sizes, ","), text));
  return shape ? OrderOf(*shape) : ElementOrder();
}

std::vector<ElementOrder> OrdersIn(const std::vector<std::optional<std::string>>& texts) {
  std::vector<ElementOrder> orders;
  for (const std::optional<std::string>& text : texts) orders.push_back(text ? OrderIn(*text) : ElementOrder());
  return orders;
}

}  // namespace

EntryLayouts ReadEntryLayouts(const stablehlo::Program& program) {
  const EntryTexts texts = ReadEntryTexts(program, "mhlo.layout_mode");
  return {OrdersIn(texts.parameters), OrdersIn(texts.results)};
}

EntryLayouts EntryLayoutsOf(const HloModule& module) {
  EntryLayouts layouts;
  for (const Shape& shape : module.entry_parameter_layouts) layouts.parameters.push_back(OrderOf(shape));
  const Shape& result = module.entry_result_layout;
  if (!result.IsTuple()) layouts.results.push_back(OrderOf(result));
  for (const Shape& shape : result.tuple_shapes()) layouts.results.push_back(OrderOf(shape));
  return layouts;
}

ElementOrder OrderOrRowMajor(const ElementOrder& order, std::int64_t rank) {
  return std::ssize(order) == rank ? order : LayoutUtil::GetDefaultLayoutForRank(rank).minor_to_major;
}

}  // namespace assay::pjrt
