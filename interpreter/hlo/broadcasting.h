// Broadcasting of the operands of element-wise binary operations, as the specification's builder has it. The
// operations of an HLO module do not broadcast: a builder writes the two steps out as broadcast instructions.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "interpreter/types/literal.h"
#include "interpreter/types/result.h"
#include "interpreter/types/shape.h"

namespace assay {

// How one operand comes to the result's dimensions.
struct BroadcastOperand {
  // Step one, "InDim": the operand brought up to the rank of the result. Dimensions that it has keep their size,
  // the others take the size of the higher-rank operand.
  Shape in_dim_shape;
  // The dimension of the result that each dimension of the operand matches; strictly increasing.
  std::vector<std::int64_t> broadcast_dimensions;
  // Step two: the dimensions of in_dim_shape that are 1 and are repeated up to the result.
  std::vector<std::int64_t> degenerate_dimensions;
};

struct BroadcastPlan {
  BroadcastOperand lhs;
  BroadcastOperand rhs;
  Shape result;  // with the element type of lhs: element types play no part in broadcasting
};

// Both operands must be arrays. `broadcast_dimensions` says which dimension of the higher-rank operand each dimension
// of the lower-rank one matches; it stays empty for operands of equal rank and for scalars.
Result<BroadcastPlan> PlanBroadcast(const Shape& lhs, const Shape& rhs,
                                    std::span<const std::int64_t> broadcast_dimensions);
Result<Shape> InferBroadcastShape(const Shape& lhs, const Shape& rhs,
                                  std::span<const std::int64_t> broadcast_dimensions);

// The operand's values under the dimensions of `result`: dimension i of the operand varies along
// broadcast_dimensions[i] when its size is that dimension's, and is repeated when it is 1.
Literal BroadcastInDim(const Literal& operand, std::span<const std::int64_t> broadcast_dimensions,
                       const Dimensions& result);
// Both operands of a plan, brought to the dimensions of its result.
std::pair<Literal, Literal> ApplyBroadcast(const BroadcastPlan& plan, const Literal& lhs, const Literal& rhs);

}  // namespace assay
