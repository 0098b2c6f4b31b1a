#include "interpreter/ops/common/start_indices.h"

#include <algorithm>

#include "interpreter/ops/common/legality.h"

namespace assay {

std::int64_t StartIndexAt(const Literal& indices, std::int64_t offset) {
  const std::int64_t index = indices.IntegerAt(offset);
  return index < 0 && indices.element_type() == U64 ? INT64_MAX : index;
}

Status CheckStartIndices(const HloInstruction& instruction, std::size_t first, std::int64_t rank) {
  const std::int64_t count = static_cast<std::int64_t>(instruction.operands.size() - first);
  if (count == 1 && instruction.operands[first]->shape.IsArray() && instruction.operands[first]->shape.rank() == 1) {
    const Shape& shape = instruction.operands[first]->shape;
    if (IsIntegralType(shape.element_type()) && shape.dimensions(0) == rank) return {};
    return Illegal(instruction, "the vector of start indices must be integral and of length {}, found {}", rank,
                   shape.ToStringWithoutLayout());
  }
  if (count != rank) {
    return Illegal(instruction, "needs one start index for each of the {} dimensions, found {}", rank, count);
  }
  for (std::int64_t d = 0; d < rank; ++d) {
    const Shape& shape = instruction.operands[first + d]->shape;
    if (!shape.IsScalar() || !IsIntegralType(shape.element_type())) {
      return Illegal(instruction, "start index {} must be an integral scalar, found {}", d,
                     shape.ToStringWithoutLayout());
    }
    const PrimitiveType type = instruction.operands[first]->shape.element_type();
    if (shape.element_type() != type) {
      return Illegal(instruction, "all start indices must have one type, found {} and {}", PrimitiveTypeName(type),
                     PrimitiveTypeName(shape.element_type()));
    }
  }
  return {};
}

Dimensions ClampedStarts(std::span<const Literal> indices, const Dimensions& dimensions,
                         std::span<const std::int64_t> sizes) {
  const bool is_vector = indices.size() == 1 && indices[0].shape().rank() == 1;
  Dimensions starts(dimensions.size());
  for (std::size_t d = 0; d < starts.size(); ++d) {
    const std::int64_t start = is_vector ? StartIndexAt(indices[0], d) : StartIndexAt(indices[d], 0);
    starts[d] = std::clamp<std::int64_t>(start, 0, dimensions[d] - sizes[d]);
  }
  return starts;
}

}  // namespace assay
