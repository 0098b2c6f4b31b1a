#include "backends/lawful/noisy_numbers.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <ranges>

#include "backends/lawful/arithmetic.h"
#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/hlo/op.h"

namespace assay {
namespace {

// The probabilities of using a freedom that the profile allows.
constexpr double kOtherSign = 0.3;
constexpr double kOtherZero = 0.5;
constexpr double kNotFinite = 0.2;

// Draws a NaN, if the format has several.
std::uint64_t AnyNan(const FloatFormat& format, Noise& noise) {
  const std::uint64_t payload = format.nan == NanEncoding::kIeee ? noise.Bits() & format.mantissa_mask() : 0;
  return format.nan_bits(noise.Chance(0.5)) | payload;
}

}  // namespace

const NoisyNumbers::Row NoisyNumbers::kRows[] = {
    {"by the rule", &NoisyNumbers::Unchanged},
    {"unrounded products", &NoisyNumbers::Unchanged},   // over several instructions (algorithms/rewrites.h)
    {"wider numbers", &NoisyNumbers::Unchanged},        // over several instructions
    {"started sums", &NoisyNumbers::Unchanged},         // over several instructions
    {"reciprocal roots", &NoisyNumbers::Unchanged},     // over several instructions
    {"fixed-point numbers", &NoisyNumbers::Unchanged},  // over several instructions
    {"zero for subnormal", &NoisyNumbers::Flushed},
    {"flushed reciprocals", &NoisyNumbers::FlushedReciprocal},
    {"any number", &NoisyNumbers::AnyNumber},
    {"other operand's zero", &NoisyNumbers::OtherOperandsZero},
    {"sign of zero", &NoisyNumbers::OtherSign},
};

bool NoisyNumbers::Knows(std::string_view noise) {
  return std::ranges::find(kRows, noise, &Row::noise) != std::end(kRows);
}

NoisyNumbers::NoisyNumbers(const Profile& profile, const HloInstruction& instruction, std::span<const Literal> operands,
                           bool flushes, Noise& noise)
    : instruction_(instruction), operands_(operands), flushes_(flushes), noise_(noise) {
  // Flushes precede signs of zeros. The judge undoes them in the reverse order.
  for (const Freedom freedom : AllFreedoms()) {
    if (!profile.Allows(freedom, instruction.op->name)) continue;
    open_.insert(open_.begin(), std::ranges::find(kRows, RecordOf(freedom).noise, &Row::noise));
  }
}

void NoisyNumbers::Replace(Literal& value, const Literal& exact) {
  for (std::size_t i = 0; i < value.elements().size(); ++i) Replace(value.mutable_elements()[i], exact.elements()[i]);
  if (!HasReals(value.shape()) || value.element_count() == 0) return;
  const PrimitiveType type = ComplexComponentType(value.element_type());
  const FloatFormat& format = FloatFormatOf(type);
  const std::int64_t count = value.element_count() * ComponentCount(value.element_type());
  for (std::int64_t i = 0; i < count; ++i) {
    const RealElement element = ComponentAt(value, i);
    std::uint64_t bits = IsNan(element) ? AnyNan(format, noise_) : element.bits;
    const Number number = {type, format, i, count, RealValue(ComponentAt(exact, i))};
    for (const Row* row : open_) bits = (this->*row->replace)(number, bits);
    if (bits != element.bits) std::memcpy(value.mutable_data() + i * StorageBytes(type), &bits, StorageBytes(type));
  }
}

std::uint64_t NoisyNumbers::Unchanged(const Number&, std::uint64_t bits) { return bits; }

std::uint64_t NoisyNumbers::Flushed(const Number& number, std::uint64_t bits) {
  const bool is_flushed = flushes_ && MayFlush(number.type) && IsSubnormal({number.type, bits});
  return is_flushed ? bits & number.format.sign_mask() : bits;
}

std::uint64_t NoisyNumbers::FlushedReciprocal(const Number& number, std::uint64_t bits) {
  const bool is_quotient =
      AcceptanceOf(instruction_).Has(Trait::kDivides) && !IsComplexType(instruction_.shape.element_type());
  if (!is_quotient || IsNan({number.type, bits})) return bits;
  const double divisor = NumberAt(operands_[1], number.at);
  return flushes_ && HasSubnormalReciprocal(number.type, divisor) ? bits & number.format.sign_mask() : bits;
}

std::uint64_t NoisyNumbers::AnyNumber(const Number& number, std::uint64_t bits) {
  if (std::isfinite(number.exact) || !noise_.Chance(kNotFinite)) return bits;
  return noise_.Bits() & number.format.magnitude_mask();
}

// Applies only to element-wise ops, whose candidate zeros are known.
std::uint64_t NoisyNumbers::OtherOperandsZero(const Number& number, std::uint64_t bits) {
  if (!IsZero({number.type, bits}) || number.exact != 0 || instruction_.op->evaluation.kernel == nullptr) return bits;
  const std::uint64_t other = bits ^ number.format.sign_mask();
  const bool has_other = std::ranges::any_of(operands_, [&](const Literal& operand) {
    if (!operand.shape().IsArray() || operand.element_type() != number.type) return false;
    if (operand.element_count() != number.count && operand.element_count() != 1) return false;
    const RealElement element = ComponentAt(operand, operand.element_count() == 1 ? 0 : number.at);
    return IsZero(element) && element.bits == other;
  });
  return has_other && noise_.Chance(kOtherZero) ? other : bits;
}

std::uint64_t NoisyNumbers::OtherSign(const Number& number, std::uint64_t bits) {
  const bool has_signs = number.format.has_negative_zero && IsZero({number.type, bits});
  return has_signs && noise_.Chance(kOtherSign) ? bits ^ number.format.sign_mask() : bits;
}

}  // namespace assay
