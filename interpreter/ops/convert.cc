#include "interpreter/numerics/convert.h"

#include "interpreter/ops/common/elementwise.h"

namespace assay {
namespace {

Kernel ConvertKernel(const HloInstruction& instruction) {
  return [from = instruction.operand(0).shape.element_type(), to = instruction.shape.element_type()](
             std::span<const std::byte* const> operands, std::byte* result, std::int64_t n) {
    Convert(from, operands[0], to, result, n);
  };
}

}  // namespace

const Op op_convert = {
    .name = "convert",
    .meaning = "Each element converted to the result type, rounded once.",
    .syntax = {.shape_is_inferable = false},
    .legality = {.arity = Exactly(1), .types = kArrays, .infer = InferConversion},
    .evaluation = {.kernel = ConvertKernel},
};

}  // namespace assay
