#include "interpreter/builder/data_movement.h"

#include <fmt/format.h>

#include "interpreter/builder/broadcast_steps.h"
#include "interpreter/types/join_text.h"

namespace assay::xla {
namespace {

bool IsDimension(std::int64_t d, const Shape& shape) { return d >= 0 && d < shape.rank(); }

std::string NoDimension(std::int64_t d) { return fmt::format("there is no dimension {}", d); }

}  // namespace

XlaOp Broadcast(XlaOp operand, const Int64List& broadcast_sizes) {
  const Shape* shape = FindShape(operand);
  if (shape == nullptr) return AddInstruction("broadcast", {operand});
  Shape result = ShapeUtil::MakeShape(shape->element_type(), broadcast_sizes);
  Int64List dimensions;
  for (std::int64_t d = 0; d < shape->rank(); ++d) {
    dimensions.push_back(result.rank());
    result.add_dimension(shape->dimensions(d), shape->is_dynamic_dimension(d));
  }
  result.set_default_layout();
  return AddInstruction("broadcast", {operand}, {{"dimensions", dimensions}}, result);
}

XlaOp BroadcastInDim(XlaOp operand, const Int64List& out_dim_size, const Int64List& broadcast_dimensions) {
  const Shape* shape = FindShape(operand);
  if (shape == nullptr) return AddInstruction("broadcast", {operand});
  Shape result = ShapeUtil::MakeShape(shape->element_type(), out_dim_size);
  const auto illegal = [&](std::string message) { return ReportIllegal("broadcast", {operand}, std::move(message)); };
  if (static_cast<std::int64_t>(broadcast_dimensions.size()) != shape->rank()) {
    return illegal(
        fmt::format("broadcast_dimensions must name a dimension of the result for each of the {} of the "
                    "operand, found {}",
                    shape->rank(), broadcast_dimensions.size()));
  }
  BroadcastOperand plan = {result, broadcast_dimensions, {}};
  for (std::int64_t i = 0; i < shape->rank(); ++i) {
    const std::int64_t d = broadcast_dimensions[i];
    if (!IsDimension(d, result)) {
      return illegal(fmt::format("broadcast_dimensions has {}, which is outside [0, {})", d, result.rank()));
    }
    if (i > 0 && d <= broadcast_dimensions[i - 1]) {
      return illegal(fmt::format("broadcast_dimensions must be strictly increasing, found {{{}}}",
                                 JoinText(broadcast_dimensions, ",")));
    }
    if (shape->dimensions(i) != 1 && shape->dimensions(i) != result.dimensions(d)) {
      return illegal(fmt::format("dimension {} must be 1 or as large as dimension {} of {}, found {}", i, d,
                                 result.ToStringWithoutLayout(), shape->dimensions(i)));
    }
    plan.in_dim_shape.set_dimensions(d, shape->dimensions(i));
    plan.in_dim_shape.set_dynamic_dimension(d, shape->is_dynamic_dimension(i));
    if (shape->dimensions(i) == result.dimensions(d)) {
      result.set_dynamic_dimension(d, shape->is_dynamic_dimension(i));
    } else {
      plan.degenerate_dimensions.push_back(d);
    }
  }
  return BroadcastSteps(operand, plan, result);
}

XlaOp Reshape(const Shape& shape, XlaOp operand) { return AddInstruction("reshape", {operand}, {}, shape); }

XlaOp Reshape(XlaOp operand, const Int64List& new_sizes) {
  const Shape* shape = FindShape(operand);
  return Reshape(shape == nullptr ? Shape() : ShapeUtil::MakeShape(shape->element_type(), new_sizes), operand);
}

XlaOp Reshape(XlaOp operand, const Int64List& dimensions, const Int64List& new_sizes) {
  const Shape* shape = FindShape(operand);
  const bool keeps_order = shape != nullptr && dimensions == AllDimensions(shape->rank());
  return Reshape(keeps_order ? operand : Transpose(operand, dimensions), new_sizes);
}

XlaOp DynamicReshape(XlaOp operand, const std::vector<XlaOp>& dim_sizes, const Int64List& new_size_bounds,
                     const std::vector<bool>& dims_are_dynamic) {
  const Shape* shape = FindShape(operand);
  if (new_size_bounds.size() != dims_are_dynamic.size()) {
    return ReportIllegal("dynamic-reshape", {operand}, "needs as many of dims_are_dynamic as of new_size_bounds");
  }
  return AddInstruction(
      "dynamic-reshape", Joined({operand}, dim_sizes), {},
      shape == nullptr ? Shape() : ShapeUtil::MakeShape(shape->element_type(), new_size_bounds, dims_are_dynamic));
}

XlaOp Collapse(XlaOp operand, const Int64List& dimensions) {
  const Shape* shape = FindShape(operand);
  if (shape == nullptr) return AddInstruction("reshape", {operand});
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    const std::int64_t d = dimensions[i];
    if (!IsDimension(d, *shape)) return ReportIllegal("reshape", {operand}, NoDimension(d));
    if (d == dimensions[0] + static_cast<std::int64_t>(i)) continue;
    return ReportIllegal("reshape", {operand}, "dimensions to collapse must follow one another");
  }
  if (dimensions.size() <= 1) return operand;
  Int64List sizes;
  for (std::int64_t d = 0; d < shape->rank(); ++d) {
    if (d > dimensions.front() && d <= dimensions.back()) {
      sizes.back() = SizeTimes(sizes.back(), shape->dimensions(d));
    } else {
      sizes.push_back(shape->dimensions(d));
    }
  }
  return Reshape(operand, sizes);
}

