// Attention by cuDNN, as JAX calls it and XLA:GPU keeps it: fused multi-head attention, __cudnn$fmha...
#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/custom_calls/attention.h"
#include "interpreter/custom_calls/call_config.h"
#include "interpreter/custom_calls/family.h"
#include "interpreter/custom_calls/library_results.h"
#include "interpreter/kernels/common/permuted.h"
#include "interpreter/ops/common/dot_rules.h"

namespace assay {
namespace {

bool IsBackward(const HloInstruction& call) {
  return call.String("custom_call_target").find("Backward") != std::string_view::npos;
}
bool HasBias(const HloInstruction& call) {
  return call.String("custom_call_target").find("Bias") != std::string_view::npos;
}

// A permutation that transposes an array to [batch, heads, positions, features].
using Order = Int64List;

// Returns the order of one operand of a product: the batch dimensions first; of the other two, the contracting
// dimension is at index `contracting`.
Result<Order> OrderOf(const HloInstruction& call, const CallConfig& config, std::string_view product,
                      std::string_view side, std::size_t contracting) {
  ASSAY_CHECK_OK(config.Require(product));
  ASSAY_TRY(const CallConfig numbers, config.Message(product));
  ASSAY_TRY(Order order, numbers.Integers(fmt::format("{}_batch_dimensions", side)));
  ASSAY_TRY(const Int64List contracted, numbers.Integers(fmt::format("{}_contracting_dimensions", side)));
  Int64List all = Concatenated(order, contracted);
  std::ranges::sort(all);
  const bool is_legal = order.size() == 2 && contracted.size() == 1 && std::ranges::adjacent_find(all) == all.end() &&
                        all.front() >= 0 && all.back() < 4;
  if (!is_legal) {
    return BadCall(call,
                   "backend_config: {} must have two batch dimensions and one contracting dimension "
                   "of four",
                   product);
  }
  const std::int64_t rest = 6 - all[0] - all[1] - all[2];
  order.push_back(contracting == 0 ? contracted[0] : rest);
  order.push_back(contracting == 0 ? rest : contracted[0]);
  return order;
}

struct AttentionCall {
  Order q, k, v, gradient;
  double scale = 1;
  AttentionMask mask;
  int bias = -1, lengths = -1, log_sums = -1, gradient_of_output = -1, output = -1;
  std::size_t operand_count = 3;
};

Status ReadMask(const HloInstruction& call, const CallConfig& config, AttentionCall& read, bool& has_lengths) {
  ASSAY_TRY(const std::string_view mask,
            config.Word("mask_type", {"NO_MASK", "PADDING", "CAUSAL", "PADDING_CAUSAL", "ALIBI"}));
  ASSAY_TRY(read.mask.window, config.Integer("sliding_window_length"));
  ASSAY_TRY(const double dropout, config.Double("dropout_rate"));
  ASSAY_TRY(const std::int64_t segments, config.Integer("max_seg_per_batch"));
  ASSAY_TRY(const bool is_paged, config.Bool("is_paged_attention"));
  if (dropout != 0) return NotEvaluated(call, "which weights cuDNN drops is not documented");
  if (mask == "ALIBI") return NotEvaluated(call, "the slopes of mask_type ALIBI are not part of the configuration");
  if (segments > 1 || is_paged) return NotEvaluated(call, "packed and paged sequences are not evaluated");
  has_lengths = mask == "PADDING" || mask == "PADDING_CAUSAL";
  read.mask.is_causal = mask == "CAUSAL" || mask == "PADDING_CAUSAL";
  return {};
}

// Operands of the forward pass: Q, K, V, the bias, the lengths of the sequences. Operands of the backward pass: Q, K,
// V, the logarithms of sums, the output's gradient, the bias, the output, the lengths.
Result<AttentionCall> ReadCudnnAttention(const HloInstruction& call) {
  ASSAY_TRY(const CallConfig config, CallConfig::Of(call, "cudnn_fmha_backend_config"));
  AttentionCall read;
  ASSAY_CHECK_OK(config.Require("fmha_scale"));
  ASSAY_TRY(read.scale, config.Double("fmha_scale"));
  bool has_lengths = false;
  ASSAY_CHECK_OK(ReadMask(call, config, read, has_lengths));
  if (IsBackward(call)) {
    ASSAY_TRY(read.q, OrderOf(call, config, "bmm1_grad_gemm1_dot_dimension_numbers", "rhs", 0));
    ASSAY_TRY(read.k, OrderOf(call, config, "bmm1_grad_gemm2_dot_dimension_numbers", "rhs", 0));
    ASSAY_TRY(read.v, OrderOf(call, config, "bmm2_grad_gemm2_dot_dimension_numbers", "rhs", 1));
    ASSAY_TRY(read.gradient, OrderOf(call, config, "bmm2_grad_gemm2_dot_dimension_numbers", "lhs", 1));
    read.log_sums = 3;
    read.gradient_of_output = 4;
    read.operand_count = 5;
    if (HasBias(call)) read.bias = static_cast<int>(read.operand_count++);
    read.output = static_cast<int>(read.operand_count++);
  } else {
    ASSAY_TRY(read.q, OrderOf(call, config, "bmm1_dot_dimension_numbers", "lhs", 1));
    ASSAY_TRY(read.k, OrderOf(call, config, "bmm1_dot_dimension_numbers", "rhs", 1));
    ASSAY_TRY(read.v, OrderOf(call, config, "bmm2_dot_dimension_numbers", "rhs", 0));
    if (HasBias(call)) read.bias = static_cast<int>(read.operand_count++);
  }
  if (has_lengths) {
    read.lengths = static_cast<int>(read.operand_count);
    read.operand_count += 2;
  }
  return read;
}

Dimensions Ordered(const Shape& shape, const Order& order) { return SizesOf(shape, order); }

// The sizes that the operands of a call have in common.
struct Sizes {
  std::int64_t batch, heads, queries, keys, features, value_features, key_heads;
};

Result<Sizes> SizesOfCall(const HloInstruction& call, const AttentionCall& read) {
  ASSAY_CHECK_OK(CheckCount(call, read.operand_count));
  const PrimitiveType type = call.operand(0).shape.element_type();
  for (std::size_t i = 0; i < 3; ++i) {
    const Shape& shape = call.operand(i).shape;
    if (shape.IsArray() && shape.rank() == 4 && IsFloatingPointType(type) && shape.element_type() == type) continue;
    return BadCall(call, "operand {} must be a real array of four dimensions, as operand 0, found {}", i,
                   shape.ToStringWithoutLayout());
  }
  const Dimensions q = Ordered(call.operand(0).shape, read.q), k = Ordered(call.operand(1).shape, read.k),
                   v = Ordered(call.operand(2).shape, read.v);
  const bool fits =
      k[0] == q[0] && v[0] == q[0] && k[1] == v[1] && k[1] > 0 && q[1] % k[1] == 0 && k[3] == q[3] && v[2] == k[2];
  if (fits) return Sizes{q[0], q[1], q[2], k[2], q[3], v[3], k[1]};
  return BadCall(call, "Q, K and V must fit, found {}, {} and {}", call.operand(0).shape.ToStringWithoutLayout(),
                 call.operand(1).shape.ToStringWithoutLayout(), call.operand(2).shape.ToStringWithoutLayout());
}

Status CheckOthers(const HloInstruction& call, const AttentionCall& read, const Sizes& s) {
  const PrimitiveType type = call.operand(0).shape.element_type();
  if (read.bias >= 0) {
    const Shape& bias = call.operand(read.bias).shape;
    const Dimensions scores = {s.batch, s.heads, s.queries, s.keys};
    bool fits = bias.IsArray() && bias.rank() == 4;
    for (std::int64_t d = 0; fits && d < 4; ++d) fits = bias.dimensions(d) == 1 || bias.dimensions(d) == scores[d];
    if (!fits) return BadCall(call, "the bias must fit the scores, found {}", bias.ToStringWithoutLayout());
  }
  for (int i = read.lengths; i >= 0 && i < read.lengths + 2; ++i) {
    const Shape& lengths = call.operand(i).shape;
    if (lengths.IsArray() && lengths.element_type() == S32 && ShapeUtil::ElementsIn(lengths) == s.batch) continue;
    return BadCall(call, "operand {} must be {} lengths of s32, found {}", i, s.batch, lengths.ToStringWithoutLayout());
  }
  if (!IsBackward(call)) return {};
  const Shape& log_sums = call.operand(read.log_sums).shape;
  ASSAY_CHECK_OK(CheckDimensions(call, fmt::format("operand {}", read.log_sums), log_sums,
                                 ShapeUtil::MakeShape(F32, {s.batch, s.heads, s.queries})));
  for (int i : {read.gradient_of_output, read.output}) {
    const Shape& shape = call.operand(i).shape;
    const Dimensions expected = {s.batch, s.heads, s.queries, s.value_features};
    if (shape.IsArray() && shape.rank() == 4 && shape.element_type() == type &&
        Ordered(shape, read.gradient) == expected) {
      continue;
    }
    return BadCall(call, "operand {} must have the dimensions of the output, found {}", i,
                   shape.ToStringWithoutLayout());
  }
  return {};
}

std::vector<Shape> ResultsOf(const HloInstruction& call, const AttentionCall& read, const Sizes& s) {
  const PrimitiveType type = call.operand(0).shape.element_type();
  const auto shape = [&](Dimensions sizes) { return ShapeUtil::MakeShape(type, std::move(sizes)); };
  const std::size_t elements = call.shape.IsTuple() ? call.shape.tuple_shapes().size() : 1;
  if (!IsBackward(call)) {
    std::vector<Shape> results = {shape({s.batch, s.heads, s.queries, s.value_features})};
    const bool has_log_sums = elements > 1 && call.shape.tuple_shapes(1).element_type() == F32;
    if (has_log_sums) results.push_back(ShapeUtil::MakeShape(F32, {s.batch, s.heads, s.queries}));
    return results;
  }
  std::vector<Shape> results = {shape({s.batch, s.heads, s.queries, s.features}),
                                shape({s.batch, s.key_heads, s.keys, s.features}),
                                shape({s.batch, s.key_heads, s.keys, s.value_features})};
  const bool has_bias_gradient = read.bias >= 0 && elements > 3 && call.shape.tuple_shapes(3).rank() == 4;
  if (has_bias_gradient) results.push_back(call.operand(read.bias).shape);
  return results;
}

Status CheckCudnnAttention(const HloInstruction& call) {
  ASSAY_TRY(const AttentionCall read, ReadCudnnAttention(call));
  ASSAY_TRY(const Sizes sizes, SizesOfCall(call, read));
  ASSAY_CHECK_OK(CheckOthers(call, read, sizes));
  return CheckResults(call, ResultsOf(call, read, sizes));
}

// Repeats the heads of K and V: each one serves as many adjacent heads of Q as the ratio of their numbers.
Literal WithHeads(const Literal& array, std::int64_t heads) {
  const Dimensions& d = array.shape().dimensions();
  if (d[1] == heads) return array;
  const Shape repeated = ShapeUtil::MakeShape(F64, {d[0], d[1], heads / d[1], d[2], d[3]});
  return Broadcast(array, {0, 1, 3, 4}, repeated).WithShape(ShapeUtil::MakeShape(F64, {d[0], heads, d[2], d[3]}));
}

// Inverts WithHeads for gradients: sums over the heads of Q that share one head of K and V.
Literal SumOfHeads(const Literal& array, std::int64_t key_heads) {
  const Dimensions& d = array.shape().dimensions();
  if (d[1] == key_heads) return array;
  const Shape split = ShapeUtil::MakeShape(F64, {d[0], key_heads, d[1] / key_heads, d[2] * d[3]});
  const Literal last = Permuted(array.WithShape(split), {0, 1, 3, 2});
  return RowSums(last).WithShape(ShapeUtil::MakeShape(F64, {d[0], key_heads, d[2], d[3]}));
}

// Sums over the dimensions in which the bias was broadcast.
Literal SumToShape(Literal scores, const Shape& bias) {
  for (std::int64_t d = 0; d < 4; ++d) {
    if (bias.dimensions(d) == scores.shape().dimensions(d)) continue;
    Order order;
    for (std::int64_t i = 0; i < 4; ++i) {
      if (i != d) order.push_back(i);
    }
    order.push_back(d);
    Dimensions sizes = scores.shape().dimensions();
    sizes[d] = 1;
    scores = RowSums(Permuted(scores, order)).WithShape(ShapeUtil::MakeShape(F64, sizes));
  }
  return scores;
}

Attention AttentionOf(const AttentionCall& read, std::span<const Literal> operands) {
  Attention attention;
  attention.q = Converted(Permuted(operands[0], read.q), F64);
  const std::int64_t heads = attention.q.shape().dimensions(1);
  attention.k = WithHeads(Converted(Permuted(operands[1], read.k), F64), heads);
  attention.v = WithHeads(Converted(Permuted(operands[2], read.v), F64), heads);
  attention.scale = read.scale;
  attention.mask = read.mask;
  if (read.bias >= 0) attention.bias = Converted(operands[read.bias], F64);
  for (std::int64_t i = 0; read.lengths >= 0 && i < operands[read.lengths].element_count(); ++i) {
    attention.mask.query_lengths.push_back(operands[read.lengths].IntegerAt(i));
    attention.mask.key_lengths.push_back(operands[read.lengths + 1].IntegerAt(i));
  }
  return attention;
}

Literal EvaluateForward(const HloInstruction& call, std::span<Literal> operands, Evaluation&) {
  const AttentionCall read = *ReadCudnnAttention(call);
  const Attention attention = AttentionOf(read, operands);
  const Softmax softmax(attention.Scores());
  std::vector<Literal> results = {
      Converted(BatchedProduct(softmax.weights, attention.v, 3, 2), operands[0].element_type())};
  if (ResultsOf(call, read, *SizesOfCall(call, read)).size() > 1) results.push_back(Converted(softmax.log_sums, F32));
  return WithScratch(call.shape, std::move(results));
}

struct BackwardOperands {
  Literal log_sums, output, gradient;
};
BackwardOperands BackwardOperandsOf(const AttentionCall& read, std::span<const Literal> operands) {
  return {Converted(operands[read.log_sums], F64), Converted(Permuted(operands[read.output], read.gradient), F64),
          Converted(Permuted(operands[read.gradient_of_output], read.gradient), F64)};
}

Literal EvaluateBackward(const HloInstruction& call, std::span<Literal> operands, Evaluation&) {
  const AttentionCall read = *ReadCudnnAttention(call);
  const Sizes sizes = *SizesOfCall(call, read);
  const BackwardOperands of = BackwardOperandsOf(read, operands);
  const AttentionGradients gradients = GradientsOf(AttentionOf(read, operands), of.log_sums, of.output, of.gradient);
  const PrimitiveType type = operands[0].element_type();
  std::vector<Literal> results = {Converted(gradients.q, type),
                                  Converted(SumOfHeads(gradients.k, sizes.key_heads), type),
                                  Converted(SumOfHeads(gradients.v, sizes.key_heads), type)};
  if (ResultsOf(call, read, sizes).size() > 3) {
    const Shape& bias = operands[read.bias].shape();
    results.push_back(Converted(SumToShape(gradients.scores, bias), bias.element_type()));
  }
  return WithScratch(call.shape, std::move(results));
}

PropertyReport JudgeForward(const HloInstruction& call, std::span<const Literal> operands, const Literal& want,
                            const Literal& got) {
  const AttentionCall read = *ReadCudnnAttention(call);
  const Attention attention = AttentionOf(read, operands);
  Properties properties;
  JudgeElements(kWithinRoundings, ResultAt(want, 0), ResultAt(got, 0),
                OutputBounds(attention, operands[0].element_type()), properties);
  if (ResultsOf(call, read, *SizesOfCall(call, read)).size() > 1) {
    JudgeElements("each logarithm of a sum is within its rounding errors", ResultAt(want, 1), ResultAt(got, 1),
                  LogSumBounds(attention), properties);
  }
  return std::move(properties).Take();
}

PropertyReport JudgeBackward(const HloInstruction& call, std::span<const Literal> operands, const Literal& want,
                             const Literal& got) {
  const AttentionCall read = *ReadCudnnAttention(call);
  const Sizes sizes = *SizesOfCall(call, read);
  const BackwardOperands of = BackwardOperandsOf(read, operands);
  const GradientBounds bounds =
      BoundsOfGradients(AttentionOf(read, operands), of.log_sums, of.output, of.gradient, operands[0].element_type());
  Properties properties;
  const auto summed = [&](const ErrorBounds& each, std::int64_t positions, std::int64_t features, auto sum) {
    const Shape shape = ShapeUtil::MakeShape(F64, {sizes.batch, sizes.heads, positions, features});
    const auto apply = [&](const std::vector<double>& values) {
      return DoublesOf(sum(LiteralUtil::Create<double>(F64, shape.dimensions(), values)));
    };
    return ErrorBounds{apply(each.error), apply(each.magnitude)};
  };
  const auto of_heads = [&](const Literal& array) { return SumOfHeads(array, sizes.key_heads); };
  JudgeElements("each gradient of Q is within its rounding errors", ResultAt(want, 0), ResultAt(got, 0), bounds.q,
                properties);
  JudgeElements("each gradient of K is within its rounding errors", ResultAt(want, 1), ResultAt(got, 1),
                summed(bounds.k, sizes.keys, sizes.features, of_heads), properties);
  JudgeElements("each gradient of V is within its rounding errors", ResultAt(want, 2), ResultAt(got, 2),
                summed(bounds.v, sizes.keys, sizes.value_features, of_heads), properties);
  if (ResultsOf(call, read, sizes).size() > 3) {
    const Shape& bias = operands[read.bias].shape();
    JudgeElements(
        "each gradient of the bias is within its rounding errors", ResultAt(want, 3), ResultAt(got, 3),
        summed(bounds.scores, sizes.queries, sizes.keys, [&](const Literal& array) { return SumToShape(array, bias); }),
        properties);
  }
  return std::move(properties).Take();
}

const CustomCallTarget kCudnnAttentionTargets[] = {
    {
        .names = {"__cudnn$fmhaSoftmax", "__cudnn$fmhaScaleBiasSoftmax", "__cudnn$fmhaSoftmaxDropout",
                  "__cudnn$fmhaScaleBiasSoftmaxDropout"},
        .meaning = "softmax(fmha_scale Q K^T + bias) V, and the logarithm of the sum in each softmax; no dropout.",
        .check = CheckCudnnAttention,
        .evaluate = EvaluateForward,
        .properties = JudgeForward,
    },
    {
        .names = {"__cudnn$fmhaSoftmaxBackward", "__cudnn$fmhaScaleBiasSoftmaxBackward",
                  "__cudnn$fmhaSoftmaxDropoutBackward", "__cudnn$fmhaScaleBiasSoftmaxDropoutBackward"},
        .meaning = "The gradients of Q, K, V and the bias, of what the forward pass gave and its output's gradient.",
        .check = CheckCudnnAttention,
        .evaluate = EvaluateBackward,
        .properties = JudgeBackward,
    },
};

}  // namespace

const TargetFamily targets_cudnn_attention = kCudnnAttentionTargets;

}  // namespace assay
