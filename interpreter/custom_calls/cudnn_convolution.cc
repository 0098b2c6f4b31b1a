// Convolutions by cuDNN, as XLA:GPU's ConvRewriter and CudnnFusedConvRewriter leave them.
#include <utility>
#include <vector>

#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/custom_calls/call_config.h"
#include "interpreter/custom_calls/family.h"
#include "interpreter/custom_calls/library_results.h"
#include "interpreter/custom_calls/post_ops.h"
#include "interpreter/custom_calls/product_call.h"
#include "interpreter/kernels/common/permuted.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

constexpr std::string_view kForward = "__cudnn$convForward";
constexpr std::string_view kBackwardInput = "__cudnn$convBackwardInput";
constexpr std::string_view kBackwardFilter = "__cudnn$convBackwardFilter";
constexpr std::string_view kFused = "__cudnn$convBiasActivationForward";

struct Mode {
  std::string_view name;
  Activation::Kind activation;
};
// In the order of stream_executor.dnn.ActivationMode; kReluX and kBandPass have bounds that the configuration does not
// contain.
constexpr Mode kModes[] = {
    {"kNone", Activation::Kind::kNone},           {"kSigmoid", Activation::Kind::kSigmoid},
    {"kRelu", Activation::Kind::kRelu},           {"kRelu6", Activation::Kind::kRelu6},
    {"kReluX", Activation::Kind::kNone},          {"kTanh", Activation::Kind::kTanh},
    {"kBandPass", Activation::Kind::kNone},       {"kElu", Activation::Kind::kElu},
    {"kLeakyRelu", Activation::Kind::kLeakyRelu}, {"kGeluExact", Activation::Kind::kGeluExact},
};

Result<Activation> ActivationOf(const HloInstruction& call, const CallConfig& config) {
  std::vector<std::string_view> names;
  for (const Mode& mode : kModes) names.push_back(mode.name);
  ASSAY_TRY(const std::string_view name, config.Word("activation_mode", names));
  ASSAY_TRY(const double alpha, config.Double("leakyrelu_alpha"));
  for (const Mode& mode : kModes) {
    const bool has_meaning = mode.activation != Activation::Kind::kNone || mode.name == "kNone";
    if (mode.name == name && has_meaning) return Activation{.kind = mode.activation, .alpha = alpha};
  }
  return NotEvaluated(call, "activation_mode {} is not evaluated: nothing says its bounds", name);
}

// A product that is equal to the call, and the change of the kernel that the product needs.
struct ConvolutionProduct {
  StandIn convolution;
  std::int64_t swapped_groups = 1;  // above 1: the output features of this many groups become input features
};

std::vector<Attribute> Attributes(Window window, ConvolutionDimensionNumbers labels, std::int64_t feature_groups,
                                  std::int64_t batch_groups) {
  return {{"window", std::move(window)},
          {"dim_labels", std::move(labels)},
          {"feature_group_count", feature_groups},
          {"batch_group_count", batch_groups}};
}

// Checks the window of a gradient: no base dilation and no reversal.
Status CheckBackwardWindow(const HloInstruction& call, const ConvolutionDimensionNumbers& labels) {
  if (call.window().dimensions.size() != labels.input_spatial_dimensions.size()) {
    return BadCall(call, "the window must have one entry for each spatial dimension");
  }
  for (const WindowDimension& d : call.window().dimensions) {
    if (d.base_dilation == 1 && !d.window_reversal) continue;
    return BadCall(call, "the window of a gradient must not dilate its input nor reverse the kernel");
  }
  return {};
}

bool HasRanks(const HloInstruction& call, const Shape& result, const ConvolutionDimensionNumbers& labels) {
  const auto rank = static_cast<std::int64_t>(labels.input_spatial_dimensions.size()) + 2;
  return call.operand(0).shape.rank() == rank && call.operand(1).shape.rank() == rank && result.rank() == rank;
}