XlaOp Transpose(XlaOp operand, const Int64List& permutation) {
  return AddInstruction("transpose", {operand}, {{"dimensions", permutation}});
}

XlaOp Rev(XlaOp operand, const Int64List& dimensions) {
  return AddInstruction("reverse", {operand}, {{"dimensions", dimensions}});
}

XlaOp ConcatInDim(XlaBuilder* builder, const std::vector<XlaOp>& operands, std::int64_t dimension) {
  return AddInstruction(builder, "concatenate", operands, {{"dimensions", Int64List{dimension}}});
}

XlaOp Concatenate(const std::vector<XlaOp>& operands, std::int64_t dimension) {
  return AddInstruction("concatenate", operands, {{"dimensions", Int64List{dimension}}});
}

XlaOp Pad(XlaOp operand, XlaOp padding_value, const PaddingConfig& padding_config) {
  return AddInstruction("pad", {operand, padding_value}, {{"padding", padding_config}});
}

XlaOp PadInDim(XlaOp operand, XlaOp padding_value, std::int64_t dimension, std::int64_t pad_low,
               std::int64_t pad_high) {
  const Shape* shape = FindShape(operand);
  if (shape == nullptr) return AddInstruction("pad", {operand, padding_value});
  if (!IsDimension(dimension, *shape)) {
    return ReportIllegal("pad", {operand, padding_value}, NoDimension(dimension));
  }
  PaddingConfig config = MakeNoPaddingConfig(shape->rank());
  config[dimension] = {pad_low, pad_high, 0};
  return Pad(operand, padding_value, config);
}

XlaOp Slice(XlaOp operand, const Int64List& start_indices, const Int64List& limit_indices, const Int64List& strides) {
  if (start_indices.size() != limit_indices.size() || (!strides.empty() && strides.size() != start_indices.size())) {
    return ReportIllegal("slice", {operand},
                         fmt::format("needs as many limits and strides as starts, found {}, {} and {}",
                                     limit_indices.size(), strides.size(), start_indices.size()));
  }
  SliceConfig slice;
  for (std::size_t d = 0; d < start_indices.size(); ++d) {
    slice.push_back({start_indices[d], limit_indices[d], strides.empty() ? 1 : strides[d]});
  }
  return AddInstruction("slice", {operand}, {{"slice", slice}});
}

XlaOp SliceInDim(XlaOp operand, std::int64_t start_index, std::int64_t limit_index, std::int64_t stride,
                 std::int64_t dimension) {
  const Shape* shape = FindShape(operand);
  if (shape == nullptr) return AddInstruction("slice", {operand});
  if (!IsDimension(dimension, *shape)) {
    return ReportIllegal("slice", {operand}, NoDimension(dimension));
  }
  Int64List starts(shape->rank(), 0), limits = shape->dimensions(), strides(shape->rank(), 1);
  starts[dimension] = start_index;
  limits[dimension] = limit_index;
  strides[dimension] = stride;
  return Slice(operand, starts, limits, strides);
}

