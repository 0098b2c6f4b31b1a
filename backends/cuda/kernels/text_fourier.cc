#include "backends/cuda/kernels/text.h"

namespace assay::cuda {

// The arithmetic of transforms, in f64.
const std::string_view kTextOfFourier = R"(
// e^(2 pi i k / n) for k < n, from an angle of at most an eighth of a turn.
inline complex root_of_unity(u64 k, u64 n) {
  const u64 eighth = 8 * k / n;
  const u64 quarter = (eighth + 1) / 2;
  // In quarters of turns, -1/2 to 1/2: the numerator is exact.
  const f64 rest = (f64)((s64)(4 * k) - (s64)(quarter * n)) / (f64)n;
  const f64 angle = rest * 1.5707963267948966;
  const f64 c = cos(angle), s = sin(angle);
  const u64 turn = quarter % 4;
  if (turn == 0) return complex{c, s};
  if (turn == 1) return complex{-s, c};
  if (turn == 2) return complex{-c, -s};
  return complex{s, -c};
}

// Element `within` of a transform of `size` points, of which the `parts` numbers that are `stride` apart are transforms
// of size / parts points; roots[k * step] are those of unity of `size`.
template <int parts, class I>
inline complex fourier_sum(const complex* from, I stride, const complex* roots, I step, I within, I size) {
  complex sum = from[0];
  I turns = 0;
#pragma unroll 16
  for (int s = 1; s < parts; ++s) {
    turns += within;
    if (turns >= size) turns -= size;
    const complex term = complex_product(from[s * stride], roots[turns * step]);
    sum.real += term.real;
    sum.imag += term.imag;
  }
  return sum;
}
)";

}  // namespace assay::cuda
