// Matrix products and convolutions by oneDNN, as XLA:CPU's OneDnnContractionRewriter leaves them.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/custom_calls/call_config.h"
#include "interpreter/custom_calls/family.h"
#include "interpreter/custom_calls/library_results.h"
#include "interpreter/custom_calls/post_ops.h"
#include "interpreter/custom_calls/product_call.h"
#include "interpreter/ops/common/dot_rules.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

constexpr std::string_view kMatmul = "__onednn$matmul";

struct Fusion {
  std::string_view name;
  PostOp::Kind step;
  Activation::Kind activation = Activation::Kind::kNone;
};
// OneDnnFusionConfig.FusionKind; its numbers have changed, so only the names are read.
constexpr Fusion kFusions[] = {
    {"BIAS", PostOp::Kind::kAdd},
    {"BINARY_ADD", PostOp::Kind::kAdd},
    {"SUM", PostOp::Kind::kAdd},
    {"RELU", PostOp::Kind::kActivate, Activation::Kind::kRelu},
    {"RELU6", PostOp::Kind::kActivate, Activation::Kind::kRelu6},
    {"TANH", PostOp::Kind::kActivate, Activation::Kind::kTanh},
    {"SIGMOID", PostOp::Kind::kActivate, Activation::Kind::kSigmoid},
    {"ELU", PostOp::Kind::kActivate, Activation::Kind::kElu},
    {"SWISH", PostOp::Kind::kActivate, Activation::Kind::kSilu},
    {"GELU_ERF", PostOp::Kind::kActivate, Activation::Kind::kGeluExact},
    {"GELU_TANH", PostOp::Kind::kActivate, Activation::Kind::kGelu},
    {"LINEAR", PostOp::Kind::kActivate, Activation::Kind::kLinear},
};

// Returns LINEAR's factors: numbers, or in older dumps the bits of a single number.
Result<std::vector<double>> FactorsOf(const CallConfig& fusions) {
  if (fusions.Has("alpha_typecast")) {
    ASSAY_TRY(const std::int64_t bits, fusions.Integer("alpha_typecast"));
    return std::vector<double>{std::bit_cast<float>(static_cast<std::int32_t>(bits))};
  }
  return fusions.Has("alpha") ? fusions.Doubles("alpha") : std::vector<double>{};
}

// Returns the result's dimensions of an operand: the last ones; dimensions of size 1 are repeated. A vector that is
// added to a convolution has a number for each feature.
Int64List PlacesOf(const Shape& operand, const Shape& result, const ConvolutionDimensionNumbers* labels) {
  if (labels != nullptr && operand.rank() == 1) return {labels->output_feature_dimension};
  return LastDimensions(std::min(operand.rank(), result.rank()), result.rank());
}

Status AddFusions(const HloInstruction& call, const CallConfig& config, const ConvolutionDimensionNumbers* labels,
                  PostProcessedProduct& product) {
  ASSAY_TRY(const CallConfig fusions, config.Message("fusions"));
  ASSAY_TRY(const std::vector<std::string> names, fusions.Strings("ops"));
  ASSAY_TRY(const std::vector<double> factors, FactorsOf(fusions));
  const Shape& result = product.product.instruction().shape;
  std::size_t operand = 2, factor = 0;
  for (const std::string& name : names) {
    const auto* fusion = std::ranges::find(kFusions, name, &Fusion::name);
    if (fusion == std::end(kFusions)) return NotEvaluated(call, "fusion {} is not evaluated", name);
    PostOp step{.kind = fusion->step, .activation = {.kind = fusion->activation}};
    if (step.kind == PostOp::Kind::kAdd) {
      if (operand >= call.operands.size()) {
        return BadCall(call, "{} has no operand {}", name, operand);
      }
      step.operand = static_cast<int>(operand++);
      step.dimensions = PlacesOf(call.operand(step.operand).shape, result, labels);
    } else if (fusion->activation == Activation::Kind::kLinear) {
      if (factor >= factors.size()) return BadCall(call, "backend_config: LINEAR has no alpha");
      step.activation.alpha = factors[factor++];
    }
    product.steps.push_back(step);
  }
  return CheckCount(call, operand);
}

