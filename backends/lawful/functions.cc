#include "backends/lawful/functions.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "backends/lawful/arithmetic.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/extract.h"

namespace assay {
namespace {

// Returns the distance between the numbers of the type next to x.
double UnitInTheLastPlace(const FloatFormat& format, double x) {
  const int exponent = x == 0 ? format.min_exponent() : std::max(std::ilogb(x), format.min_exponent());
  return std::ldexp(1.0, exponent - format.mantissa_bits);
}

// Returns the true values: those of the same function in f64, where f64 has spare digits.
std::vector<double> TrueValues(const HloInstruction& instruction, std::span<const Literal> operands,
                               const Literal& exact) {
  const auto widened = [](PrimitiveType type) {
    if (IsComplexType(type)) return C128;
    return IsFloatingPointType(type) ? F64 : type;
  };
  const HloInstruction* piece[] = {&instruction};
  std::vector<Literal> arguments;
  for (const Literal& operand : operands) {
    if (!HasReals(operand.shape())) {
      arguments.push_back(operand);
      continue;
    }
    Shape shape = operand.shape();
    shape.set_element_type(widened(shape.element_type()));
    arguments.push_back(ArrayOf(shape, RealsOf(operand)));
  }
  const Result<Literal> result = EvaluateTogether(*ExtractInstructions(piece, widened), {std::move(arguments)});
  return RealsOf(result ? *result : exact);
}

// Returns the largest allowed error of one element. In double, the reach of subnormal numbers would be rounded up.
long double ErrorReach(const RuleChoice& rule, const FloatFormat& format, double norm, std::size_t parts) {
  if (rule.tolerance) {
    const long double relative =
        std::max<long double>(rule.tolerance->relative, rule.tolerance->ulps * std::ldexp(2.0L, -format.precision()));
    // The tolerance applies to the modulus.
    return std::max<long double>(norm * relative, rule.tolerance->absolute) /
           std::sqrt(static_cast<long double>(parts));
  }
  const double ulp = rule.highest ? std::min(rule.highest->ulp, rule.allowance.ulp) : rule.allowance.ulp;
  return static_cast<long double>(ulp) * UnitInTheLastPlace(format, norm);
}

// Returns a share in [-1, 1]. Small shares and the extremes are both common.
double AnyShare(Noise& noise) {
  const double share = noise.Signed();
  return noise.Chance(0.3) ? std::copysign(1, share) : share;
}

}  // namespace

Literal Approximate(const HloInstruction& instruction, std::span<const Literal> operands, const Literal& exact,
                    const RuleChoice& rule, const FunctionRange& range, Noise& noise) {
  const PrimitiveType type = ComplexComponentType(exact.element_type());
  const FloatFormat& format = FloatFormatOf(type);
  const Arithmetic arithmetic(type);
  const std::vector<double> truth = TrueValues(instruction, operands, exact);
  std::vector<double> results = RealsOf(exact);
  const std::size_t parts = results.size() / std::max<std::int64_t>(exact.element_count(), 1);
  // The f64 value of a true result is itself off by half a unit.
  const long double spare = type == F64 ? 0.5 : 0;
  for (std::size_t i = 0; i < results.size(); i += parts) {
    double norm = 0;
    for (std::size_t p = i; p < i + parts; ++p) norm = std::max(norm, std::fabs(truth[p]));
    if (!std::isfinite(norm) || norm == 0 || std::isnan(norm + results[i] + results[i + parts - 1])) continue;
    const long double reach = ErrorReach(rule, format, norm, parts) - spare * UnitInTheLastPlace(format, norm);
    if (!(reach > 0)) continue;  // adding +0 would lose the sign of a zero
    for (std::size_t p = i; p < i + parts; ++p) {
      const double result = arithmetic.Round(static_cast<double>(truth[p] + AnyShare(noise) * reach));
      const bool is_below = result < range.low || (range.low == 0 && std::signbit(result));
      const bool is_in_range = parts == 2 || !(is_below || result > range.high);
      if (is_in_range && std::fabs(static_cast<long double>(result) - truth[p]) <= reach) results[p] = result;
    }
  }
  return ArrayOf(exact.shape(), results);
}

}  // namespace assay
