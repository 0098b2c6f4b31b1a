// Broadcasting of the operands of element-wise binary operations, as XLA's builder does it (XLA, Broadcasting). The
// operations of an HLO module do not broadcast: a builder emits the two steps as broadcast instructions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "interpreter/types/literal.h"
#include "interpreter/types/result.h"
#include "interpreter/types/shape.h"

namespace assay {

// The two steps that broadcast one operand to the result's dimensions.
struct BroadcastOperand {
  // Step one, "InDim": the operand's shape with the rank of the result. The operand's own dimensions keep their size;
  // the others have the size of the higher-rank operand's.
  Shape in_dim_shape;
  // The dimension of the result that each dimension of the operand matches; strictly increasing.
  std::vector<std::int64_t> broadcast_dimensions;
  // Step two: the dimensions of in_dim_shape that have size 1 and are repeated to the result's size.
  std::vector<std::int64_t> degenerate_dimensions;
};

struct BroadcastPlan {
  BroadcastOperand lhs;
  BroadcastOperand rhs;
  Shape result;  // element type of lhs: broadcasting ignores element types
};

// Plans the broadcast of two operands, which must be arrays. `broadcast_dimensions` maps each dimension of the
// lower-rank operand to one of the higher-rank operand; it is empty for operands of equal rank and for scalars.
Result<BroadcastPlan> PlanBroadcast(const Shape& lhs, const Shape& rhs,
                                    std::span<const std::int64_t> broadcast_dimensions);

// Returns the operand broadcast to the dimensions of `result`. Dimension i of the operand varies along
// broadcast_dimensions[i] if their sizes are equal, and is repeated if its size is 1.
Literal BroadcastInDim(const Literal& operand, std::span<const std::int64_t> broadcast_dimensions,
                       const Dimensions& result);

}  // namespace assay
