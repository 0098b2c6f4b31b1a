// Ops that apply a computation to elements.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>

#include "interpreter/stablehlo/to_hlo_operations.h"
#include "interpreter/types/join_text.h"

namespace assay::stablehlo {
namespace {

Result<Window> WindowOf(const Lowering& lowering) {
  const AttributeReader attributes = lowering.attributes();
  ASSAY_TRY(const Int64List sizes, attributes.Integers("window_dimensions"));
  ASSAY_TRY(const Int64List strides, attributes.Integers("window_strides"));
  ASSAY_TRY(const Int64List base_dilations, attributes.Integers("base_dilations"));
  ASSAY_TRY(const Int64List window_dilations, attributes.Integers("window_dilations"));
  ASSAY_TRY(const std::vector<Int64List> padding, attributes.Rows("padding"));
  for (const std::size_t count : {strides.size(), base_dilations.size(), window_dilations.size(), padding.size()}) {
    if (count == 0 || count == sizes.size()) continue;
    return lowering.Illegal(
        fmt::format("strides, dilations and padding must have {} entries, one for each dimension of "
                    "the window, found {}",
                    sizes.size(), count));
  }
  Window window;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    WindowDimension& dimension = window.dimensions.emplace_back();
    dimension.size = sizes[i];
    if (!strides.empty()) dimension.stride = strides[i];
    if (!base_dilations.empty()) dimension.base_dilation = base_dilations[i];
    if (!window_dilations.empty()) dimension.window_dilation = window_dilations[i];
    if (padding.empty()) continue;
    if (padding[i].size() != 2) return lowering.Illegal("padding must be pairs of numbers");
    dimension.padding_low = padding[i][0];
    dimension.padding_high = padding[i][1];
  }
  return window;
}

// Sets the window. Older programs have no window_dimensions in a select_and_scatter of windows of size 1.
void SetWindow(HloInstruction& instruction, Window window) {
  if (!window.dimensions.empty()) instruction.Set("window", std::move(window));
}

}  // namespace

Status LowerMap(const Lowering& lowering) {
  ASSAY_TRY(Int64List dimensions, lowering.attributes().Integers("dimensions"));
  ASSAY_TRY(HloComputation * body, lowering.LowerRegion(0));
  ASSAY_TRY(HloInstruction * map, lowering.AddResult());
  Int64List all(map->shape.IsArray() ? map->shape.rank() : 0);
  std::iota(all.begin(), all.end(), 0);
  if (dimensions != all) {
    return lowering.Illegal(fmt::format("dimensions must be all of the {} of {}, in order, found {}", all.size(),
                                        map->shape.ToStringWithoutLayout(), JoinText(dimensions, ", ")));
  }
  map->Set("dimensions", std::move(dimensions));
  map->Set("to_apply", body);
  return {};
}

Status LowerReduce(const Lowering& lowering) {
  ASSAY_TRY(Int64List dimensions, lowering.attributes().Integers("dimensions"));
  ASSAY_TRY(HloComputation * body, lowering.LowerRegion(0));
  ASSAY_TRY(HloInstruction * reduce, lowering.Promoted(*body).AddResult());
  reduce->Set("dimensions", std::move(dimensions));
  reduce->Set("to_apply", body);
  return {};
}

Status LowerReduceWindow(const Lowering& lowering) {
  ASSAY_TRY(Window window, WindowOf(lowering));
  ASSAY_TRY(HloComputation * body, lowering.LowerRegion(0));
  ASSAY_TRY(HloInstruction * reduce, lowering.Promoted(*body).AddResult());
  SetWindow(*reduce, std::move(window));
  reduce->Set("to_apply", body);
  return {};
}

Status LowerSelectAndScatter(const Lowering& lowering) {
  ASSAY_TRY(Window window, WindowOf(lowering));
  ASSAY_TRY(HloComputation * select, lowering.LowerRegion(0));
  ASSAY_TRY(HloComputation * scatter, lowering.LowerRegion(1));
  ASSAY_TRY(HloInstruction * instruction, lowering.AddResult());
  SetWindow(*instruction, std::move(window));
  instruction->Set("select", select);
  instruction->Set("scatter", scatter);
  return {};
}

// Lowers a sort. A dimension of -1 is the last.
Status LowerSort(const Lowering& lowering) {
  ASSAY_TRY(std::int64_t dimension, lowering.attributes().Integer("dimension", -1));
  ASSAY_TRY(const bool is_stable, lowering.attributes().Bool("is_stable"));
  ASSAY_TRY(HloComputation * comparator, lowering.LowerRegion(0));
  ASSAY_TRY(HloInstruction * sort, lowering.AddResult());
  if (dimension < 0 && !lowering.operands.empty() && lowering.operands[0]->shape.IsArray()) {
    dimension += lowering.operands[0]->shape.rank();
  }
  sort->Set("dimensions", Int64List{dimension});
  if (is_stable) sort->Set("is_stable", true);
  sort->Set("to_apply", comparator);
  return {};
}

}  // namespace assay::stablehlo
