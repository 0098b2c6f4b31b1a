#include <algorithm>
#include <complex>
#include <vector>

#include "interpreter/numerics/complex.h"
#include "interpreter/ops/common/dot_rules.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/common/matrix_product.h"
#include "interpreter/ops/record.h"
#include "interpreter/types/index_util.h"

namespace assay {
namespace {

bool HasOneElement(const Shape& shape) {
  return std::ranges::all_of(shape.dimensions(), [](std::int64_t size) { return size == 1; });
}

// A bf16 operand may come with a scale of one element that stands for "not scaled".
bool IsDummyScale(const Shape& operand, const Shape& scale) {
  return operand.element_type() == BF16 && scale.element_type() == BF16 && HasOneElement(scale) &&
         !HasOneElement(operand);
}

bool IsUnread(const HloInstruction& dot, std::size_t operand) {
  return operand >= 2 && IsDummyScale(dot.operands[operand - 2]->shape, dot.operands[operand]->shape);
}

Status CheckScale(const HloInstruction& dot, std::int64_t i) {
  ASSAY_CHECK_OK(CheckArrayOperand(dot, i));
  ASSAY_CHECK_OK(CheckArrayOperand(dot, i + 2));
  const Shape& operand = dot.operand(i).shape;
  const Shape& scale = dot.operand(i + 2).shape;
  if (IsDummyScale(operand, scale)) return {};
  bool fits = operand.rank() == scale.rank();
  for (std::int64_t d = 0; fits && d < operand.rank(); ++d) {
    const std::int64_t blocks = scale.dimensions(d);
    fits = blocks == 0 ? operand.dimensions(d) == 0 : operand.dimensions(d) % blocks == 0;
  }
  if (fits) return {};
  return Illegal(dot, "every dimension of operand {} must be a multiple of that of its scale, found {} and {}", i,
                 operand.ToStringWithoutLayout(), scale.ToStringWithoutLayout());
}

Result<Shape> Infer(const HloInstruction& dot) {
  ASSAY_CHECK_OK(CheckScale(dot, 0));
  ASSAY_CHECK_OK(CheckScale(dot, 1));
  if (dot.Int64s("lhs_contracting_dims").size() != 1) {
    return Illegal(dot, "there must be exactly one contracting dimension, found {}",
                   dot.Int64s("lhs_contracting_dims").size());
  }
  if (dot.operand(2).shape.IsScalar() && dot.operand(3).shape.IsScalar()) {
    return Illegal(dot, "only one of the scales may be a scalar");
  }
  return InferDot(dot);
}

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

// The operand's numbers, each times the scale of its block: as f64, c128, or integers modulo 2^64.
Literal Scaled(const Literal& operand, const Literal& scale) {
  const auto is_any = [&](bool (*has)(PrimitiveType)) {
    return has(operand.element_type()) || has(scale.element_type());
  };
  const PrimitiveType type = is_any(IsComplexType) ? C128 : is_any(IsFloatingPointType) ? F64 : S64;
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

Literal Evaluate(const HloInstruction& dot, std::span<Literal> operands, Evaluation&) {
  Literal numbers[2];
  for (int i : {0, 1}) {
    const Literal& scale = operands[i + 2];
    const bool is_dummy = IsDummyScale(operands[i].shape(), scale.shape());
    numbers[i] = is_dummy ? operands[i] : Scaled(operands[i], scale);
  }
  return EvaluateDot(numbers[0], numbers[1], DotDimensionsOf(dot), dot.shape);
}

}  // namespace

const Op op_scaled_dot = {
    .name = "scaled-dot",
    .meaning = "A dot of block-scaled operands.",
    .syntax =
        {
            .attributes = {DimensionList("lhs_batch_dims"),
                           Printed("lhs_contracting_dims", AttributeKind::kInt64List, Int64List{}),
                           DimensionList("rhs_batch_dims"),
                           Printed("rhs_contracting_dims", AttributeKind::kInt64List, Int64List{}), OperandPrecision(),
                           DotAlgorithm()},
        },
    .legality = {.arity = Exactly(4), .types = kArrays, .allows_mixed_precision = true, .infer = Infer},
    .evaluation = {.evaluate = Evaluate, .fit_run_time_sizes = EqualizeDotOperands},
    .acceptance = {.rule = Acceptance::kSum, .sum_algorithm = SumAlgorithmOf, .is_unread = IsUnread},
};

}  // namespace assay
