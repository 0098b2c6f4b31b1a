#include <algorithm>
#include <vector>

#include "interpreter/hlo/convolution_attributes.h"
#include "interpreter/ops/common/dot_rules.h"
#include "interpreter/ops/common/dynamic_sizes.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/common/sparse_operands.h"
#include "interpreter/ops/common/window_rules.h"
#include "interpreter/ops/plain/plain.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

using namespace plain;

// Checks that the labels of one array name each of its dimensions once.
Status CheckLabels(const HloInstruction& convolution, std::string_view what, std::int64_t rank, std::int64_t first,
                   std::int64_t second, const Int64List& spatial) {
  const auto n = static_cast<std::int64_t>(spatial.size());
  if (rank != n + 2) {
    return Illegal(convolution, "the {} must have {} dimensions, as many as it has labels, found {}", what, n + 2,
                   rank);
  }
  return CheckDimensionNumbers(convolution, fmt::format("dim_labels of the {}", what),
                               Concatenated({first, second}, spatial), rank);
}

Status CheckAllLabels(const HloInstruction& convolution) {
  const ConvolutionDimensionNumbers& d = DimLabels(convolution);
  const std::size_t n = d.input_spatial_dimensions.size();
  if (d.kernel_spatial_dimensions.size() != n || d.output_spatial_dimensions.size() != n) {
    return Illegal(convolution, "dim_labels must have as many spatial dimensions for each array, found {}, {} and {}",
                   n, d.kernel_spatial_dimensions.size(), d.output_spatial_dimensions.size());
  }
  if (convolution.window().dimensions.size() != n) {
    return Illegal(convolution, "the window must have one entry for each of the {} spatial dimensions, found {}", n,
                   convolution.window().dimensions.size());
  }
  ASSAY_CHECK_OK(CheckLabels(convolution, "input", convolution.operand(0).shape.rank(), d.input_batch_dimension,
                             d.input_feature_dimension, d.input_spatial_dimensions));
  ASSAY_CHECK_OK(CheckLabels(convolution, "kernel", convolution.operand(1).shape.rank(),
                             d.kernel_input_feature_dimension, d.kernel_output_feature_dimension,
                             d.kernel_spatial_dimensions));
  return CheckLabels(convolution, "output", static_cast<std::int64_t>(n) + 2, d.output_batch_dimension,
                     d.output_feature_dimension, d.output_spatial_dimensions);
}

Status CheckGroups(const HloInstruction& convolution, const Shape& input, const Shape& kernel) {
  const ConvolutionDimensionNumbers& d = DimLabels(convolution);
  const std::int64_t feature_groups = convolution.Int64("feature_group_count");
  const std::int64_t batch_groups = convolution.Int64("batch_group_count");
  if (feature_groups < 1 || batch_groups < 1) {
    return Illegal(convolution, "feature_group_count and batch_group_count must be at least 1, found {} and {}",
                   feature_groups, batch_groups);
  }
  if (feature_groups > 1 && batch_groups > 1) {
    return Illegal(convolution, "only one of feature_group_count and batch_group_count may exceed 1, found {} and {}",
                   feature_groups, batch_groups);
  }
  const std::int64_t batch = input.dimensions(d.input_batch_dimension);
  const std::int64_t input_features = input.dimensions(d.input_feature_dimension);
  const std::int64_t kernel_features = kernel.dimensions(d.kernel_input_feature_dimension);
  const std::int64_t output_features = kernel.dimensions(d.kernel_output_feature_dimension);
  if (batch % batch_groups != 0) {
    return Illegal(convolution, "the input's batch {} must be a multiple of batch_group_count {}", batch, batch_groups);
  }
  if (output_features % feature_groups != 0 || output_features % batch_groups != 0) {
    return Illegal(convolution, "the kernel's output features {} must be a multiple of {} {}", output_features,
                   feature_groups > 1 ? "feature_group_count" : "batch_group_count",
                   std::max(feature_groups, batch_groups));
  }
  if (input_features % feature_groups != 0 || input_features / feature_groups != kernel_features) {
    return Illegal(convolution, "the input's features {} must be feature_group_count {} times the kernel's {}",
                   input_features, feature_groups, kernel_features);
  }
  return {};
}

