#include <utility>

#include "interpreter/ops/common/dynamic_sizes.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/plain/plain.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

using namespace plain;

// Infers a result whose shape is not written. XLA's parser reads the dimensions as the sizes of new leading ones.
Result<Shape> InferUnwritten(const HloInstruction& instruction) {
  Dimensions sizes;
  for (const std::int64_t size : instruction.Int64s("dimensions")) {
    if (size < 0) return Illegal(instruction, "a dimension must not have the size {}", size);
    sizes.push_back(size);
  }
  const Shape& operand = instruction.operand(0).shape;
  sizes.insert(sizes.end(), operand.dimensions().begin(), operand.dimensions().end());
  return ShapeUtil::MakeShape(operand.element_type(), std::move(sizes));
}

Result<Shape> InferBroadcast(const HloInstruction& instruction) {
  ASSAY_CHECK_OK(CheckArrayOperand(instruction, 0));
  const Shape& operand = instruction.operand(0).shape;
  const Shape& result = instruction.shape;
  if (result.element_type() == PRIMITIVE_TYPE_INVALID) return InferUnwritten(instruction);
  if (!result.IsArray() || result.element_type() != operand.element_type()) {
    return Illegal(instruction, "the result must have the element type of the operand {}, found {}",
                   operand.ToStringWithoutLayout(), result.ToStringWithoutLayout());
  }
  const auto dimensions = instruction.Int64s("dimensions");
  if (static_cast<std::int64_t>(dimensions.size()) != operand.rank()) {
    return Illegal(instruction,
                   "dimensions must name one result dimension for each of the {} operand dimensions, "
                   "found {}",
                   operand.rank(), dimensions.size());
  }
  ASSAY_CHECK_OK(CheckDimensionNumbers(instruction, "dimensions", dimensions, result.rank()));
  for (std::int64_t d = 0; d < operand.rank(); ++d) {
    if (operand.dimensions(d) != result.dimensions(dimensions[d])) {
      return Illegal(instruction, "operand dimension {} of size {} must be as large as result dimension {}, found {}",
                     d, operand.dimensions(d), dimensions[d], result.dimensions(dimensions[d]));
    }
  }
  return result;
}

// result[index] = operand[index[dimensions[0]], index[dimensions[1]], ...]
Literal EvaluateBroadcast(const HloInstruction& broadcast, std::span<Literal> operands, Evaluation&) {
  Outputs result(broadcast.shape);
  ForEachIndex(result.bounds(), [&](const Index& index) {
    result.Set(index, At(operands[0], Entries(index, broadcast.Int64s("dimensions"))));
  });
  return std::move(result).Take();
}

void FitBroadcast(HloInstruction& broadcast) {
  const auto dimensions = broadcast.Int64s("dimensions");
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    broadcast.shape.set_dimensions(dimensions[i], broadcast.operand(0).shape.dimensions(i));
  }
}

}  // namespace

const Op op_broadcast = {
    .name = "broadcast",
    .meaning = "The operand repeated along new dimensions.",
    .syntax = {.attributes = {Printed("dimensions", AttributeKind::kInt64List, Int64List{})}},
    .legality = {.arity = Exactly(1), .types = kArrays, .infer = InferBroadcast},
    .evaluation = {.evaluate = EvaluateBroadcast, .keeps_scalars = true, .fit_run_time_sizes = FitBroadcast},
};

}  // namespace assay
