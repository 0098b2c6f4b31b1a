// Ops that apply a computation to elements.
#include <numeric>

#include "interpreter/hlo/op.h"
#include "interpreter/stablehlo/from_hlo_rows.h"

namespace assay::stablehlo {
// The dimensions are all of the operands', in order.
Status RaiseMap(const Raising& raising) {
  Operation operation = raising.Start();
  Int64List all(raising.instruction.shape.rank());
  std::iota(all.begin(), all.end(), 0);
  Set(operation, "dimensions", Numbers(all));
  return raising.Finish(std::move(operation));
}

Status RaiseScatter(const Raising& raising) {
  Operation operation = raising.Start();
  Set(operation, "scatter_dimension_numbers",
      Fields("scatter", IndexNumbers(raising.instruction, PairsOf("#scatter"))));
  return raising.Finish(std::move(operation));
}

// Translates reduce_window, and select_and_scatter, which has no dilations.
Status RaiseWindowed(const Raising& raising) {
  const bool has_dilations = raising.row.operation == "stablehlo.reduce_window";
  const WindowLists window = WindowOf(raising.instruction);
  for (const WindowDimension& d : raising.instruction.window().dimensions) {
    if (d.window_reversal) return raising.Unsupported("StableHLO has no reversed window here");
    if (!has_dilations && (d.base_dilation != 1 || d.window_dilation != 1)) {
      return raising.Unsupported("StableHLO's select_and_scatter has no dilations");
    }
  }
  Operation operation = raising.Start();
  Set(operation, "window_dimensions", Numbers(window.sizes));
  Set(operation, "window_strides", Numbers(window.strides));
  if (has_dilations) Set(operation, "base_dilations", Numbers(window.base_dilations));
  if (has_dilations) Set(operation, "window_dilations", Numbers(window.window_dilations));
  Set(operation, "padding", RowsOf(window.padding, 2));
  return raising.Finish(std::move(operation));
}

}  // namespace assay::stablehlo
