#include "interpreter/acceptance/ops/common/quantization.h"

#include <algorithm>
#include <vector>

#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/ops/records.h"

namespace assay {
namespace {

// Instructions between dequantization and quantization. Beyond so many nothing is known of the scales.
constexpr int kDeepest = 8;
// The multipliers of 32 bits are in [2^30, 2^31), rounded to nearest: TFLite's QuantizeMultiplier. Kernels may also
// multiply in f32 by a multiplier that is a product and a quotient of scales: three roundings, and one of the integer.
constexpr double kMultiplier = 0x1p-31 + 4 * 0x1p-24;
// TFLite's MultiplyByQuantizedMultiplier of 64-bit sums, those of 16-bit integers, keeps 15 bits of the multiplier.
constexpr double kMultiplierOfWideSums = 0x1p-15;
// The error of a sum of two arrays in units of the larger scale. XNNPACK's qs8-vadd has multipliers of 21 bits: half a
// unit for each of 2 * 255 steps, 2^-12. TFLite's add shifts 16-bit integers left by 15 bits and rounds three times.
constexpr double kSum = 0x1p-12;
// The largest error of a first rounding; XNNPACK has no sums with a scale of 2^8 times that of the result and more.
constexpr double kLargest = 0.25;

// The distances of the numbers that an array's integers represent: the scales, or products of scales.
struct QuantizationSteps {
  double least = INFINITY, largest = 0;
  bool is_constant = false;
  bool is_positive = true;   // of constants, which are scales
  bool is_sum = false;       // of two arrays
  bool has_16_bits = false;  // the integers of some operand
};

std::optional<QuantizationSteps> StepsOf(const HloInstruction& instruction, int depth);

bool SumsProducts(const HloInstruction& instruction) {
  return instruction.op == &op_dot || instruction.op == &op_convolution;
}

// Returns the magnitudes of constants.
std::optional<QuantizationSteps> OfConstant(const Literal& numbers) {
  if (!numbers.shape().IsArray() || !IsFloatingPointType(numbers.element_type())) return std::nullopt;
  QuantizationSteps steps = {.is_constant = true};
  const Literal reals = NumbersOf(numbers);
  for (const double number : reals.values<double>()) {
    steps.is_positive &= number > 0;
    steps.least = std::min(steps.least, std::fabs(number));
    steps.largest = std::max(steps.largest, std::fabs(number));
  }
  return steps;
}

bool HasWideSums(const HloInstruction& integers) {
  const HloInstruction* storage = &integers;
  while (storage->operands.size() > 0 && IsIntegralType(storage->operand(0).shape.element_type()) &&
         (storage->op == &op_convert || storage->op == &op_subtract)) {
    storage = storage->operands[0];
  }
  return BitWidth(storage->shape.element_type()) == 16;
}

QuantizationSteps Hull(const QuantizationSteps& a, const QuantizationSteps& b) {
  return {std::min(a.least, b.least),     std::max(a.largest, b.largest), a.is_constant && b.is_constant,
          a.is_positive && b.is_positive, a.is_sum || b.is_sum,           a.has_16_bits || b.has_16_bits};
}

// Returns the steps of products; of sums, which add constants without an error of their own; of numbers that are moved
// or chosen; of other functions, which kernels of integers read from tables.
QuantizationSteps Combined(const HloInstruction& instruction, const std::vector<QuantizationSteps>& operands) {
  const OpAcceptance& acceptance = AcceptanceOf(instruction);
  QuantizationSteps all = operands[0];
  for (std::size_t i = 1; i < operands.size(); ++i) {
    const QuantizationSteps& next = operands[i];
    const bool is_product = acceptance.folded == Acceptance::kProduct || SumsProducts(instruction);
    const double least = all.least * next.least, largest = all.largest * next.largest;
    const bool is_sum = acceptance.Has(Trait::kAddsTerms) && !all.is_constant && !next.is_constant;
    if (!is_product && all.is_constant != next.is_constant) {
      all = all.is_constant ? next : all;
      continue;
    }
    all = Hull(all, next);
    all.is_sum |= is_sum;
    if (is_product) all.least = least, all.largest = largest;
  }
  if (acceptance.rule == Acceptance::kUlp) all.least = all.largest = 0;
  return all;
}

// Returns the steps of an array; nullopt if it does not follow from integers and constants alone.
std::optional<QuantizationSteps> StepsOf(const HloInstruction& instruction, int depth) {
  if (!instruction.shape.IsArray() || !IsFloatingPointType(instruction.shape.element_type())) return std::nullopt;
  if (instruction.literal) return OfConstant(*instruction.literal);
  if (instruction.op->role != OpRole::kOrdinary || instruction.operands.empty()) return std::nullopt;
  if (depth == kDeepest) return QuantizationSteps{.least = 0, .largest = INFINITY, .is_sum = true, .has_16_bits = true};
  std::vector<QuantizationSteps> operands;
  for (const HloInstruction* operand : instruction.operands) {
    if (!operand->shape.IsArray()) return std::nullopt;
    if (!IsFloatingPointType(operand->shape.element_type())) continue;  // a predicate, or an index
    const std::optional<QuantizationSteps> steps = StepsOf(*operand, depth + 1);
    if (!steps) return std::nullopt;
    operands.push_back(*steps);
  }
  // Floats of a hybrid product may be constants.
  const bool is_hybrid = SumsProducts(instruction) && std::ranges::any_of(operands, &QuantizationSteps::is_constant);
  if (is_hybrid) return std::nullopt;
  if (!operands.empty()) return Combined(instruction, operands);
  if (instruction.op != &op_convert) return std::nullopt;
  return QuantizationSteps{.least = 1, .largest = 1, .has_16_bits = HasWideSums(*instruction.operands[0])};
}

// Returns the error of the first of two roundings: TFLite's MultiplyByQuantizedMultiplier and gemmlowp's
// RoundingDivideByPOT multiply by m = m0 2^-shift, with m0 in [1/2, 1), and round to multiples of 2^-shift first.
double FirstRounding(double least, double largest) {
  if (least >= 0.5 || largest == 0) return 0;
  return largest < 0.5 ? std::ldexp(1.0, std::ilogb(largest)) : kLargest;
}

}  // namespace

bool IsDequantized(const HloInstruction& instruction) {
  const std::optional<QuantizationSteps> steps = StepsOf(instruction, 0);
  return steps && !steps->is_constant;
}

std::optional<FixedPointError> FixedPointErrorOf(const HloInstruction& clamp) {
  if (clamp.op != &op_clamp) return std::nullopt;
  const HloInstruction* quotient = clamp.operands[1];
  double zero_point = 0;
  if (quotient->op == &op_add) {
    const std::optional<QuantizationSteps> added = StepsOf(quotient->operand(1), 0);
    if (!added || !added->is_constant) return std::nullopt;
    zero_point = added->largest;
    quotient = quotient->operands[0];
  }
  if (quotient->op != &op_divide) return std::nullopt;
  const std::optional<QuantizationSteps> scale = StepsOf(quotient->operand(1), 0);
  if (!scale || !scale->is_constant || !scale->is_positive || !(scale->least > 0)) return std::nullopt;
  const std::optional<QuantizationSteps> steps = StepsOf(quotient->operand(0), 0);
  if (!steps || steps->is_constant) return FixedPointError{0, kMultiplier, zero_point};
  const double largest = steps->largest / scale->least;
  const double absolute =
      steps->is_sum ? std::min(kLargest, kSum * largest) : FirstRounding(steps->least / scale->largest, largest);
  return FixedPointError{absolute, steps->has_16_bits ? kMultiplierOfWideSums : kMultiplier, zero_point};
}

}  // namespace assay
