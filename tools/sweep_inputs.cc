#include "tools/sweep_inputs.h"

#include <cstring>

#include "interpreter/types/float_format.h"
#include "interpreter/types/parallel.h"

namespace assay {
namespace {

constexpr int kMostBits = 32;

// The finalizer of splitmix64: neighbouring numbers give unrelated bits.
std::uint64_t Scattered(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

std::vector<std::uint64_t> SpecialPatterns(const FloatFormat& format) {
  const std::uint64_t one = static_cast<std::uint64_t>(format.bias) << format.mantissa_bits;
  std::vector<std::uint64_t> magnitudes = {0, one, format.max_finite_bits()};
  if (format.has_subnormals) magnitudes.insert(magnitudes.end(), {1, format.mantissa_mask()});
  magnitudes.push_back(format.mantissa_mask() + 1);  // the least normal number
  if (format.has_infinity) magnitudes.push_back(format.overflow_bits(false));
  std::vector<std::uint64_t> patterns;
  for (const std::uint64_t magnitude : magnitudes) {
    patterns.push_back(magnitude);
    if (format.has_sign) patterns.push_back(format.sign_mask() | magnitude);
  }
  if (format.nan != NanEncoding::kNone) patterns.push_back(format.nan_bits(false));
  return patterns;
}

}  // namespace

SweepInputs::SweepInputs(PrimitiveType type, int operands, std::int64_t size, bool is_exhaustive)
    : type_(type), operands_(operands), size_(size), is_exhaustive_(is_exhaustive) {}

bool SweepInputs::CanHaveAll(PrimitiveType type, int operands) { return BitWidth(type) * operands <= kMostBits; }

SweepInputs SweepInputs::All(PrimitiveType type, int operands) {
  return {type, operands, std::int64_t{1} << (BitWidth(type) * operands), true};
}

SweepInputs SweepInputs::Sample(PrimitiveType type, int operands, std::int64_t count) {
  SweepInputs inputs(type, operands, count, false);
  inputs.special_ = SpecialPatterns(FloatFormatOf(type));
  return inputs;
}

std::uint64_t SweepInputs::Pattern(std::int64_t input, int operand) const {
  if (!is_exhaustive_) return SampledPattern(input, operand);
  const int width = BitWidth(type_);
  return static_cast<std::uint64_t>(input) >> (width * (operands_ - 1 - operand)) & ((std::uint64_t{1} << width) - 1);
}

std::uint64_t SweepInputs::SampledPattern(std::int64_t input, int operand) const {
  const auto specials = static_cast<std::int64_t>(special_.size());
  const std::int64_t of_specials = operands_ == 1 ? specials : specials * specials;
  if (input < of_specials) return special_[operand == 0 ? input % specials : input / specials];
  const FloatFormat& format = FloatFormatOf(type_);
  const std::uint64_t random = Scattered(static_cast<std::uint64_t>(input) << 1 | static_cast<std::uint64_t>(operand));
  if (input % 2 == 0 || format.bias < 8) return random >> (64 - BitWidth(type_));
  const std::uint64_t fraction = random & format.mantissa_mask();
  const std::uint64_t exponent = static_cast<std::uint64_t>(format.bias - 8) + (random >> 60);
  const std::uint64_t sign = (random >> 59 & 1) != 0 ? format.sign_mask() : 0;
  return sign | exponent << format.mantissa_bits | fraction;
}

std::vector<Literal> SweepInputs::Make(std::int64_t first, std::int64_t count) const {
  std::vector<Literal> arrays;
  const int bytes = StorageBytes(type_);
  for (int operand = 0; operand < operands_; ++operand) {
    Literal array = Literal::Uninitialized(ShapeUtil::MakeShape(type_, {count}));
    std::byte* out = array.mutable_data();
    constexpr std::int64_t kGrain = 1 << 16;
    ParallelFor(count, kGrain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const std::uint64_t pattern = Pattern(first + i, operand);
        std::memcpy(out + i * bytes, &pattern, bytes);
      }
    });
    arrays.push_back(std::move(array));
  }
  return arrays;
}

}  // namespace assay
