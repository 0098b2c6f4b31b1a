// Blocks of elements in machine numbers. The total order compares integer keys.
#include <algorithm>
#include <array>

#include "interpreter/kernels/common/element_wise_kernels.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/numerics/convert.h"
#include "interpreter/numerics/round.h"
#include "interpreter/ops/common/compare_rules.h"
#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/common/total_order.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

template <auto body>
elementwise::Loops Comparison() {
  return elementwise::LoopsOf<body, true, true>();
}

elementwise::Loops ComparisonOf(std::string_view direction) {
  if (direction == "EQ") return Comparison<[](auto a, auto b) { return a == b; }>();
  if (direction == "NE") return Comparison<[](auto a, auto b) { return a != b; }>();
  if (direction == "LT") return Comparison<[](auto a, auto b) { return a < b; }>();
  if (direction == "LE") return Comparison<[](auto a, auto b) { return a <= b; }>();
  if (direction == "GT") return Comparison<[](auto a, auto b) { return (a > b); }>();
  return Comparison<[](auto a, auto b) { return (a >= b); }>();
}

void LoadKeys(PrimitiveType type, const std::byte* in, std::int64_t* keys, std::int64_t count) {
  const int bytes = StorageBytes(type);
  const PrimitiveType bits_type = bytes == 1 ? U8 : bytes == 2 ? U16 : bytes == 4 ? U32 : U64;
  auto* bits = reinterpret_cast<std::uint64_t*>(keys);
  LoadIntegers(bits_type, in, bits, count);
  const FloatFormat& format = FloatFormatOf(type);
  for (std::int64_t i = 0; i < count; ++i) keys[i] = TotalOrderKey(format, bits[i]);
}

Kernel TotalOrderKernel(elementwise::Loop compare_keys, const HloInstruction& instruction) {
  const PrimitiveType type =
      *WiderType(instruction, instruction.operand(0).shape.element_type(), instruction.operand(1).shape.element_type());
  return WithOperandsConverted(
      instruction, 0, type, [=](std::span<const std::byte* const> operands, std::byte* result, std::int64_t n) {
        static constexpr std::int64_t kBlock = 512;
        std::array<std::array<std::int64_t, kBlock>, 2> keys;
        const std::array<const std::byte*, 2> in = {reinterpret_cast<const std::byte*>(keys[0].data()),
                                                    reinterpret_cast<const std::byte*>(keys[1].data())};
        for (std::int64_t begin = 0; begin < n; begin += kBlock) {
          const std::int64_t count = std::min(kBlock, n - begin);
          for (int k = 0; k < 2; ++k) {
            LoadKeys(type, operands[k] + begin * StorageBytes(type), keys[k].data(), count);
          }
          compare_keys(in.data(), result + begin, count, 64);
        }
      });
}

// Makes a kernel that compares complex numbers, which are equal if both parts are.
Kernel CompareComplexKernel(const HloInstruction& instruction, bool when_equal) {
  const PrimitiveType type = instruction.operand(0).shape.element_type();
  return [=](std::span<const std::byte* const> operands, std::byte* result, std::int64_t n) {
    const std::int64_t bytes = StorageBytes(type);
    for (std::int64_t i = 0; i < n; ++i) {
      double a[2], b[2];
      LoadReals(ComplexComponentType(type), operands[0] + i * bytes, a, 2);
      LoadReals(ComplexComponentType(type), operands[1] + i * bytes, b, 2);
      result[i] = static_cast<std::byte>((a[0] == b[0] && a[1] == b[1]) == when_equal);
    }
  };
}

Kernel CompareKernel(const HloInstruction& instruction) {
  const std::string_view direction = instruction.String("direction");
  const PrimitiveType type = instruction.operand(0).shape.element_type();
  if (IsComplexType(type)) return CompareComplexKernel(instruction, direction == "EQ");
  const elementwise::Loops comparison = ComparisonOf(direction);
  if (IsFloatingPointType(type) && IsTotalOrder(instruction)) return TotalOrderKernel(comparison.s64, instruction);
  return elementwise::MakeKernel(comparison, instruction);
}

}  // namespace

const OpKernel kernel_compare = {.op = &op_compare, .kernel = CompareKernel};

}  // namespace assay
