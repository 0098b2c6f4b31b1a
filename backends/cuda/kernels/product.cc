#include "backends/cuda/kernels/product.h"

#include <fmt/format.h>

#include "backends/cuda/kernels/element_wise.h"
#include "backends/cuda/kernels/text.h"

namespace assay::cuda {
namespace {

bool IsWhole(PrimitiveType type) { return IsIntegralType(type) || type == PRED; }

std::string_view AccumulatorOf(PrimitiveType lhs, PrimitiveType rhs, PrimitiveType result) {
  if (IsWhole(result)) return BitWidth(result) == 64 ? "u64" : "u32";
  // No sum of these keeps its digits in f32.
  const auto is_long = [](PrimitiveType type) { return type == F64 || type == C128 || type == F8E8M0FNU; };
  const bool is_any_long = is_long(lhs) || is_long(rhs) || is_long(result);
  if (IsComplexType(result)) return is_any_long ? "c128" : "c64";
  return is_any_long ? "f64" : "f32";
}

}  // namespace

ProductArithmetic::ProductArithmetic(PrimitiveType lhs, PrimitiveType rhs, PrimitiveType result)
    : result_(result), accumulator_(AccumulatorOf(lhs, rhs, result)) {}

std::string ProductArithmetic::Number(PrimitiveType type, const std::string& element) const {
  PrimitiveType from = type;
  std::string text = element;
  const auto convert = [&](PrimitiveType to) {
    text = ConvertedText(from, to, text);
    from = to;
  };
  if (IsComplexType(result_)) {
    if (IsWhole(from)) convert(ComplexComponentType(result_));
    return fmt::format("To<{}>::of(value({}))", accumulator_, text);
  }
  if (IsFloatingPointType(result_)) {
    if (IsWhole(from)) convert(result_);
  } else if (result_ == PRED || !IsWhole(from)) {
    convert(result_);
  }
  return fmt::format("({})value({})", accumulator_, text);
}

std::string ProductArithmetic::Zero() const { return fmt::format("zero_of<{}>()", accumulator_); }

std::string ProductArithmetic::WithProduct(const std::string& sum, const std::string& a, const std::string& b) const {
  if (result_ == PRED) return fmt::format("{} | ({} & {})", sum, a, b);
  return fmt::format("with_product({}, {}, {})", sum, a, b);
}

std::string ProductArithmetic::ToElement(const std::string& sum) const {
  return RoundedText(result_, IsComplexType(result_) ? fmt::format("value({})", sum) : sum);
}

Folding ProductArithmetic::Sums() const {
  return Folding(accumulator_, result_ == PRED ? "{0} | {1}" : "with_sum({0}, {1})", Zero());
}

}  // namespace assay::cuda
