#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/plain/element_wise.h"

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

Kernel BothElements(const HloInstruction& complex) {
  return plain::ElementByElement(complex, [](const plain::Row& row) { return plain::ComplexOf(row[0], row[1]); });
}

}  // namespace

const Op op_complex = {
    .name = "complex",
    .meaning = "The complex number with the operands as real and imaginary part.",
    .legality = {.arity = Exactly(2), .types = TypesOf(F32, F64), .infer = InferComplex},
    .evaluation = {.kernel = BothElements},
};

}  // namespace assay
