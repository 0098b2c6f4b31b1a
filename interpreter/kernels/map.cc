// Applies the computation to pieces of the arrays, on every thread.
#include <vector>

#include "interpreter/kernels/kernels.h"
#include "interpreter/ops/record.h"
#include "interpreter/types/parallel.h"
#include "interpreter/types/strided_copy.h"

namespace assay {
namespace {

Literal EvaluateMap(const HloInstruction& map, std::span<Literal> operands, Evaluation& evaluation) {
  const auto function = evaluation.Scalar(map.Computation("to_apply"));
  std::vector<const std::byte*> inputs;
  for (Literal& operand : operands) {
    if (operand.shape().IsScalar() && !map.shape.IsScalar()) {
      operand = Filled(ShapeUtil::ChangeElementType(map.shape, operand.element_type()), operand);
    }
    inputs.push_back(operand.data());
  }
  Literal result = Literal::Uninitialized(map.shape);
  std::byte* const out = result.mutable_data();
  ParallelFor(result.element_count(), kComputedPerPiece, [&](std::int64_t begin, std::int64_t end) {
    std::vector<const std::byte*> piece;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      piece.push_back(inputs[i] + begin * StorageBytes(operands[i].element_type()));
    }
    std::byte* const piece_out = out + begin * StorageBytes(map.shape.element_type());
    function->Apply(piece, {&piece_out, 1}, end - begin);
  });
  return result;
}

}  // namespace

const OpKernel kernel_map = {.op = &op_map, .evaluate = EvaluateMap};

}  // namespace assay
