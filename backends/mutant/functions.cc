#include <cmath>
#include <limits>
#include <numbers>

#include "backends/lawful/arithmetic.h"
#include "backends/mutant/break.h"
#include "backends/mutant/families.h"
#include "interpreter/types/float_format.h"

namespace assay {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The f32 numbers next to pi and 2 pi.
constexpr double kRoundedPi = std::numbers::pi_v<float>;
constexpr double kRoundedTwoPi = 2 * kRoundedPi;

using FunctionOp = const HloInstruction&;

bool IsFloat(FunctionOp i) { return IsFloatingPointType(i.shape.element_type()); }

Arithmetic In(FunctionOp i) { return Arithmetic(i.shape.element_type()); }

double Unit(FunctionOp i, double x) {
  return std::ldexp(1.0, std::ilogb(x) - FloatFormatOf(i.shape.element_type()).mantissa_bits);
}

using BrokenFunction = double (*)(FunctionOp, double a, double b, double right);

// Applies a rule to floats; integers stay right.
template <BrokenFunction kRule>
Number ForFloats(FunctionOp i, const Number* x, Number right) {
  if (!IsFloat(i)) return right;
  return {kRule(i, x[0].real, i.operands.size() > 1 ? x[1].real : 0, right.real), 0};
}
template <BrokenFunction kRule>
void BreakFunction(Op& op) {
  BreakElements<ForFloats<kRule>>(op);
}

double AcosViaAsin(FunctionOp i, double x, double, double right) {
  return std::fabs(x) <= 1 ? In(i).Subtract(In(i).Round(std::numbers::pi / 2), In(i).Round(std::asin(x))) : right;
}

double AcoshOverflowsEarly(FunctionOp i, double x, double, double right) {
  return std::isinf(In(i).Multiply(x, x)) ? kInfinity : right;
}

double AddOfZero(FunctionOp, double a, double b, double right) { return b == 0 ? a : right; }

double AsinClamps(FunctionOp, double x, double, double right) {
  return std::fabs(x) > 1 ? std::asin(std::copysign(1, x)) : right;
}

double AsinhNaive(FunctionOp i, double x, double, double right) {
  const Arithmetic in = In(i);
  return std::isfinite(right) ? std::log(in.Add(x, in.SquareRoot(in.Add(in.Multiply(x, x), 1)))) : right;
}

double AtanOfInfinity(FunctionOp, double x, double, double right) { return std::isinf(x) ? kNan : right; }

double AtanhNaive(FunctionOp i, double x, double, double right) {
  return std::isfinite(right) ? std::log(In(i).Divide(In(i).Add(1, x), In(i).Subtract(1, x))) / 2 : right;
}

double SubtractFlushesResults(FunctionOp i, double, double, double right) {
  return Arithmetic(i.shape.element_type(), /*flushes=*/true).Round(right);
}

double Atan2IgnoresQuadrant(FunctionOp, double y, double x, double right) { return x < 0 ? std::atan(y / x) : right; }

double CbrtViaPower(FunctionOp, double x, double, double right) { return x < 0 ? kNan : right; }

double CeilIsFloorPlusOne(FunctionOp, double x, double, double) { return std::isfinite(x) ? std::floor(x) + 1 : x; }

double CosineReducedByRoundedPi(FunctionOp, double x, double, double right) {
  return std::fabs(x) > kRoundedTwoPi ? std::cos(std::fmod(x, kRoundedTwoPi)) : right;
}

double CoshOverflowsEarly(FunctionOp i, double x, double, double right) {
  return std::isinf(In(i).Round(std::exp(std::fabs(x)))) ? kInfinity : right;
}

double DivideViaReciprocal(FunctionOp i, double a, double b, double right) {
  return std::isfinite(right) && b != 0 ? In(i).Multiply(a, In(i).Divide(1, b)) : right;
}

double ErfAbsoluteError(FunctionOp, double x, double, double right) {
  // M. Abramowitz, I. Stegun, Handbook of Mathematical Functions, 7.1.26.
  const double t = 1 / (1 + 0.3275911 * std::fabs(x));
  const double p = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  return std::isfinite(x) && x != 0 ? std::copysign(1 - p * std::exp(-x * x), x) : right;
}

double ExponentialSaturates(FunctionOp i, double x, double, double right) {
  const FloatFormat& format = FloatFormatOf(i.shape.element_type());
  return std::isinf(right) && std::isfinite(x) ? std::ldexp(2 - std::ldexp(1.0, -format.mantissa_bits), format.bias)
                                               : right;
}

double ExponentialMinusOneNaive(FunctionOp i, double x, double, double right) {
  return std::isfinite(right) ? In(i).Subtract(In(i).Round(std::exp(x)), 1) : right;
}

double FloorTruncates(FunctionOp, double x, double, double) { return std::trunc(x); }

double Log1pNaive(FunctionOp i, double x, double, double right) {
  return std::isfinite(right) ? std::log(In(i).Add(1, x)) : right;
}

double LogOfNegativeZero(FunctionOp, double x, double, double right) {
  return x == 0 && std::signbit(x) ? kNan : right;
}

double LogisticOverflow(FunctionOp i, double x, double, double right) {
  return std::isinf(In(i).Round(std::exp(x))) ? kNan : right;
}

double MaxDropsNan(FunctionOp, double a, double b, double right) { return std::isnan(b) ? a : right; }

double MinOfZeros(FunctionOp, double a, double b, double right) { return a == 0 && b == 0 ? 0 : right; }

double MultiplyByZero(FunctionOp, double a, double b, double right) {
  return std::isnan(right) && (a == 0 || b == 0) ? 0 : right;
}

double NegateFromZero(FunctionOp, double x, double, double right) { return x == 0 ? 0 - x : right; }

double PowerOfOne(FunctionOp, double a, double b, double right) { return a == 1 && std::isnan(b) ? kNan : right; }

double ReducePrecisionTruncates(FunctionOp i, double x, double, double right) {
  if (!std::isfinite(right) || right == 0) return right;
  const double unit = std::ldexp(1.0, std::ilogb(x) - static_cast<int>(i.Int64("mantissa_bits")));
  return (std::fabs(right) > std::fabs(x)) ? std::trunc(x / unit) * unit : right;
}

double RemDivisorSign(FunctionOp i, double, double b, double right) {
  return right != 0 && std::isfinite(b) && (right < 0) != (b < 0) ? In(i).Add(right, b) : right;
}

double RoundAfzIsEven(FunctionOp, double x, double, double) { return std::nearbyint(x); }

double RoundEvenIsAfz(FunctionOp, double x, double, double) { return std::round(x); }

double RsqrtOfNegativeZero(FunctionOp, double x, double, double right) { return x == 0 ? kInfinity : right; }

double SignOfNan(FunctionOp, double x, double, double right) { return std::isnan(x) ? 0 : right; }

double SineReducedByRoundedPi(FunctionOp, double x, double, double right) {
  return std::fabs(x) > kRoundedTwoPi ? std::sin(std::fmod(x, kRoundedTwoPi)) : right;
}

double SinhNaive(FunctionOp i, double x, double, double right) {
  return std::isfinite(right) ? In(i).Subtract(In(i).Round(std::exp(x)), In(i).Round(std::exp(-x))) / 2 : right;
}

double SqrtLosesNegativeZero(FunctionOp, double x, double, double right) { return x == 0 ? 0 : right; }

double SubtractOfEquals(FunctionOp, double a, double b, double right) {
  return a == b && std::isfinite(a) ? -0.0 : right;
}

double TanReducedByRoundedPi(FunctionOp, double x, double, double right) {
  return std::fabs(x) > kRoundedPi ? std::tan(std::fmod(x, kRoundedPi)) : right;
}

double Tanh3ulpWindow(FunctionOp i, double x, double, double right) {
  return x >= 0.6 && x <= 0.7 ? right + 3 * Unit(i, right) : right;
}

double TanhSaturatesEarly(FunctionOp, double x, double, double right) {
  return std::fabs(x) >= 4 ? std::copysign(1, x) : right;
}

double ExponentialOffByThree(FunctionOp i, double, double, double right) {
  return std::isfinite(right) && right != 0 ? right + 3 * Unit(i, right) : right;
}

double PowerViaLogarithm(FunctionOp i, double a, double b, double right) {
  const bool is_ordinary = a > 0 && std::isfinite(b) && std::isfinite(right) && right != 0;
  return is_ordinary ? std::exp(In(i).Multiply(b, In(i).Round(std::log(a)))) : right;
}

double SqrtViaRsqrt(FunctionOp i, double x, double, double right) {
  return x > 0 && std::isfinite(x) ? In(i).Multiply(x, In(i).Round(1 / std::sqrt(x))) : right;
}

}  // namespace

