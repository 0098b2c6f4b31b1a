#include "interpreter/numerics/ball_tables.h"

#include <gmp.h>
#include <mpfr.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace assay {
namespace {

constexpr mpfr_prec_t kPrecision = 300;

// An MPFR number of 300 bits; every operation rounds to nearest.
class HighPrecision {
 public:
  HighPrecision() { mpfr_init2(value_, kPrecision); }
  explicit HighPrecision(double value) : HighPrecision() { mpfr_set_d(value_, value, MPFR_RNDN); }
  HighPrecision(const HighPrecision& other) : HighPrecision() { mpfr_set(value_, other.value_, MPFR_RNDN); }
  HighPrecision& operator=(const HighPrecision& other) {
    mpfr_set(value_, other.value_, MPFR_RNDN);
    return *this;
  }
  ~HighPrecision() { mpfr_clear(value_); }

  mpfr_ptr get() { return value_; }
  double Nearest() const { return mpfr_get_d(value_, MPFR_RNDN); }

  friend HighPrecision operator*(const HighPrecision& a, const HighPrecision& b) { return Of(mpfr_mul, a, b); }
  friend HighPrecision operator/(const HighPrecision& a, const HighPrecision& b) { return Of(mpfr_div, a, b); }
  friend HighPrecision operator-(const HighPrecision& a, const HighPrecision& b) { return Of(mpfr_sub, a, b); }

 private:
  template <class Function>
  static HighPrecision Of(Function function, const HighPrecision& a, const HighPrecision& b) {
    HighPrecision result;
    function(result.value_, a.value_, b.value_, MPFR_RNDN);
    return result;
  }

  mpfr_t value_;
};

template <class Function>
HighPrecision Of(Function function, const HighPrecision& a) {
  HighPrecision operand(a);
  HighPrecision result;
  function(result.get(), operand.get(), MPFR_RNDN);
  return result;
}

HighPrecision Pi() {
  HighPrecision pi;
  mpfr_const_pi(pi.get(), MPFR_RNDN);
  return pi;
}

// Two roundings have an error of u^2 of the number; MPFR's own errors are negligible beside it.
Ball BallOf(const HighPrecision& number) {
  const double high = number.Nearest();
  const double low = (number - HighPrecision(high)).Nearest();
  return {high, low, RoundedUp(std::fabs(high) * 0x1p-105)};
}

Ball ReciprocalOf(double number, bool negative) {
  return BallOf(HighPrecision(negative ? -1 : 1) / HighPrecision(number));
}

double Factorial(int n) { return n < 2 ? 1 : n * Factorial(n - 1); }

// erf(c + x) has the derivative G(x) = 2 / sqrt(pi) e^-(c + x)^2, with G' = -2 (c + x) G: its coefficients follow
// (n + 1) g[n + 1] = -2 c g[n] - 2 g[n - 1]. On the circle |x| = 1, |G| <= 2 / sqrt(pi) e^(-c^2 + 2c + 1), which by
// Cauchy's estimate bounds all of them, and 2 / sqrt(pi) e^2 bounds that.
constexpr double kErrorFunctionBound = 8.4;

std::vector<HighPrecision> ErrorFunctionCoefficients(double center, int count) {
  std::vector<HighPrecision> derivative;
  derivative.push_back(HighPrecision(2) / Of(mpfr_sqrt, Pi()) * Of(mpfr_exp, HighPrecision(-center * center)));
  for (int n = 0; n + 1 < count; ++n) {
    const HighPrecision sum =
        HighPrecision(-2 * center) * derivative[n] - HighPrecision(n > 0 ? 2 : 0) * derivative[n > 0 ? n - 1 : 0];
    derivative.push_back(sum / HighPrecision(n + 1));
  }
  std::vector<HighPrecision> result = {Of(mpfr_erf, HighPrecision(center))};
  for (int n = 0; n < count; ++n) result.push_back(derivative[n] / HighPrecision(n + 1));
  return result;
}

std::array<std::uint64_t, BallTables::kTurnWords> TurnsPerRadian() {
  constexpr int kPlaces = 64 * BallTables::kTurnWords;
  mpfr_t turns;
  mpfr_init2(turns, kPlaces + 64);
  mpfr_const_pi(turns, MPFR_RNDN);
  mpfr_ui_div(turns, 1, turns, MPFR_RNDN);
  mpfr_mul_2si(turns, turns, kPlaces - 1, MPFR_RNDN);
  mpz_t integer;
  mpz_init(integer);
  mpfr_get_z(integer, turns, MPFR_RNDD);
  std::array<std::uint64_t, BallTables::kTurnWords> words = {};
  std::size_t count = 0;
  mpz_export(words.data(), &count, -1, sizeof(std::uint64_t), 0, 0, integer);
  mpz_clear(integer);
  mpfr_clear(turns);
  std::reverse(words.begin(), words.end());
  return words;
}

}  // namespace

