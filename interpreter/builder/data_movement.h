// Operations that move elements: shapes, slices, tuples, gather.
#pragma once

#include "interpreter/builder/builder.h"
#include "interpreter/builder/dimension_numbers.h"
#include "interpreter/builder/padding.h"

namespace assay::xla {

// Adds new major dimensions.
XlaOp Broadcast(XlaOp operand, const Int64List& broadcast_sizes);
// Maps dimension i of the operand to dimension broadcast_dimensions[i] of the result, of equal size unless size 1 is
// repeated.
XlaOp BroadcastInDim(XlaOp operand, const Int64List& out_dim_size, const Int64List& broadcast_dimensions);

// Keeps the elements in row-major order, or in the order of `dimensions`, which lists the operand's from major to
// minor.
XlaOp Reshape(XlaOp operand, const Int64List& new_sizes);
XlaOp Reshape(XlaOp operand, const Int64List& dimensions, const Int64List& new_sizes);
XlaOp Reshape(const Shape& shape, XlaOp operand);
// The run-time sizes are operands, s32[] each; new_size_bounds are their bounds.
XlaOp DynamicReshape(XlaOp operand, const std::vector<XlaOp>& dim_sizes, const Int64List& new_size_bounds,
                     const std::vector<bool>& dims_are_dynamic);
// Merges adjacent dimensions.
XlaOp Collapse(XlaOp operand, const Int64List& dimensions);
// Makes dimension i of the result from dimension permutation[i] of the operand.
XlaOp Transpose(XlaOp operand, const Int64List& permutation);
XlaOp Rev(XlaOp operand, const Int64List& dimensions);

XlaOp ConcatInDim(XlaBuilder* builder, const std::vector<XlaOp>& operands, std::int64_t dimension);
XlaOp Concatenate(const std::vector<XlaOp>& operands, std::int64_t dimension);
XlaOp Pad(XlaOp operand, XlaOp padding_value, const PaddingConfig& padding_config);
XlaOp PadInDim(XlaOp operand, XlaOp padding_value, std::int64_t dimension, std::int64_t pad_low, std::int64_t pad_high);

// Empty strides mean all 1.
XlaOp Slice(XlaOp operand, const Int64List& start_indices, const Int64List& limit_indices,
            const Int64List& strides = {});
XlaOp SliceInDim(XlaOp operand, std::int64_t start_index, std::int64_t limit_index, std::int64_t stride,
                 std::int64_t dimension);
// Start indices are one scalar per dimension, or one vector. They are clamped so that the slice is in bounds.
XlaOp DynamicSlice(XlaOp operand, const std::vector<XlaOp>& start_indices, const Int64List& slice_sizes);
XlaOp DynamicSlice(XlaOp operand, XlaOp start_indices, const Int64List& slice_sizes);
XlaOp DynamicUpdateSlice(XlaOp operand, XlaOp update, const std::vector<XlaOp>& start_indices);
XlaOp DynamicUpdateSlice(XlaOp operand, XlaOp update, XlaOp start_indices);

XlaOp Gather(XlaOp operand, XlaOp start_indices, const GatherDimensionNumbers& dimension_numbers,
             const Int64List& slice_sizes, bool indices_are_sorted = false);
XlaOp Scatter(XlaOp operand, XlaOp scatter_indices, XlaOp updates, const XlaComputation& update_computation,
              const ScatterDimensionNumbers& dimension_numbers, bool indices_are_sorted = false,
              bool unique_indices = false);
XlaOp Scatter(const std::vector<XlaOp>& operands, XlaOp scatter_indices, const std::vector<XlaOp>& updates,
              const XlaComputation& update_computation, const ScatterDimensionNumbers& dimension_numbers,
              bool indices_are_sorted = false, bool unique_indices = false);

XlaOp GetDimensionSize(XlaOp operand, std::int64_t dimension);
XlaOp SetDimensionSize(XlaOp operand, XlaOp size, std::int64_t dimension);

XlaOp Copy(XlaOp operand);

XlaOp Tuple(XlaBuilder* builder, const std::vector<XlaOp>& elements);
XlaOp GetTupleElement(XlaOp tuple_data, std::int64_t index);

}  // namespace assay::xla
