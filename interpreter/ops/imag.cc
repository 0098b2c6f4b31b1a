#include <cstring>
#include <utility>

#include "interpreter/numerics/round.h"
#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/common/images.h"

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

ElementSet SecondParts(const HloInstruction&, std::span<const ValueSet> operands, const Literal& value,
                       SetEvaluation&) {
  if (!IsComplexType(operands[0].value.element_type())) return nullptr;
  const ElementReader reader(operands[0]);
  ElementWriter writer(value);
  for (std::int64_t i = 0; i < value.element_count(); ++i) {
    if (reader.IsOpen(i)) writer.Set(i, reader.At(2 * i + 1));
  }
  return writer.Take();
}

}  // namespace

const Op op_imag = {
    .name = "imag",
    .meaning = "The imaginary part; 0 for floats.",
    .legality = {.arity = Exactly(1), .types = kFloats | kComplex, .infer = InferComponent},
    .evaluation = {.kernel = ImaginaryPartKernel},
    .acceptance = {.image = SecondParts, .keeps_terms = true},
};

}  // namespace assay
