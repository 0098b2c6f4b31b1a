#include "backends/simd/byte_products.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <type_traits>
#include <vector>

#include "backends/simd/gemm.h"
#include "backends/simd/tiles.h"
#include "interpreter/types/parallel.h"
#include "interpreter/types/vector_clones.h"

namespace assay::simd {
namespace {

// The instruction multiplies u8 by s8. Another left matrix has 128 added to its numbers, another right one 128
// subtracted: for both, the highest bit is inverted. The sums of rows and columns correct the product.
constexpr std::uint32_t kHighestBits = 0x80808080;

// Rows of k bytes as u8, four in each element; the last element of a row has zeros beside its numbers.
template <class L>
class RowsOfFour final : public Rows<std::int32_t> {
 public:
  RowsOfFour(const L* numbers, std::int64_t k) : numbers_(numbers), k_(k) {}

  void Copy(std::int64_t row, std::int64_t begin, std::int64_t end, std::int32_t* out) const override {
    if (begin == end) return;
    const std::int64_t bytes = std::min(4 * end, k_) - 4 * begin;
    out[end - begin - 1] = 0;
    std::memcpy(out, numbers_ + row * k_ + 4 * begin, static_cast<std::size_t>(bytes));
    if (std::is_unsigned_v<L>) return;
    for (std::int64_t l = 0; l < end - begin; ++l) out[l] ^= static_cast<std::int32_t>(kHighestBits);
  }

 private:
  const L* numbers_;
  std::int64_t k_;
};

ASSAY_VECTOR_CLONES void JoinRows(const std::uint8_t* const* rows, std::int64_t n, std::uint32_t highest_bits,
                                  std::int32_t* out) {
  const std::uint8_t *const a = rows[0], *const b = rows[1], *const c = rows[2], *const d = rows[3];
  for (std::int64_t j = 0; j < n; ++j) {
    const std::uint32_t four = a[j] | std::uint32_t{b[j]} << 8 | std::uint32_t{c[j]} << 16 | std::uint32_t{d[j]} << 24;
    out[j] = static_cast<std::int32_t>(four ^ highest_bits);
  }
}

// Returns the k rows of n bytes as (k + 3) / 4 rows of four s8 in each element; those behind the last row are zeros.
template <class R>
std::unique_ptr<std::int32_t[]> FoursOfRows(const R* numbers, std::int64_t k, std::int64_t n) {
  constexpr std::uint32_t kInverted = std::is_signed_v<R> ? 0 : kHighestBits;
  // An inverted row of these is one of zeros.
  const std::vector<std::uint8_t> behind(k % 4 == 0 ? 0 : n, static_cast<std::uint8_t>(kInverted));
  auto fours = std::make_unique_for_overwrite<std::int32_t[]>((k + 3) / 4 * n);
  ParallelFor((k + 3) / 4, GrainOfRows(n, kComputedPerPiece), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t l = begin; l < end; ++l) {
      const std::uint8_t* rows[4];
      for (std::int64_t i = 0; i < 4; ++i) {
        const std::int64_t row = 4 * l + i;
        rows[i] = row < k ? reinterpret_cast<const std::uint8_t*>(numbers) + row * n : behind.data();
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

}  // namespace

bool HasByteProducts() { return BestTileOfFours().rows > 0; }

template <class L, class R>
void MultiplyBytes(const L* lhs, const R* rhs, std::int64_t m, std::int64_t n, std::int64_t k, std::int32_t* out) {
  const std::int64_t terms = (k + 3) / 4;
  const auto fours = FoursOfRows(rhs, k, n);
  MultiplyFours(RowsOfFour<L>(lhs, k), fours.get(), m, n, terms, out);
  if (std::is_unsigned_v<L> && std::is_signed_v<R>) return;
  std::vector<std::int32_t> sums(n);  // of the columns of s8
  if (std::is_signed_v<L>) {
    const std::vector<std::int32_t> ones(terms, 0x01010101);
    MultiplyFours(DenseRows<std::int32_t>(ones.data(), terms), fours.get(), 1, n, terms, sums.data());
  }
  ParallelFor(m, GrainOfRows(n, kComputedPerPiece), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      std::uint32_t of_row = 0;
      for (std::int64_t l = 0; std::is_unsigned_v<R> && l < k; ++l) {
        of_row += 128 * static_cast<std::uint32_t>(std::int32_t{lhs[i * k + l]});
      }
      Correct(of_row, sums.data(), n, out + i * n);
    }
  });
}

template void MultiplyBytes(const std::int8_t*, const std::int8_t*, std::int64_t, std::int64_t, std::int64_t,
                            std::int32_t*);
template void MultiplyBytes(const std::int8_t*, const std::uint8_t*, std::int64_t, std::int64_t, std::int64_t,
                            std::int32_t*);
template void MultiplyBytes(const std::uint8_t*, const std::int8_t*, std::int64_t, std::int64_t, std::int64_t,
                            std::int32_t*);
template void MultiplyBytes(const std::uint8_t*, const std::uint8_t*, std::int64_t, std::int64_t, std::int64_t,
                            std::int32_t*);

}  // namespace assay::simd
