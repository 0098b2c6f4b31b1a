// Products, transforms and decompositions of matrices, convolutions, batch normalization.
#pragma once

#include <optional>

#include "interpreter/builder/builder.h"
#include "interpreter/builder/dimension_numbers.h"
#include "interpreter/builder/padding.h"

namespace assay::xla {

// A null precision_config requests nothing. preferred_element_type is the element type of the result.

// Contracts the last dimension of lhs with the first of rhs, for vectors and matrices.
XlaOp Dot(XlaOp lhs, XlaOp rhs, const PrecisionConfig* precision_config = nullptr,
          std::optional<PrimitiveType> preferred_element_type = std::nullopt);
XlaOp DotGeneral(XlaOp lhs, XlaOp rhs, const DotDimensionNumbers& dimension_numbers,
                 const PrecisionConfig* precision_config = nullptr,
                 std::optional<PrimitiveType> preferred_element_type = std::nullopt);
XlaOp RaggedDot(XlaOp lhs, XlaOp rhs, XlaOp group_sizes, const RaggedDotDimensionNumbers& dimension_numbers,
                const PrecisionConfig* precision_config = nullptr,
                std::optional<PrimitiveType> preferred_element_type = std::nullopt);

// Order: batch, feature, spatial dimensions; in the kernel output feature, input feature, spatial dimensions.
ConvolutionDimensionNumbers CreateDefaultConvDimensionNumbers(std::int64_t num_spatial_dims = 2);

// Omitted properties have defaults: no padding, dilations of 1, the dimension numbers above.
XlaOp Conv(XlaOp lhs, XlaOp rhs, const Int64List& window_strides, Padding padding, std::int64_t feature_group_count = 1,
           std::int64_t batch_group_count = 1, const PrecisionConfig* precision_config = nullptr,
           std::optional<PrimitiveType> preferred_element_type = std::nullopt);
XlaOp ConvWithGeneralPadding(XlaOp lhs, XlaOp rhs, const Int64List& window_strides, const PaddingList& padding,
                             std::int64_t feature_group_count = 1, std::int64_t batch_group_count = 1,
                             const PrecisionConfig* precision_config = nullptr,
                             std::optional<PrimitiveType> preferred_element_type = std::nullopt);
// The arguments of the table in XLA, Operation Semantics: ConvWithGeneralPadding.
XlaOp ConvWithGeneralPadding(XlaOp lhs, XlaOp rhs, const Int64List& window_strides, const PaddingList& padding,
                             const Int64List& lhs_dilation, const Int64List& rhs_dilation,
                             std::int64_t feature_group_count = 1, std::int64_t batch_group_count = 1);
XlaOp ConvWithGeneralDimensions(XlaOp lhs, XlaOp rhs, const Int64List& window_strides, Padding padding,
                                const ConvolutionDimensionNumbers& dimension_numbers,
                                std::int64_t feature_group_count = 1, std::int64_t batch_group_count = 1,
                                const PrecisionConfig* precision_config = nullptr,
                                std::optional<PrimitiveType> preferred_element_type = std::nullopt);
XlaOp ConvGeneral(XlaOp lhs, XlaOp rhs, const Int64List& window_strides, const PaddingList& padding,
                  const ConvolutionDimensionNumbers& dimension_numbers, std::int64_t feature_group_count = 1,
                  std::int64_t batch_group_count = 1, const PrecisionConfig* precision_config = nullptr,
                  std::optional<PrimitiveType> preferred_element_type = std::nullopt);
XlaOp ConvGeneralDilated(XlaOp lhs, XlaOp rhs, const Int64List& window_strides, const PaddingList& padding,
                         const Int64List& lhs_dilation, const Int64List& rhs_dilation,
                         const ConvolutionDimensionNumbers& dimension_numbers, std::int64_t feature_group_count = 1,
                         std::int64_t batch_group_count = 1, const PrecisionConfig* precision_config = nullptr,
                         std::optional<PrimitiveType> preferred_element_type = std::nullopt,
                         const std::vector<bool>& window_reversal = {});

XlaOp Fft(XlaOp operand, FftType fft_type, const Int64List& fft_length);
XlaOp Cholesky(XlaOp a, bool lower);
XlaOp TriangularSolve(XlaOp a, XlaOp b, bool left_side, bool lower, bool unit_diagonal,
                      TriangularSolveOptions::Transpose transpose_a);

XlaOp BatchNormTraining(XlaOp operand, XlaOp scale, XlaOp offset, float epsilon, std::int64_t feature_index);
XlaOp BatchNormInference(XlaOp operand, XlaOp scale, XlaOp offset, XlaOp mean, XlaOp variance, float epsilon,
                         std::int64_t feature_index);
XlaOp BatchNormGrad(XlaOp operand, XlaOp scale, XlaOp mean, XlaOp variance, XlaOp grad_output, float epsilon,
                    std::int64_t feature_index);

}  // namespace assay::xla
