// Copies of parts.
#include <cstring>

#include "interpreter/hlo/module.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

Kernel RealPartKernel(const HloInstruction& instruction) {
  const std::size_t part = StorageBytes(instruction.shape.element_type());
  const std::size_t stride = StorageBytes(instruction.operand(0).shape.element_type());
  return [=](std::span<const std::byte* const> operands, std::byte* result, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) std::memmove(result + i * part, operands[0] + i * stride, part);
  };
}

}  // namespace

const OpKernel kernel_real = {.op = &op_real, .kernel = RealPartKernel};

}  // namespace assay
