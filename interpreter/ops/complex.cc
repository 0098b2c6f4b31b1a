#include <cstring>

#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/common/images.h"

namespace assay {
namespace {

Result<Shape> InferComplex(const HloInstruction& instruction) {
  ASSAY_CHECK_OK(CheckElementType(instruction));
  ASSAY_CHECK_OK(CheckOperandsAgree(instruction));
  const Shape& real = instruction.operand(0).shape;
  const Shape& imaginary = instruction.operand(1).shape;
  if (real.element_type() != imaginary.element_type()) {
    return IllegalOperands(instruction, "both parts must have one type", "f32 and f32, or f64 and f64");
  }
  Shape shape = ShapeUtil::ChangeElementType(real, ComplexTypeOf(real.element_type()));
  MergeDynamicDimensions(shape, imaginary);
  return shape;
}

Kernel ComplexKernel(const HloInstruction& instruction) {
  return [part = StorageBytes(instruction.shape.element_type()) / 2](std::span<const std::byte* const> operands,
                                                                     std::byte* result, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) {
      std::memcpy(result + 2 * i * part, operands[0] + i * part, part);
      std::memcpy(result + (2 * i + 1) * part, operands[1] + i * part, part);
    }
  };
}

ElementSet BothParts(const HloInstruction&, std::span<const ValueSet> operands, const Literal& value, SetEvaluation&) {
  const ElementReader real(operands[0]), imaginary(operands[1]);
  ElementWriter writer(value);
  for (std::int64_t i = 0; i < value.element_count(); ++i) {
    if (!real.IsOpen(i) && !imaginary.IsOpen(i)) continue;
    writer.Set(2 * i, real.At(i));
    writer.Set(2 * i + 1, imaginary.At(i));
  }
  return writer.Take();
}

}  // namespace

const Op op_complex = {
    .name = "complex",
    .meaning = "The complex number with the operands as real and imaginary part.",
    .legality = {.arity = Exactly(2), .types = TypesOf(F32, F64), .infer = InferComplex},
    .evaluation = {.kernel = ComplexKernel},
    .acceptance = {.image = BothParts, .keeps_terms = true},
};

}  // namespace assay
