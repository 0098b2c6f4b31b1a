#include <algorithm>

#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/plain/element_wise.h"

namespace assay {
namespace {

Result<Shape> InferClamp(const HloInstruction& instruction) {
  ASSAY_CHECK_OK(CheckElementType(instruction));
  const Shape& shape = instruction.operand(1).shape;
  for (const HloInstruction* operand : instruction.operands) {
    if (!shape.IsArray() || !ShapeUtil::SameElementTypeIgnoringFpPrecision(operand->shape, shape)) {
      return IllegalOperands(instruction, "operands must have equal element types", "equal types, or all floating");
    }
    if (!operand->shape.IsScalar() && !ShapeUtil::SameDimensions(operand->shape, shape)) {
      return IllegalOperands(instruction, "a bound must be a scalar or have the dimensions of operand 1",
                             "no implicit broadcast");
    }
  }
  return shape;
}

// Returns the first operand that has a NaN, quieted; otherwise minimum(maximum(x, min), max) in the order of complex
// numbers of plain/complex.h.
plain::Element ClampComplex(const plain::Row& row) {
  using namespace plain;
  const PrimitiveType part = ComplexComponentType(row[0].type);
  for (const Element& number : row) {
    const Element real = PartOf(number, 0), imaginary = PartOf(number, 1);
    if (!RealOf(real).IsNan() && !RealOf(imaginary).IsNan()) continue;
    return ComplexOf(Rounded(part, RealOf(real), {real}), Rounded(part, RealOf(imaginary), {imaginary}));
  }
  const Complex min = ComplexNumberOf(row[0]), x = ComplexNumberOf(row[1]), max = ComplexNumberOf(row[2]);
  return Rounded(row[0].type, Minimum(Maximum(x, min), max), row);
}

Kernel Clamp(const HloInstruction& clamp) {
  if (IsComplexType(clamp.shape.element_type())) return plain::ElementByElement(clamp, ClampComplex);
  return plain::ElementWise<[](auto min, auto x, auto max) { return Minimum(Maximum(x, min), max); },
                            kPred | kIntegral | kFloats>(clamp);
}

}  // namespace

const Op op_clamp = {
    .name = "clamp",
    .meaning = "minimum(maximum(x, min), max).",
    .legality = {.arity = Exactly(3), .types = kArrays, .infer = InferClamp},
    .evaluation = {.kernel = Clamp},
};

}  // namespace assay