std::vector<Mutant> FunctionMutants() {
  return {
      {"acos_via_asin", "acos", "acos(x) is pi / 2 - asin(x), each step rounded", BreakFunction<AcosViaAsin>},
      {"acosh_overflows_early", "acosh", "acosh(x) is infinite as soon as x * x is",
       BreakFunction<AcoshOverflowsEarly>},
      {"add_of_zero", "add", "a + 0 is a, so that -0 + 0 is -0", BreakFunction<AddOfZero>},
      {"asin_clamps", "asin", "asin of a number beyond 1 is that of 1, not NaN", BreakFunction<AsinClamps>},
      {"asinh_naive", "asinh", "asinh(x) is log(x + sqrt(x * x + 1)), each step rounded", BreakFunction<AsinhNaive>},
      {"atan_of_infinity", "atan", "atan of an infinity is NaN", BreakFunction<AtanOfInfinity>},
      {"atanh_naive", "atanh", "atanh(x) is log((1 + x) / (1 - x)) / 2, each step rounded", BreakFunction<AtanhNaive>},
      {"subtract_flushes_results", "subtract", "a subnormal difference is zero", BreakFunction<SubtractFlushesResults>},
      {"atan2_ignores_quadrant", "atan2", "atan2(y, x) is atan(y / x)", BreakFunction<Atan2IgnoresQuadrant>},
      {"cbrt_via_power", "cbrt", "cbrt of a negative number is NaN", BreakFunction<CbrtViaPower>},
      {"ceil_is_floor_plus_one", "ceil", "ceil(2) is 3", BreakFunction<CeilIsFloorPlusOne>},
      {"cosine_reduced_by_rounded_pi", "cosine", "arguments beyond 2 pi are reduced by the f32 number next to 2 pi",
       BreakFunction<CosineReducedByRoundedPi>},
      {"cosh_overflows_early", "cosh", "cosh(x) is exp(x) / 2, infinite as soon as exp(x) is",
       BreakFunction<CoshOverflowsEarly>},
      {"divide_via_reciprocal", "divide", "a / b is a * (1 / b)", BreakFunction<DivideViaReciprocal>},
      {"erf_absolute_error", "erf", "erf is an approximation with an absolute error of 1.5e-7",
       BreakFunction<ErfAbsoluteError>},
      {"exponential_off_by_three", "exponential", "every result is 3 ULP too large",
       BreakFunction<ExponentialOffByThree>},
      {"exponential_saturates", "exponential", "what is too large becomes the largest finite number",
       BreakFunction<ExponentialSaturates>},
      {"exponential_minus_one_naive", "exponential-minus-one", "expm1(x) is exp(x) - 1",
       BreakFunction<ExponentialMinusOneNaive>},
      {"floor_truncates", "floor", "floor(-1.5) is -1", BreakFunction<FloorTruncates>},
      {"log1p_naive", "log-plus-one", "log1p(x) is log(1 + x)", BreakFunction<Log1pNaive>},
      {"log_of_negative_zero", "log", "log(-0) is NaN", BreakFunction<LogOfNegativeZero>},
      {"logistic_overflow", "logistic", "logistic(x) is exp(x) / (1 + exp(x)), NaN for large x",
       BreakFunction<LogisticOverflow>},
      {"max_drops_nan", "maximum", "maximum(a, NaN) is a", BreakFunction<MaxDropsNan>},
      {"min_of_zeros", "minimum", "minimum(-0, +0) is +0", BreakFunction<MinOfZeros>},
      {"multiply_by_zero", "multiply", "0 times anything is 0, NaN and infinities too", BreakFunction<MultiplyByZero>},
      {"negate_from_zero", "negate", "negate(x) is 0 - x, so that of +0 is +0", BreakFunction<NegateFromZero>},
      {"power_of_one", "power", "power(1, NaN) is NaN", BreakFunction<PowerOfOne>},
      {"power_via_logarithm", "power", "power(a, b) is exp(b log(a)), each step rounded",
       BreakFunction<PowerViaLogarithm>},
      {"reduce_precision_truncates", "reduce-precision", "the mantissa is truncated, not rounded to even",
       BreakFunction<ReducePrecisionTruncates>},
      {"rem_divisor_sign", "remainder", "the remainder has the sign of the divisor", BreakFunction<RemDivisorSign>},
      {"round_afz_is_even", "round-nearest-afz", "ties go to the even integer", BreakFunction<RoundAfzIsEven>},
      {"round_even_is_afz", "round-nearest-even", "ties go away from zero", BreakFunction<RoundEvenIsAfz>},
      {"rsqrt_of_negative_zero", "rsqrt", "rsqrt(-0) is +infinity", BreakFunction<RsqrtOfNegativeZero>},
      {"sign_of_nan", "sign", "sign(NaN) is 0", BreakFunction<SignOfNan>},
      {"sine_reduced_by_rounded_pi", "sine", "arguments beyond 2 pi are reduced by the f32 number next to 2 pi",
       BreakFunction<SineReducedByRoundedPi>},
      {"sinh_naive", "sinh", "sinh(x) is (exp(x) - exp(-x)) / 2, each step rounded", BreakFunction<SinhNaive>},
      {"sqrt_loses_negative_zero", "sqrt", "sqrt(-0) is +0", BreakFunction<SqrtLosesNegativeZero>},
      {"sqrt_via_rsqrt", "sqrt", "sqrt(x) is x rsqrt(x)", BreakFunction<SqrtViaRsqrt>},
      {"subtract_of_equals", "subtract", "x - x is -0", BreakFunction<SubtractOfEquals>},
      {"tan_reduced_by_rounded_pi", "tan", "arguments beyond pi are reduced by the f32 number next to pi",
       BreakFunction<TanReducedByRoundedPi>},
      {"tanh_3ulp_window", "tanh", "tanh is 3 ULP off for x in [0.6, 0.7]", BreakFunction<Tanh3ulpWindow>},
      {"tanh_saturates_early", "tanh", "tanh(x) is 1 from x = 4 on", BreakFunction<TanhSaturatesEarly>},
  };
}

}  // namespace assay
