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

// Returns the low bits of an integer, extended as the type requires.
std::int64_t Wrapped(PrimitiveType type, std::int64_t value) {
  if (type == PRED) return value != 0 ? 1 : 0;
  const int unused = 64 - BitWidth(type);
  const std::uint64_t high = static_cast<std::uint64_t>(value) << unused;
  return IsSignedIntegralType(type) ? static_cast<std::int64_t>(high) >> unused
                                    : static_cast<std::int64_t>(high >> unused);
}

}  // namespace

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

Literal FirstOf(const Literal& array, std::int64_t dimension, std::int64_t count) {
  Shape shape = array.shape();
  const std::int64_t size = shape.dimensions(dimension);
  const std::int64_t inner = Product(std::span(shape.dimensions()).subspan(dimension + 1));
  shape.set_dimensions(dimension, count);
  Literal result(shape);
  const std::int64_t row = inner * StorageBytes(array.element_type());
  for (std::int64_t i = 0; i < result.element_count() / std::max<std::int64_t>(inner, 1); ++i) {
    std::memcpy(result.mutable_data() + i * row, array.data() + (i / count * size + i % count) * row, row);
  }
  return result;
}

void SetInteger(Literal& array, std::int64_t offset, std::int64_t value) {
  StoreNumber(array.element_type(), {0, value}, array.mutable_data(), offset);
}

void ForgetFrom(Literal& array, std::int64_t first) {
  const int bytes = StorageBytes(array.element_type());
  std::fill_n(array.mutable_data() + first * bytes, (array.element_count() - first) * bytes, std::byte{0});
}

void ForgetHalf(Literal& value) {
  if (value.shape().IsArray()) ForgetFrom(value, value.element_count() / 2);
  for (Literal& element : value.mutable_elements()) ForgetHalf(element);
}

void ForgetHalfOfResult(const HloInstruction&, std::span<const Literal>, Literal& result) { ForgetHalf(result); }

void EndWithOperand(const HloInstruction&, std::span<const Literal> operands, Literal& result) {
  const Literal& first = operands[0].elements()[0];
  const Literal& operand = first.elements().empty() ? first : first.elements()[0];
  if (ShapeUtil::Compatible(operand.shape(), result.shape())) result = operand.WithShape(result.shape());
}

std::vector<std::int64_t> OffsetsInMemory(const Dimensions& dimensions, std::span<const std::int64_t> minor_to_major) {
  std::vector<std::int64_t> offsets;
  const auto strides = RowMajorStrides(dimensions);
  for (std::int64_t i = 0; i < Product(dimensions); ++i) {
    std::int64_t rest = i, offset = 0;
    for (const std::int64_t d : minor_to_major) {
      offset += rest % dimensions[d] * strides[d];
      rest /= dimensions[d];
    }
    offsets.push_back(offset);
  }
  return offsets;
}

std::vector<std::int64_t> OffsetsInMemory(const Shape& shape) {
  if (shape.has_layout()) return OffsetsInMemory(shape.dimensions(), shape.layout().minor_to_major);
  return OffsetsInMemory(shape.dimensions(), LayoutUtil::GetDefaultLayoutForRank(shape.rank()).minor_to_major);
}

void MoveElements(const Literal& array, std::span<const std::int64_t> from, Literal& result,
                  std::span<const std::int64_t> to) {
  const int bytes = StorageBytes(array.element_type());
  std::byte* out = result.mutable_data();
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::memcpy(out + to[i] * bytes, array.data() + from[i] * bytes, bytes);
  }
}

}  // namespace assay
