// Ops that apply a computation to elements.
#include "interpreter/hlo/op.h"
#include "interpreter/stablehlo/from_hlo_rows.h"

namespace assay::stablehlo {
namespace {

// Sets the parts of a window. An instruction without one has a window of scalars.
Status AddWindow(const Raising& raising, bool has_dilations, Operation& operation) {
  Int64List sizes, strides, base_dilations, window_dilations;
  std::vector<Int64List> padding;
  const auto* window = raising.instruction.Find<Window>("window");
  for (const WindowDimension& d : window == nullptr ? std::vector<WindowDimension>() : window->dimensions) {
    if (d.window_reversal) return raising.Unsupported("StableHLO has no reversed window here");
    if (!has_dilations && (d.base_dilation != 1 || d.window_dilation != 1)) {
      return raising.Unsupported("StableHLO's select_and_scatter has no dilations");
    }
    sizes.push_back(d.size);
    strides.push_back(d.stride);
    base_dilations.push_back(d.base_dilation);
    window_dilations.push_back(d.window_dilation);
    padding.push_back({d.padding_low, d.padding_high});
  }
  Set(operation, "window_dimensions", Numbers(sizes));
  Set(operation, "window_strides", Numbers(strides));
  if (has_dilations) Set(operation, "base_dilations", Numbers(base_dilations));
  if (has_dilations) Set(operation, "window_dilations", Numbers(window_dilations));
  Set(operation, "padding", RowsOf(padding, 2));
  return {};
}

}  // namespace

Status RaiseMap(const Raising& raising) {
  Operation operation = raising.Start();
  Int64List all;
  for (std::int64_t d = 0; d < raising.instruction.shape.rank(); ++d) all.push_back(d);
  Set(operation, "dimensions", Numbers(all));
  ASSAY_CHECK_OK(raising.AddRegion(operation, "to_apply"));
  return raising.Finish(std::move(operation));
}

Status RaiseReduce(const Raising& raising) {
  Operation operation = raising.Start();
  ASSAY_CHECK_OK(raising.AddRegion(operation, "to_apply"));
  return raising.Finish(std::move(operation));
}

Status RaiseReduceWindow(const Raising& raising) {
  Operation operation = raising.Start();
  ASSAY_CHECK_OK(AddWindow(raising, /*has_dilations=*/true, operation));
  ASSAY_CHECK_OK(raising.AddRegion(operation, "to_apply"));
  return raising.Finish(std::move(operation));
}

Status RaiseScatter(const Raising& raising) {
  Operation operation = raising.Start();
  Set(operation, "scatter_dimension_numbers",
      Fields("scatter", IndexNumbers(raising.instruction, PairsOf("#scatter"))));
  ASSAY_CHECK_OK(raising.AddRegion(operation, "to_apply"));
  return raising.Finish(std::move(operation));
}

Status RaiseSelectAndScatter(const Raising& raising) {
  Operation operation = raising.Start();
  ASSAY_CHECK_OK(AddWindow(raising, /*has_dilations=*/false, operation));
  ASSAY_CHECK_OK(raising.AddRegion(operation, "select"));
  ASSAY_CHECK_OK(raising.AddRegion(operation, "scatter"));
  return raising.Finish(std::move(operation));
}

Status RaiseSort(const Raising& raising) {
  Operation operation = raising.Start();
  ASSAY_CHECK_OK(raising.AddRegion(operation, "to_apply"));
  return raising.Finish(std::move(operation));
}

}  // namespace assay::stablehlo
