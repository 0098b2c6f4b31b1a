#include "spec_tests/numerics/function_reference.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <functional>
#include <optional>

#include "interpreter/numerics/round.h"
#include "spec_tests/numerics/rounding_reference.h"

namespace assay {
namespace {

template <int (*function)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t)>
void Direct(mpfr_ptr result, mpfr_srcptr operand) {
  function(result, operand, MPFR_RNDN);
}

template <int (*function)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t)>
void Direct(mpfr_ptr result, mpfr_srcptr lhs, mpfr_srcptr rhs) {
  const int ternary = function(result, lhs, rhs, MPFR_RNDN);
  // Below MPFR's own range, 2^-2^30: any number that small is a valid reference, but zero is not.
  if (ternary != 0 && mpfr_zero_p(result)) ternary < 0 ? mpfr_nextabove(result) : mpfr_nextbelow(result);
}

// Computes 1 / (1 + e^-x). Results that 200 bits cannot distinguish from 1/2 or 1 round to 1/2 or 1.
void LogisticReference(mpfr_ptr result, mpfr_srcptr operand) {
  mpfr_neg(result, operand, MPFR_RNDN);
  mpfr_exp(result, result, MPFR_RNDN);
  mpfr_add_ui(result, result, 1, MPFR_RNDN);
  mpfr_ui_div(result, 1, result, MPFR_RNDN);
}

void RsqrtReference(mpfr_ptr result, mpfr_srcptr operand) {
  mpfr_sqrt(result, operand, MPFR_RNDN);
  mpfr_ui_div(result, 1, result, MPFR_RNDN);
}

// Counts how often `result` differs from the reference, which `compute` puts into its argument for an index.
std::size_t CountWrong(std::string_view name, PrimitiveType type, const std::vector<std::byte>& result,
                       std::size_t count, const std::function<void(mpfr_ptr, std::size_t)>& compute,
                       const std::function<std::string(std::size_t)>& describe) {
  const FloatFormat& format = FloatFormatOf(type);
  std::optional<NearestValue> nearest;
  if (BitWidth(type) <= 16) nearest.emplace(format);
  mpfr_t value;
  mpfr_init2(value, kReferencePrecision);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < count; ++i) {
    compute(value, i);
    const std::uint64_t want = nearest ? nearest->Round(value) : RoundByMpfr(format, value);
    const std::uint64_t got = StoredCode(type, result, i);
    if (got == want || (format.is_nan(got) && format.is_nan(want))) continue;
    if (wrong++ < 5) {
      fmt::print("{} {}({}): got {:a} ({:x}), want {:a} ({:x})\n", PrimitiveTypeName(type), name, describe(i),
                 ToDouble(format, got), got, ToDouble(format, want), want);
    }
  }
  mpfr_clear(value);
  return wrong;
}

}  // namespace

const std::vector<UnaryCase>& UnaryCases() {
  static const std::vector<UnaryCase> cases = {
      {"exp", &kExp, Direct<mpfr_exp>},
      {"expm1", &kExpm1, Direct<mpfr_expm1>},
      {"log", &kLog, Direct<mpfr_log>},
      {"log1p", &kLog1p, Direct<mpfr_log1p>},
      {"logistic", &kLogistic, LogisticReference},
      {"sqrt", &kSqrt, Direct<mpfr_sqrt>},
      {"rsqrt", &kRsqrt, RsqrtReference},
      {"cbrt", &kCbrt, Direct<mpfr_cbrt>},
      {"erf", &kErf, Direct<mpfr_erf>},
      {"sin", &kSin, Direct<mpfr_sin>},
      {"cos", &kCos, Direct<mpfr_cos>},
      {"tan", &kTan, Direct<mpfr_tan>},
      {"asin", &kAsin, Direct<mpfr_asin>},
      {"acos", &kAcos, Direct<mpfr_acos>},
      {"atan", &kAtan, Direct<mpfr_atan>},
      {"sinh", &kSinh, Direct<mpfr_sinh>},
      {"cosh", &kCosh, Direct<mpfr_cosh>},
      {"tanh", &kTanh, Direct<mpfr_tanh>},
      {"asinh", &kAsinh, Direct<mpfr_asinh>},
      {"acosh", &kAcosh, Direct<mpfr_acosh>},
      {"atanh", &kAtanh, Direct<mpfr_atanh>},
  };
  return cases;
}

const std::vector<BinaryCase>& BinaryCases() {
  static const std::vector<BinaryCase> cases = {{"pow", &kPow, Direct<mpfr_pow>},
                                                {"atan2", &kAtan2, Direct<mpfr_atan2>}};
  return cases;
}

double RandomReal(PrimitiveType type, std::mt19937_64& random) {
  if (random() % 2 == 0) {
    const double significand = 1 + std::ldexp(static_cast<double>(random() >> 12), -52);
    const double value =
        std::ldexp(random() % 2 != 0 ? significand : -significand, static_cast<int>(random() % 17) - 8);
    return ToDouble(FloatFormatOf(type), RoundDouble(FloatFormatOf(type), value));
  }
  const FloatFormat& format = FloatFormatOf(type);
  return ToDouble(format, random() & (format.magnitude_mask() | format.sign_mask()));
}

std::size_t WrongResults(const UnaryCase& unary, PrimitiveType type, const std::vector<double>& operands,
                         Phases phases) {
  const std::vector<std::byte> in = Store(type, operands);
  std::vector<std::byte> out(in.size());
  Apply(phases, *unary.function, type, in.data(), out.data(), static_cast<std::int64_t>(operands.size()));
  mpfr_t x;
  mpfr_init2(x, 53);
  const std::size_t wrong = CountWrong(
      unary.name, type, out, operands.size(),
      [&](mpfr_ptr result, std::size_t i) {
        mpfr_set_d(x, operands[i], MPFR_RNDN);
        unary.reference(result, x);
      },
      [&](std::size_t i) { return fmt::format("{:a}", operands[i]); });
  mpfr_clear(x);
  return wrong;
}

std::size_t WrongResults(const BinaryCase& binary, PrimitiveType type, const std::vector<double>& lhs,
                         const std::vector<double>& rhs, Phases phases) {
  const std::vector<std::byte> a = Store(type, lhs);
  const std::vector<std::byte> b = Store(type, rhs);
  std::vector<std::byte> out(a.size());
  Apply(phases, *binary.function, type, a.data(), b.data(), out.data(), static_cast<std::int64_t>(lhs.size()));
  mpfr_t x;
  mpfr_t y;
  mpfr_inits2(53, x, y, nullptr);
  const std::size_t wrong = CountWrong(
      binary.name, type, out, lhs.size(),
      [&](mpfr_ptr result, std::size_t i) {
        mpfr_set_d(x, lhs[i], MPFR_RNDN);
        mpfr_set_d(y, rhs[i], MPFR_RNDN);
        binary.reference(result, x, y);
      },
      [&](std::size_t i) { return fmt::format("{:a}, {:a}", lhs[i], rhs[i]); });
  mpfr_clears(x, y, nullptr);
  return wrong;
}

}  // namespace assay
