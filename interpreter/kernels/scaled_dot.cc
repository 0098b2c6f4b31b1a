// A product of matrices whose numbers were scaled before, block by block.
#include <algorithm>
#include <complex>
#include <vector>

#include "interpreter/kernels/common/matrix_product.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/numerics/complex.h"
#include "interpreter/ops/common/dot_rules.h"
#include "interpreter/ops/common/scale_rules.h"
#include "interpreter/ops/record.h"
#include "interpreter/types/index_util.h"

namespace assay {
namespace {

template <class T>
void Multiply(T& number, const T& scale) {
  number *= scale;
}

// std::complex rounds each product before their sum.
template <>
void Multiply(std::complex<double>& number, const std::complex<double>& scale) {
  auto* const bytes = reinterpret_cast<std::byte*>(&number);
  ComplexMultiply(C128, bytes, reinterpret_cast<const std::byte*>(&scale), bytes, 1);
}

template <class T>
void MultiplyBlocks(Literal& numbers, const Literal& scales) {
  const Dimensions& sizes = numbers.shape().dimensions();
  const Dimensions& blocks = scales.shape().dimensions();
  const std::vector<std::int64_t> strides = RowMajorStrides(blocks);
  std::vector<std::int64_t> index(sizes.size(), 0);
  T* number = reinterpret_cast<T*>(numbers.mutable_data());
  const T* scale = reinterpret_cast<const T*>(scales.data());
  do {
    std::int64_t block = 0;
    for (std::size_t d = 0; d < std::min(strides.size(), sizes.size()); ++d)
      block += index[d] / (sizes[d] / blocks[d]) * strides[d];
    Multiply(*number++, scale[block]);
  } while (IndexUtil::BumpIndices(sizes, index));
}

// Returns the operand's numbers, each times the scale of its block, as f64, c128, or integers modulo 2^64.
Literal ScaledRow(const Literal& operand, const Literal& scale) {
  const PrimitiveType type = ScaledType(operand.element_type(), scale.element_type());
  const MatrixProduct product(type);
  Literal numbers = product.Numbers(operand);
  if (numbers.element_count() == 0) return numbers;
  const Literal scales = product.Numbers(scale);
  if (type == C128) {
    MultiplyBlocks<std::complex<double>>(numbers, scales);
  } else if (type == F64) {
    MultiplyBlocks<double>(numbers, scales);
  } else {
    MultiplyBlocks<std::uint64_t>(numbers, scales);
    Literal integers = Literal::Uninitialized(ShapeUtil::ChangeElementType(numbers.shape(), S64));
    std::copy_n(numbers.data(), numbers.byte_size(), integers.mutable_data());
    return integers;
  }
  return numbers;
}

Literal EvaluateScaledDot(const HloInstruction& dot, std::span<Literal> operands, Evaluation&) {
  Literal numbers[2];
  for (int i : {0, 1}) {
    const Literal& scale = operands[i + 2];
    const bool is_dummy = IsDummyScale(operands[i].shape(), scale.shape());
    numbers[i] = is_dummy ? operands[i] : ScaledRow(operands[i], scale);
  }
  return EvaluateDot(numbers[0], numbers[1], DotDimensionsOf(dot), dot.shape);
}

}  // namespace

const OpKernel kernel_scaled_dot = {.op = &op_scaled_dot, .evaluate = EvaluateScaledDot};

}  // namespace assay
