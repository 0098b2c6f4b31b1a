#include "interpreter/numerics/complex.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "interpreter/numerics/certain.h"
#include "interpreter/numerics/double_word.h"
#include "interpreter/numerics/exact_functions.h"
#include "interpreter/numerics/real.h"
#include "interpreter/numerics/round.h"
#include "interpreter/types/vector_clones.h"

namespace assay {
namespace {

// Complex numbers per block, of two parts each.
constexpr std::int64_t kComplexBlock = kFunctionBlock / 2;

bool HasFiniteParts(ComplexDouble z) { return std::isfinite(z.real()) && std::isfinite(z.imag()); }

ComplexDouble At(const double* parts, std::int64_t i) { return {parts[2 * i], parts[2 * i + 1]}; }

// Rounds a result at infinity: a zero, an infinity, or a multiple of pi or of 1. NaNs are those of the operands' parts
// (WithNanOf).
ComplexBits RoundSpecial(const FloatFormat& part, ComplexDouble value, ComplexDouble lhs, ComplexDouble rhs) {
  ComplexBits bits;
  for (int k = 0; k < 2; ++k) {
    const double rounded = k == 0 ? value.real() : value.imag();
    bits[k] = RoundDouble(part, WithNanOf(rounded, lhs.real(), lhs.imag(), rhs.real(), rhs.imag()));
  }
  return bits;
}

void StoreBits(PrimitiveType part, ComplexBits bits, std::byte* out, std::int64_t i) {
  const auto width = static_cast<std::size_t>(StorageBytes(part));
  for (std::size_t k = 0; k < 2; ++k) std::memcpy(out + (2 * static_cast<std::size_t>(i) + k) * width, &bits[k], width);
}

// Computes both parts of an element at its first undecided part, and caches them for the second.
template <class Exact>
class PartsOf {
 public:
  explicit PartsOf(Exact exact) : exact_(exact) {}

  std::uint64_t operator()(std::int64_t part) {
    if (part / 2 != element_) {
      element_ = part / 2;
      bits_ = exact_(element_);
    }
    return bits_[static_cast<std::size_t>(part % 2)];
  }

 private:
  Exact exact_;
  std::int64_t element_ = -1;
  ComplexBits bits_ = {};
};

// Stores the bits of the number whose parts the balls enclose, if it is `finite` and both are certain; otherwise the
// bits from `exact`.
template <class Exact>
void StoreParts(PrimitiveType part, const BallParts& balls, bool finite, std::byte* out, std::int64_t i, Exact exact) {
  const FloatFormat& format = FloatFormatOf(part);
  const auto real = CertainBits(format, balls.real);
  const auto imaginary = CertainBits(format, balls.imaginary);
  StoreBits(part, finite && real && imaginary ? ComplexBits{*real, *imaginary} : exact(), out, i);
}

// Calls `block` with the parts of up to kComplexBlock numbers of each operand, and the address of their results.
template <class Block>
void ForBlocks(PrimitiveType type, const std::byte* lhs, const std::byte* rhs, std::byte* out, std::int64_t count,
               Block block) {
  const PrimitiveType part = ComplexComponentType(type);
  const std::int64_t width = StorageBytes(type);
  std::array<double, 2 * kComplexBlock> x = {};
  std::array<double, 2 * kComplexBlock> y = {};
  for (std::int64_t start = 0; start < count; start += kComplexBlock) {
    const std::int64_t n = std::min(kComplexBlock, count - start);
    LoadReals(part, lhs + start * width, x.data(), 2 * n);
    LoadReals(part, rhs + start * width, y.data(), 2 * n);
    block(x.data(), y.data(), out + start * width, n);
  }
}

// Multiplies finite numbers. Products of f32 numbers are exact in double. Returns false if any number is not finite.
ASSAY_VECTOR_CLONES bool MultiplyFinite(const double* x, const double* y, double* product, std::int64_t count) {
  for (std::int64_t i = 0; i < 2 * count; i += 2) {
    product[i] = SumToOdd(x[i] * y[i], -(x[i + 1] * y[i + 1]));
    product[i + 1] = SumToOdd(x[i] * y[i + 1], x[i + 1] * y[i]);
  }
  std::int64_t special = 0;
  for (std::int64_t i = 0; i < 2 * count; ++i) {
    special |= std::int64_t{x[i] - x[i] != 0} | std::int64_t{y[i] - y[i] != 0};  // true for infinity and NaN
  }
  return special == 0;
}

void MultiplyC64(const double* x, const double* y, std::byte* out, std::int64_t count) {
  std::array<double, 2 * kComplexBlock> product;
  const bool all_finite = MultiplyFinite(x, y, product.data(), count);
  StoreReals(F32, product.data(), out, 2 * count);
  for (std::int64_t i = 0; !all_finite && i < count; ++i) {
    if (HasFiniteParts(At(x, i)) && HasFiniteParts(At(y, i))) continue;
    StoreBits(F32, ExactBits(kComplexMultiply, FloatFormatOf(F32), At(x, i), At(y, i)), out, i);
  }
}

// Numerator and denominator are exact sums of two products, each rounded once to double: with the rounding of the
// quotient, three roundings, far inside the bound.
void DivideC64(const double* x, const double* y, std::byte* out, std::int64_t count) {
  std::array<double, 2 * kComplexBlock> quotient = {};
  const auto exact = [&](std::int64_t i) { return ExactBits(kComplexDivide, FloatFormatOf(F32), At(x, i), At(y, i)); };
  for (std::int64_t i = 0; i < 2 * count; i += 2) {
    const double square = y[i] * y[i] + y[i + 1] * y[i + 1];
    quotient[i] = (x[i] * y[i] + x[i + 1] * y[i + 1]) / square;
    quotient[i + 1] = (x[i + 1] * y[i] - x[i] * y[i + 1]) / square;
  }
  StoreWhereCertain(F32, quotient.data(), out, 2 * count, PartsOf(exact));
  for (std::int64_t i = 0; i < count; ++i) {
    const bool ordinary = HasFiniteParts(At(x, i)) && HasFiniteParts(At(y, i)) && At(y, i) != 0.0;
    if (!ordinary) StoreBits(F32, exact(i), out, i);
  }
}

ASSAY_FUSED_CLONES void EncloseHypot(const double* x, const double* y, Ball* out, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) out[i] = Sqrt(SumOfSquares<Ball>(x[i], y[i]));
}

}  // namespace

