#include "backends/simd/narrow_products.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <type_traits>
#include <vector>

#include "backends/simd/tiles.h"
#include "interpreter/types/parallel.h"
#include "interpreter/types/vector_clones.h"

namespace assay::simd {
namespace {

// The instruction for four terms multiplies u8 by s8. Another left matrix has 128 added to its numbers, another right
// one 128 subtracted: for both, the highest bit is inverted. The sums of rows and columns correct the product.
constexpr std::uint32_t kHighestBits = 0x80808080;

ASSAY_VECTOR_CLONES void Widen(const std::int8_t* in, std::int64_t n, std::int16_t* out) {
  for (std::int64_t i = 0; i < n; ++i) out[i] = in[i];
}
ASSAY_VECTOR_CLONES void Widen(const std::uint8_t* in, std::int64_t n, std::int16_t* out) {
  for (std::int64_t i = 0; i < n; ++i) out[i] = in[i];
}
void Widen(const std::int16_t* in, std::int64_t n, std::int16_t* out) { std::copy_n(in, n, out); }

// Puts two terms of a sum into each element, the first one into its lower half.
ASSAY_VECTOR_CLONES void PairRows(const std::int16_t* low, const std::int16_t* high, std::int64_t n,
                                  std::int32_t* pairs) {
  for (std::int64_t j = 0; j < n; ++j) {
    const std::uint32_t upper = static_cast<std::uint16_t>(high[j]);
    pairs[j] = static_cast<std::int32_t>(static_cast<std::uint16_t>(low[j]) | upper << 16);
  }
}

ASSAY_VECTOR_CLONES void JoinRows(const std::uint8_t* const* rows, std::int64_t n, std::uint32_t highest_bits,
                                  std::int32_t* fours) {
  const std::uint8_t *const a = rows[0], *const b = rows[1], *const c = rows[2], *const d = rows[3];
  for (std::int64_t j = 0; j < n; ++j) {
    const std::uint32_t four = a[j] | std::uint32_t{b[j]} << 8 | std::uint32_t{c[j]} << 16 | std::uint32_t{d[j]} << 24;
    fours[j] = static_cast<std::int32_t>(four ^ highest_bits);
  }
}

// Rows of k numbers, two in each element; the last number of an odd k has 0 beside it.
template <class L>
class RowsOfPairs final : public Rows<std::int32_t> {
 public:
  RowsOfPairs(const Rows<L>& rows, std::int64_t k) : rows_(rows), k_(k) {}

  void Copy(std::int64_t row, std::int64_t begin, std::int64_t end, std::int32_t* out) const override {
    constexpr std::int64_t kPairs = 256;
    [[maybe_unused]] L numbers[2 * kPairs];
    std::int16_t terms[2 * kPairs];
    for (std::int64_t l = begin; l < end; l += kPairs) {
      const std::int64_t pairs = std::min(kPairs, end - l), count = std::min(2 * pairs, k_ - 2 * l);
      if constexpr (sizeof(L) == 2) {
        rows_.Copy(row, 2 * l, 2 * l + count, terms);
      } else {
        rows_.Copy(row, 2 * l, 2 * l + count, numbers);
        Widen(numbers, count, terms);
      }
      if (count < 2 * pairs) terms[count] = 0;
      std::memcpy(out + l - begin, terms, pairs * sizeof(std::int32_t));  // literals are little-endian
    }
  }

 private:
  const Rows<L>& rows_;
  std::int64_t k_;
};

// Rows of k bytes as u8, four in each element; the last element of a row has zeros beside its numbers.
template <class L>
class RowsOfFours final : public Rows<std::int32_t> {
 public:
  RowsOfFours(const Rows<L>& rows, std::int64_t k) : rows_(rows), k_(k) {}

  void Copy(std::int64_t row, std::int64_t begin, std::int64_t end, std::int32_t* out) const override {
    if (begin == end) return;
    out[end - begin - 1] = 0;
    rows_.Copy(row, 4 * begin, std::min(4 * end, k_), reinterpret_cast<L*>(out));
    if (std::is_unsigned_v<L>) return;
    for (std::int64_t l = 0; l < end - begin; ++l) out[l] ^= static_cast<std::int32_t>(kHighestBits);
  }

