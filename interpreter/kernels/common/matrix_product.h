// Products of matrices in the arithmetic of a result type: what dot and convolution are made of.
#pragma once

#include <cstddef>
#include <cstdint>

#include "interpreter/ops/common/dot_rules.h"
#include "interpreter/types/literal.h"

namespace assay {

// Floating and complex results are exact sums of exact products, rounded once; integers wrap; pred is "and" and "or".
//
// Operands of other types than the result's are treated as by plain::Sum.
class MatrixProduct {
 public:
  explicit MatrixProduct(PrimitiveType type) : type_(type) {}

  // The type in which operands are held: f64, c128 or u64.
  PrimitiveType number_type() const;
  // The elements of an array as numbers.
  Literal Numbers(const Literal& array) const;
  // out[b, i, j] = sum over l of lhs[b, i, l] * rhs[b, l, j], all row-major, `out` of the result type.
  void Multiply(const std::byte* lhs, const std::byte* rhs, std::int64_t batch, std::int64_t m, std::int64_t n,
                std::int64_t k, std::byte* out) const;

 private:
  PrimitiveType type_;
};

// The dot of two arrays: shape's element type, dimensions by the rules.
Literal EvaluateDot(const Literal& lhs, const Literal& rhs, const DotDimensions& dimensions, const Shape& shape);

}  // namespace assay