const RealBinary kHypot = {EncloseHypot, mpfr_hypot};

ComplexBits ExactBits(const ComplexUnary& function, const FloatFormat& part, ComplexDouble operand) {
  if (HasFiniteParts(operand)) return function.exact(part, operand);
  return RoundSpecial(part, function.at_infinity(operand), operand, operand);
}

ComplexBits ExactBits(const ComplexBinary& function, const FloatFormat& part, ComplexDouble lhs, ComplexDouble rhs) {
  if (HasFiniteParts(lhs) && HasFiniteParts(rhs)) return function.exact(part, lhs, rhs);
  return RoundSpecial(part, function.at_infinity(lhs, rhs), lhs, rhs);
}

void Apply(const ComplexUnary& function, PrimitiveType type, const std::byte* in, std::byte* out, std::int64_t count) {
  const PrimitiveType part = ComplexComponentType(type);
  ForBlocks(type, in, in, out, count, [&](const double* z, const double*, std::byte* block, std::int64_t n) {
    std::array<BallParts, kComplexBlock> balls;
    function.enclose(z, balls.data(), n);
    for (std::int64_t i = 0; i < n; ++i) {
      StoreParts(part, balls[i], HasFiniteParts(At(z, i)), block, i,
                 [&] { return ExactBits(function, FloatFormatOf(part), At(z, i)); });
    }
  });
}

void Apply(const ComplexBinary& function, PrimitiveType type, const std::byte* lhs, const std::byte* rhs,
           std::byte* out, std::int64_t count) {
  const PrimitiveType part = ComplexComponentType(type);
  ForBlocks(type, lhs, rhs, out, count, [&](const double* x, const double* y, std::byte* block, std::int64_t n) {
    std::array<BallParts, kComplexBlock> balls;
    function.enclose(x, y, balls.data(), n);
    for (std::int64_t i = 0; i < n; ++i) {
      StoreParts(part, balls[i], HasFiniteParts(At(x, i)) && HasFiniteParts(At(y, i)), block, i,
                 [&] { return ExactBits(function, FloatFormatOf(part), At(x, i), At(y, i)); });
    }
  });
}

void ComplexMultiply(PrimitiveType type, const std::byte* lhs, const std::byte* rhs, std::byte* out,
                     std::int64_t count) {
  if (type != C64) return Apply(kComplexMultiply, type, lhs, rhs, out, count);
  ForBlocks(type, lhs, rhs, out, count, MultiplyC64);
}

void ComplexDivide(PrimitiveType type, const std::byte* lhs, const std::byte* rhs, std::byte* out, std::int64_t count) {
  if (type != C64) return Apply(kComplexDivide, type, lhs, rhs, out, count);
  ForBlocks(type, lhs, rhs, out, count, DivideC64);
}

void ComplexAbs(PrimitiveType type, const std::byte* in, std::byte* out, std::int64_t count) {
  const PrimitiveType part = ComplexComponentType(type);
  const auto width = static_cast<std::size_t>(StorageBytes(part));
  std::array<std::byte, kComplexBlock * sizeof(double)> real;
  std::array<std::byte, kComplexBlock * sizeof(double)> imaginary;
  for (std::int64_t start = 0; start < count; start += kComplexBlock) {
    const auto n = static_cast<std::size_t>(std::min(kComplexBlock, count - start));
    const std::byte* block = in + static_cast<std::size_t>(start) * 2 * width;
    for (std::size_t i = 0; i < n; ++i) {
      std::memcpy(real.data() + i * width, block + 2 * i * width, width);
      std::memcpy(imaginary.data() + i * width, block + (2 * i + 1) * width, width);
    }
    Apply(kHypot, part, real.data(), imaginary.data(), out + static_cast<std::size_t>(start) * width,
          static_cast<std::int64_t>(n));
  }
}

}  // namespace assay
