// The legality rules that the element-wise ops share.
#pragma once

#include <cstddef>
#include <string_view>

#include "interpreter/ops/record.h"

namespace assay {

// Operand 0 is an array of one of the record's element types.
Status CheckElementType(const HloInstruction& instruction);
// The operands from `first` on are arrays of the same dimensions (no implicit broadcast) and of the same element type,
// where any two floating types count as equal.
Status CheckOperandsAgree(const HloInstruction& instruction, std::size_t first = 0);
// "add: <problem> (rule: <rule>), found f32[2,3] and f32[3]".
Error IllegalOperands(const HloInstruction& instruction, std::string_view problem, std::string_view rule);

// Of two equal types that type. Of two floating types the one with the larger range, or if equal the one with more
// precision; an error when neither is wider.
Result<PrimitiveType> WiderType(const HloInstruction& instruction, PrimitiveType a, PrimitiveType b);

// Makes every dimension dynamic that is dynamic in `other`, which has the same dimensions.
void MergeDynamicDimensions(Shape& shape, const Shape& other);

// One operand: its shape.
Result<Shape> InferUnary(const HloInstruction& instruction);
// One operand: its shape, and the component type for complex ones.
Result<Shape> InferComponent(const HloInstruction& instruction);
// One operand: the written shape, which has the operand's dimensions.
Result<Shape> InferConversion(const HloInstruction& instruction);
// Two operands: the shape of operand 0 with the wider type.
Result<Shape> InferBinary(const HloInstruction& instruction);
// One or two operands: the shape of operand 0 with element type pred.
Result<Shape> InferPredicate(const HloInstruction& instruction);

}  // namespace assay
