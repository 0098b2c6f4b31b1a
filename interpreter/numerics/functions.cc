#include "interpreter/numerics/functions.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>

#include "interpreter/numerics/certain.h"
#include "interpreter/numerics/round.h"
#include "interpreter/numerics/vector_clones.h"

namespace assay {
namespace {

// MPFR's precision: two bits more than f64 would do, and a whole limb costs the same.
constexpr mpfr_prec_t kExactPrecision = 64;

std::atomic<bool> everything_in_doubt = false;

// The MPFR variables of a thread.
class Scratch {
 public:
  Scratch() { mpfr_inits2(kExactPrecision, result_, lhs_, rhs_, nullptr); }
  ~Scratch() {
    mpfr_clears(result_, lhs_, rhs_, nullptr);
    mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

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

  static Scratch& OfThisThread() {
    thread_local Scratch scratch;
    return scratch;
  }

 private:
  std::uint64_t Rounded(const FloatFormat& format, int ternary, double lhs, double rhs) {
    if (!mpfr_nan_p(result_)) return RoundMpfr(format, result_, ternary);
    return RoundDouble(format, WithNanOf(std::numeric_limits<double>::quiet_NaN(), lhs, rhs));
  }

  mpfr_t result_;
  mpfr_t lhs_;
  mpfr_t rhs_;
};

void ApplyF64(const RealUnary& function, const double* in, double* out, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    const double x = in[i];
    const bool trusted = !(std::fabs(x) > function.trusted_up_to);
    const double value = CertainF64(function.approximate_f64(x), trusted,
                                    [&] { return Scratch::OfThisThread().Exact(function, FloatFormatOf(F64), x); });
    out[i] = WithNanOf(value, x, x);
  }
}

void ApplyF64(const RealBinary& function, const double* lhs, const double* rhs, double* out, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    const double x = lhs[i];
    const double y = rhs[i];
    const double value = CertainF64(function.approximate_f64(x, y), true,
                                    [&] { return Scratch::OfThisThread().Exact(function, FloatFormatOf(F64), x, y); });
    out[i] = WithNanOf(value, x, y);
  }
}

}  // namespace

void SetEverythingInDoubt(bool in_doubt) { everything_in_doubt = in_doubt; }
bool EverythingInDoubt() { return everything_in_doubt; }

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
  for (std::int64_t start = 0; start < count; start += kFunctionBlock) {
    const std::int64_t n = std::min(kFunctionBlock, count - start);
    LoadReals(type, in + start * width, x.data(), n);
    std::byte* block = out + start * width;
    if (type == F64) {
      ApplyF64(function, x.data(), y.data(), n);
      StoreReals(F64, y.data(), block, n);
      continue;
    }
    for (std::int64_t i = 0; i < n; ++i) y[i] = WithNanOf(function.approximate(x[i]), x[i], x[i]);
    StoreWhereCertain(type, y.data(), block, n, [&](std::int64_t i) {
      return Scratch::OfThisThread().Exact(function, FloatFormatOf(type), x[i]);
    });
  }
}

void Apply(const RealBinary& function, PrimitiveType type, const std::byte* lhs, const std::byte* rhs, std::byte* out,
           std::int64_t count) {
  const std::int64_t width = StorageBytes(type);
  std::array<double, kFunctionBlock> a;
  std::array<double, kFunctionBlock> b;
  std::array<double, kFunctionBlock> y;
  for (std::int64_t start = 0; start < count; start += kFunctionBlock) {
    const std::int64_t n = std::min(kFunctionBlock, count - start);
    LoadReals(type, lhs + start * width, a.data(), n);
    LoadReals(type, rhs + start * width, b.data(), n);
    std::byte* block = out + start * width;
    if (type == F64) {
      ApplyF64(function, a.data(), b.data(), y.data(), n);
      StoreReals(F64, y.data(), block, n);
      continue;
    }
    for (std::int64_t i = 0; i < n; ++i) y[i] = WithNanOf(function.approximate(a[i], b[i]), a[i], b[i]);
    StoreWhereCertain(type, y.data(), block, n, [&](std::int64_t i) {
      return Scratch::OfThisThread().Exact(function, FloatFormatOf(type), a[i], b[i]);
    });
  }
}

}  // namespace assay
