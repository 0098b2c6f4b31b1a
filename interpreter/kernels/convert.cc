// Converts blocks of elements through machine integers and doubles (numerics/convert.h).
#include "interpreter/numerics/convert.h"

#include "interpreter/hlo/module.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

Kernel ConvertKernel(const HloInstruction& instruction) {
  return [from = instruction.operand(0).shape.element_type(), to = instruction.shape.element_type()](
             std::span<const std::byte* const> operands, std::byte* result, std::int64_t n) {
    Convert(from, operands[0], to, result, n);
  };
}

}  // namespace

const OpKernel kernel_convert = {.op = &op_convert, .kernel = ConvertKernel};

}  // namespace assay
