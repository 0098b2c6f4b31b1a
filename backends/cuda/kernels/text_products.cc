#include "backends/cuda/kernels/text.h"

namespace assay::cuda {

// Sums of products. Products of floating numbers are rounded once, together with their sum.
const std::string_view kTextOfProducts = R"(
template <class T> inline T zero_of() { return (T)0; }
inline u32 with_sum(u32 a, u32 b) { return a + b; }
inline u64 with_sum(u64 a, u64 b) { return a + b; }
inline f32 with_sum(f32 a, f32 b) { return a + b; }
inline f64 with_sum(f64 a, f64 b) { return a + b; }
inline u32 with_product(u32 sum, u32 a, u32 b) { return sum + a * b; }
inline u64 with_product(u64 sum, u64 a, u64 b) { return sum + a * b; }
inline f32 with_product(f32 sum, f32 a, f32 b) { return fmaf(a, b, sum); }
inline f64 with_product(f64 sum, f64 a, f64 b) { return fma(a, b, sum); }
inline bool is_odd(f32 x) { return !(x - x == 0); }
inline bool is_odd(f64 x) { return !(x - x == 0); }
)";

const std::string_view kTextOfComplexProducts = R"(
template <> inline c64 zero_of<c64>() { return c64{0, 0}; }
template <> inline c128 zero_of<c128>() { return c128{0, 0}; }
template <> inline complex zero_of<complex>() { return complex{0, 0}; }
inline c64 with_sum(c64 a, c64 b) { return c64{a.real + b.real, a.imag + b.imag}; }
inline c128 with_sum(c128 a, c128 b) { return c128{a.real + b.real, a.imag + b.imag}; }
template <class T> inline T with_parts(T sum, T a, T b) {
  sum.real = with_product(with_product(sum.real, a.real, b.real), -a.imag, b.imag);
  sum.imag = with_product(with_product(sum.imag, a.real, b.imag), a.imag, b.real);
  return sum;
}
inline c64 with_product(c64 sum, c64 a, c64 b) { return with_parts(sum, a, b); }
inline c128 with_product(c128 sum, c128 a, c128 b) { return with_parts(sum, a, b); }
inline bool is_odd(c64 x) { return is_odd(x.real) || is_odd(x.imag); }
inline bool is_odd(c128 x) { return is_odd(x.real) || is_odd(x.imag); }
inline bool is_odd(complex x) { return is_odd(x.real) || is_odd(x.imag); }
)";

}  // namespace assay::cuda
