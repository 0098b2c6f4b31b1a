#include "interpreter/acceptance/sets/operand_facts.h"

#include <algorithm>
#include <cmath>

#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/sets/lawful_facts.h"
#include "interpreter/acceptance/sets/reals.h"
#include "interpreter/numerics/matmul_kernel.h"
#include "interpreter/numerics/transform_parts.h"

namespace assay {

bool IsFinite(const Literal& array) {
  if (!array.shape().IsArray() || !IsInexactType(array.element_type())) return true;
  return AllBlocks(array, AreFinite);
}

bool IsExactZero(std::span<const Literal> operands, std::int64_t offset) {
  return std::ranges::any_of(operands, [&](const Literal& operand) {
    if (!operand.shape().IsArray() || !IsFloatingPointType(operand.element_type())) return false;
    const std::int64_t at = operand.element_count() == 1 ? 0 : offset;
    if (at >= operand.element_count()) return false;
    const double size = std::fabs(RealValue(ComponentAt(operand, at)));
    return size == 0 || (size == 1 && operands.size() == 1) || std::isinf(size);
  });
}

bool OperandFacts::AreFinite() const { return std::ranges::all_of(reach_, IsFinite); }

bool OperandFacts::HaveSubnormalsAndInfinities() const {
  if (AreFinite()) return false;
  bool has_subnormal = false, has_infinity = false;
  for (std::size_t k = 0; k < operands_.size(); ++k) {
    if (operands_[k].is_tuple || !IsInexactType(operands_[k].value.element_type())) continue;
    const double least = LeastNormal(ComplexComponentType(operands_[k].value.element_type()));
    AllBlocks(reach_[k], [&](std::span<const double> numbers) {
      for (const double number : numbers) {
        const double x = std::fabs(number);
        has_subnormal |= x != 0 && x < least;
        has_infinity |= std::isinf(x);
      }
      return true;
    });
  }
  return has_subnormal && has_infinity;
}

bool OperandFacts::HaveOtherZero(const Literal& value, std::int64_t component) const {
  const bool sign = HasSign(ComponentAt(value, component));
  for (const ValueSet& operand : operands_) {
    if (!operand.value.shape().IsArray() || !IsInexactType(operand.value.element_type())) continue;
    const int components = ComponentCount(operand.value.element_type());
    const std::int64_t at = operand.value.element_count() == 1 ? 0 : component;
    if (at >= operand.value.element_count() * components) return true;  // not element-wise: any element may count
    const RealElement element = ComponentAt(operand.value, at);
    if (operand.open && operand.open->state.values<std::uint8_t>()[at / components] != 0) {
      if (RealsAt(*operand.open, at, at / components).ContainsZero()) return true;
    } else if (IsZero(element) && HasSign(element) != sign) {
      return true;
    }
  }
  return false;
}

bool OperandFacts::HaveZero(bool sign) const {
  std::call_once(are_zeros_known_, [&] {
    for (const ValueSet& operand : operands_) {
      if (operand.is_tuple || !operand.value.shape().IsArray() || !IsInexactType(operand.value.element_type()))
        continue;
      if (operand.open != nullptr) zeros_[0] = zeros_[1] = true;
      const std::int64_t count = operand.value.element_count() * ComponentCount(operand.value.element_type());
      for (std::int64_t i = 0; i < count && !(zeros_[0] && zeros_[1]); ++i) {
        const RealElement element = ComponentAt(operand.value, i);
        if (IsZero(element)) zeros_[HasSign(element) ? 1 : 0] = true;
      }
    }
  });
  return zeros_[sign ? 1 : 0];
}

bool OperandFacts::HaveInfinity(std::int64_t offset) const {
  return std::ranges::any_of(reach_, [&](const Literal& operand) {
    if (!operand.shape().IsArray() || !IsFloatingPointType(operand.element_type())) return false;
    const std::int64_t at = operand.element_count() == 1 ? 0 : offset;
    return at < operand.element_count() && std::isinf(RealValue(ComponentAt(operand, at)));
  });
}

bool OperandFacts::HaveExactZero(std::int64_t offset) const { return IsExactZero(reach_, offset); }

Reals OperandFacts::ProductBeforeRounding(std::int64_t i, double product) const {
  // If the product is decided, the operands have these values. Their reach has no signs.
  const auto at = [&](const Literal& operand) {
    return RealValue(ComponentAt(operand, operand.element_count() == 1 ? 0 : i));
  };
  const double a = at(operands_[0].value), b = at(operands_[1].value), error = std::fma(a, b, -product);
  // The error of a small product underflows itself.
  constexpr double kExactErrors = 0x1p-968;
  if (a != 0 && b != 0 && std::fabs(product) < kExactErrors) return Outward(Reals::Point(product));
  if (error == 0 || !std::isfinite(error)) return Reals::Point(product);
  const double other = std::nextafter(product, error > 0 ? INFINITY : -INFINITY);
  return {std::min(product, other), std::max(product, other), false};
}

double OperandFacts::FactorCount() const {
  double count = 0;
  for (const ValueSet& operand : operands_) count += operand.factor_count;
  return count;
}

double QuantumOf(const Literal& operand) {
  double quantum = INFINITY;
  if (!operand.shape().IsArray() || !IsInexactType(operand.element_type())) return quantum;
  AllBlocks(operand, [&](std::span<const double> numbers) {
    quantum = std::min(quantum, GridOf(numbers.data(), 1, static_cast<std::int64_t>(numbers.size())));
    return true;
  });
  return quantum;
}

}  // namespace assay
