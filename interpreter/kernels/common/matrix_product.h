// Products of matrices in the arithmetic of a result type, for dot and convolution.
#pragma once

#include <cstddef>
#include <cstdint>

#include "interpreter/ops/common/dot_rules.h"
#include "interpreter/types/literal.h"

namespace assay {

// The arithmetic of a result type. Floating and complex results are exact sums of exact products, rounded once;
// integers wrap; pred is "and" and "or". Operands of other types than the result's are treated as by plain::Sum.
class MatrixProduct {
 public:
  explicit MatrixProduct(PrimitiveType type) : type_(type) {}

  // Returns the type in which operands are held: f64, c128, u32 for integers of up to 32 bits and pred, or u64.
  PrimitiveType number_type() const;
  // Returns the elements of an array as numbers.
  Literal Numbers(const Literal& array) const;
  // Computes out[b, i, j] = sum over l of lhs[b, i, l] * rhs[b, l, j], all row-major, `out` of the result type.
  void Multiply(const std::byte* lhs, const std::byte* rhs, std::int64_t batch, std::int64_t m, std::int64_t n,
                std::int64_t k, std::byte* out) const;

 private:
  PrimitiveType type_;
};

// Computes the dot of two arrays, with the shape's element type and the dimensions of the rules.
Literal EvaluateDot(const Literal& lhs, const Literal& rhs, const DotDimensions& dimensions, const Shape& shape);

}  // namespace assay