// Returns the gradient of the input as a convolution of the outputs' gradients, dilated by the stride, with the
// reversed kernel. Each input element meets the outputs whose window includes it.
Result<ConvolutionProduct> BackwardInput(const HloInstruction& call, const Shape& result,
                                         const ConvolutionDimensionNumbers& d) {
  const Shape& outputs = call.operand(0).shape;
  const std::int64_t groups = call.Int64("feature_group_count");
  const ConvolutionDimensionNumbers labels = {
      .input_batch_dimension = d.output_batch_dimension,
      .input_feature_dimension = d.output_feature_dimension,
      .input_spatial_dimensions = d.output_spatial_dimensions,
      .kernel_input_feature_dimension = d.kernel_output_feature_dimension,
      .kernel_output_feature_dimension = d.kernel_input_feature_dimension,
      .kernel_spatial_dimensions = d.kernel_spatial_dimensions,
      .output_batch_dimension = d.input_batch_dimension,
      .output_feature_dimension = d.input_feature_dimension,
      .output_spatial_dimensions = d.input_spatial_dimensions,
  };
  Window window = call.window();
  for (std::size_t i = 0; i < window.dimensions.size(); ++i) {
    WindowDimension& w = window.dimensions[i];
    const std::int64_t reach = (w.size - 1) * w.window_dilation;
    const std::int64_t base = (outputs.dimensions(d.output_spatial_dimensions[i]) - 1) * w.stride + 1;
    w.base_dilation = w.stride;
    w.stride = 1;
    w.window_reversal = true;
    w.padding_low = reach - w.padding_low;
    w.padding_high = result.dimensions(d.input_spatial_dimensions[i]) - base - w.padding_low + reach;
  }
  Shape kernel = call.operand(1).shape;
  const std::int64_t i = d.kernel_input_feature_dimension, o = d.kernel_output_feature_dimension;
  if (groups < 1 || kernel.dimensions(o) % groups != 0) {
    return BadCall(call, "the kernel's output features {} must be a multiple of feature_group_count {}",
                   kernel.dimensions(o), groups);
  }
  kernel.set_dimensions(i, kernel.dimensions(i) * groups);
  kernel.set_dimensions(o, kernel.dimensions(o) / groups);
  return ConvolutionProduct{StandIn(op_convolution, {outputs, kernel}, Attributes(std::move(window), labels, groups, 1),
                                    ShapeUtil::MakeScalarShape(result.element_type())),
                            groups};
}

// Returns the gradient of the kernel: a cell of it is the sum, over images and positions, of the input element under
// the cell times the position's gradient. Images are the features of this product, and the positions are the cells of
// its window.
Result<ConvolutionProduct> BackwardFilter(const HloInstruction& call, const Shape& result,
                                          const ConvolutionDimensionNumbers& d) {
  const Shape& input = call.operand(0).shape;
  const Shape& outputs = call.operand(1).shape;
  const ConvolutionDimensionNumbers labels = {
      .input_batch_dimension = d.input_feature_dimension,
      .input_feature_dimension = d.input_batch_dimension,
      .input_spatial_dimensions = d.input_spatial_dimensions,
      .kernel_input_feature_dimension = d.output_batch_dimension,
      .kernel_output_feature_dimension = d.output_feature_dimension,
      .kernel_spatial_dimensions = d.output_spatial_dimensions,
      .output_batch_dimension = d.kernel_input_feature_dimension,
      .output_feature_dimension = d.kernel_output_feature_dimension,
      .output_spatial_dimensions = d.kernel_spatial_dimensions,
  };
  Window window = call.window();
  for (std::size_t i = 0; i < window.dimensions.size(); ++i) {
    WindowDimension& w = window.dimensions[i];
    const std::int64_t cells = result.dimensions(d.kernel_spatial_dimensions[i]);
    if (cells != w.size) {
      return BadCall(call, "the result must have the window's size {} in spatial dimension {}, found {}", w.size, i,
                     cells);
    }
    std::swap(w.stride, w.window_dilation);
    w.size = outputs.dimensions(d.output_spatial_dimensions[i]);
    const std::int64_t covered = (cells - 1) * w.stride + (w.size - 1) * w.window_dilation + 1;
    w.padding_high = covered - w.padding_low - input.dimensions(d.input_spatial_dimensions[i]);
  }
  return ConvolutionProduct{StandIn(op_convolution, {input, outputs},
                                    Attributes(std::move(window), labels, 1, call.Int64("feature_group_count")),
                                    ShapeUtil::MakeScalarShape(result.element_type()))};
}

// The window and dim_labels of a backward call are those of the forward convolution that it belongs to.
Result<ConvolutionProduct> ConvolutionOf(const HloInstruction& call, const Shape& result) {
  const auto* labels = call.Find<ConvolutionDimensionNumbers>("dim_labels");
  if (labels == nullptr || !call.Has("window")) return BadCall(call, "dim_labels and window must be written");
  const std::string_view target = call.String("custom_call_target");
  const bool is_backward = target == kBackwardInput || target == kBackwardFilter;
  if (is_backward) {
    ASSAY_CHECK_OK(CheckBackwardWindow(call, *labels));
    if (!HasRanks(call, result, *labels)) return BadCall(call, "every array must have as many dimensions as labels");
  }
  ASSAY_TRY(
      ConvolutionProduct product,
      target == kBackwardInput ? BackwardInput(call, result, *labels)
      : target == kBackwardFilter
          ? BackwardFilter(call, result, *labels)
          : Result<ConvolutionProduct>(ConvolutionProduct{StandIn(
                op_convolution, {call.operand(0).shape, call.operand(1).shape},
                Attributes(call.window(), *labels, call.Int64("feature_group_count"), call.Int64("batch_group_count")),
                ShapeUtil::MakeScalarShape(result.element_type()))}));
  ASSAY_CHECK_OK(product.convolution.Infer(call));
  ASSAY_CHECK_OK(CheckDimensions(call, "the result", result, product.convolution.instruction().shape));
  return product;
}

