#include <cstring>

#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/common/images.h"

namespace assay {
namespace {

Kernel RealPartKernel(const HloInstruction& instruction) {
  const std::size_t part = StorageBytes(instruction.shape.element_type());
  const std::size_t stride = StorageBytes(instruction.operand(0).shape.element_type());
  return [=](std::span<const std::byte* const> operands, std::byte* result, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) std::memmove(result + i * part, operands[0] + i * stride, part);
  };
}

Reals FirstPart(const HloInstruction&, std::span<const Reals> x) { return x[0]; }

}  // namespace

const Op op_real = {
    .name = "real",
    .meaning = "The real part; floats pass through.",
    .legality = {.arity = Exactly(1), .types = kFloats | kComplex, .infer = InferComponent},
    .evaluation = {.kernel = RealPartKernel},
    .acceptance = {.image = ByElement<FirstPart>, .keeps_terms = true},
};

}  // namespace assay
