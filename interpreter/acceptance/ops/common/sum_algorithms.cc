#include "interpreter/acceptance/ops/common/sum_algorithms.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "interpreter/types/float_format.h"

namespace assay {
namespace {

// bf16 has 8 bits, tf32 and f16 have 11, f32 has 24. XLA's dot_algorithm_rewriter.cc rounds operands to bf16 to
// nearest, and may round each product of bf16 once more; matrix units ignore the low bits of tf32 operands. It splits
// an operand by clearing low bits: the first of k parts of p bits, then, leaves 2^(1 - p), and the last rounds. x3
// omits the product of the lesser parts, x6 those below the third; half of the omitted products counts with each
// operand. x9 omits none. Matrix units cut the terms of a block at the bits of the largest one, so that a sum in f32 is
// off by up to three times as much as one that rounds each addition (MMA-Sim, arXiv 2511.10909: Volta); with fast
// accumulation those of Hopper and Ada keep 13 fractional bits.
constexpr double kMatrixUnits = 3 * 0x1p-24;
constexpr SumAlgorithm kAlgorithms[] = {
    {"dot_any_f8_any_f8_f32", 0x1p-3, 0x1p-24},
    {"dot_any_f8_any_f8_f32_fast_accum", 0x1p-3, 1.125 * 0x1p-13},
    {"dot_f16_f16_f16", 0x1p-11, 0x1p-11},
    {"dot_f16_f16_f32", 0x1p-11, kMatrixUnits},
    {"dot_bf16_bf16_bf16", 0x1p-8, 0x1p-8},
    {"dot_bf16_bf16_f32", 1.5 * 0x1p-8, kMatrixUnits},
    {"dot_bf16_bf16_f32_x3", 0x1p-14, kMatrixUnits, 3},
    {"dot_bf16_bf16_f32_x6", 0x1p-21, kMatrixUnits, 6},
    {"dot_bf16_bf16_f32_x9", 0x1p-24, kMatrixUnits, 9},
    {"dot_tf32_tf32_f32", 0x1p-10, kMatrixUnits},
    {"dot_tf32_tf32_f32_x3", 1.5 * 0x1p-20, kMatrixUnits, 3},
    {"dot_f32_f32_f32", 0x1p-24, 0x1p-24},
    {"dot_f64_f64_f64", 0x1p-53, 0x1p-53},
};

}  // namespace

PrimitiveType WidestOperand(const HloInstruction& product) {
  PrimitiveType widest = PRIMITIVE_TYPE_INVALID;
  for (const HloInstruction* operand : product.operands) {
    const PrimitiveType type = ComplexComponentType(operand->shape.element_type());
    if (!IsFloatingPointType(type)) continue;
    const bool is_first = widest == PRIMITIVE_TYPE_INVALID;
    if (is_first || FloatFormatOf(type).precision() > FloatFormatOf(widest).precision()) widest = type;
  }
  return widest;
}

std::optional<SumAlgorithm> SumAlgorithmOf(const HloInstruction& product) {
  const auto* known = std::ranges::find(kAlgorithms, product.String("algorithm"), &SumAlgorithm::name);
  if (known == std::end(kAlgorithms)) return std::nullopt;
  SumAlgorithm algorithm = *known;
  // Operands that are no wider than the type that they are rounded to do not change.
  const PrimitiveType widest = WidestOperand(product);
  const double finest = widest == PRIMITIVE_TYPE_INVALID ? 1 : std::ldexp(1.0, -FloatFormatOf(widest).precision());
  if (finest >= algorithm.operand_error) algorithm.operand_error = 0;
  return algorithm;
}

std::string_view PrecisionLevelOf(const HloInstruction& product) {
  if (product.op->FindAttribute("operand_precision") == nullptr) return {};
  const auto* const named = product.Find<std::vector<std::string>>("operand_precision");
  std::string_view highest = kPrecisionLevels[0];
  for (const std::string_view level : kPrecisionLevels) {
    if (named != nullptr && std::ranges::find(*named, level) != named->end()) highest = level;
  }
  return highest;
}

}  // namespace assay
