// Ops that move elements, and those of run-time sizes.
#include <algorithm>
#include <functional>
#include <initializer_list>
#include <utility>

#include "interpreter/hlo/op.h"
#include "interpreter/stablehlo/from_hlo_rows.h"

namespace assay::stablehlo {
namespace {

// Finishes an operation that has each field of an attribute's dimensions as a list.
template <class Dimension>
Status FinishWithFields(const Raising& raising, const std::vector<Dimension>& dimensions,
                        std::initializer_list<std::pair<std::string_view, std::int64_t Dimension::*>> fields) {
  Operation operation = raising.Start();
  for (const auto& [name, field] : fields) {
    Int64List numbers;
    for (const Dimension& dimension : dimensions) numbers.push_back(dimension.*field);
    Set(operation, name, Numbers(numbers));
  }
  return raising.Finish(std::move(operation));
}

// Fails for starts in one vector. The first of them is operand `first`.
Status CheckStarts(const Raising& raising, std::size_t first) {
  const std::vector<HloInstruction*>& operands = raising.instruction.operands;
  if (operands.size() <= first || operands[first]->shape.rank() == 0) return {};
  return raising.Unsupported("StableHLO has a scalar for each start");
}

bool IsRowMajor(const Shape& shape) {
  const auto& minor_to_major = shape.layout().minor_to_major;
  return std::ranges::is_sorted(minor_to_major, std::greater());
}

}  // namespace

// Translates a bitcast between row-major layouts to a reshape or a bitcast_convert. StableHLO has no layouts, so other
// bitcasts are errors.
Status RaiseBitcast(const Raising& raising) {
  const Shape &operand = raising.instruction.operand(0).shape, &result = raising.instruction.shape;
  if (!operand.IsArray() || !result.IsArray() || !IsRowMajor(operand) || !IsRowMajor(result)) {
    return raising.Unsupported("StableHLO has no layouts");
  }
  if (ShapeUtil::ElementsIn(operand) > ShapeUtil::ElementsIn(result)) {
    return raising.Unsupported("StableHLO has no view of a part of an array");
  }
  if (operand.element_type() == result.element_type()) return raising.Finish(raising.Start());
  if (!ShapeUtil::SameDimensions(operand, result)) {
    return raising.Unsupported("StableHLO cannot change the element type and the dimensions at once");
  }
  ASSAY_CHECK_OK(CheckBits(raising));
  return raising.Finish(raising.Start("stablehlo.bitcast_convert", raising.operands));
}

Status RaiseDynamicSlice(const Raising& raising) {
  ASSAY_CHECK_OK(CheckStarts(raising, 1));
  return raising.Finish(raising.Start());
}

Status RaiseDynamicUpdateSlice(const Raising& raising) {
  ASSAY_CHECK_OK(CheckStarts(raising, 2));
  return raising.Finish(raising.Start());
}

Status RaiseGather(const Raising& raising) {
  Operation operation = raising.Start();
  Set(operation, "dimension_numbers", Fields("gather", IndexNumbers(raising.instruction, PairsOf("#gather"))));
  return raising.Finish(std::move(operation));
}

Status RaisePad(const Raising& raising) {
  return FinishWithFields(raising, *raising.instruction.Find<PaddingConfig>("padding"),
                          {{"edge_padding_low", &PaddingConfigDimension::edge_padding_low},
                           {"edge_padding_high", &PaddingConfigDimension::edge_padding_high},
                           {"interior_padding", &PaddingConfigDimension::interior_padding}});
}

// The dimension whose run-time size follows from the others matters if there are run-time sizes.
Status RaiseReshape(const Raising& raising) {
  const bool is_dynamic = raising.instruction.shape.IsDynamic() || raising.instruction.operand(0).shape.IsDynamic();
  if (is_dynamic && raising.instruction.Int64("inferred_dimension") >= 0) {
    return raising.Unsupported("StableHLO has no inferred_dimension");
  }
  return raising.Finish(raising.Start());
}

Status RaiseSlice(const Raising& raising) {
  return FinishWithFields(raising, *raising.instruction.Find<SliceConfig>("slice"),
                          {{"start_indices", &SliceDimension::start},
                           {"limit_indices", &SliceDimension::limit},
                           {"strides", &SliceDimension::stride}});
}

}  // namespace assay::stablehlo
