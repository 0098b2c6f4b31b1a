// Matrix products by cuBLAS and cuBLASLt, as XLA:GPU's GemmRewriter leaves them.
#include <algorithm>
#include <string>
#include <vector>

#include "interpreter/acceptance/ops/common/sum_algorithms.h"
#include "interpreter/custom_calls/call_config.h"
#include "interpreter/custom_calls/family.h"
#include "interpreter/custom_calls/library_results.h"
#include "interpreter/custom_calls/post_ops.h"
#include "interpreter/custom_calls/product_call.h"
#include "interpreter/ops/record.h"
#include "interpreter/types/ascii.h"

namespace assay {
namespace {

constexpr std::string_view kGemm = "__cublas$gemm";
constexpr std::string_view kMatmulF8 = "__cublas$lt$matmul$f8";
// GemmBackendConfig.ScaleMode: one number for each operand. The other modes scale blocks.
constexpr std::int64_t kLargestScaleMode = 1;

struct Epilogue {
  std::string_view name;
  bool has_bias = false;
  Activation::Kind activation = Activation::Kind::kNone;
  bool has_aux = false;  // a second result: the operand of the activation
};
// In the order of GemmBackendConfig.Epilogue.
constexpr Epilogue kEpilogues[] = {
    {"DEFAULT"},
    {"BIAS", true},
    {"RELU", false, Activation::Kind::kRelu},
    {"BIAS_RELU", true, Activation::Kind::kRelu},
    {"GELU", false, Activation::Kind::kGelu},
    {"GELU_AUX", false, Activation::Kind::kGelu, true},
    {"BIAS_GELU", true, Activation::Kind::kGelu},
    {"BIAS_GELU_AUX", true, Activation::Kind::kGelu, true},
    {"SILU", false, Activation::Kind::kSilu},
    {"BIAS_SILU", true, Activation::Kind::kSilu},
};

Result<Epilogue> EpilogueOf(const CallConfig& config) {
  std::vector<std::string_view> names;
  for (const Epilogue& epilogue : kEpilogues) names.push_back(epilogue.name);
  ASSAY_TRY(const std::string_view name, config.Word("epilogue", names));
  return *std::ranges::find(kEpilogues, name, &Epilogue::name);
}

// Returns the algorithm of a dot: "ALG_DOT_TF32_TF32_F32" is algorithm=dot_tf32_tf32_f32.
std::string AlgorithmWord(std::string name) {
  constexpr std::string_view kPrefix = "ALG_";
  if (name.starts_with(kPrefix)) name.erase(0, kPrefix.size());
  return name.empty() ? "unset" : AsciiLower(name);
}

Result<std::string> AlgorithmOf(const HloInstruction& call, const CallConfig& config) {
  ASSAY_TRY(const CallConfig precision, config.Message("precision_config"));
  const Result<std::string> name = precision.String("algorithm");
  if (!name) return name.error();
  std::string word = AlgorithmWord(*name);
  const AttributeSpec* spec = op_dot.FindAttribute("algorithm");
  if (std::ranges::find(spec->enumerators, word) != spec->enumerators.end()) return word;
  return BadCall(call, "backend_config: algorithm must be one of dot's, found {}", *name);
}

Result<StandIn> DotOf(const HloInstruction& call, const CallConfig& config, const Shape& result) {
  ASSAY_CHECK_OK(config.Require("dot_dimension_numbers"));
  ASSAY_TRY(const CallConfig numbers, config.Message("dot_dimension_numbers"));
  ASSAY_TRY(Int64List lhs_contracting, numbers.Integers("lhs_contracting_dimensions"));
  ASSAY_TRY(Int64List rhs_contracting, numbers.Integers("rhs_contracting_dimensions"));
  ASSAY_TRY(Int64List lhs_batch, numbers.Integers("lhs_batch_dimensions"));
  ASSAY_TRY(Int64List rhs_batch, numbers.Integers("rhs_batch_dimensions"));
  ASSAY_TRY(std::string algorithm, AlgorithmOf(call, config));
  StandIn dot(op_dot, {call.operand(0).shape, call.operand(1).shape},
              {{"lhs_batch_dims", std::move(lhs_batch)},
               {"lhs_contracting_dims", std::move(lhs_contracting)},
               {"rhs_batch_dims", std::move(rhs_batch)},
               {"rhs_contracting_dims", std::move(rhs_contracting)},
               {"algorithm", std::move(algorithm)}},
              ShapeUtil::MakeScalarShape(result.element_type()));
  ASSAY_CHECK_OK(dot.Infer(call));
  ASSAY_CHECK_OK(CheckDimensions(call, "the result", result, dot.instruction().shape));
  return dot;
}

// Operands after the matrices: C, if beta is not zero; for f8 the scales of A and B, in older dumps also those of C and
// D; the bias; for an f8 result the scale of D.
struct GemmOperands {
  int c = -1, scales = -1, bias = -1, d_scale = -1;
};

Result<GemmOperands> OperandsOf(const HloInstruction& call, bool has_c, bool has_bias) {
  const bool is_f8 = call.String("custom_call_target") == kMatmulF8;
  const auto count = static_cast<int>(call.operands.size());
  GemmOperands operands;
  int next = 2;
  if (has_c) operands.c = next++;
  int most = next + has_bias;
  if (is_f8) {
    operands.scales = next;
    const bool has_all_scales = count == next + 4 + has_bias;
    const bool has_d_scale = count == next + 3 + has_bias;
    if (has_all_scales || has_d_scale) operands.d_scale = has_all_scales ? next + 3 : count - 1;
    next += has_all_scales ? 4 : 2;
    most = next + has_bias + has_d_scale;
  }
  if (has_bias) operands.bias = next;
  ASSAY_CHECK_OK(CheckCount(call, static_cast<std::size_t>(most)));
  return operands;
}

PostOp Scale(std::complex<double> factor) { return {.kind = PostOp::Kind::kScale, .factor = factor}; }
PostOp ScaleBy(int operand) { return {.kind = PostOp::Kind::kMultiply, .operand = operand}; }

// Adds the steps from the product to the result that the epilogue activates: the scales of the operands, alpha, beta *
// C and the bias.
void AddStepsToSum(const HloInstruction& call, const GemmOperands& operands, std::complex<double> alpha, double beta,
                   std::vector<PostOp>& steps) {
  const std::int64_t rank = FirstResult(call.shape).rank();
  if (operands.scales >= 0) {
    steps.push_back(ScaleBy(operands.scales));
    steps.push_back(ScaleBy(operands.scales + 1));
  }
  if (alpha != 1.0) steps.push_back(Scale(alpha));
  if (operands.c >= 0) {
    steps.push_back(
        {.kind = PostOp::Kind::kAdd, .factor = beta, .operand = operands.c, .dimensions = LastDimensions(rank, rank)});
  }
  if (operands.bias >= 0) {
    const std::int64_t rank_of_bias = call.operand(operands.bias).shape.rank();
    steps.push_back({.kind = PostOp::Kind::kAdd,
                     .operand = operands.bias,
                     .dimensions = LastDimensions(std::min(rank_of_bias, rank), rank)});
  }
}

Result<PostProcessedProduct> ReadGemm(const HloInstruction& call) {
  if (call.operands.size() < 2) return BadCall(call, "the number of operands must be at least 2");
  const Shape& result = FirstResult(call.shape);
  if (!result.IsArray()) return BadCall(call, "the first result must be an array");
  ASSAY_TRY(const CallConfig config, CallConfig::Of(call, "gemm_backend_config"));
  ASSAY_CHECK_OK(config.Require("alpha_real"));
  ASSAY_TRY(const double alpha_real, config.Double("alpha_real"));
  ASSAY_TRY(const double alpha_imaginary, config.Double("alpha_imag"));
  ASSAY_TRY(const double beta, config.Double("beta"));
  ASSAY_TRY(const bool has_amax, config.Bool("damax_output"));
  ASSAY_TRY(const Epilogue epilogue, EpilogueOf(config));
  ASSAY_TRY(const std::int64_t scale_mode, config.Integer("scale_mode"));
  if (call.String("custom_call_target") == kGemm && epilogue.name != "DEFAULT") {
    return BadCall(call, "backend_config: epilogue must be DEFAULT, found {}", epilogue.name);
  }
  if (scale_mode > kLargestScaleMode) return NotEvaluated(call, "scales of blocks are not evaluated");
  ASSAY_TRY(StandIn dot, DotOf(call, config, result));
  ASSAY_TRY(const GemmOperands operands, OperandsOf(call, beta != 0, epilogue.has_bias));

  PostProcessedProduct gemm{std::move(dot)};
  gemm.algorithm = SumAlgorithmOf(gemm.product.instruction());
  std::vector<PostOp>& steps = gemm.steps;
  AddStepsToSum(call, operands, {alpha_real, alpha_imaginary}, beta, steps);
  if (epilogue.has_aux) gemm.earlier.push_back({.steps = steps.size()});
  if (epilogue.activation != Activation::Kind::kNone) {
    steps.push_back({.kind = PostOp::Kind::kActivate, .activation = {.kind = epilogue.activation}});
  }
  if (has_amax) gemm.earlier.push_back({.steps = steps.size(), .is_largest = true});
  if (operands.d_scale >= 0 && BitWidth(result.element_type()) == 8) {
    steps.push_back(ScaleBy(operands.d_scale));
    steps.push_back({.kind = PostOp::Kind::kSaturate});
  }
  ASSAY_CHECK_OK(gemm.Check(call, result.element_type()));
  return gemm;
}

using GemmCall = ProductCall<ReadGemm>;

const CustomCallTarget kGemmTargets[] = {
    GemmCall::Target({kGemm, "__cublas$lt$matmul"},
                     "act(alpha A B + beta C + bias), with the dimension numbers of a dot; act by the epilogue."),
    GemmCall::Target({kMatmulF8},
                     "The same of f8 matrices with a scale each; an f8 result is scaled too, and does not overflow."),
};

}  // namespace

const TargetFamily targets_gemm = kGemmTargets;

}  // namespace assay
