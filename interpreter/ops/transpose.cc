#include <utility>
#include <vector>

#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/plain/plain.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

using namespace plain;

Result<Shape> InferTranspose(const HloInstruction& instruction) {
  ASSAY_CHECK_OK(CheckArrayOperand(instruction, 0));
  const Shape& operand = instruction.operand(0).shape;
  const auto permutation = instruction.Int64s("dimensions");
  if (static_cast<std::int64_t>(permutation.size()) != operand.rank()) {
    return Illegal(instruction, "dimensions must be a permutation of the {} operand dimensions, found {} numbers",
                   operand.rank(), permutation.size());
  }
  ASSAY_CHECK_OK(CheckDimensionNumbers(instruction, "dimensions", permutation, operand.rank()));
  Shape result = operand;
  std::vector<std::int64_t> inverse(permutation.size());
  for (std::int64_t d = 0; d < operand.rank(); ++d) {
    result.set_dimensions(d, operand.dimensions(permutation[d]));
    result.set_dynamic_dimension(d, operand.is_dynamic_dimension(permutation[d]));
    inverse[permutation[d]] = d;
  }
  // The layout changes such that no element moves in memory.
  if (result.has_layout()) {
    for (std::int64_t& d : result.mutable_layout().minor_to_major) d = inverse[d];
    std::vector<std::int64_t>& padded = result.mutable_layout().padded_dimensions;
    for (std::size_t d = 0; d < padded.size(); ++d) padded[d] = operand.layout().padded_dimensions[permutation[d]];
  }
  return result;
}

// result[index] = operand[place], where place[dimensions[i]] = index[i]
Literal EvaluateTranspose(const HloInstruction& transpose, std::span<Literal> operands, Evaluation&) {
  Outputs result(transpose.shape);
  ForEachIndex(result.bounds(), [&](const Index& index) {
    Index place(index.size());
    Place(index, transpose.Int64s("dimensions"), place);
    result.Set(index, At(operands[0], place));
  });
  return std::move(result).Take();
}

}  // namespace

const Op op_transpose = {
    .name = "transpose",
    .meaning = "Dimensions permuted: result dimension i is operand dimension dimensions[i].",
    .syntax = {.attributes = {Required("dimensions", AttributeKind::kInt64List)}},
    .legality = {.arity = Exactly(1), .types = kArrays, .infer = InferTranspose},
    .evaluation = {.evaluate = EvaluateTranspose, .keeps_scalars = true},
};

}  // namespace assay