XlaOp DynamicSlice(XlaOp operand, const std::vector<XlaOp>& start_indices, const Int64List& slice_sizes) {
  return AddInstruction("dynamic-slice", Joined({operand}, start_indices), {{"dynamic_slice_sizes", slice_sizes}});
}

XlaOp DynamicSlice(XlaOp operand, XlaOp start_indices, const Int64List& slice_sizes) {
  return DynamicSlice(operand, std::vector<XlaOp>{start_indices}, slice_sizes);
}

XlaOp DynamicUpdateSlice(XlaOp operand, XlaOp update, const std::vector<XlaOp>& start_indices) {
  return AddInstruction("dynamic-update-slice", Joined({operand, update}, start_indices));
}

XlaOp DynamicUpdateSlice(XlaOp operand, XlaOp update, XlaOp start_indices) {
  return DynamicUpdateSlice(operand, update, std::vector<XlaOp>{start_indices});
}

XlaOp Gather(XlaOp operand, XlaOp start_indices, const GatherDimensionNumbers& dimension_numbers,
             const Int64List& slice_sizes, bool indices_are_sorted) {
  const GatherDimensionNumbers& d = dimension_numbers;
  return AddInstruction("gather", {operand, start_indices},
                        {{"offset_dims", d.offset_dims},
                         {"collapsed_slice_dims", d.collapsed_slice_dims},
                         {"start_index_map", d.start_index_map},
                         {"operand_batching_dims", d.operand_batching_dims},
                         {"start_indices_batching_dims", d.start_indices_batching_dims},
                         {"index_vector_dim", d.index_vector_dim},
                         {"slice_sizes", slice_sizes},
                         {"indices_are_sorted", indices_are_sorted}});
}

XlaOp Scatter(XlaOp operand, XlaOp scatter_indices, XlaOp updates, const XlaComputation& update_computation,
              const ScatterDimensionNumbers& dimension_numbers, bool indices_are_sorted, bool unique_indices) {
  return Scatter(std::vector<XlaOp>{operand}, scatter_indices, std::vector<XlaOp>{updates}, update_computation,
                 dimension_numbers, indices_are_sorted, unique_indices);
}

XlaOp Scatter(const std::vector<XlaOp>& operands, XlaOp scatter_indices, const std::vector<XlaOp>& updates,
              const XlaComputation& update_computation, const ScatterDimensionNumbers& dimension_numbers,
              bool indices_are_sorted, bool unique_indices) {
  const ScatterDimensionNumbers& d = dimension_numbers;
  return AddInstruction("scatter", Joined(Joined(operands, {scatter_indices}), updates),
                        {{"update_window_dims", d.update_window_dims},
                         {"inserted_window_dims", d.inserted_window_dims},
                         {"scatter_dims_to_operand_dims", d.scatter_dims_to_operand_dims},
                         {"input_batching_dims", d.input_batching_dims},
                         {"scatter_indices_batching_dims", d.scatter_indices_batching_dims},
                         {"index_vector_dim", d.index_vector_dim},
                         {"indices_are_sorted", indices_are_sorted},
                         {"unique_indices", unique_indices},
                         {"to_apply", update_computation}});
}

XlaOp GetDimensionSize(XlaOp operand, std::int64_t dimension) {
  return AddInstruction("get-dimension-size", {operand}, {{"dimensions", Int64List{dimension}}});
}

XlaOp SetDimensionSize(XlaOp operand, XlaOp size, std::int64_t dimension) {
  return AddInstruction("set-dimension-size", {operand, size}, {{"dimensions", Int64List{dimension}}});
}

XlaOp Copy(XlaOp operand) { return AddInstruction("copy", {operand}); }

XlaOp Tuple(XlaBuilder* builder, const std::vector<XlaOp>& elements) {
  return AddInstruction(builder, "tuple", elements);
}

XlaOp GetTupleElement(XlaOp tuple_data, std::int64_t index) {
  return AddInstruction("get-tuple-element", {tuple_data}, {{"index", index}});
}

}  // namespace assay::xla