// Returns the product of matrices in the last two dimensions, either one transposed.
Result<StandIn> MatmulOf(const HloInstruction& call, const CallConfig& config, const Shape& result) {
  ASSAY_TRY(const bool transpose_a, config.Bool("transpose_a"));
  ASSAY_TRY(const bool transpose_b, config.Bool("transpose_b"));
  const Shape& a = call.operand(0).shape;
  const Shape& b = call.operand(1).shape;
  if (!a.IsArray() || !b.IsArray() || a.rank() < 2 || a.rank() != b.rank()) {
    return BadCall(call, "operands must be matrices of one rank, found {} and {}", a.ToStringWithoutLayout(),
                   b.ToStringWithoutLayout());
  }
  const std::int64_t rank = a.rank();
  Int64List batch;
  for (std::int64_t d = 0; d < rank - 2; ++d) batch.push_back(d);
  return StandIn(op_dot, {a, b},
                 {{"lhs_batch_dims", batch},
                  {"lhs_contracting_dims", Int64List{transpose_a ? rank - 2 : rank - 1}},
                  {"rhs_batch_dims", batch},
                  {"rhs_contracting_dims", Int64List{transpose_b ? rank - 1 : rank - 2}}},
                 ShapeUtil::MakeScalarShape(result.element_type()));
}

struct Labels {
  std::int64_t first = 0, second = 0;
  Int64List spatial;
};

Result<Labels> LabelsOf(const CallConfig& config, std::string_view array, std::string_view kind, std::string_view first,
                        std::string_view second) {
  ASSAY_TRY(const CallConfig outer, config.Message(array));
  ASSAY_TRY(const CallConfig layout, outer.Message(kind));
  Labels labels;
  ASSAY_TRY(labels.first, layout.Integer(first));
  ASSAY_TRY(labels.second, layout.Integer(second));
  ASSAY_TRY(labels.spatial, layout.Integers("spatial_dims"));
  return labels;
}

bool NamesEach(const Labels& labels, std::int64_t rank, std::int64_t offset) {
  Int64List all = {labels.first, labels.second};
  for (std::int64_t d : labels.spatial) all.push_back(d - offset);
  std::ranges::sort(all);
  for (std::int64_t d = 0; d < rank; ++d) {
    if (static_cast<std::int64_t>(all.size()) != rank || all[d] != d) return false;
  }
  return true;
}

struct OneDnnConvolution {
  ConvolutionDimensionNumbers labels;
  Window window;
};

// Returns the window of a convolution of these kernel sizes. Every number of the text is `offset` too large.
Result<Window> WindowFrom(const HloInstruction& call, const CallConfig& config, const Int64List& sizes,
                          std::int64_t offset) {
  ASSAY_TRY(const CallConfig window, config.Message("window"));
  ASSAY_TRY(const Int64List strides, window.Integers("strides"));
  ASSAY_TRY(const Int64List low, window.Integers("pad_left"));
  ASSAY_TRY(const Int64List high, window.Integers("pad_right"));
  ASSAY_TRY(const Int64List dilations, window.Integers("window_dilations"));
  const std::size_t n = sizes.size();
  if (strides.size() != n || low.size() != n || high.size() != n || dilations.size() != n) {
    return BadCall(call, "backend_config: window must have a number for each spatial dimension");
  }
  Window result;
  for (std::size_t i = 0; i < n; ++i) {
    result.dimensions.push_back({.size = sizes[i],
                                 .stride = strides[i] - offset,
                                 .padding_low = low[i] - offset,
                                 .padding_high = high[i] - offset,
                                 .window_dilation = dilations[i] - offset});
  }
  return result;
}

