// Operations that call a computation on elements: reductions, sorts, map.
#pragma once

#include <optional>

#include "interpreter/builder/builder.h"
#include "interpreter/builder/padding.h"

namespace assay::xla {

// N operands need N initial values, and a computation of 2 N scalars that returns N.
XlaOp Reduce(XlaOp operand, XlaOp init_value, const XlaComputation& computation, const Int64List& dimensions_to_reduce);
XlaOp Reduce(XlaBuilder* builder, const std::vector<XlaOp>& operands, const std::vector<XlaOp>& init_values,
             const XlaComputation& computation, const Int64List& dimensions_to_reduce);
XlaOp ReduceAll(XlaOp operand, XlaOp init_value, const XlaComputation& computation);

enum TriState { TRI_STATE_UNSPECIFIED, TRI_STATE_FALSE, TRI_STATE_TRUE };

// The computation maps a slice of each input and the carries to a slice of each output and the next carries. Without
// inputs, scan_dimension_size is the number of calls.
XlaOp Scan(const std::vector<XlaOp>& inputs, const std::vector<XlaOp>& inits, const XlaComputation& computation,
           std::int64_t scan_dimension, std::optional<std::int64_t> scan_dimension_size = std::nullopt,
           bool is_reverse = false, TriState is_associative = TRI_STATE_UNSPECIFIED);

XlaOp ReduceWindow(XlaOp operand, XlaOp init_value, const XlaComputation& computation,
                   const Int64List& window_dimensions, const Int64List& window_strides, Padding padding);
XlaOp ReduceWindow(const std::vector<XlaOp>& operands, const std::vector<XlaOp>& init_values,
                   const XlaComputation& computation, const Int64List& window_dimensions,
                   const Int64List& window_strides, Padding padding);
// Empty dilations or strides mean all 1. Empty padding means none.
XlaOp ReduceWindowWithGeneralPadding(XlaOp operand, XlaOp init_value, const XlaComputation& computation,
                                     const Int64List& window_dimensions, const Int64List& window_strides,
                                     const Int64List& base_dilations, const Int64List& window_dilations,
                                     const PaddingList& padding);
XlaOp ReduceWindowWithGeneralPadding(const std::vector<XlaOp>& operands, const std::vector<XlaOp>& init_values,
                                     const XlaComputation& computation, const Int64List& window_dimensions,
                                     const Int64List& window_strides, const Int64List& base_dilations,
                                     const Int64List& window_dilations, const PaddingList& padding);

XlaOp SelectAndScatter(XlaOp operand, const XlaComputation& select, const Int64List& window_dimensions,
                       const Int64List& window_strides, Padding padding, XlaOp source, XlaOp init_value,
                       const XlaComputation& scatter);
XlaOp SelectAndScatterWithGeneralPadding(XlaOp operand, const XlaComputation& select,
                                         const Int64List& window_dimensions, const Int64List& window_strides,
                                         const PaddingList& padding, XlaOp source, XlaOp init_value,
                                         const XlaComputation& scatter);

// Dimension -1 is the last.
XlaOp Sort(const std::vector<XlaOp>& operands, const XlaComputation& comparator, std::int64_t dimension = -1,
           bool is_stable = false);
// Returns the k largest (or smallest) elements of the last dimension in order, and their indices.
XlaOp TopK(XlaOp operand, std::int64_t k, bool largest);

// `dimensions` must list all dimensions of the operands, in order.
XlaOp Map(XlaBuilder* builder, const std::vector<XlaOp>& operands, const XlaComputation& computation,
          const Int64List& dimensions);

}  // namespace assay::xla
