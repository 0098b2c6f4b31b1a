// Copies of parts.
#include <cstring>

#include "interpreter/hlo/module.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

Kernel MakeComplexKernel(const HloInstruction& instruction) {
  return [part = StorageBytes(instruction.shape.element_type()) / 2](std::span<const std::byte* const> operands,
                                                                     std::byte* result, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) {
      std::memcpy(result + 2 * i * part, operands[0] + i * part, part);
      std::memcpy(result + (2 * i + 1) * part, operands[1] + i * part, part);
    }
  };
}

}  // namespace

const OpKernel kernel_complex = {.op = &op_complex, .kernel = MakeComplexKernel};

}  // namespace assay
