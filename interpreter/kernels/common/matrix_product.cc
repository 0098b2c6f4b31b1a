#include "interpreter/kernels/common/matrix_product.h"

#include <vector>

#include "interpreter/kernels/common/permuted.h"
#include "interpreter/numerics/convert.h"
#include "interpreter/numerics/exact_matmul.h"
#include "interpreter/types/parallel.h"

namespace assay {
namespace {

bool IsReal(PrimitiveType type) { return IsFloatingPointType(type); }
bool IsWhole(PrimitiveType type) { return IsIntegralType(type) || type == PRED; }

// Converts the elements, piece by piece.
Literal ConvertedTo(PrimitiveType type, const Literal& array) {
  const PrimitiveType from = array.element_type();
  if (from == type) return array;
  Literal result = Literal::Uninitialized(ShapeUtil::MakeShape(type, array.shape().dimensions()));
  std::byte* const out = result.mutable_data();
  const int in_bytes = StorageBytes(from), out_bytes = StorageBytes(type);
  ParallelFor(array.element_count(), kComputedPerPiece, [&](std::int64_t begin, std::int64_t end) {
    Convert(from, array.data() + begin * in_bytes, type, out + begin * out_bytes, end - begin);
  });
  return result;
}

// Multiplies integers of type T, and stores the products as `type`.
template <class T>
void MultiplyIntegers(PrimitiveType type, const std::byte* lhs, const std::byte* rhs, std::int64_t batch,
                      std::int64_t m, std::int64_t n, std::int64_t k, std::byte* out) {
  std::vector<T> products(batch * m * n);
  MatmulInteger(reinterpret_cast<const T*>(lhs), reinterpret_cast<const T*>(rhs), batch, m, n, k, products.data());
  Convert(sizeof(T) == 4 ? U32 : U64, reinterpret_cast<const std::byte*>(products.data()), type, out, batch * m * n);
}

}  // namespace

PrimitiveType MatrixProduct::number_type() const {
  if (IsComplexType(type_)) return C128;
  if (IsReal(type_)) return F64;
  return BitWidth(type_) <= 32 ? U32 : U64;
}

Literal MatrixProduct::Numbers(const Literal& array) const {
  const PrimitiveType from = array.element_type();
  if (IsComplexType(type_)) {
    return ConvertedTo(C128, IsWhole(from) ? ConvertedTo(ComplexComponentType(type_), array) : array);
  }
  if (IsReal(type_)) return ConvertedTo(F64, IsReal(from) ? array : ConvertedTo(type_, array));
  const bool wraps = IsIntegralType(type_) && IsWhole(from);
  return ConvertedTo(number_type(), wraps ? array : ConvertedTo(type_, array));
}

void MatrixProduct::Multiply(const std::byte* lhs, const std::byte* rhs, std::int64_t batch, std::int64_t m,
                             std::int64_t n, std::int64_t k, std::byte* out) const {
  if (number_type() == U32) return MultiplyIntegers<std::uint32_t>(type_, lhs, rhs, batch, m, n, k, out);
  if (number_type() == U64) return MultiplyIntegers<std::uint64_t>(type_, lhs, rhs, batch, m, n, k, out);
  const auto* a = reinterpret_cast<const double*>(lhs);
  const auto* b = reinterpret_cast<const double*>(rhs);
  return IsComplexType(type_) ? MatmulComplexExact(type_, a, b, batch, m, n, k, out)
                              : MatmulExact(type_, a, b, batch, m, n, k, out);
}

Literal EvaluateDot(const Literal& lhs, const Literal& rhs, const DotDimensions& d, const Shape& shape) {
  const MatrixProduct product(shape.element_type());
  const Literal a = product.Numbers(Permuted(lhs, Concatenated(d.lhs_batch, d.lhs_free, d.lhs_contracting)));
  const Literal b = product.Numbers(Permuted(rhs, Concatenated(d.rhs_batch, d.rhs_contracting, d.rhs_free)));
  Literal result = Literal::Uninitialized(shape);
  product.Multiply(a.data(), b.data(), SizeOf(lhs.shape(), d.lhs_batch), SizeOf(lhs.shape(), d.lhs_free),
                   SizeOf(rhs.shape(), d.rhs_free), SizeOf(lhs.shape(), d.lhs_contracting), result.mutable_data());
  return result;
}

}  // namespace assay
