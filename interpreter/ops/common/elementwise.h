// The legality rules that the element-wise ops share.
#pragma once

#include <cstddef>
#include <string_view>

#include "interpreter/ops/record.h"

namespace assay {

// Checks that operand 0 is an array of one of the record's element types.
Status CheckElementType(const HloInstruction& instruction);
// Checks that the operands from `first` on are arrays of the same dimensions (no implicit broadcast) and of the same
// element type. All floating types count as equal.
Status CheckOperandsAgree(const HloInstruction& instruction, std::size_t first = 0);
// Returns an error such as "add: <problem> (rule: <rule>), found f32[2,3] and f32[3]".
Error IllegalOperands(const HloInstruction& instruction, std::string_view problem, std::string_view rule);

// Returns the wider of two floating types: the larger exponent range first, then precision. Equal types return
// themselves. Fails if neither is wider.
Result<PrimitiveType> WiderType(const HloInstruction& instruction, PrimitiveType a, PrimitiveType b);

// Makes every dimension dynamic that is dynamic in `other`, which has the same dimensions.
void MergeDynamicDimensions(Shape& shape, const Shape& other);

// Infers the result of one operand: its shape.
Result<Shape> InferUnary(const HloInstruction& instruction);
// Infers the result of one operand: its shape, with the component type of a complex number.
Result<Shape> InferComponent(const HloInstruction& instruction);
// Infers the result of one operand: the written shape, which must have the operand's dimensions.
Result<Shape> InferConversion(const HloInstruction& instruction);
// Infers the result of two operands: the shape of operand 0 with the wider type.
Result<Shape> InferBinary(const HloInstruction& instruction);
// Infers the result of one or two operands: the shape of operand 0 with element type pred.
Result<Shape> InferPredicate(const HloInstruction& instruction);

}  // namespace assay
