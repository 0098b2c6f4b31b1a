#include "interpreter/numerics/lane_moves.h"

#include <cstring>

#include "interpreter/types/vector_clones.h"

namespace assay {
namespace {

using lanes::kLanes;

typedef double Vector __attribute__((vector_size(kLanes * sizeof(double))));

// Exchanges parts of two vectors: the upper half of each group of 2 * size lanes of `a` with the lower half of those
// of `b`.
template <int size>
ASSAY_INLINE void Exchange(Vector& a, Vector& b) {
  constexpr auto low = [](int lane) { return (lane & size) == 0 ? lane : kLanes + lane - size; };
  constexpr auto high = [](int lane) { return (lane & size) == 0 ? lane + size : kLanes + lane; };
  const Vector first = __builtin_shufflevector(a, b, low(0), low(1), low(2), low(3), low(4), low(5), low(6), low(7));
  b = __builtin_shufflevector(a, b, high(0), high(1), high(2), high(3), high(4), high(5), high(6), high(7));
  a = first;
}

template <int size>
ASSAY_INLINE void ExchangeAll(Vector (&rows)[kLanes]) {
  for (int i = 0; i < kLanes; ++i) {
    if ((i & size) == 0) Exchange<size>(rows[i], rows[i + size]);
  }
}

// Transposes a square.
ASSAY_INLINE void Transpose(Vector (&rows)[kLanes]) {
  ExchangeAll<1>(rows);
  ExchangeAll<2>(rows);
  ExchangeAll<4>(rows);
}

// Moves kLanes numbers of each line at a time.
ASSAY_VECTOR_CLONES std::int64_t LoadSquares(const double* numbers, const std::int64_t* firsts, std::int64_t n,
                                             double* to, std::int64_t step) {
  std::int64_t j = 0;
  for (; j + kLanes <= n; j += kLanes) {
    Vector rows[kLanes];
    for (int i = 0; i < kLanes; ++i) std::memcpy(&rows[i], numbers + firsts[i] + j, sizeof rows[i]);
    Transpose(rows);
    for (int i = 0; i < kLanes; ++i) std::memcpy(to + (j + i) * step, &rows[i], sizeof rows[i]);
  }
  return j;
}

ASSAY_VECTOR_CLONES std::int64_t StoreSquares(const double* from, std::int64_t step, const std::int64_t* firsts,
                                              std::int64_t n, double* numbers) {
  std::int64_t j = 0;
  for (; j + kLanes <= n; j += kLanes) {
    Vector rows[kLanes];
    for (int i = 0; i < kLanes; ++i) std::memcpy(&rows[i], from + (j + i) * step, sizeof rows[i]);
    Transpose(rows);
    for (int i = 0; i < kLanes; ++i) std::memcpy(numbers + firsts[i] + j, &rows[i], sizeof rows[i]);
  }
  return j;
}

// True if the numbers of a place are adjacent, as in the lines along an outer dimension.
bool AreAdjacent(const LineNumbers& lines) {
  for (std::int64_t i = 1; i < kLanes; ++i) {
    if (lines.firsts[i] != lines.firsts[0] + i) return false;
  }
  return true;
}

}  // namespace

void LoadLanes(const double* numbers, const LineNumbers& lines, double* to, std::int64_t step) {
  if (AreAdjacent(lines)) {
    for (std::int64_t j = 0; j < lines.n; ++j) {
      std::memcpy(to + j * step, numbers + lines.firsts[0] + j * lines.stride, sizeof(Vector));
    }
    return;
  }
  std::int64_t j = lines.stride == 1 ? LoadSquares(numbers, lines.firsts.data(), lines.n, to, step) : 0;
  for (; j < lines.n; ++j) {
    for (std::int64_t i = 0; i < kLanes; ++i) to[j * step + i] = numbers[lines.firsts[i] + j * lines.stride];
  }
}

void StoreLanes(const double* from, std::int64_t step, const LineNumbers& lines, double* numbers) {
  if (AreAdjacent(lines)) {
    for (std::int64_t j = 0; j < lines.n; ++j) {
      std::memcpy(numbers + lines.firsts[0] + j * lines.stride, from + j * step, sizeof(Vector));
    }
    return;
  }
  std::int64_t j = lines.stride == 1 ? StoreSquares(from, step, lines.firsts.data(), lines.n, numbers) : 0;
  for (; j < lines.n; ++j) {
    for (std::int64_t i = 0; i < kLanes; ++i) numbers[lines.firsts[i] + j * lines.stride] = from[j * step + i];
  }
}

}  // namespace assay
