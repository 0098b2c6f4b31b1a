// The dot of block-scaled operands that JAX calls and that XLA:GPU's BlockScalingRewriter turns into a composite.
#include <cmath>
#include <vector>

#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/custom_calls/family.h"
#include "interpreter/custom_calls/library_results.h"
#include "interpreter/custom_calls/post_ops.h"
#include "interpreter/ops/record.h"
#include "interpreter/types/float_format.h"

namespace assay {
namespace {

// Operands: lhs, rhs, the scales of their blocks, and optionally a number that scales the result. The last dimension is
// contracted; dimension 0 of a rank 3 operand is the batch.
StandIn ScaledDotOf(const HloInstruction& call) {
  std::vector<Shape> operands;
  for (std::size_t i = 0; i < 4; ++i) operands.push_back(call.operand(static_cast<std::int64_t>(i)).shape);
  const std::int64_t rank = operands[0].rank();
  const Int64List batch = rank == 3 ? Int64List{0} : Int64List{};
  const Int64List contracting = {rank - 1};
  return StandIn(op_scaled_dot, operands,
                 {{"lhs_batch_dims", batch},
                  {"lhs_contracting_dims", contracting},
                  {"rhs_batch_dims", batch},
                  {"rhs_contracting_dims", contracting}},
                 ShapeUtil::MakeScalarShape(FirstResult(call.shape).element_type()));
}

Status CheckBlockScaledDot(const HloInstruction& call) {
  const std::size_t n = call.operands.size();
  if (n != 4 && n != 5) return BadCall(call, "the number of operands must be 4 or 5, found {}", n);
  for (const HloInstruction* operand : call.operands) {
    if (operand->shape.IsArray() && IsFloatingPointType(operand->shape.element_type())) continue;
    return BadCall(call, "every operand must be a real array, found {}", operand->shape.ToStringWithoutLayout());
  }
  const std::int64_t rank = call.operand(0).shape.rank();
  if (rank != 2 && rank != 3) return BadCall(call, "operand 0 must have 2 or 3 dimensions, found {}", rank);
  const Shape& result = FirstResult(call.shape);
  if (!result.IsArray() || !IsFloatingPointType(result.element_type())) {
    return BadCall(call, "the result must be a real array");
  }
  for (std::int64_t i : {0, 1}) {
    const Shape& operand = call.operand(i).shape;
    const Shape& scale = call.operand(i + 2).shape;
    bool fits = operand.rank() == rank && scale.rank() == rank;
    for (std::int64_t d = 0; fits && d < rank - 1; ++d) fits = operand.dimensions(d) == scale.dimensions(d);
    if (fits) continue;
    return BadCall(call,
                   "the scale of operand {} must have one number for each block of its last "
                   "dimension, found {} and {}",
                   i, operand.ToStringWithoutLayout(), scale.ToStringWithoutLayout());
  }
  if (n == 5 && ShapeUtil::ElementsIn(call.operand(4).shape) != 1) {
    return BadCall(call, "operand 4 must be one number");
  }
  StandIn dot = ScaledDotOf(call);
  ASSAY_CHECK_OK(dot.Infer(call));
  return CheckResults(call, {dot.instruction().shape});
}

// Returns an operand times the scales of its blocks; exact in f64 for the formats of block scaling.
Literal Dequantized(const Literal& operand, const Literal& scale) {
  const Shape& shape = operand.shape();
  Dimensions blocks = scale.shape().dimensions();
  const std::int64_t count = blocks.back();
  blocks.push_back(count == 0 ? 0 : shape.dimensions().back() / count);
  const Literal repeated =
      Broadcast(Converted(scale, F64), LastDimensions(shape.rank(), shape.rank()), ShapeUtil::MakeShape(F64, blocks));
  return Times(Converted(operand, F64), repeated.WithShape(ShapeUtil::ChangeElementType(shape, F64)));
}

struct Dequantization {
  std::vector<Literal> operands;
  PostProcessedProduct product;
};

// Returns the dot over numbers of the result's type, in which the composite multiplies operands and scales.
Dequantization Dequantize(const HloInstruction& call, std::span<const Literal> operands) {
  std::vector<Literal> numbers = {Dequantized(operands[0], operands[2]), Dequantized(operands[1], operands[3])};
  if (operands.size() == 5) numbers.push_back(operands[4]);
  const std::int64_t rank = operands[0].shape().rank();
  const Int64List batch = rank == 3 ? Int64List{0} : Int64List{};
  const Int64List contracting = {rank - 1};
  const Shape& result = FirstResult(call.shape);
  StandIn dot(op_dot, {numbers[0].shape(), numbers[1].shape()},
              {{"lhs_batch_dims", batch},
               {"lhs_contracting_dims", contracting},
               {"rhs_batch_dims", batch},
               {"rhs_contracting_dims", contracting}},
              result);
  PostProcessedProduct product{std::move(dot)};
  product.algorithm = SumAlgorithm{"scaled", std::ldexp(1.0, -FloatFormatOf(result.element_type()).precision()),
                                   SumRoundoff(result.element_type())};
  if (operands.size() == 5) product.steps.push_back({.kind = PostOp::Kind::kMultiply, .operand = 2});
  return {std::move(numbers), std::move(product)};
}

Literal EvaluateBlockScaledDot(const HloInstruction& call, std::span<Literal> operands, Evaluation&) {
  const Dequantization dot = Dequantize(call, operands);
  return WithScratch(call.shape, {dot.product.Value(dot.operands, FirstResult(call.shape).element_type())});
}

PropertyReport JudgeBlockScaledDot(const HloInstruction& call, std::span<const Literal> operands, const Literal& want,
                                   const Literal& got) {
  const Dequantization dot = Dequantize(call, operands);
  Properties properties;
  JudgeElements(kWithinRoundings, ResultAt(want, 0), ResultAt(got, 0),
                dot.product.Bounds(dot.operands, FirstResult(call.shape).element_type()), properties);
  return std::move(properties).Take();
}

const CustomCallTarget kBlockScaledDotTargets[] = {{
    .names = {"__op$block_scaled_dot"},
    .meaning = "The dot of two operands over the last dimension, each times the scales of its blocks.",
    .check = CheckBlockScaledDot,
    .evaluate = EvaluateBlockScaledDot,
    .properties = JudgeBlockScaledDot,
}};

}  // namespace

const TargetFamily targets_block_scaled_dot = kBlockScaledDotTargets;

}  // namespace assay
