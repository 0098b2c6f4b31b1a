// Blocks of bit patterns.
#include <algorithm>

#include "interpreter/hlo/module.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/numerics/convert.h"
#include "interpreter/ops/common/reduced_precision.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

Kernel ReducePrecisionKernel(const HloInstruction& instruction) {
  const PrimitiveType type = instruction.shape.element_type();
  const int bytes = StorageBytes(type);
  const PrimitiveType bits_type = bytes == 1 ? U8 : bytes == 2 ? U16 : bytes == 4 ? U32 : U64;
  const FloatFormat& format = FloatFormatOf(type);
  const auto exponent_bits = static_cast<int>(std::min<std::int64_t>(instruction.Int64("exponent_bits"), 64));
  const auto mantissa_bits = static_cast<int>(std::min<std::int64_t>(instruction.Int64("mantissa_bits"), 64));
  return [=, &format](std::span<const std::byte* const> operands, std::byte* result, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) {
      std::uint64_t bits = 0;
      LoadIntegers(bits_type, operands[0] + i * bytes, &bits, 1);
      bits = ReducePrecision(format, exponent_bits, mantissa_bits, bits);
      StoreIntegers(bits_type, &bits, result + i * bytes, 1);
    }
  };
}

}  // namespace

const OpKernel kernel_reduce_precision = {.op = &op_reduce_precision, .kernel = ReducePrecisionKernel};

}  // namespace assay
