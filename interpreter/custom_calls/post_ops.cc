#include "interpreter/custom_calls/post_ops.h"

#include <algorithm>
#include <cmath>

#include "interpreter/numerics/round.h"
#include "interpreter/ops/record.h"
#include "interpreter/types/float_format.h"

namespace assay {
namespace {

constexpr std::string_view kWideBound = "a sum whose bound is as large as its terms";

double LargestFinite(PrimitiveType type) {
  const FloatFormat& format = FloatFormatOf(type);
  return ToDouble(format, format.max_finite_bits());
}
double UnitRoundoff(PrimitiveType type) { return std::ldexp(1.0, -FloatFormatOf(type).precision()); }
double LeastNormal(PrimitiveType type) { return std::ldexp(1.0, FloatFormatOf(type).min_exponent()); }

PrimitiveType WorkingType(PrimitiveType type) {
  if (IsComplexType(type)) return C128;
  return IsFloatingPointType(type) ? F64 : type;
}
PrimitiveType RealTypeOf(PrimitiveType type) { return IsComplexType(type) ? ComplexComponentType(type) : type; }

// Broadcasts the operand of a step to the whole result; dimensions of size 1 are repeated.
Literal Spread(const Literal& operand, const Int64List& dimensions, const Shape& shape) {
  Int64List kept;
  Dimensions sizes;
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    const std::int64_t size = operand.shape().dimensions(static_cast<std::int64_t>(d));
    if (size != shape.dimensions(dimensions[d])) continue;
    kept.push_back(dimensions[d]);
    sizes.push_back(size);
  }
  return Broadcast(operand.WithShape(ShapeUtil::MakeShape(operand.element_type(), std::move(sizes))), kept, shape);
}

Literal Stepped(const PostOp& step, const Literal& value, std::span<const Literal> operands, PrimitiveType type) {
  const PrimitiveType working = value.element_type();
  const auto operand = [&] {
    return Spread(Converted(operands[step.operand], working), step.dimensions, value.shape());
  };
  const auto times_factor = [&](const Literal& x) {
    if (step.factor == 1.0) return x;
    return Elementwise(op_multiply, {x, Number(working, step.factor.real(), step.factor.imag())});
  };
  switch (step.kind) {
    case PostOp::Kind::kScale:
      return times_factor(value);
    case PostOp::Kind::kAdd:
      return Elementwise(op_add, {value, times_factor(operand())});
    case PostOp::Kind::kMultiply:
      return Elementwise(op_multiply, {value, operand()});
    case PostOp::Kind::kDivide:
      return Elementwise(op_divide, {value, operand()});
    case PostOp::Kind::kActivate:
      return step.activation.Of(value);
    case PostOp::Kind::kSaturate:
      return Elementwise(op_clamp, {Number(-LargestFinite(type)), value, Number(LargestFinite(type))});
  }
  return value;
}

// Updates the bound of one element by a step: e is the error, m the magnitude, u the unit roundoff of intermediate
// numbers.
void StepBound(const PostOp& step, double operand, double u, double& e, double& m) {
  switch (step.kind) {
    case PostOp::Kind::kScale:
      if (step.factor == 1.0) return;
      m *= std::abs(step.factor);
      e = e * std::abs(step.factor) + 2 * u * m;
      return;
    case PostOp::Kind::kAdd: {
      const double term = std::abs(step.factor) * operand;
      m += term;
      e += u * term + u * (m + e);
      return;
    }
    case PostOp::Kind::kMultiply:
      m *= operand;
      e = e * operand + u * (m + e);
      return;
    case PostOp::Kind::kDivide:
      m /= operand;
      e = e / operand + 2 * u * (m + e);
      return;
    case PostOp::Kind::kActivate: {
      const Activation& f = step.activation;
      e = f.Slope() * e + f.Roundings() * u * (m + e + std::fabs(f.beta));
      m = f.Slope() * m + std::fabs(f.beta);
      return;
    }
    case PostOp::Kind::kSaturate:
      return;
  }
}

}  // namespace

double SumRoundoff(PrimitiveType type) { return std::min(UnitRoundoff(RealTypeOf(type)), UnitRoundoff(F32)); }

Literal Magnitudes(const Literal& array) {
  const PrimitiveType wide = IsComplexType(array.element_type()) ? C128 : F64;
  return Elementwise(op_abs, {Converted(array, wide)});
}

Literal PostProcessedProduct::Multiply(PrimitiveType type, const Literal& lhs, const Literal& rhs) const {
  return product.EvaluateAs(type, {lhs, arrange_rhs ? arrange_rhs(rhs) : rhs});
}

Literal PostProcessedProduct::Value(std::span<const Literal> operands, PrimitiveType type, std::size_t count) const {
  if (count == 0) return Multiply(type, operands[0], operands[1]);
  Literal value = Multiply(WorkingType(type), operands[0], operands[1]);
  for (std::size_t i = 0; i < count; ++i) value = Stepped(steps[i], value, operands, type);
  return Converted(value, type);
}