// Returns the spatial dimensions of the input, the base of the window.
Shape SpatialBase(const HloInstruction& convolution, const Shape& input) {
  Shape base = ShapeUtil::MakeScalarShape(input.element_type());
  for (std::int64_t d : DimLabels(convolution).input_spatial_dimensions) {
    base.add_dimension(input.dimensions(d), input.is_dynamic_dimension(d));
  }
  return base;
}

// Infers the result. Every convolution_kind has the shape rules of the forward convolution.
Result<Shape> InferConvolution(const HloInstruction& convolution) {
  ASSAY_CHECK_OK(CheckArrayOperand(convolution, 0));
  ASSAY_CHECK_OK(CheckArrayOperand(convolution, 1));
  ASSAY_CHECK_OK(CheckAllLabels(convolution));
  ASSAY_TRY(const Shape input, DenseShape(convolution, 0));
  ASSAY_TRY(const Shape kernel, DenseShape(convolution, 1));
  ASSAY_CHECK_OK(CheckGroups(convolution, input, kernel));
  const ConvolutionDimensionNumbers& d = DimLabels(convolution);
  const Window& window = convolution.window();
  for (std::size_t i = 0; i < window.dimensions.size(); ++i) {
    const std::int64_t size = kernel.dimensions(d.kernel_spatial_dimensions[i]);
    if (size == window.dimensions[i].size) continue;
    return Illegal(convolution, "the kernel must have the window's size {} in spatial dimension {}, found {}",
                   window.dimensions[i].size, i, size);
  }
  if (kernel.is_dynamic_dimension(d.kernel_output_feature_dimension)) {
    return Illegal(convolution, "the kernel's output feature dimension must not be dynamic, found {}",
                   kernel.ToStringWithoutLayout());
  }
  ASSAY_TRY(const Shape positions,
            InferWindowOutputShape(convolution, SpatialBase(convolution, input), window, input.element_type()));
  Dimensions sizes(input.rank());
  std::vector<bool> is_dynamic(input.rank());
  sizes[d.output_batch_dimension] = input.dimensions(d.input_batch_dimension) / convolution.Int64("batch_group_count");
  is_dynamic[d.output_batch_dimension] = input.is_dynamic_dimension(d.input_batch_dimension);
  sizes[d.output_feature_dimension] = kernel.dimensions(d.kernel_output_feature_dimension);
  for (std::size_t i = 0; i < window.dimensions.size(); ++i) {
    const auto position = static_cast<std::int64_t>(i);
    sizes[d.output_spatial_dimensions[i]] = positions.dimensions(position);
    is_dynamic[d.output_spatial_dimensions[i]] = positions.is_dynamic_dimension(position);
  }
  const PrimitiveType type = convolution.shape.IsArray() ? convolution.shape.element_type()
                                                         : ProductType(input.element_type(), kernel.element_type());
  return ShapeUtil::MakeShape(type, std::move(sizes), std::move(is_dynamic));
}

// Return the indices of lhs[image, place, feature] and of rhs[cell, input feature, output feature], in the order of the
// labels.
Index InputIndex(const ConvolutionDimensionNumbers& labels, std::int64_t image, const Index& place,
                 std::int64_t feature) {
  Index index(place.size() + 2);
  Place(place, labels.input_spatial_dimensions, index);
  index[labels.input_batch_dimension] = image;
  index[labels.input_feature_dimension] = feature;
  return index;
}

Index KernelIndex(const ConvolutionDimensionNumbers& labels, const Index& cell, std::int64_t input_feature,
                  std::int64_t output_feature) {
  Index index(cell.size() + 2);
  Place(cell, labels.kernel_spatial_dimensions, index);
  index[labels.kernel_input_feature_dimension] = input_feature;
  index[labels.kernel_output_feature_dimension] = output_feature;
  return index;
}