// In older dumps every spatial dimension number, stride, padding and dilation is one too large, so that none is zero.
// The labels show the form: they name each dimension once.
Result<OneDnnConvolution> ConvolutionFrom(const HloInstruction& call, const CallConfig& config) {
  ASSAY_TRY(const Labels input, LabelsOf(config, "input", "data", "batch_dim", "feature_dim"));
  ASSAY_TRY(const Labels kernel, LabelsOf(config, "kernel", "filter", "input_feature_dim", "output_feature_dim"));
  ASSAY_TRY(const Labels output, LabelsOf(config, "output", "data", "batch_dim", "feature_dim"));
  const std::int64_t rank = call.operand(0).shape.rank();
  const auto is_offset_by = [&](std::int64_t offset) {
    return NamesEach(input, rank, offset) && NamesEach(kernel, rank, offset) && NamesEach(output, rank, offset);
  };
  const std::int64_t offset = is_offset_by(0) ? 0 : 1;
  if (!is_offset_by(offset)) return BadCall(call, "backend_config: every array must name each dimension once");
  OneDnnConvolution convolution;
  const auto plain = [&](Int64List dimensions) {
    for (std::int64_t& d : dimensions) d -= offset;
    return dimensions;
  };
  convolution.labels = {.input_batch_dimension = input.first,
                        .input_feature_dimension = input.second,
                        .input_spatial_dimensions = plain(input.spatial),
                        .kernel_input_feature_dimension = kernel.first,
                        .kernel_output_feature_dimension = kernel.second,
                        .kernel_spatial_dimensions = plain(kernel.spatial),
                        .output_batch_dimension = output.first,
                        .output_feature_dimension = output.second,
                        .output_spatial_dimensions = plain(output.spatial)};
  Int64List sizes;
  for (const std::int64_t d : convolution.labels.kernel_spatial_dimensions) {
    sizes.push_back(call.operand(1).shape.dimensions(d));
  }
  ASSAY_TRY(convolution.window, WindowFrom(call, config, sizes, offset));
  return convolution;
}

Result<PostProcessedProduct> Finished(const HloInstruction& call, StandIn product, const CallConfig& config,
                                      const ConvolutionDimensionNumbers* labels) {
  const Shape& result = FirstResult(call.shape);
  ASSAY_CHECK_OK(product.Infer(call));
  ASSAY_CHECK_OK(CheckDimensions(call, "the result", result, product.instruction().shape));
  PostProcessedProduct read{std::move(product)};
  ASSAY_CHECK_OK(AddFusions(call, config, labels, read));
  ASSAY_CHECK_OK(read.Check(call, result.element_type()));
  return read;
}

Result<PostProcessedProduct> ReadOnednnProduct(const HloInstruction& call) {
  if (call.operands.size() < 2) return BadCall(call, "the number of operands must be at least 2");
  const Shape& result = FirstResult(call.shape);
  const bool is_real = result.IsArray() && IsFloatingPointType(result.element_type()) &&
                       IsFloatingPointType(call.operand(0).shape.element_type());
  if (!is_real) return NotEvaluated(call, "products of integers are quantized, and that is not evaluated");
  const bool is_matmul = call.String("custom_call_target") == kMatmul;
  ASSAY_TRY(const CallConfig config, CallConfig::Of(call, is_matmul ? "onednn_matmul_config" : "onednn_conv_config"));
  ASSAY_TRY(const CallConfig optimization, config.Message("optimization_config"));
  ASSAY_TRY(const bool is_prepacked, optimization.Bool("weights_prepacked"));
  if (is_prepacked) return NotEvaluated(call, "the order of prepacked weights is oneDNN's own");
  if (is_matmul) {
    ASSAY_TRY(StandIn matmul, MatmulOf(call, config, result));
    return Finished(call, std::move(matmul), config, nullptr);
  }
  if (call.operand(0).shape.rank() != call.operand(1).shape.rank()) {
    return BadCall(call, "input and kernel must have one rank");
  }
  ASSAY_TRY(const OneDnnConvolution read, ConvolutionFrom(call, config));
  ASSAY_TRY(const std::int64_t groups, config.Integer("feature_groups"));
  StandIn convolution(op_convolution, {call.operand(0).shape, call.operand(1).shape},
                      {{"window", read.window},
                       {"dim_labels", read.labels},
                       {"feature_group_count", std::max<std::int64_t>(groups, 1)}},
                      ShapeUtil::MakeScalarShape(result.element_type()));
  return Finished(call, std::move(convolution), config, &read.labels);
}

using OneDnnCall = ProductCall<ReadOnednnProduct>;

const CustomCallTarget kOnednnProductTargets[] = {
    OneDnnCall::Target(
        {kMatmul}, "A product of matrices, either transposed, and the fusions of the configuration in their order."),
    OneDnnCall::Target({"__onednn$convolution"},
                       "A convolution, its window and labels in the configuration, and the fusions in their order."),
};

}  // namespace

const TargetFamily targets_onednn_product = kOnednnProductTargets;

}  // namespace assay
