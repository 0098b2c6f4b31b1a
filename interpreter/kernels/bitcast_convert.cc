// Copies the bytes if the bits of both types fill them; otherwise shifts bits.
#include <algorithm>
#include <cstdint>
#include <cstring>

#include "interpreter/hlo/module.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

// True for types whose storage has no other bits: every pattern of whole bytes is a value.
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

// Converts n elements of the wider type, or to it. The first of several narrow elements has the lowest bits.
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

// Makes a kernel for types of equal width. Other conversions change the number of elements.
Kernel MakeKernel(const HloInstruction& instruction) {
  const PrimitiveType from = instruction.operand(0).shape.element_type();
  const PrimitiveType to = instruction.shape.element_type();
  if (BitWidth(from) != BitWidth(to)) return {};
  return [=](std::span<const std::byte* const> operands, std::byte* result, std::int64_t n) {
    ConvertBits(from, operands[0], to, result, n);
  };
}

Literal EvaluateBitcastConvert(const HloInstruction& instruction, std::span<Literal> operands, Evaluation&) {
  Literal result = Literal::Uninitialized(instruction.shape);
  const std::int64_t wide_elements = std::min(operands[0].element_count(), result.element_count());
  if (wide_elements == 0) return result;
  ConvertBits(operands[0].element_type(), operands[0].data(), result.element_type(), result.mutable_data(),
              wide_elements);
  return result;
}

}  // namespace

const OpKernel kernel_bitcast_convert = {
    .op = &op_bitcast_convert, .kernel = MakeKernel, .evaluate = EvaluateBitcastConvert};

}  // namespace assay
