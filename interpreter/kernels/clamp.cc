// Blocks of elements in machine numbers.
#include <algorithm>
#include <array>
#include <complex>

#include "interpreter/kernels/common/element_wise_kernels.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

// True if a precedes b in the order of complex numbers: by their real parts, then by the imaginary ones.
template <class T>
bool IsLess(std::complex<T> a, std::complex<T> b) {
  return a.real() < b.real() || (a.real() == b.real() && a.imag() < b.imag());
}

template <class T>
bool IsNan(std::complex<T> z) {
  return z != z;
}

// Returns the larger number. Equal numbers differ at most in the signs of zeros: the result has the larger zero of each
// part.
template <class T>
std::complex<T> LargerOf(std::complex<T> a, std::complex<T> b) {
  if (a == b) return {Maximum(a.real(), b.real()), Maximum(a.imag(), b.imag())};
  return IsLess(a, b) ? b : a;
}
template <class T>
std::complex<T> SmallerOf(std::complex<T> a, std::complex<T> b) {
  if (a == b) return {Minimum(a.real(), b.real()), Minimum(a.imag(), b.imag())};
  return IsLess(b, a) ? b : a;
}

template <class T>
void ClampComplex(std::span<const std::byte* const> operands, std::byte* result, std::int64_t n) {
  const auto in = [&](int k) { return reinterpret_cast<const std::complex<T>*>(operands[k]); };
  auto* out = reinterpret_cast<std::complex<T>*>(result);
  for (std::int64_t i = 0; i < n; ++i) {
    const std::array<std::complex<T>, 3> z = {in(0)[i], in(1)[i], in(2)[i]};
    const auto nan = std::ranges::find_if(z, IsNan<T>);
    const auto quieted = [](T part) { return part != part ? Quieted(part) : part; };
    out[i] = nan == z.end() ? SmallerOf(LargerOf(z[1], z[0]), z[2])
                            : std::complex<T>(quieted(nan->real()), quieted(nan->imag()));
  }
}

Kernel ClampKernel(const HloInstruction& instruction) {
  const PrimitiveType type = instruction.shape.element_type();
  if (type == C64) return ClampComplex<float>;
  if (type == C128) return ClampComplex<double>;
  return NumberKernel<[](auto min, auto x, auto max) { return Minimum(Maximum(x, min), max); }>(instruction);
}

}  // namespace

const OpKernel kernel_clamp = {.op = &op_clamp, .kernel = ClampKernel};

}  // namespace assay
