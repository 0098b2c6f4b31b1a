#include "interpreter/acceptance/ops/common/sum_algorithms.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "interpreter/types/float_format.h"

namespace assay {
namespace {

// bf16 has 8 bits, tf32 and f16 have 11, f32 has 24. An operand split into k numbers of p bits has a relative error of
// 2^-kp. x3 omits the product of the two lesser parts; x6 omits the products below 2^-16 times the largest. Half of the
// omitted products counts with each operand.
constexpr SumAlgorithm kAlgorithms[] = {
    {"dot_any_f8_any_f8_f32", 0x1p-3, 0x1p-24},
    // Hopper's tensor cores keep 14 bits (DeepSeek-V3 technical report, 3.3.2).
    {"dot_any_f8_any_f8_f32_fast_accum", 0x1p-3, 0x1p-14},
    {"dot_f16_f16_f16", 0x1p-11, 0x1p-11},
    {"dot_f16_f16_f32", 0x1p-11, 0x1p-24},
    {"dot_bf16_bf16_bf16", 0x1p-8, 0x1p-8},
    {"dot_bf16_bf16_f32", 0x1p-8, 0x1p-24},
    {"dot_bf16_bf16_f32_x3", 1.5 * 0x1p-16, 0x1p-24, 3},
    {"dot_bf16_bf16_f32_x6", 2.5 * 0x1p-24, 0x1p-24, 6},
    {"dot_bf16_bf16_f32_x9", 0x1p-24, 0x1p-24, 9},
    {"dot_tf32_tf32_f32", 0x1p-11, 0x1p-24},
    {"dot_tf32_tf32_f32_x3", 1.5 * 0x1p-22, 0x1p-24, 3},
    {"dot_f32_f32_f32", 0x1p-24, 0x1p-24},
    {"dot_f64_f64_f64", 0x1p-53, 0x1p-53},
};

}  // namespace

std::optional<SumAlgorithm> SumAlgorithmOf(const HloInstruction& product) {
  const auto* known = std::ranges::find(kAlgorithms, product.String("algorithm"), &SumAlgorithm::name);
  if (known == std::end(kAlgorithms)) return std::nullopt;
  SumAlgorithm algorithm = *known;
  double finest = 1;
  for (const HloInstruction* operand : product.operands) {
    const PrimitiveType type = ComplexComponentType(operand->shape.element_type());
    if (IsFloatingPointType(type)) finest = std::min(finest, std::ldexp(1.0, -FloatFormatOf(type).precision()));
  }
  // Operands that are no wider than the type that they are rounded to do not change.
  if (finest >= algorithm.operand_error) algorithm.operand_error = 0;
  return algorithm;
}

}  // namespace assay
