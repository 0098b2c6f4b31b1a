#include "backends/cuda/kernels/product.h"

#include <fmt/format.h>

#include <algorithm>

#include "backends/cuda/kernels/element_wise.h"
#include "backends/cuda/kernels/sums.h"
#include "backends/cuda/kernels/text.h"

namespace assay::cuda {
namespace {

bool IsWhole(PrimitiveType type) { return IsIntegralType(type) || type == PRED; }

std::string_view AccumulatorOf(PrimitiveType lhs, PrimitiveType rhs, PrimitiveType result) {
  if (IsWhole(result)) return BitWidth(result) == 64 ? "u64" : "u32";
  // The sums of these types need more precision or range than f32 has.
  const auto is_long = [](PrimitiveType type) { return type == F64 || type == C128 || type == F8E8M0FNU; };
  const bool is_any_long = is_long(lhs) || is_long(rhs) || is_long(result);
  if (IsComplexType(result)) return is_any_long ? "c128" : "c64";
  return is_any_long ? "f64" : "f32";
}

}  // namespace

bool IsProductOfIntegers(const HloInstruction& product) {
  return IsIntegralType(product.shape.element_type()) &&
         std::ranges::all_of(product.operands, [](const HloInstruction* operand) {
           return IsIntegralType(operand->shape.element_type());
         });
}

bool IsProductOfNumbers(const HloInstruction& product) { return IsInexactType(product.shape.element_type()); }

ProductArithmetic::ProductArithmetic(PrimitiveType lhs, PrimitiveType rhs, PrimitiveType result, bool is_exact)
    : result_(result),
      is_exact_(is_exact),
      is_long_(IsLong(lhs) || IsLong(rhs) || IsLong(result)),
      accumulator_(is_exact ? WideType(result) : AccumulatorOf(lhs, rhs, result)),
      number_(!is_exact               ? accumulator_
              : IsComplexType(result) ? "complex"
                                      : "f64") {}

std::string ProductArithmetic::Number(PrimitiveType type, const std::string& element) const {
  PrimitiveType from = type;
  std::string text = element;
  const auto convert = [&](PrimitiveType to) {
    text = ConvertedText(from, to, text);
    from = to;
  };
  if (IsComplexType(result_)) {
    if (IsWhole(from)) convert(ComplexComponentType(result_));
    // The real operands of complex products become complex.
    if (is_exact_) return fmt::format("value(To<c128>::of(value({})))", text);
    return fmt::format("To<{}>::of(value({}))", accumulator_, text);
  }
  if (IsFloatingPointType(result_)) {
    if (IsWhole(from)) convert(result_);
  } else if (result_ == PRED || !IsWhole(from)) {
    convert(result_);
  }
  return fmt::format("({})value({})", number_, text);
}

std::string ProductArithmetic::Zero() const { return fmt::format("zero_of<{}>()", number_); }

std::string ProductArithmetic::Start(bool has_zero) const {
  if (!is_exact_) return Zero();
  const std::string_view zero = has_zero ? "0.0" : "-0.0";
  return IsComplexType(result_) ? fmt::format("wide_complex(complex{{{0}, {0}}})", zero)
                                : fmt::format("wide_sum({})", zero);
}

std::string ProductArithmetic::WithProduct(const std::string& sum, const std::string& a, const std::string& b) const {
  if (result_ == PRED) return fmt::format("{} | ({} & {})", sum, a, b);
  return fmt::format("with_{}product({}, {}, {})", is_exact_ && is_long_ ? "long_" : "", sum, a, b);
}

std::string ProductArithmetic::ToElement(const std::string& sum) const {
  return RoundedText(result_, IsComplexType(result_) ? fmt::format("value({})", sum) : sum);
}

Folding ProductArithmetic::Sums(bool has_zero) const {
  return Folding(accumulator_, result_ == PRED ? "{0} | {1}" : "with_sum({0}, {1})", Start(has_zero));
}

}  // namespace assay::cuda
