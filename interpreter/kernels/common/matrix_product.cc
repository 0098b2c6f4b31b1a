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

// Converts the elements by `convert(in, out, count)`, piece by piece.
template <class Conversion>
Literal Converted(const Literal& array, PrimitiveType type, Conversion convert) {
  Literal result = Literal::Uninitialized(ShapeUtil::MakeShape(type, array.shape().dimensions()));
  std::byte* const out = result.mutable_data();
  const int in_bytes = StorageBytes(array.element_type()), out_bytes = StorageBytes(type);
  ParallelFor(array.element_count(), kComputedPerPiece, [&](std::int64_t begin, std::int64_t end) {
    convert(array.data() + begin * in_bytes, out + begin * out_bytes, end - begin);
  });
  return result;
}

Literal ConvertedTo(PrimitiveType type, const Literal& array) {
  if (array.element_type() == type) return array;
  return Converted(array, type, [&](const std::byte* in, std::byte* out, std::int64_t count) {
    Convert(array.element_type(), in, type, out, count);
  });
}

}  // namespace

PrimitiveType MatrixProduct::number_type() const {
  if (IsComplexType(type_)) return C128;
  return IsReal(type_) ? F64 : U64;
}

Literal MatrixProduct::Numbers(const Literal& array) const {
  const PrimitiveType from = array.element_type();
  if (IsComplexType(type_)) {
    return ConvertedTo(C128, IsWhole(from) ? ConvertedTo(ComplexComponentType(type_), array) : array);
  }
  if (IsReal(type_)) return ConvertedTo(F64, IsReal(from) ? array : ConvertedTo(type_, array));
  const bool wraps = IsIntegralType(type_) && IsWhole(from);
  const Literal whole = wraps ? array : ConvertedTo(type_, array);
  return Converted(whole, U64, [&](const std::byte* in, std::byte* out, std::int64_t count) {
    LoadIntegers(whole.element_type(), in, reinterpret_cast<std::uint64_t*>(out), count);
  });
}

void MatrixProduct::Multiply(const std::byte* lhs, const std::byte* rhs, std::int64_t batch, std::int64_t m,
                             std::int64_t n, std::int64_t k, std::byte* out) const {
  if (number_type() != U64) {
    const auto* a = reinterpret_cast<const double*>(lhs);
    const auto* b = reinterpret_cast<const double*>(rhs);
    return IsComplexType(type_) ? MatmulComplexExact(type_, a, b, batch, m, n, k, out)
                                : MatmulExact(type_, a, b, batch, m, n, k, out);
  }
  std::vector<std::uint64_t> products(batch * m * n);
  const auto* a = reinterpret_cast<const std::uint64_t*>(lhs);
  const auto* b = reinterpret_cast<const std::uint64_t*>(rhs);
  MatmulInteger(a, b, batch, m, n, k, products.data());
  if (type_ == PRED) {
    for (std::size_t i = 0; i < products.size(); ++i) out[i] = std::byte{products[i] != 0};
  } else {
    StoreIntegers(type_, products.data(), out, static_cast<std::int64_t>(products.size()));
  }
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