// result[b, p, o] = +0 + sum over the cells c and the input features i of one feature group of
//                        lhs[image, the place under c at p, first_feature + i] * rhs[c, i, o]
// Padding and the holes of dilation add no term. The output features are split into batch_group_count groups, and group
// g reads images [g * batch, (g + 1) * batch); or into feature_group_count groups, and group g reads input features [g
// * features, (g + 1) * features). At most one of the two counts exceeds 1.
Literal EvaluateConvolution(const HloInstruction& convolution, std::span<Literal> operands, Evaluation&) {
  MaterializeSparse(convolution, operands);
  const Literal &lhs = operands[0], &rhs = operands[1];
  const ConvolutionDimensionNumbers& labels = DimLabels(convolution);
  const Window window = WindowOfKind(convolution);
  const Index base = Entries(lhs.shape().dimensions(), labels.input_spatial_dimensions);
  const std::int64_t batch = convolution.shape.dimensions(labels.output_batch_dimension);
  const std::int64_t outputs = convolution.shape.dimensions(labels.output_feature_dimension);
  const std::int64_t features = rhs.shape().dimensions(labels.kernel_input_feature_dimension);
  Outputs result(convolution.shape);
  ForEachIndex(result.bounds(), [&](const Index& index) {
    const std::int64_t b = index[labels.output_batch_dimension], o = index[labels.output_feature_dimension];
    const Index p = Entries(index, labels.output_spatial_dimensions);
    const std::int64_t batch_group = o * convolution.Int64("batch_group_count") / outputs;
    const std::int64_t feature_group = o * convolution.Int64("feature_group_count") / outputs;
    const std::int64_t image = batch_group * batch + b, first_feature = feature_group * features;
    Sum sum(convolution.shape.element_type());
    sum.Add(Zero(F64));  // not of the result's type: f8e8m0fnu has no zero
    ForEachIndex(CellBounds(window), [&](const Index& c) {
      const auto place = ElementUnder(window, p, c, base);
      for (std::int64_t i = 0; place && i < features; ++i) {
        sum.AddProduct(At(lhs, InputIndex(labels, image, *place, first_feature + i)),
                       At(rhs, KernelIndex(labels, c, i, o)));
      }
    });
    result.Set(index, sum.Rounded());
  });
  return std::move(result).Take();
}

Status CheckConvolutionIsEvaluated(const HloInstruction& convolution) {
  ASSAY_CHECK_OK(CheckSparseIsEvaluated(convolution));
  return CheckLacks(convolution, "block_scaling_config");
}

void FitConvolution(HloInstruction& convolution) {
  const ConvolutionDimensionNumbers& d = DimLabels(convolution);
  if (convolution.Int64("feature_group_count") == 1) {
    Equalize(convolution, 0, d.input_feature_dimension, 1, d.kernel_input_feature_dimension);
  }
  Window window = convolution.window();
  for (std::size_t i = 0; i < window.dimensions.size(); ++i) {
    window.dimensions[i].size = convolution.operand(1).shape.dimensions(d.kernel_spatial_dimensions[i]);
  }
  convolution.Set("window", std::move(window));
}

}  // namespace

const Op op_convolution = {
    .name = "convolution",
    .meaning = "Sums of products of a sliding window with a kernel.",
    .syntax =
        {
            .attributes = {Optional("window", AttributeKind::kWindow),
                           Required("dim_labels", AttributeKind::kDimLabels), Integer("feature_group_count", 1),
                           Integer("batch_group_count", 1),
                           OneOf("convolution_kind", "unset", {"unset", "fprop", "wgrad", "dgrad"}), OperandPrecision(),
                           DotAlgorithm(), Optional("sparsity_config", AttributeKind::kSparsity),
                           Optional("block_scaling_config", AttributeKind::kRaw)},
        },
    .legality = {.arity = AtLeast(2), .types = kArrays, .allows_mixed_precision = true, .infer = InferConvolution},
    .evaluation =
        {
            .evaluate = EvaluateConvolution,
            .check_evaluated = CheckConvolutionIsEvaluated,
            .fit_run_time_sizes = FitConvolution,
        },
};

}  // namespace assay
