#include "interpreter/ops/common/matrix_rules.h"

#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/record.h"

namespace assay {

Status CheckSquareMatrices(const HloInstruction& instruction, std::int64_t i) {
  ASSAY_CHECK_OK(CheckArrayOperand(instruction, i, kFloats | kComplex, "floating or complex"));
  const Shape& shape = instruction.operand(i).shape;
  const std::int64_t rank = shape.rank();
  if (rank < 2) {
    return Illegal(instruction, "operand {} must have at least 2 dimensions, found {}", i,
                   shape.ToStringWithoutLayout());
  }
  if (shape.dimensions(rank - 2) == shape.dimensions(rank - 1)) return {};
  return Illegal(instruction, "the two minor dimensions of operand {} must be equal, found {}", i,
                 shape.ToStringWithoutLayout());
}

}  // namespace assay
