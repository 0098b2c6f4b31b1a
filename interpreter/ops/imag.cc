#include <cstring>
#include <utility>

#include "interpreter/numerics/round.h"
#include "interpreter/ops/common/elementwise.h"

namespace assay {
namespace {

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

}  // namespace

const Op op_imag = {
    .name = "imag",
    .meaning = "The imaginary part; 0 for floats.",
    .legality = {.arity = Exactly(1), .types = kFloats | kComplex, .infer = InferComponent},
    .evaluation = {.kernel = ImaginaryPartKernel},
};

}  // namespace assay
