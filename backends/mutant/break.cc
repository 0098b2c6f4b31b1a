#include "backends/mutant/break.h"

#include <algorithm>
#include <cstring>

#include "interpreter/evaluator/frame.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/numerics/round.h"
#include "interpreter/types/float_format.h"
#include "interpreter/types/index_util.h"

namespace assay {
namespace {

std::int64_t Wrapped(PrimitiveType type, std::int64_t value) {
  return type == PRED ? (value != 0 ? 1 : 0) : LowBits(type, value, BitWidth(type));
}

}  // namespace

std::int64_t LowBits(PrimitiveType type, std::int64_t value, int bits) {
  const std::uint64_t high = static_cast<std::uint64_t>(value) << (64 - bits);
  return IsSignedIntegralType(type) ? static_cast<std::int64_t>(high) >> (64 - bits)
                                    : static_cast<std::int64_t>(high >> (64 - bits));
}

Number LoadNumber(PrimitiveType type, const std::byte* array, std::int64_t offset) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, array + offset * StorageBytes(type), StorageBytes(type));
  if (IsFloatingPointType(type)) return {ToDouble(FloatFormatOf(type), bits), 0};
  return {0, Wrapped(type, static_cast<std::int64_t>(bits))};
}

void StoreNumber(PrimitiveType type, Number number, std::byte* array, std::int64_t offset) {
  const std::uint64_t bits = IsFloatingPointType(type) ? RoundDouble(FloatFormatOf(type), number.real)
                                                       : static_cast<std::uint64_t>(Wrapped(type, number.integer));
  std::memcpy(array + offset * StorageBytes(type), &bits, StorageBytes(type));
}

Kernel KernelWith(const HloInstruction& instruction, ElementRule rule) {
  Kernel right = WithKernel(*instruction.op).evaluation.kernel(instruction);
  bool has_complex = IsComplexType(instruction.shape.element_type());
  std::vector<PrimitiveType> types;
  for (const HloInstruction* operand : instruction.operands) {
    types.push_back(operand->shape.element_type());
    has_complex |= IsComplexType(types.back());
  }
  if (has_complex || !right) return right;
  const PrimitiveType type = instruction.shape.element_type();
  return [=, &instruction](std::span<const std::byte* const> operands, std::byte* result, std::int64_t n) {
    right(operands, result, n);
    std::vector<Number> numbers(operands.size());
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < operands.size(); ++k) numbers[k] = LoadNumber(types[k], operands[k], i);
      const Number exact = LoadNumber(type, result, i);
      const Number number = rule(instruction, numbers.data(), exact);
      if (std::memcmp(&number, &exact, sizeof number) != 0) StoreNumber(type, number, result, i);
    }
  };
}

Literal EvaluateWhole(const HloInstruction& instruction, std::span<Literal> operands, Evaluation& evaluation) {
  const Op& op = WithKernel(*instruction.op);
  if (op.evaluation.kernel != nullptr) {
    if (const Kernel kernel = op.evaluation.kernel(instruction)) return RunKernel(instruction, kernel, operands);
  }
  return op.evaluation.evaluate(instruction, operands, evaluation);
}

void SetInteger(Literal& array, std::int64_t offset, std::int64_t value) {
  StoreNumber(array.element_type(), {0, value}, array.mutable_data(), offset);
}

void ForgetFrom(Literal& array, std::int64_t first) {
  const int bytes = StorageBytes(array.element_type());
  std::fill_n(array.mutable_data() + first * bytes, (array.element_count() - first) * bytes, std::byte{0});
}

}  // namespace assay
