// Softmax and layer normalization by oneDNN, as XLA:CPU's OneDnnOpsRewriter leaves them.
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/custom_calls/attention.h"
#include "interpreter/custom_calls/call_config.h"
#include "interpreter/custom_calls/family.h"
#include "interpreter/custom_calls/layer_norm.h"
#include "interpreter/custom_calls/library_results.h"
#include "interpreter/kernels/common/permuted.h"
#include "interpreter/ops/common/dot_rules.h"

namespace assay {
namespace {

Status CheckReal(const HloInstruction& call, std::size_t operand_count) {
  ASSAY_CHECK_OK(CheckCount(call, operand_count));
  const Shape& x = call.operand(0).shape;
  if (!x.IsArray() || !IsFloatingPointType(x.element_type()) || x.rank() == 0) {
    return BadCall(call, "operand 0 must be a real array, found {}", x.ToStringWithoutLayout());
  }
  const PrimitiveType type = FirstResult(call.shape).element_type();
  if (!IsFloatingPointType(type)) return BadCall(call, "the result must be real");
  return CheckResults(call, {ShapeUtil::ChangeElementType(x, type)});
}

// --- softmax ---

// Returns the permutation that swaps the axis with the last dimension; it is its own inverse.
Result<Int64List> AxisLast(const HloInstruction& call) {
  ASSAY_TRY(const CallConfig config, CallConfig::Of(call, "onednn_softmax_config"));
  ASSAY_TRY(const std::int64_t axis, config.Integer("softmax_axis"));
  const std::int64_t rank = call.operand(0).shape.rank();
  if (axis < 0 || axis >= rank) {
    return BadCall(call, "backend_config: softmax_axis must be in [0, {}), found {}", rank, axis);
  }
  Int64List order = LastDimensions(rank, rank);
  std::swap(order[axis], order[rank - 1]);
  return order;
}

Status CheckSoftmax(const HloInstruction& call) {
  ASSAY_CHECK_OK(CheckReal(call, 1));
  ASSAY_TRY([[maybe_unused]] const Int64List order, AxisLast(call));
  return {};
}

// Returns rows in the form of attention's scores.
Literal Scores(const Literal& operand, const Int64List& order) {
  const Literal rows = Permuted(Converted(operand, F64), order);
  const std::int64_t size = rows.shape().dimensions().back();
  const std::int64_t count = size == 0 ? 0 : rows.element_count() / size;
  return rows.WithShape(ShapeUtil::MakeShape(F64, {1, 1, count, size}));
}

Literal InPlace(const Literal& rows, const Int64List& order, const Shape& shape) {
  return Permuted(rows.WithShape(ShapeUtil::MakeShape(F64, SizesOf(shape, order))), order);
}

Literal EvaluateSoftmax(const HloInstruction& call, std::span<Literal> operands, Evaluation&) {
  const Int64List order = *AxisLast(call);
  const Literal weights = Softmax(Scores(operands[0], order)).weights;
  return WithScratch(call.shape,
                     {Converted(InPlace(weights, order, operands[0].shape()), FirstResult(call.shape).element_type())});
}

PropertyReport JudgeSoftmax(const HloInstruction& call, std::span<const Literal> operands, const Literal& want,
                            const Literal& got) {
  constexpr double kExponential = 16;  // roundings of an exponential's argument and value, in its usual forms
  constexpr double kRoundoff = 0x1p-24;
  const Int64List order = *AxisLast(call);
  const Literal scores = Scores(operands[0], order);
  const Literal weights = Softmax(scores).weights;
  const double size = static_cast<double>(scores.shape().dimensions(3));
  // The largest number of a row is subtracted from each of its numbers before the exponential.
  const Literal relative =
      Times(Plus(Times(RowMaxima(Magnitudes(scores)), Number(4)), Number(size + kExponential)), Number(kRoundoff));
  const Literal errors = Times(weights, Broadcast(relative, {0, 1, 2}, scores.shape()));
  const Shape& shape = operands[0].shape();
  Properties properties;
  JudgeElements(kWithinRoundings, ResultAt(want, 0), ResultAt(got, 0),
                {DoublesOf(InPlace(errors, order, shape)), DoublesOf(InPlace(weights, order, shape))}, properties);
  return std::move(properties).Take();
}

// --- layer normalization ---

Result<LayerNorm> EmptyNorm(const HloInstruction& call) {
  ASSAY_TRY(const CallConfig config, CallConfig::Of(call, "onednn_layer_norm_config"));
  ASSAY_TRY(const std::string_view rescale, config.Word("rescale", {"UNDEFINED", "SCALE", "SHIFT", "SCALE_AND_SHIFT"}));
  ASSAY_TRY(const std::int64_t bits, config.Integer("epsilon_typecast"));
  if (rescale != "SCALE_AND_SHIFT") {
    return NotEvaluated(call, "rescale must be SCALE_AND_SHIFT, found {}", rescale);
  }
  LayerNorm norm;
  norm.epsilon = std::bit_cast<float>(static_cast<std::int32_t>(bits));
  return norm;
}

Status CheckNorm(const HloInstruction& call) {
  ASSAY_CHECK_OK(CheckReal(call, 3));
  ASSAY_TRY([[maybe_unused]] const LayerNorm norm, EmptyNorm(call));
  const Shape row = ShapeUtil::MakeShape(F32, {call.operand(0).shape.dimensions().back()});
  ASSAY_CHECK_OK(CheckDimensions(call, "operand 1", call.operand(1).shape, row));
  return CheckDimensions(call, "operand 2", call.operand(2).shape, row);
}

LayerNorm OneDnnNormOf(const HloInstruction& call, std::span<const Literal> operands) {
  LayerNorm norm = *EmptyNorm(call);
  const Literal x = Converted(operands[0], F64);
  const std::int64_t size = x.shape().dimensions().back();
  norm.x = x.WithShape(ShapeUtil::MakeShape(F64, {size == 0 ? 0 : x.element_count() / size, size}));
  norm.scale = Converted(operands[1], F64);
  norm.offset = Converted(operands[2], F64);
  return norm;
}

Literal EvaluateNorm(const HloInstruction& call, std::span<Literal> operands, Evaluation&) {
  const Literal y = OneDnnNormOf(call, operands).Evaluate().y;
  return WithScratch(call.shape, {Converted(y, FirstResult(call.shape).element_type())});
}

PropertyReport JudgeNorm(const HloInstruction& call, std::span<const Literal> operands, const Literal& want,
                         const Literal& got) {
  Properties properties;
  JudgeElements(kWithinRoundings, ResultAt(want, 0), ResultAt(got, 0), BoundsOf(OneDnnNormOf(call, operands)).y,
                properties);
  return std::move(properties).Take();
}

const CustomCallTarget kOnednnRowsTargets[] = {
    {
        .names = {"__onednn$softmax"},
        .meaning = "The softmax along softmax_axis.",
        .check = CheckSoftmax,
        .evaluate = EvaluateSoftmax,
        .properties = JudgeSoftmax,
    },
    {
        .names = {"__onednn$layernorm"},
        .meaning = "Layer normalization of the last dimension, with a scale and an offset.",
        .check = CheckNorm,
        .evaluate = EvaluateNorm,
        .properties = JudgeNorm,
    },
};

}  // namespace

const TargetFamily targets_onednn_rows = kOnednnRowsTargets;

}  // namespace assay
