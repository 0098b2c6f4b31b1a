#include "backends/simd/products.h"

#include <algorithm>
#include <memory>
#include <string_view>
#include <vector>

#include "backends/simd/elementwise.h"
#include "backends/simd/gemm.h"
#include "backends/simd/narrow_products.h"
#include "backends/simd/permute.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/types/float_format.h"
#include "interpreter/types/index_util.h"
#include "interpreter/types/parallel.h"

namespace assay::simd {
namespace {

std::int64_t SizeOf(const Shape& shape, std::span<const std::int64_t> dimensions) {
  std::int64_t size = 1;
  for (const std::int64_t d : dimensions) size *= shape.dimensions(d);
  return size;
}

std::vector<std::int64_t> Joined(std::initializer_list<std::span<const std::int64_t>> lists) {
  std::vector<std::int64_t> all;
  for (const auto list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

// Returns the dimensions of an operand that are neither batch nor contracting dimensions.
std::vector<std::int64_t> FreeDimensions(const Shape& shape, std::span<const std::int64_t> batch,
                                         std::span<const std::int64_t> contracting) {
  std::vector<std::int64_t> free;
  for (std::int64_t d = 0; d < shape.rank(); ++d) {
    if (std::ranges::count(batch, d) == 0 && std::ranges::count(contracting, d) == 0) free.push_back(d);
  }
  return free;
}

// The dimensions of an operand of a dot: those of the batch, of the rows of a matrix, and of its columns.
struct MatrixDimensions {
  std::vector<std::int64_t> batch, rows, columns;

  std::vector<std::int64_t> Order() const { return Joined({batch, rows, columns}); }
  MatrixDimensions Transposed() const { return {batch, columns, rows}; }
};

// A dot as products of matrices, and the operands' dimensions for which they are such matrices.
struct MatrixSizes : MatrixProduct {
  MatrixSizes(const HloInstruction& dot, const Shape& left, const Shape& right) {
    const auto lhs_batch = dot.Int64s("lhs_batch_dims"), rhs_batch = dot.Int64s("rhs_batch_dims");
    const auto lhs_contracting = dot.Int64s("lhs_contracting_dims");
    const auto rhs_contracting = dot.Int64s("rhs_contracting_dims");
    lhs = {Joined({lhs_batch}), FreeDimensions(left, lhs_batch, lhs_contracting), Joined({lhs_contracting})};
    rhs = {Joined({rhs_batch}), Joined({rhs_contracting}), FreeDimensions(right, rhs_batch, rhs_contracting)};
    batch = SizeOf(left, lhs.batch);
    k = SizeOf(left, lhs.columns);
    m = SizeOf(left, lhs.rows);
    n = SizeOf(right, rhs.columns);
  }

  MatrixDimensions lhs, rhs;
};

// Matrices with adjacent columns. Strides are in elements.
struct Matrices {
  Literal array;
  std::int64_t batch_stride, row_stride;

  template <class T>
  const T* At(std::int64_t i) const {
    return reinterpret_cast<const T*>(array.data()) + i * batch_stride;
  }
};

// Returns the stride of dimensions that are indexed as one; nullopt if there is none.
std::optional<std::int64_t> JoinedStride(const Shape& shape, std::span<const std::int64_t> dimensions) {
  const std::vector<std::int64_t> strides = RowMajorStrides(shape.dimensions());
  std::int64_t stride = 0, size = 1;
  for (std::size_t i = dimensions.size(); i-- > 0;) {
    const std::int64_t d = dimensions[i];
    if (shape.dimensions(d) == 1) continue;
    if (stride == 0) stride = strides[d];
    if (strides[d] != stride * size) return std::nullopt;
    size *= shape.dimensions(d);
  }
  return stride;
}

// Returns the matrices in an array; nullopt if their columns are not adjacent.
std::optional<Matrices> MatricesIn(const Literal& array, const MatrixDimensions& dimensions) {
  const Shape& shape = array.shape();
  const auto batch = JoinedStride(shape, dimensions.batch), row = JoinedStride(shape, dimensions.rows);
  const auto column = JoinedStride(shape, dimensions.columns);
  if (!batch || !row || !column || *column > 1) return std::nullopt;
  return Matrices{array, *batch, *row};
}

// Returns the matrices in an array, moved if their columns are not adjacent.
Matrices AdjacentMatrices(const Literal& array, const MatrixDimensions& dimensions) {
  if (std::optional<Matrices> matrices = MatricesIn(array, dimensions)) return *std::move(matrices);
  const std::int64_t row = SizeOf(array.shape(), dimensions.columns), rows = SizeOf(array.shape(), dimensions.rows);
  return {Permuted(array, dimensions.Order()), rows * row, row};
}

// Calls multiply(i) for the i-th product of matrices, for several at once.
template <class Multiply>
void ForEachProduct(const MatrixProduct& sizes, Multiply multiply) {
  const std::int64_t grain = GrainOfRows(sizes.m * sizes.n * sizes.k, kMovedPerPiece);
  ParallelFor(sizes.batch, grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) multiply(i);
  });
}

// The sum of terms that are all -0 is -0; the sum of no terms is +0.
template <class T>
T StartOfSum(std::int64_t k) {
  return k > 0 ? static_cast<T>(-0.0) : T{0};
}

template <class T>
void MultiplyAll(const MatrixProduct& sizes, const T* lhs, const T* rhs, T* out) {
  ForEachProduct(sizes, [&, m = sizes.m, n = sizes.n, k = sizes.k](std::int64_t i) {
    const DenseRows<T> rows(lhs + i * m * k, k);
    Multiply<T>(rows, rhs + i * k * n, n, m, n, k, StartOfSum<T>(k), out + i * m * n, n);
  });
}

template <class T>
void MultiplyAll(const MatrixSizes& sizes, const Literal& lhs, const Literal& rhs, T* out) {
  const auto [batch, m, n, k] = static_cast<const MatrixProduct&>(sizes);
  const auto multiply = [&, m = m, n = n, k = k](const Matrices& a, const Matrices& b, bool is_transposed) {
    ForEachProduct(sizes, [&](std::int64_t i) {
      const DenseRows<T> rows(a.At<T>(i), a.row_stride);
      Multiply<T>(rows, b.At<T>(i), b.row_stride, is_transposed ? n : m, is_transposed ? m : n, k, StartOfSum<T>(k),
                  out + i * m * n, is_transposed ? m : n);
    });
  };
  // A single row times a matrix is the matrix, transposed, times a column. If its rows are adjacent, nothing is moved.
  const auto transposed = m == 1 ? MatricesIn(rhs, sizes.rhs.Transposed()) : std::nullopt;
  if (transposed) return multiply(*transposed, AdjacentMatrices(lhs, sizes.lhs.Transposed()), true);
  multiply(AdjacentMatrices(lhs, sizes.lhs), AdjacentMatrices(rhs, sizes.rhs), false);
}

template <class T>
Literal Dot(const HloInstruction& dot, const Literal& lhs, const Literal& rhs, PrimitiveType type) {
  const MatrixSizes sizes(dot, lhs.shape(), rhs.shape());
  Literal result = Literal::Uninitialized(ShapeUtil::ChangeElementType(dot.shape, type));
  if (result.element_count() > 0) {
    MultiplyAll(sizes, Converted(lhs, type), Converted(rhs, type), result.mutable_values<T>().data());
  }
  return Converted(result, dot.shape.element_type()).WithShape(dot.shape);
}

template <class L>
Literal DotOfNarrow(const HloInstruction& dot, const Literal& lhs, const Literal& rhs) {
  const MatrixSizes sizes(dot, lhs.shape(), rhs.shape());
  const auto& [batch, m, n, k] = static_cast<const MatrixProduct&>(sizes);
  const Literal a = Permuted(lhs, sizes.lhs.Order()), b = Permuted(rhs, sizes.rhs.Order());
  const PrimitiveType right = rhs.element_type();
  Literal result = Literal::Uninitialized(ShapeUtil::ChangeElementType(dot.shape, S32));
  if (result.element_count() > 0) {
    std::int32_t* const out = result.mutable_values<std::int32_t>().data();
    ForEachProduct(sizes, [&, m = m, n = n, k = k](std::int64_t i) {
      const DenseRows<L> rows(reinterpret_cast<const L*>(a.data()) + i * m * k, k);
      MultiplyNarrow(rows, right, b.data() + i * k * n * StorageBytes(right), n, m, n, k, out + i * m * n, n);
    });
  }
  return Converted(result, dot.shape.element_type()).WithShape(dot.shape);
}

Literal DotOfIntegers(const HloInstruction& dot, const Literal& lhs, const Literal& rhs) {
  if (!IsNarrow(lhs.element_type()) || !IsNarrow(rhs.element_type())) return Dot<std::int32_t>(dot, lhs, rhs, S32);
  return WithStoredType(lhs.element_type(), [&]<class L>(L) { return DotOfNarrow<L>(dot, lhs, rhs); });
}

template <class T>
Kernel KernelOfMatrices(const MatrixProduct& sizes) {
  return [sizes](std::span<const std::byte* const> operands, std::byte* result, std::int64_t) {
    MultiplyAll(sizes, reinterpret_cast<const T*>(operands[0]), reinterpret_cast<const T*>(operands[1]),
                reinterpret_cast<T*>(result));
  };
}

Literal EvaluateDot(const HloInstruction& dot, std::span<Literal> operands, Evaluation& evaluation) {
  const auto type = ProductType(dot);
  if (type == F32) return Dot<float>(dot, operands[0], operands[1], F32);
  if (type == F64) return Dot<double>(dot, operands[0], operands[1], F64);
  if (type == S32) return DotOfIntegers(dot, operands[0], operands[1]);
  return WithKernel(*dot.op).evaluation.evaluate(dot, operands, evaluation);
}

constexpr std::string_view kNames[] = {"dot"};

}  // namespace

std::optional<MatrixProduct> DenseProduct(const HloInstruction& instruction) {
  if (instruction.op->name != "dot" || !instruction.shape.IsFixedArray()) return std::nullopt;
  const Shape &lhs = instruction.operand(0).shape, &rhs = instruction.operand(1).shape;
  const PrimitiveType type = instruction.shape.element_type();
  const bool is_uniform = lhs.element_type() == type && rhs.element_type() == type;
  if (!is_uniform || ProductType(instruction) != type || ShapeUtil::ElementsIn(instruction.shape) == 0) {
    return std::nullopt;
  }
  const MatrixSizes sizes(instruction, lhs, rhs);
  const bool is_dense = std::ranges::is_sorted(sizes.lhs.Order()) && std::ranges::is_sorted(sizes.rhs.Order());
  return is_dense ? std::optional<MatrixProduct>(sizes) : std::nullopt;
}

Kernel DotKernel(const HloInstruction& dot) {
  const std::optional<MatrixProduct> product = DenseProduct(dot);
  if (!product) return {};
  switch (dot.shape.element_type()) {
    case F32:
      return KernelOfMatrices<float>(*product);
    case F64:
      return KernelOfMatrices<double>(*product);
    default:
      return KernelOfMatrices<std::int32_t>(*product);
  }
}

std::optional<PrimitiveType> ProductType(const HloInstruction& instruction) {
  if (instruction.Has("sparsity_config") || instruction.Has("block_scaling_config")) return std::nullopt;
  const PrimitiveType result = instruction.shape.element_type();
  bool is_real = IsFloatingPointType(result), is_whole = IsIntegralType(result) && BitWidth(result) <= 32;
  bool is_wide = result == F64;
  for (const HloInstruction* operand : instruction.operands) {
    const PrimitiveType type = operand->shape.element_type();
    is_real = is_real && IsFloatingPointType(type);
    is_whole = is_whole && IsIntegralType(type);
    // Products of the smallest f8e8m0fnu numbers underflow to zero in f32, and the type has no zero.
    is_wide = is_wide || type == F64 || type == F8E8M0FNU;
  }
  if (is_whole) return S32;
  if (!is_real) return std::nullopt;
  return is_wide ? F64 : F32;
}

Literal Converted(const Literal& array, PrimitiveType type) {
  const PrimitiveType from = array.element_type();
  if (from == type) return array;
  Literal result = Literal::Uninitialized(ShapeUtil::ChangeElementType(array.shape(), type));
  std::byte* const out = result.mutable_data();
  ParallelFor(array.element_count(), kComputedPerPiece, [&](std::int64_t begin, std::int64_t end) {
    ConvertElements(from, array.data() + begin * StorageBytes(from), type, out + begin * StorageBytes(type),
                    end - begin);
  });
  return result;
}

const Family kDot = {.ops = kNames, .evaluate = EvaluateDot};

}  // namespace assay::simd
