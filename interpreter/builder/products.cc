#include "interpreter/builder/products.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string>

#include "interpreter/builder/add_instruction.h"
#include "interpreter/builder/windows.h"

namespace assay::xla {
namespace {

OpAttribute Precision(const PrecisionConfig* config) {
  static constexpr const char* kNames[] = {"default", "high", "highest"};
  if (config == nullptr || config->operand_precision.empty()) return {"operand_precision", AttributeValue()};
  std::vector<std::string> names;
  for (const PrecisionConfig::Precision precision : config->operand_precision) names.emplace_back(kNames[precision]);
  return {"operand_precision", names};
}

OpAttribute Algorithm(const PrecisionConfig* config) {
  if (config == nullptr || config->algorithm.empty()) return {"algorithm", AttributeValue()};
  return {"algorithm", config->algorithm};
}

// True if a sum of numbers of `type` may be requested in `preferred`: not complex as real, float as integer, or integer
// as a narrower one.
bool CanBecome(PrimitiveType type, PrimitiveType preferred) {
  if (preferred == type || IsComplexType(preferred)) return true;
  if (IsFloatingPointType(preferred)) return !IsComplexType(type);
  return IsIntegralType(preferred) && !IsInexactType(type) && BitWidth(preferred) >= BitWidth(type);
}

// Adds a product of the first two operands. The preferred type is the element type of the result; the operands
// determine its dimensions.
XlaOp AddProduct(std::string_view op, const std::vector<XlaOp>& operands, std::vector<OpAttribute> attributes,
                 std::optional<PrimitiveType> preferred) {
  if (!preferred) return AddInstruction(op, operands, std::move(attributes));
  for (const XlaOp operand : {operands[0], operands[1]}) {
    const Shape* shape = FindShape(operand);
    if (shape == nullptr || CanBecome(shape->element_type(), *preferred)) continue;
    return ReportIllegal(op, operands,
                         fmt::format("preferred_element_type cannot be {}: {} would lose its kind or width",
                                     PrimitiveTypeName(*preferred), PrimitiveTypeName(shape->element_type())));
  }
  return AddInstruction(op, operands, std::move(attributes), ShapeUtil::MakeScalarShape(*preferred));
}

// Returns the dimension numbers of CreateDefaultConvDimensionNumbers for the rank of the input.
ConvolutionDimensionNumbers DefaultNumbers(XlaOp input) {
  const Shape* shape = FindShape(input);
  return CreateDefaultConvDimensionNumbers(shape == nullptr ? 0 : std::max<std::int64_t>(shape->rank() - 2, 0));
}

Int64List SizesOf(const Shape& shape, const Int64List& dimensions) {
  Int64List sizes;
  for (const std::int64_t d : dimensions) sizes.push_back(d >= 0 && d < shape.rank() ? shape.dimensions(d) : 0);
  return sizes;
}

PaddingList ConvolutionPadding(XlaOp lhs, XlaOp rhs, const Int64List& window_strides, Padding padding,
                               const ConvolutionDimensionNumbers& d) {
  const Shape* input = FindShape(lhs);
  const Shape* kernel = FindShape(rhs);
  if (input == nullptr || kernel == nullptr) return {};
  return MakePadding(SizesOf(*input, d.input_spatial_dimensions), SizesOf(*kernel, d.kernel_spatial_dimensions),
                     window_strides, padding);
}

}  // namespace

XlaOp Dot(XlaOp lhs, XlaOp rhs, const PrecisionConfig* precision_config,
          std::optional<PrimitiveType> preferred_element_type) {
  const Shape* lhs_shape = FindShape(lhs);
  const Shape* rhs_shape = FindShape(rhs);
  if (lhs_shape == nullptr || rhs_shape == nullptr) return AddInstruction("dot", {lhs, rhs});
  const auto is_legal = [](const Shape& shape) { return shape.IsArray() && (shape.rank() == 1 || shape.rank() == 2); };
  if (!is_legal(*lhs_shape) || !is_legal(*rhs_shape)) {
    return ReportIllegal("dot", {lhs, rhs}, "operands must be vectors or matrices; DotGeneral takes all others");
  }
  DotDimensionNumbers dimension_numbers;
  dimension_numbers.add_lhs_contracting_dimensions(lhs_shape->rank() - 1);
  dimension_numbers.add_rhs_contracting_dimensions(0);
  return DotGeneral(lhs, rhs, dimension_numbers, precision_config, preferred_element_type);
}

XlaOp DotGeneral(XlaOp lhs, XlaOp rhs, const DotDimensionNumbers& d, const PrecisionConfig* precision_config,
                 std::optional<PrimitiveType> preferred_element_type) {
  return AddProduct("dot", {lhs, rhs},
                    {{"lhs_batch_dims", d.lhs_batch_dimensions},
                     {"lhs_contracting_dims", d.lhs_contracting_dimensions},
                     {"rhs_batch_dims", d.rhs_batch_dimensions},
                     {"rhs_contracting_dims", d.rhs_contracting_dimensions},
                     Precision(precision_config),
                     Algorithm(precision_config)},
                    preferred_element_type);
}

XlaOp RaggedDot(XlaOp lhs, XlaOp rhs, XlaOp group_sizes, const RaggedDotDimensionNumbers& dimension_numbers,
                const PrecisionConfig* precision_config, std::optional<PrimitiveType> preferred_element_type) {
  const DotDimensionNumbers& d = dimension_numbers.dot_dimension_numbers;
  return AddProduct("ragged-dot", {lhs, rhs, group_sizes},
                    {{"lhs_batch_dims", d.lhs_batch_dimensions},
                     {"lhs_contracting_dims", d.lhs_contracting_dimensions},
                     {"rhs_batch_dims", d.rhs_batch_dimensions},
                     {"rhs_contracting_dims", d.rhs_contracting_dimensions},
                     {"lhs_ragged_dims", dimension_numbers.lhs_ragged_dimensions},
                     {"rhs_group_dims", dimension_numbers.rhs_group_dimensions},
                     Precision(precision_config)},
                    preferred_element_type);
}

ConvolutionDimensionNumbers CreateDefaultConvDimensionNumbers(std::int64_t num_spatial_dims) {
  ConvolutionDimensionNumbers d;
  d.input_feature_dimension = d.kernel_input_feature_dimension = d.output_feature_dimension = 1;
  for (std::int64_t i = 0; i < num_spatial_dims; ++i) {
    d.input_spatial_dimensions.push_back(i + 2);
    d.kernel_spatial_dimensions.push_back(i + 2);
    d.output_spatial_dimensions.push_back(i + 2);
  }
  return d;
}

XlaOp Conv(XlaOp lhs, XlaOp rhs, const Int64List& window_strides, Padding padding, std::int64_t feature_group_count,
           std::int64_t batch_group_count, const PrecisionConfig* precision_config,
           std::optional<PrimitiveType> preferred_element_type) {
  return ConvWithGeneralDimensions(lhs, rhs, window_strides, padding, DefaultNumbers(lhs), feature_group_count,
                                   batch_group_count, precision_config, preferred_element_type);
}

XlaOp ConvWithGeneralPadding(XlaOp lhs, XlaOp rhs, const Int64List& window_strides, const PaddingList& padding,
                             std::int64_t feature_group_count, std::int64_t batch_group_count,
                             const PrecisionConfig* precision_config,
                             std::optional<PrimitiveType> preferred_element_type) {
  return ConvGeneral(lhs, rhs, window_strides, padding, DefaultNumbers(lhs), feature_group_count, batch_group_count,
                     precision_config, preferred_element_type);
}

XlaOp ConvWithGeneralPadding(XlaOp lhs, XlaOp rhs, const Int64List& window_strides, const PaddingList& padding,
                             const Int64List& lhs_dilation, const Int64List& rhs_dilation,
                             std::int64_t feature_group_count, std::int64_t batch_group_count) {
  return ConvGeneralDilated(lhs, rhs, window_strides, padding, lhs_dilation, rhs_dilation, DefaultNumbers(lhs),
                            feature_group_count, batch_group_count);
}

XlaOp ConvWithGeneralDimensions(XlaOp lhs, XlaOp rhs, const Int64List& window_strides, Padding padding,
                                const ConvolutionDimensionNumbers& dimension_numbers, std::int64_t feature_group_count,
                                std::int64_t batch_group_count, const PrecisionConfig* precision_config,
                                std::optional<PrimitiveType> preferred_element_type) {
  return ConvGeneral(lhs, rhs, window_strides, ConvolutionPadding(lhs, rhs, window_strides, padding, dimension_numbers),
                     dimension_numbers, feature_group_count, batch_group_count, precision_config,
                     preferred_element_type);
}

XlaOp ConvGeneral(XlaOp lhs, XlaOp rhs, const Int64List& window_strides, const PaddingList& padding,
                  const ConvolutionDimensionNumbers& dimension_numbers, std::int64_t feature_group_count,
                  std::int64_t batch_group_count, const PrecisionConfig* precision_config,
                  std::optional<PrimitiveType> preferred_element_type) {
  return ConvGeneralDilated(lhs, rhs, window_strides, padding, {}, {}, dimension_numbers, feature_group_count,
                            batch_group_count, precision_config, preferred_element_type);
}

XlaOp ConvGeneralDilated(XlaOp lhs, XlaOp rhs, const Int64List& window_strides, const PaddingList& padding,
                         const Int64List& lhs_dilation, const Int64List& rhs_dilation,
                         const ConvolutionDimensionNumbers& dimension_numbers, std::int64_t feature_group_count,
                         std::int64_t batch_group_count, const PrecisionConfig* precision_config,
                         std::optional<PrimitiveType> preferred_element_type,
                         const std::vector<bool>& window_reversal) {
  const Shape* kernel = FindShape(rhs);
  if (kernel == nullptr) return AddInstruction("convolution", {lhs, rhs});
  Result<AttributeValue> window = MakeWindow({SizesOf(*kernel, dimension_numbers.kernel_spatial_dimensions),
                                              window_strides, padding, lhs_dilation, rhs_dilation, window_reversal});
  if (!window) return ReportIllegal("convolution", {lhs, rhs}, window.error().message);
  return AddProduct("convolution", {lhs, rhs},
                    {{"window", *std::move(window)},
                     {"dim_labels", dimension_numbers},
                     {"feature_group_count", feature_group_count},
                     {"batch_group_count", batch_group_count},
                     Precision(precision_config),
                     Algorithm(precision_config)},
                    preferred_element_type);
}

XlaOp Fft(XlaOp operand, FftType fft_type, const Int64List& fft_length) {
  static constexpr const char* kNames[] = {"FFT", "IFFT", "RFFT", "IRFFT"};
  return AddInstruction("fft", {operand},
                        {{"fft_type", kNames[static_cast<int>(fft_type)]}, {"fft_length", fft_length}});
}

XlaOp Cholesky(XlaOp a, bool lower) { return AddInstruction("cholesky", {a}, {{"lower", lower}}); }

XlaOp TriangularSolve(XlaOp a, XlaOp b, bool left_side, bool lower, bool unit_diagonal,
                      TriangularSolveOptions::Transpose transpose_a) {
  static constexpr const char* kNames[] = {"TRANSPOSE_INVALID", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"};
  return AddInstruction("triangular-solve", {a, b},
                        {{"left_side", left_side},
                         {"lower", lower},
                         {"unit_diagonal", unit_diagonal},
                         {"transpose_a", kNames[transpose_a]}});
}

namespace {

// Returns the value of the shortest decimal that represents the number, as printed in a module's text: a built module
// and its parsed text are equal.
double AsWritten(float number) {
  const std::string text = fmt::format("{}", number);
  double written = 0;
  std::from_chars(text.data(), text.data() + text.size(), written);
  return written;
}

}  // namespace

XlaOp BatchNormTraining(XlaOp operand, XlaOp scale, XlaOp offset, float epsilon, std::int64_t feature_index) {
  return AddInstruction("batch-norm-training", {operand, scale, offset},
                        {{"epsilon", AsWritten(epsilon)}, {"feature_index", feature_index}});
}

XlaOp BatchNormInference(XlaOp operand, XlaOp scale, XlaOp offset, XlaOp mean, XlaOp variance, float epsilon,
                         std::int64_t feature_index) {
  return AddInstruction("batch-norm-inference", {operand, scale, offset, mean, variance},
                        {{"epsilon", AsWritten(epsilon)}, {"feature_index", feature_index}});
}

XlaOp BatchNormGrad(XlaOp operand, XlaOp scale, XlaOp mean, XlaOp variance, XlaOp grad_output, float epsilon,
                    std::int64_t feature_index) {
  return AddInstruction("batch-norm-grad", {operand, scale, mean, variance, grad_output},
                        {{"epsilon", AsWritten(epsilon)}, {"feature_index", feature_index}});
}

}  // namespace assay::xla
