// The freedoms of single numbers: subnormal numbers, signs of zeros, numbers that are not finite.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "backends/lawful/noise.h"
#include "interpreter/acceptance/profile.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/float_format.h"
#include "interpreter/types/literal.h"

namespace assay {

class NoisyNumbers {
 public:
  // Prepares the noise of an instruction's result; `flushes` says whether the instruction flushes.
  NoisyNumbers(const Profile& profile, const HloInstruction& instruction, std::span<const Literal> operands,
               bool flushes, Noise& noise);

  // Replaces the numbers of `value`, including those in tuples; `exact` is the exact result.
  void Replace(Literal& value, const Literal& exact);
  // True if a freedom's noise has this name.
  static bool Knows(std::string_view noise);

 private:
  struct Number {
    PrimitiveType type;
    const FloatFormat& format;
    std::int64_t at;  // the index among the real components of its array
    std::int64_t count;
    double exact;
  };
  // The function for each noise of an allowed freedom (FreedomRecord::noise).
  struct Row {
    std::string_view noise;
    std::uint64_t (NoisyNumbers::*replace)(const Number&, std::uint64_t bits);
  };
  static const Row kRows[];

  std::uint64_t Unchanged(const Number& number, std::uint64_t bits);
  std::uint64_t Flushed(const Number& number, std::uint64_t bits);
  std::uint64_t FlushedReciprocal(const Number& number, std::uint64_t bits);
  std::uint64_t AnyNumber(const Number& number, std::uint64_t bits);
  std::uint64_t OtherOperandsZero(const Number& number, std::uint64_t bits);
  std::uint64_t OtherSign(const Number& number, std::uint64_t bits);

  const HloInstruction& instruction_;
  const std::span<const Literal> operands_;
  const bool flushes_;
  Noise& noise_;
  std::vector<const Row*> open_;
};

}  // namespace assay