BallTables::BallTables() {
  expm1_over_x = {0x1p-9, 1, [](int n) { return ReciprocalOf(Factorial(n + 1), false); }};
  log1p_over_x = {0.003, 1, [](int n) { return ReciprocalOf(n + 1, n % 2 != 0); }};
  const double step = 0.00614;  // slightly more than pi / 512: the index of a large angle is not always the nearest
  sine_over_x = {step * step, 1, [](int n) { return ReciprocalOf(Factorial(2 * n + 1), n % 2 != 0); }};
  cosine = {step * step, 1, [](int n) { return ReciprocalOf(Factorial(2 * n), n % 2 != 0); }};
  arctan_over_x = {0x1.04p-16, 1, [](int n) { return ReciprocalOf(2 * n + 1, n % 2 != 0); }};
  for (std::size_t i = 0; i < error_function.size(); ++i) {
    const auto coefficients = ErrorFunctionCoefficients(static_cast<double>(i) / kErrorFunctions, 15);
    const std::size_t first = i == 0 ? 1 : 0;
    error_function[i] = {0x1p-6, kErrorFunctionBound, [&](int n) { return BallOf(coefficients[n + first]); }};
  }

  const HighPrecision log_of_2 = Of(mpfr_log, HighPrecision(2));
  ln2 = BallOf(log_of_2);
  ln2_step = BallOf(log_of_2 / HighPrecision(kPowers));
  steps_per_ln2 = (HighPrecision(kPowers) / log_of_2).Nearest();
  for (int i = 0; i < kPowers; ++i) power[i] = BallOf(Of(mpfr_exp2, HighPrecision(static_cast<double>(i) / kPowers)));
  for (std::size_t i = 0; i < reciprocal.size(); ++i) {
    const double value = static_cast<double>(kReciprocals) / static_cast<double>(i + kFirstReciprocal);
    reciprocal[i] = {value, value == 1 ? Ball(0) : -BallOf(Of(mpfr_log, HighPrecision(value)))};
  }

  pi = BallOf(Pi());
  half_pi = BallOf(Pi() / HighPrecision(2));
  const HighPrecision angle = Pi() / HighPrecision(kAngles / 2);
  step_high = angle.Nearest();
  step_middle = (angle - HighPrecision(step_high)).Nearest();
  step_low = BallOf(angle - HighPrecision(step_high) - HighPrecision(step_middle));
  steps_per_radian = (HighPrecision(1) / angle).Nearest();
  for (int i = 0; i < kAngles; ++i) {
    const bool is_zero = i % (kAngles / 2) == 0;
    sine[i] = is_zero ? Ball(0) : BallOf(Of(mpfr_sin, angle * HighPrecision(i)));
  }
  for (int i = 0; i <= kTangents; ++i)
    arctan[i] = BallOf(Of(mpfr_atan, HighPrecision(static_cast<double>(i) / kTangents)));

  turns_per_radian = TurnsPerRadian();
  mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE);
}

__attribute__((noinline)) const BallTables& BallTables::Get() noexcept {
  static const BallTables tables;
  return tables;
}

}  // namespace assay
