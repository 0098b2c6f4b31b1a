// Ops that move elements, and those of run-time sizes.
#include <algorithm>
#include <functional>

#include "interpreter/hlo/op.h"
#include "interpreter/stablehlo/from_hlo_rows.h"

namespace assay::stablehlo {
namespace {

// Finishes an operation with one attribute, a list that the instruction has by another name.
Status FinishWithNumbers(const Raising& raising, std::string_view name, std::span<const std::int64_t> numbers) {
  Operation operation = raising.Start();
  Set(operation, name, Numbers(numbers));
  return raising.Finish(std::move(operation));
}

Status FinishWithNumber(const Raising& raising, std::string_view name, std::int64_t number) {
  Operation operation = raising.Start();
  Set(operation, name, Number(number));
  return raising.Finish(std::move(operation));
}

bool IsRowMajor(const Shape& shape) {
  const auto& minor_to_major = shape.layout().minor_to_major;
  return std::ranges::is_sorted(minor_to_major, std::greater());
}

}  // namespace

// A bitcast between row-major layouts is a reshape, or a bitcast_convert. In other layouts it moves elements in a way
// that StableHLO, which has no layouts, cannot state.
Status RaiseBitcast(const Raising& raising) {
  const Shape &operand = raising.instruction.operand(0).shape, &result = raising.instruction.shape;
  if (!operand.IsArray() || !result.IsArray() || !IsRowMajor(operand) || !IsRowMajor(result)) {
    return raising.Unsupported("StableHLO has no layouts");
  }
  if (operand.element_type() == result.element_type()) return raising.Finish(raising.Start());
  if (!ShapeUtil::SameDimensions(operand, result)) {
    return raising.Unsupported("it changes the element type and the dimensions");
  }
  return raising.Finish(raising.Start("stablehlo.bitcast_convert", raising.operands));
}

Status RaiseBroadcast(const Raising& raising) {
  return FinishWithNumbers(raising, "broadcast_dimensions", raising.instruction.Int64s("dimensions"));
}

Status RaiseConcatenate(const Raising& raising) {
  return FinishWithNumber(raising, "dimension", raising.instruction.Int64s("dimensions")[0]);
}

Status RaiseDimensionSize(const Raising& raising) {
  return FinishWithNumber(raising, "dimension", raising.instruction.Int64s("dimensions")[0]);
}

Status RaiseDynamicSlice(const Raising& raising) {
  const std::vector<HloInstruction*>& operands = raising.instruction.operands;
  if (operands.size() > 1 && operands[1]->shape.rank() != 0) {
    return raising.Unsupported("StableHLO has a scalar for each start");
  }
  return FinishWithNumbers(raising, "slice_sizes", raising.instruction.Int64s("dynamic_slice_sizes"));
}

Status RaiseGather(const Raising& raising) {
  const HloInstruction& gather = raising.instruction;
  std::vector<NamedAttribute> numbers;
  constexpr AttributeName kLists[] = {"offset_dims", "collapsed_slice_dims", "operand_batching_dims",
                                      "start_indices_batching_dims", "start_index_map"};
  for (const AttributeName name : kLists) {
    const auto list = gather.Int64s(name);
    if (!list.empty()) numbers.push_back({std::string(std::string_view(name)), Numbers(list)});
  }
  numbers.push_back({"index_vector_dim", Number(gather.Int64("index_vector_dim"))});
  Operation operation = raising.Start();
  Set(operation, "dimension_numbers", Fields("gather", std::move(numbers)));
  Set(operation, "slice_sizes", Numbers(gather.Int64s("slice_sizes")));
  Set(operation, "indices_are_sorted", {gather.Bool("indices_are_sorted")});
  return raising.Finish(std::move(operation));
}

Status RaiseIota(const Raising& raising) {
  return FinishWithNumber(raising, "iota_dimension", raising.instruction.Int64("iota_dimension"));
}

Status RaisePad(const Raising& raising) {
  Int64List low, high, interior;
  for (const PaddingConfigDimension& d : *raising.instruction.Find<PaddingConfig>("padding")) {
    low.push_back(d.edge_padding_low);
    high.push_back(d.edge_padding_high);
    interior.push_back(d.interior_padding);
  }
  Operation operation = raising.Start();
  Set(operation, "edge_padding_low", Numbers(low));
  Set(operation, "edge_padding_high", Numbers(high));
  Set(operation, "interior_padding", Numbers(interior));
  return raising.Finish(std::move(operation));
}

Status RaiseReverse(const Raising& raising) {
  return FinishWithNumbers(raising, "dimensions", raising.instruction.Int64s("dimensions"));
}

Status RaiseSlice(const Raising& raising) {
  Int64List starts, limits, strides;
  for (const SliceDimension& d : *raising.instruction.Find<SliceConfig>("slice")) {
    starts.push_back(d.start);
    limits.push_back(d.limit);
    strides.push_back(d.stride);
  }
  Operation operation = raising.Start();
  Set(operation, "start_indices", Numbers(starts));
  Set(operation, "limit_indices", Numbers(limits));
  Set(operation, "strides", Numbers(strides));
  return raising.Finish(std::move(operation));
}

Status RaiseTranspose(const Raising& raising) {
  return FinishWithNumbers(raising, "permutation", raising.instruction.Int64s("dimensions"));
}

}  // namespace assay::stablehlo
