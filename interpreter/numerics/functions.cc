#include "interpreter/numerics/functions.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "interpreter/numerics/certain.h"
#include "interpreter/numerics/exact_functions.h"
#include "interpreter/numerics/mpfr_cache.h"
#include "interpreter/numerics/real.h"
#include "interpreter/numerics/round.h"
#include "interpreter/types/vector_clones.h"

namespace assay {
namespace {

// MPFR's precision: two bits more than f64 would do, but a whole limb costs the same.
constexpr mpfr_prec_t kExactPrecision = 64;

// The MPFR variables of a thread.
class RealScratch {
 public:
  RealScratch() {
    FreeMpfrCacheWithThread();
    mpfr_inits2(kExactPrecision, result_, lhs_, rhs_, nullptr);
  }
  ~RealScratch() { mpfr_clears(result_, lhs_, rhs_, nullptr); }
  RealScratch(const RealScratch&) = delete;
  RealScratch& operator=(const RealScratch&) = delete;

  std::uint64_t Exact(const RealUnary& function, const FloatFormat& format, double operand) {
    mpfr_set_d(lhs_, operand, MPFR_RNDN);
    const int ternary = function.exact(result_, lhs_, MPFR_RNDN);
    return Rounded(format, ternary, operand, operand);
  }

  std::uint64_t Exact(const RealBinary& function, const FloatFormat& format, double lhs, double rhs) {
    mpfr_set_d(lhs_, lhs, MPFR_RNDN);
    mpfr_set_d(rhs_, rhs, MPFR_RNDN);
    const int ternary = function.exact(result_, lhs_, rhs_, MPFR_RNDN);
    return Rounded(format, ternary, lhs, rhs);
  }

  static RealScratch& OfThisThread() {
    thread_local RealScratch scratch;
    return scratch;
  }

 private:
  std::uint64_t Rounded(const FloatFormat& format, int ternary, double lhs, double rhs) {
    if (mpfr_nan_p(result_)) return RoundDouble(format, NanOf(lhs, rhs));
    return RoundMpfr(format, result_, ternary);
  }

  mpfr_t result_;
  mpfr_t lhs_;
  mpfr_t rhs_;
};

std::uint64_t RoundNarrow(const FloatFormat& format, double value) {
  return format.type == F32 ? std::bit_cast<std::uint32_t>(static_cast<float>(value)) : RoundDouble(format, value);
}

// Stores the number that each ball rounds to, or the bits from `exact` if that is undecided.
template <class Exact>
void StoreBalls(PrimitiveType type, const Ball* balls, std::byte* out, std::int64_t count, Exact exact) {
  const FloatFormat& format = FloatFormatOf(type);
  const auto width = static_cast<std::size_t>(StorageBytes(type));
  if (type == F64) {
    for (std::int64_t i = 0; i < count; ++i) {
      const double value = RoundedToF64(balls[i]);
      const std::uint64_t bits = std::isnan(value) ? exact(i) : std::bit_cast<std::uint64_t>(value);
      std::memcpy(out + static_cast<std::size_t>(i) * width, &bits, width);
    }
    return;
  }
  for (std::int64_t i = 0; i < count; ++i) {
    const auto certain = CertainBits(format, balls[i]);
    const std::uint64_t bits = certain ? *certain : exact(i);
    std::memcpy(out + static_cast<std::size_t>(i) * width, &bits, width);
  }
}

ASSAY_VECTOR_CLONES bool HasNan(const double* numbers, std::int64_t count) {
  std::int64_t found = 0;
  for (std::int64_t i = 0; i < count; ++i) found |= std::isnan(numbers[i]) ? 1 : 0;
  return found != 0;
}

}  // namespace

std::uint64_t ExactBits(const RealUnary& function, const FloatFormat& format, double operand) {
  return RealScratch::OfThisThread().Exact(function, format, operand);
}

std::uint64_t ExactBits(const RealBinary& function, const FloatFormat& format, double lhs, double rhs) {
  return RealScratch::OfThisThread().Exact(function, format, lhs, rhs);
}

std::optional<std::uint64_t> CertainBits(const FloatFormat& format, const Ball& ball) {
  if (format.type == F64) {
    const double value = RoundedToF64(ball);
    return std::isnan(value) ? std::nullopt : std::optional(std::bit_cast<std::uint64_t>(value));
  }
  const auto [lower, upper] = EndsOf(ball);
  if (!(lower > 0 || upper < 0) || !std::isfinite(ball.hi)) return std::nullopt;
  const std::uint64_t bits = RoundNarrow(format, lower);
  return bits == RoundNarrow(format, upper) ? std::optional(bits) : std::nullopt;
}

ASSAY_VECTOR_CLONES
bool StoreCertainF32(const double* approximation, std::byte* out, std::int64_t count) {
  auto* stored = reinterpret_cast<std::uint32_t*>(out);
  std::uint32_t differences = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto lower = std::bit_cast<std::uint32_t>(static_cast<float>(approximation[i] * (1 - kNarrowError)));
    const auto upper = std::bit_cast<std::uint32_t>(static_cast<float>(approximation[i] * (1 + kNarrowError)));
    differences |= lower ^ upper;
    stored[i] = lower;
  }
  return differences == 0;
}

void Apply(const RealUnary& function, PrimitiveType type, const std::byte* in, std::byte* out, std::int64_t count) {
  const std::int64_t width = StorageBytes(type);
  std::array<double, kFunctionBlock> x;
  std::array<double, kFunctionBlock> y;
  std::array<Ball, kFunctionBlock> balls;
  for (std::int64_t start = 0; start < count; start += kFunctionBlock) {
    const std::int64_t n = std::min(kFunctionBlock, count - start);
    LoadReals(type, in + start * width, x.data(), n);
    std::byte* block = out + start * width;
    const auto exact = [&](std::int64_t i) { return ExactBits(function, FloatFormatOf(type), x[i]); };
    if (type == F64) {
      function.enclose(x.data(), balls.data(), n);
      StoreBalls(type, balls.data(), block, n, exact);
      continue;
    }
    function.approximate(x.data(), y.data(), n);
    if (HasNan(y.data(), n)) {
      for (std::int64_t i = 0; i < n; ++i) y[i] = WithNanOf(y[i], x[i], x[i]);
    }
    StoreWhereCertain(type, y.data(), block, n, exact);
  }
}

void Apply(const RealBinary& function, PrimitiveType type, const std::byte* lhs, const std::byte* rhs, std::byte* out,
           std::int64_t count) {
  const std::int64_t width = StorageBytes(type);
  std::array<double, kFunctionBlock> a;
  std::array<double, kFunctionBlock> b;
  std::array<Ball, kFunctionBlock> balls;
  for (std::int64_t start = 0; start < count; start += kFunctionBlock) {
    const std::int64_t n = std::min(kFunctionBlock, count - start);
    LoadReals(type, lhs + start * width, a.data(), n);
    LoadReals(type, rhs + start * width, b.data(), n);
    std::byte* block = out + start * width;
    const auto exact = [&](std::int64_t i) { return ExactBits(function, FloatFormatOf(type), a[i], b[i]); };
    function.enclose(a.data(), b.data(), balls.data(), n);
    StoreBalls(type, balls.data(), block, n, exact);
  }
}

}  // namespace assay
