// Products of panels of matrices, of whole tiles of the result, for the instruction set of this machine.
#pragma once

#include <cstdint>

namespace assay::simd {

// Functions on a panel of `rows` rows and one of `columns` columns. `multiply` computes out = (is_first ? start : out)
// + the product, for rows of `rhs` and `out` that begin so many elements apart.
template <class T>
struct Tile {
  std::int64_t rows;
  std::int64_t columns;
  void (*multiply)(const T* lhs, const T* rhs, std::int64_t rhs_stride, std::int64_t k, bool is_first, T start, T* out,
                   std::int64_t stride);
  // Copies `rows` rows of k elements, which follow each other, so that their elements at each place do.
  void (*interleave)(const T* from, std::int64_t k, T* to);
  // Returns start + the sum of lhs[l] * rhs[l].
  T (*dot)(const T* lhs, const T* rhs, std::int64_t k, T start);
  // Adds the product of a row of k elements and k rows of n columns to out, in the order of `multiply`.
  void (*add_row)(const T* lhs, const T* rhs, std::int64_t rhs_stride, std::int64_t k, std::int64_t n, T* out);
};

// Return the functions for float, double or std::int32_t, and those for pairs of s16 (MultiplyPairs of gemm.h).
template <class T>
Tile<T> BestTile();
Tile<std::int32_t> BestTileOfPairs();
// Returns the functions for four terms in each element; without rows if the machine cannot add four at once.
Tile<std::int32_t> BestTileOfFours();

}  // namespace assay::simd
