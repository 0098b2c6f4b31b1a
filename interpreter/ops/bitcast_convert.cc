#include <algorithm>
#include <cstdint>
#include <cstring>

#include "interpreter/ops/common/images.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

Result<Shape> Infer(const HloInstruction& instruction) {
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

// Types whose storage is their bits: every pattern of whole bytes is a value.
bool FillsItsBytes(PrimitiveType type) { return BitWidth(type) % 8 == 0 && type != PRED; }

std::uint64_t LoadBits(PrimitiveType type, const std::byte* element) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, element, StorageBytes(type));
  return bits & (~std::uint64_t{0} >> (64 - BitWidth(type)));
}

void StoreBits(PrimitiveType type, std::uint64_t bits, std::byte* element) {
  if (type == PRED) bits = bits != 0;
  const int unused = 64 - BitWidth(type);
  if (IsSignedIntegralType(type)) bits = static_cast<std::int64_t>(bits << unused) >> unused;
  std::memcpy(element, &bits, StorageBytes(type));
}

// n elements of the wider type, or of the one they become; the first of several narrow elements has the lowest bits.
void ConvertBits(PrimitiveType from, const std::byte* in, PrimitiveType to, std::byte* out, std::int64_t n) {
  const int from_bits = BitWidth(from), to_bits = BitWidth(to);
  if (FillsItsBytes(from) && FillsItsBytes(to)) {
    std::memcpy(out, in, n * std::max(StorageBytes(from), StorageBytes(to)));
    return;
  }
  for (std::int64_t i = 0; i < n; ++i) {
    if (from_bits >= to_bits) {
      const std::uint64_t bits = LoadBits(from, in);
      in += StorageBytes(from);
      for (int at = 0; at < from_bits; at += to_bits, out += StorageBytes(to)) {
        StoreBits(to, bits >> at & (~std::uint64_t{0} >> (64 - to_bits)), out);
      }
    } else {
      std::uint64_t bits = 0;
      for (int at = 0; at < to_bits; at += from_bits, in += StorageBytes(from)) bits |= LoadBits(from, in) << at;
      StoreBits(to, bits, out);
      out += StorageBytes(to);
    }
  }
}

// Of equal widths only: the others change the number of elements.
Kernel MakeKernel(const HloInstruction& instruction) {
  const PrimitiveType from = instruction.operand(0).shape.element_type();
  const PrimitiveType to = instruction.shape.element_type();
  if (BitWidth(from) != BitWidth(to)) return {};
  return [=](std::span<const std::byte* const> operands, std::byte* result, std::int64_t n) {
    ConvertBits(from, operands[0], to, result, n);
  };
}

Literal Evaluate(const HloInstruction& instruction, std::span<Literal> operands, Evaluation&) {
  Literal result = Literal::Uninitialized(instruction.shape);
  const std::int64_t wide_elements = std::min(operands[0].element_count(), result.element_count());
  if (wide_elements == 0) return result;
  ConvertBits(operands[0].element_type(), operands[0].data(), result.element_type(), result.mutable_data(),
              wide_elements);
  return result;
}

// Bits of an open number may be any.
Reals Bits(const HloInstruction& instruction, std::span<const Reals>) {
  return AnyOf(instruction.shape.element_type());
}

ElementSet Image(const HloInstruction& instruction, std::span<const ValueSet> operands, const Literal& value,
                 SetEvaluation&) {
  if (operands[0].value.element_count() != value.element_count()) return Anything(value, &instruction).open;
  return MapElements(instruction, operands, value, Bits);
}

}  // namespace

const Op op_bitcast_convert = {
    .name = "bitcast-convert",
    .meaning = "The bits of the operand read as another element type.",
    .syntax = {.shape_is_inferable = false},
    .legality = {.arity = Exactly(1), .types = kArrays, .infer = Infer},
    .evaluation = {.kernel = MakeKernel, .evaluate = Evaluate},
    .acceptance = {.image = Image},
};

}  // namespace assay