 private:
  const Rows<L>& rows_;
  std::int64_t k_;
};

// Returns the k rows of n numbers as (k + 1) / 2 rows of pairs; beside the last row of an odd number are zeros.
template <class R>
std::unique_ptr<std::int32_t[]> PairsOfRows(const R* numbers, std::int64_t stride, std::int64_t k, std::int64_t n) {
  auto pairs = std::make_unique_for_overwrite<std::int32_t[]>((k + 1) / 2 * n);
  ParallelFor((k + 1) / 2, GrainOfRows(n, kComputedPerPiece), [&](std::int64_t begin, std::int64_t end) {
    std::vector<std::int16_t> low(n), high(n);
    for (std::int64_t l = begin; l < end; ++l) {
      Widen(numbers + 2 * l * stride, n, low.data());
      if (2 * l + 1 < k)
        Widen(numbers + (2 * l + 1) * stride, n, high.data());
      else
        std::ranges::fill(high, std::int16_t{0});
      PairRows(low.data(), high.data(), n, pairs.get() + l * n);
    }
  });
  return pairs;
}

// Returns the k rows of n bytes as (k + 3) / 4 rows of four s8 in each element; those behind the last row are zeros.
template <class R>
std::unique_ptr<std::int32_t[]> FoursOfRows(const R* numbers, std::int64_t stride, std::int64_t k, std::int64_t n) {
  constexpr std::uint32_t kInverted = std::is_signed_v<R> ? 0 : kHighestBits;
  // An inverted row of these is one of zeros.
  const std::vector<std::uint8_t> behind(k % 4 == 0 ? 0 : n, static_cast<std::uint8_t>(kInverted));
  auto fours = std::make_unique_for_overwrite<std::int32_t[]>((k + 3) / 4 * n);
  ParallelFor((k + 3) / 4, GrainOfRows(n, kComputedPerPiece), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t l = begin; l < end; ++l) {
      const std::uint8_t* rows[4];
      for (std::int64_t i = 0; i < 4; ++i) {
        const std::int64_t row = 4 * l + i;
        rows[i] = row < k ? reinterpret_cast<const std::uint8_t*>(numbers) + row * stride : behind.data();
      }
      JoinRows(rows, n, kInverted, fours.get() + l * n);
    }
  });
  return fours;
}

ASSAY_VECTOR_CLONES void Correct(std::uint32_t of_row, const std::int32_t* sums, std::int64_t n, std::int32_t* out) {
  for (std::int64_t j = 0; j < n; ++j) {
    out[j] = static_cast<std::int32_t>(static_cast<std::uint32_t>(out[j]) + of_row -
                                       128 * static_cast<std::uint32_t>(sums[j]));
  }
}

template <class L, class R>
void MultiplyByFours(const Rows<L>& lhs, const R* rhs, std::int64_t rhs_stride, std::int64_t m, std::int64_t n,
                     std::int64_t k, std::int32_t* out, std::int64_t out_stride) {
  const std::int64_t terms = (k + 3) / 4;
  const auto fours = FoursOfRows(rhs, rhs_stride, k, n);
  MultiplyFours(RowsOfFours<L>(lhs, k), fours.get(), m, n, terms, out, out_stride);
  if (std::is_unsigned_v<L> && std::is_signed_v<R>) return;
  std::vector<std::int32_t> sums(n);  // of the columns of s8
  if (std::is_signed_v<L>) {
    const std::vector<std::int32_t> ones(terms, 0x01010101);
    MultiplyFours(DenseRows<std::int32_t>(ones.data(), terms), fours.get(), 1, n, terms, sums.data(), n);
  }
  ParallelFor(m, GrainOfRows(n, kComputedPerPiece), [&](std::int64_t begin, std::int64_t end) {
    std::vector<L> row(std::is_unsigned_v<R> ? k : 0);
    for (std::int64_t i = begin; i < end; ++i) {
      lhs.Copy(i, 0, std::ssize(row), row.data());
      std::uint32_t of_row = 0;
      for (const L number : row) of_row += 128 * static_cast<std::uint32_t>(std::int32_t{number});
      Correct(of_row, sums.data(), n, out + i * out_stride);
    }
  });
}

}  // namespace

template <class L>
void MultiplyNarrow(const Rows<L>& lhs, PrimitiveType type, const std::byte* rhs, std::int64_t rhs_stride,
                    std::int64_t m, std::int64_t n, std::int64_t k, std::int32_t* out, std::int64_t out_stride) {
  WithStoredType(type, [&]<class R>(R) {
    const auto* const numbers = reinterpret_cast<const R*>(rhs);
    if constexpr (sizeof(L) == 1 && sizeof(R) == 1) {
      if (BestTileOfFours().rows > 0) return MultiplyByFours(lhs, numbers, rhs_stride, m, n, k, out, out_stride);
    }
    const auto pairs = PairsOfRows(numbers, rhs_stride, k, n);
    MultiplyPairs(RowsOfPairs<L>(lhs, k), pairs.get(), m, n, (k + 1) / 2, out, out_stride);
  });
}

template void MultiplyNarrow(const Rows<std::int8_t>&, PrimitiveType, const std::byte*, std::int64_t, std::int64_t,
                             std::int64_t, std::int64_t, std::int32_t*, std::int64_t);
template void MultiplyNarrow(const Rows<std::uint8_t>&, PrimitiveType, const std::byte*, std::int64_t, std::int64_t,
                             std::int64_t, std::int64_t, std::int32_t*, std::int64_t);
template void MultiplyNarrow(const Rows<std::int16_t>&, PrimitiveType, const std::byte*, std::int64_t, std::int64_t,
                             std::int64_t, std::int64_t, std::int32_t*, std::int64_t);

}  // namespace assay::simd