ErrorBounds PostProcessedProduct::Bounds(std::span<const Literal> operands, PrimitiveType type,
                                         std::size_t count) const {
  if (!IsInexactType(type)) return {};
  const auto on = [&](auto map) { return DoublesOf(Multiply(F64, map(operands[0]), map(operands[1]))); };
  // As for dot: n terms in any order, each operand with the rounding error of the algorithm.
  const std::vector<double> terms = on([](const Literal& array) { return Broadcast(Number(1), {}, array.shape()); });
  ErrorBounds bounds{terms, on(Magnitudes)};
  const bool is_complex = IsComplexType(type);
  const double u = algorithm ? std::max(algorithm->accumulator_roundoff, SumRoundoff(type)) : SumRoundoff(type);
  const double off = algorithm ? algorithm->operand_error : 0;
  const double tiny = LeastNormal(u < UnitRoundoff(F32) ? RealTypeOf(type) : F32);
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const double n = terms[i] * (algorithm ? algorithm->products : 1) * (is_complex ? 2 : 1);
    bounds.error[i] =
        ((n + 2) * u * (1 + off) * (1 + off) + 2 * off + off * off) * bounds.magnitude[i] + (2 * n + 1) * tiny;
  }
  const Shape& shape = product.instruction().shape;
  for (std::size_t step = 0; step < count; ++step) {
    const int operand = steps[step].operand;
    const Literal magnitudes = operand < 0 ? Broadcast(Number(0), {}, shape)
                                           : Spread(Magnitudes(operands[operand]), steps[step].dimensions, shape);
    const auto values = magnitudes.values<double>();
    // A library that rounds between its steps rounds to the result's type.
    const double step_u = UnitRoundoff(RealTypeOf(type));
    for (std::size_t i = 0; i < terms.size(); ++i) {
      StepBound(steps[step], values[i], step_u, bounds.error[i], bounds.magnitude[i]);
    }
  }
  return bounds;
}

Status PostProcessedProduct::Check(const HloInstruction& call, PrimitiveType type) const {
  const Shape& shape = product.instruction().shape;
  for (const PostOp& step : steps) {
    if (step.kind == PostOp::Kind::kActivate && !IsFloatingPointType(type)) {
      return BadCall(call, "an activation needs a real result, found {}", PrimitiveTypeName(type));
    }
    if (!IsComplexType(type) && step.factor.imag() != 0) {
      return BadCall(call, "an imaginary factor needs a complex result, found {}", PrimitiveTypeName(type));
    }
    if (!IsInexactType(type) && step.factor != 1.0) {
      return BadCall(call, "a factor needs a floating or complex result, found {}", PrimitiveTypeName(type));
    }
    if (step.operand < 0) continue;
    const Shape& operand = call.operand(step.operand).shape;
    bool fits = operand.IsArray() && operand.rank() == static_cast<std::int64_t>(step.dimensions.size());
    for (std::size_t d = 0; fits && d < step.dimensions.size(); ++d) {
      fits = step.dimensions[d] >= 0 && step.dimensions[d] < shape.rank() &&
             (operand.dimensions(static_cast<std::int64_t>(d)) == 1 ||
              operand.dimensions(static_cast<std::int64_t>(d)) == shape.dimensions(step.dimensions[d]));
    }
    // An array of one element may replace a number.
    if (fits || (step.dimensions.empty() && operand.IsArray() && ShapeUtil::ElementsIn(operand) == 1)) continue;
    return BadCall(call, "operand {} must fit the result {}, found {}", step.operand, shape.ToStringWithoutLayout(),
                   operand.ToStringWithoutLayout());
  }
  return {};
}

Literal GreatestMagnitude(const Literal& array) {
  const Shape row = ShapeUtil::MakeShape(F64, {array.element_count()});
  return Converted(Elementwise(op_maximum, {RowMaxima(Magnitudes(array).WithShape(row)), Number(0)}), F32);
}

ErrorBounds Largest(const ErrorBounds& each) {
  const auto largest = [](const std::vector<double>& values) {
    return std::vector<double>{values.empty() ? 0 : *std::ranges::max_element(values)};
  };
  return {largest(each.error), largest(each.magnitude)};
}

void JudgeEqual(std::string_view name, const Literal& want, const Literal& got, Properties& properties) {
  properties.Holds(name, want.BitwiseEqual(got));
}

void JudgeElements(std::string_view name, const Literal& want, const Literal& got, const ErrorBounds& bounds,
                   Properties& properties) {
  if (!IsInexactType(want.element_type())) {
    return JudgeEqual(name, want, got, properties);
  }
  const PrimitiveType type = RealTypeOf(want.element_type());
  const std::size_t parts = ComponentCount(want.element_type());
  const auto numbers = [&](const Literal& array) {
    std::vector<double> values(array.element_count() * parts);
    LoadReals(type, array.data(), values.data(), static_cast<std::int64_t>(values.size()));
    return values;
  };
  const std::vector<double> wanted = numbers(want), found = numbers(got);
  double worst = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i] == found[i] || (std::isnan(wanted[i]) && std::isnan(found[i]))) continue;
    const double bound = bounds.error[i / parts] + 2 * UnitRoundoff(type) * std::fabs(wanted[i]) + LeastNormal(type);
    if (!std::isfinite(bound)) {
      properties.Open(kNotFinite);
    } else if (std::fabs(wanted[i]) + bound >= LargestFinite(type)) {
      properties.Open("a result that may overflow");
    } else if (bound >= bounds.magnitude[i / parts]) {
      properties.Open(kWideBound);
      worst = std::max(worst, std::fabs(wanted[i] - found[i]) / bound);
    } else {
      const double share = std::fabs(wanted[i] - found[i]) / bound;
      worst = std::isnan(share) ? INFINITY : std::max(worst, share);
    }
  }
  properties.Share(name, worst);
}

}  // namespace assay
