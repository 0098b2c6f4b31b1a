// Products of matrices of f32, f64 and wrapping s32, on which dot and convolution are built.
#pragma once

#include <algorithm>
#include <cstdint>

namespace assay::simd {

// A matrix whose rows are computed on demand.
template <class T>
class Rows {
 public:
  virtual ~Rows() = default;
  // Copies elements [begin, end) of a row. Must be thread-safe.
  virtual void Copy(std::int64_t row, std::int64_t begin, std::int64_t end, T* out) const = 0;
};

// A matrix of row-major elements.
template <class T>
class DenseRows final : public Rows<T> {
 public:
  DenseRows(const T* elements, std::int64_t row_size) : elements_(elements), row_size_(row_size) {}

  void Copy(std::int64_t row, std::int64_t begin, std::int64_t end, T* out) const override {
    const T* const in = elements_ + row * row_size_;
    std::copy(in + begin, in + end, out);
  }

 private:
  const T* elements_;
  std::int64_t row_size_;
};

// Computes out[i, j] = start + sum over l of lhs[i, l] * rhs[l, j] for m rows, n columns and k terms. The rows of `rhs`
// begin `rhs_stride` elements apart, those of `out` `out_stride`. The order of each sum depends only on k and the
// instruction set. T is float, double or std::int32_t.
template <class T>
void Multiply(const Rows<T>& lhs, const T* rhs, std::int64_t rhs_stride, std::int64_t m, std::int64_t n, std::int64_t k,
              T start, T* out, std::int64_t out_stride);

// Computes a product of s16 matrices, wrapping in s32. An element of `lhs` and of the row-major `rhs`, whose rows
// follow each other, holds two terms in its halves: out[i, j] = sum over l of low(lhs[i, l]) * low(rhs[l, j]) +
// high(lhs[i, l]) * high(rhs[l, j]).
void MultiplyPairs(const Rows<std::int32_t>& lhs, const std::int32_t* rhs, std::int64_t m, std::int64_t n,
                   std::int64_t k, std::int32_t* out, std::int64_t out_stride);
// Does the same for u8 in `lhs` and s8 in `rhs`, four terms in each element. The machine must have tiles for them.
void MultiplyFours(const Rows<std::int32_t>& lhs, const std::int32_t* rhs, std::int64_t m, std::int64_t n,
                   std::int64_t k, std::int32_t* out, std::int64_t out_stride);

}  // namespace assay::simd
