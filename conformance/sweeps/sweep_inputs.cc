#include "conformance/sweeps/sweep_inputs.h"

#include <cstring>

#include "interpreter/numerics/special_patterns.h"
#include "interpreter/types/float_format.h"
#include "interpreter/types/parallel.h"
#include "interpreter/types/split_mix.h"

namespace assay {
namespace {

constexpr int kMostBits = 32;

// Maps neighboring numbers to unrelated bits.
std::uint64_t Scattered(std::uint64_t x) { return SplitMix(x + kSplitMixStep); }

}  // namespace

SweepInputs::SweepInputs(PrimitiveType type, int operands, std::int64_t size, bool is_exhaustive)
    : type_(type),
      part_(ComplexComponentType(type)),
      operands_(operands),
      size_(size),
      numbers_(operands * ComponentCount(type)),
      is_exhaustive_(is_exhaustive) {}

bool SweepInputs::CanHaveAll(PrimitiveType type, int operands) { return BitWidth(type) * operands <= kMostBits; }

SweepInputs SweepInputs::All(PrimitiveType type, int operands) {
  return {type, operands, std::int64_t{1} << (BitWidth(type) * operands), true};
}

SweepInputs SweepInputs::Sample(PrimitiveType type, int operands, std::int64_t count, bool is_moderate) {
  SweepInputs inputs(type, operands, count, false);
  inputs.is_moderate_ = is_moderate;
  inputs.special_ = SpecialPatterns(FloatFormatOf(inputs.part_));
  return inputs;
}

std::uint64_t SweepInputs::Pattern(std::int64_t input, int number) const {
  if (!is_exhaustive_) return SampledPattern(input, number);
  const int width = BitWidth(type_);
  return static_cast<std::uint64_t>(input) >> (width * (operands_ - 1 - number)) & ((std::uint64_t{1} << width) - 1);
}

std::uint64_t SweepInputs::SampledPattern(std::int64_t input, int number) const {
  const std::uint64_t random =
      Scattered(static_cast<std::uint64_t>(input) << (numbers_ > 2 ? 2 : 1) | static_cast<std::uint64_t>(number));
  if (is_moderate_) return ModeratePattern(random);
  const auto specials = static_cast<std::int64_t>(special_.size());
  const std::int64_t of_specials = numbers_ == 1 ? specials : specials * specials;
  if (numbers_ <= 2 && input < of_specials) return special_[number == 0 ? input % specials : input / specials];
  const bool is_special = numbers_ > 2 && input < of_specials;
  const bool is_mixed = IsComplexType(type_) && input % 4 == 2;
  // Each number of a mixed input is a special value (1/4), any pattern (1/4) or a moderate number (1/2).
  const auto kind = Scattered(random) % 4;
  if (is_special || (is_mixed && kind == 0)) return special_[random % special_.size()];
  const bool is_any = is_mixed ? kind == 1 : input % 2 == 0;
  return is_any ? random >> (64 - BitWidth(part_)) : ModeratePattern(random);
}

std::uint64_t SweepInputs::ModeratePattern(std::uint64_t random) const {
  const FloatFormat& format = FloatFormatOf(part_);
  if (format.bias < 8) return random >> (64 - BitWidth(part_));  // all numbers are moderate
  const std::uint64_t fraction = random & format.mantissa_mask();
  const std::uint64_t exponent = static_cast<std::uint64_t>(format.bias - 8) + (random >> 60);
  const std::uint64_t sign = (random >> 59 & 1) != 0 ? format.sign_mask() : 0;
  return sign | exponent << format.mantissa_bits | fraction;
}

std::vector<Literal> SweepInputs::Make(std::int64_t first, std::int64_t count) const {
  std::vector<Literal> arrays;
  const int bytes = StorageBytes(part_), parts = numbers_ / operands_;
  for (int operand = 0; operand < operands_; ++operand) {
    Literal array = Literal::Uninitialized(ShapeUtil::MakeShape(type_, {count}));
    std::byte* out = array.mutable_data();
    constexpr std::int64_t kGrain = 1 << 16;
    ParallelFor(count, kGrain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        for (int part = 0; part < parts; ++part) {
          const std::uint64_t pattern = Pattern(first + i, operand * parts + part);
          std::memcpy(out + (i * parts + part) * bytes, &pattern, bytes);
        }
      }
    });
    arrays.push_back(std::move(array));
  }
  return arrays;
}

}  // namespace assay
