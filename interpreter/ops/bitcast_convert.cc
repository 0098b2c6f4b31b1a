#include <algorithm>
#include <cstdint>

#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/plain/element_wise.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

using namespace plain;

Result<Shape> InferBitcastConvert(const HloInstruction& instruction) {
  ASSAY_CHECK_OK(CheckArrayOperand(instruction, 0));
  const Shape& operand = instruction.operand(0).shape;
  const PrimitiveType from = operand.element_type();
  const PrimitiveType to = instruction.shape.element_type();
  if (!IsArrayType(to) || IsComplexType(from) != IsComplexType(to)) {
    return Illegal(instruction, "both types must be complex or both not, found {} and {}", PrimitiveTypeName(from),
                   PrimitiveTypeName(to));
  }
  const int from_bits = BitWidth(from), to_bits = BitWidth(to);
  if (std::max(from_bits, to_bits) % std::min(from_bits, to_bits) != 0) {
    return Illegal(instruction, "the {} bits of {} and the {} bits of {} must be a multiple of one another", from_bits,
                   PrimitiveTypeName(from), to_bits, PrimitiveTypeName(to));
  }
  Shape result = operand;
  result.clear_layout();
  result.set_element_type(to);
  if (from_bits > to_bits) {
    result.add_dimension(from_bits / to_bits);
  } else if (from_bits < to_bits) {
    if (operand.rank() == 0 || operand.dimensions(operand.rank() - 1) != to_bits / from_bits) {
      return Illegal(instruction, "the last operand dimension must be {} to make {} of {}, found {}",
                     to_bits / from_bits, PrimitiveTypeName(to), PrimitiveTypeName(from),
                     operand.ToStringWithoutLayout());
    }
    result.delete_dimension(operand.rank() - 1);
  }
  result.set_default_layout();
  return result;
}

// Converts between types of equal width. Other conversions change the number of elements and have no kernel.
Kernel KernelOfSameBits(const HloInstruction& convert) {
  const PrimitiveType from = convert.operand(0).shape.element_type(), to = convert.shape.element_type();
  if (BitWidth(from) != BitWidth(to)) return {};
  return ElementByElement(convert,
                          [to](const Row& row) { return IsComplexType(to) ? row[0] : WithBits(to, BitsOf(row[0])); });
}

// Returns the i-th of the narrow elements that share the bits of a wide one. The first has the lowest bits.
Element NarrowPart(const Element& wide, PrimitiveType to, std::int64_t i) {
  if (wide.type == C128) return WithBits(to, BitsOf(PartOf(wide, static_cast<int>(i))));
  return WithBits(to, BitsOf(wide) >> (i * BitWidth(to)) & ~std::uint64_t{0} >> (64 - BitWidth(to)));
}

// The inverse of NarrowPart.
Element JoinedElement(const Row& narrow, PrimitiveType to) {
  if (to == C128) return ComplexOf(WithBits(F64, BitsOf(narrow[0])), WithBits(F64, BitsOf(narrow[1])));
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < narrow.size(); ++i) bits |= BitsOf(narrow[i]) << (i * BitWidth(narrow[i].type));
  return WithBits(to, bits);
}

// result[index, i] is part i of operand[index], or result[index] has the parts operand[index, i].
Literal EvaluateBitcastConvert(const HloInstruction& convert, std::span<Literal> operands, Evaluation&) {
  const PrimitiveType from = operands[0].element_type(), to = convert.shape.element_type();
  const std::int64_t ratio = std::max(BitWidth(from), BitWidth(to)) / std::min(BitWidth(from), BitWidth(to));
  const auto with = [](Index index, std::int64_t i) {
    index.push_back(i);
    return index;
  };
  Outputs result(convert.shape);
  if (BitWidth(from) > BitWidth(to)) {
    ForEachIndex(operands[0].shape().dimensions(), [&](const Index& index) {
      const Element wide = At(operands[0], index);
      for (std::int64_t i = 0; i < ratio; ++i) result.Set(with(index, i), NarrowPart(wide, to, i));
    });
    return std::move(result).Take();
  }
  ForEachIndex(convert.shape.dimensions(), [&](const Index& index) {
    Row narrow;
    for (std::int64_t i = 0; i < ratio; ++i) narrow.push_back(At(operands[0], ratio == 1 ? index : with(index, i)));
    result.Set(index, JoinedElement(narrow, to));
  });
  return std::move(result).Take();
}

}  // namespace

const Op op_bitcast_convert = {
    .name = "bitcast-convert",
    .meaning = "The bits of the operand read as another element type.",
    .syntax = {.shape_is_inferable = false},
    .legality = {.arity = Exactly(1), .types = kArrays, .infer = InferBitcastConvert},
    .evaluation = {.kernel = KernelOfSameBits, .evaluate = EvaluateBitcastConvert},
};

}  // namespace assay
