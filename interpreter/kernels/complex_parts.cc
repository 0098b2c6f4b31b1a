// Copies of the parts of complex numbers.
#include <cstring>

#include "interpreter/hlo/module.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/numerics/round.h"
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

Kernel ImaginaryPartKernel(const HloInstruction& instruction) {
  const PrimitiveType type = instruction.shape.element_type();
  const std::size_t part = StorageBytes(type);
  if (IsFloatingPointType(instruction.operand(0).shape.element_type())) {
    return [=](std::span<const std::byte* const>, std::byte* result, std::int64_t n) {
      const double zero = 0;
      for (std::int64_t i = 0; i < n; ++i) StoreReals(type, &zero, result + i * part, 1);
    };
  }
  return [=](std::span<const std::byte* const> operands, std::byte* result, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) std::memcpy(result + i * part, operands[0] + (2 * i + 1) * part, part);
  };
}

Kernel RealPartKernel(const HloInstruction& instruction) {
  const std::size_t part = StorageBytes(instruction.shape.element_type());
  const std::size_t stride = StorageBytes(instruction.operand(0).shape.element_type());
  return [=](std::span<const std::byte* const> operands, std::byte* result, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) std::memmove(result + i * part, operands[0] + i * stride, part);
  };
}

constexpr OpKernel kComplexParts[] = {
    {.op = &op_complex, .kernel = MakeComplexKernel},
    {.op = &op_imag, .kernel = ImaginaryPartKernel},
    {.op = &op_real, .kernel = RealPartKernel},
};

}  // namespace

std::span<const OpKernel> ComplexParts() { return kComplexParts; }

}  // namespace assay