// Computes K'[.., o', g i, ..] = K[.., i, g o', ..]: the kernel of the gradient of a grouped convolution.
Literal WithGroupsSwapped(const Literal& kernel, const ConvolutionDimensionNumbers& d, std::int64_t groups) {
  const std::int64_t i = d.kernel_input_feature_dimension, o = d.kernel_output_feature_dimension;
  const PrimitiveType type = kernel.element_type();
  Dimensions split = kernel.shape().dimensions();
  split[o] /= groups;
  Dimensions merged = split;
  merged[i] *= groups;
  split.insert(split.begin() + o, groups);
  Int64List order;
  for (std::int64_t dimension = 0; dimension < kernel.shape().rank(); ++dimension) {
    if (dimension == i) order.push_back(o);
    order.push_back(dimension < o ? dimension : dimension + 1);
  }
  return Permuted(kernel.WithShape(ShapeUtil::MakeShape(type, split)), order)
      .WithShape(ShapeUtil::MakeShape(type, merged));
}

// Returns the steps after the product: alpha, and for a fused call the bias, the side input and the activation.
std::vector<PostOp> StepsOf(const Shape& result, const ConvolutionDimensionNumbers& labels, double scale,
                            std::optional<double> side_scale, const Activation& activation) {
  std::vector<PostOp> steps;
  if (scale != 1) steps.push_back({.kind = PostOp::Kind::kScale, .factor = scale});
  if (!side_scale) return steps;
  steps.push_back({.kind = PostOp::Kind::kAdd, .operand = 2, .dimensions = {labels.output_feature_dimension}});
  if (*side_scale != 0) {
    steps.push_back({.kind = PostOp::Kind::kAdd,
                     .factor = *side_scale,
                     .operand = 3,
                     .dimensions = LastDimensions(result.rank(), result.rank())});
  }
  steps.push_back({.kind = PostOp::Kind::kActivate, .activation = activation});
  return steps;
}

Result<PostProcessedProduct> ReadCudnnConvolution(const HloInstruction& call) {
  const bool is_fused = call.String("custom_call_target") == kFused;
  const std::size_t least = is_fused ? 3 : 2;
  if (call.operands.size() < least) {
    return BadCall(call, "the number of operands must be at least {}, found {}", least, call.operands.size());
  }
  const Shape& result = FirstResult(call.shape);
  if (!result.IsArray()) return BadCall(call, "the first result must be an array");
  if (!IsFloatingPointType(result.element_type())) {
    return NotEvaluated(call, "how cuDNN rounds to integers is not documented");
  }
  ASSAY_TRY(const CallConfig config, CallConfig::Of(call, "cudnn_conv_backend_config"));
  ASSAY_CHECK_OK(config.Require("conv_result_scale"));
  ASSAY_TRY(const double scale, config.Double("conv_result_scale"));
  ASSAY_TRY(const double side_scale, config.Double("side_input_scale"));
  ASSAY_TRY(const bool is_reordered, config.Bool("reordered_int8_nchw_vect"));
  ASSAY_TRY(const Activation activation, ActivationOf(call, config));
  if (is_reordered) return NotEvaluated(call, "the order of a reordered filter is not documented");
  const std::size_t expected = least + (is_fused && side_scale != 0);
  ASSAY_CHECK_OK(CheckCount(call, expected));
  ASSAY_TRY(ConvolutionProduct product, ConvolutionOf(call, result));
  PostProcessedProduct read{std::move(product.convolution)};
  const auto& labels = *call.Find<ConvolutionDimensionNumbers>("dim_labels");
  if (const std::int64_t groups = product.swapped_groups; groups > 1) {
    read.arrange_rhs = [labels, groups](const Literal& kernel) { return WithGroupsSwapped(kernel, labels, groups); };
  }
  read.steps = StepsOf(result, labels, scale, is_fused ? std::optional(side_scale) : std::nullopt, activation);
  ASSAY_CHECK_OK(read.Check(call, result.element_type()));
  return read;
}

using ConvolutionCall = ProductCall<ReadCudnnConvolution>;

const CustomCallTarget kCudnnConvolutionTargets[] = {
    ConvolutionCall::Target({kForward}, "A convolution times conv_result_scale."),
    ConvolutionCall::Target({kBackwardInput},
                            "The gradient of the input of a convolution: operands its output's, and the kernel."),
    ConvolutionCall::Target({kBackwardFilter},
                            "The gradient of the kernel of a convolution: operands the input, and the output's."),
    ConvolutionCall::Target({kFused},
                            "act(conv_result_scale conv + side_input_scale side + bias), by activation_mode."),
};

}  // namespace

const TargetFamily targets_cudnn_convolution = kCudnnConvolutionTargets;

}  // namespace assay
