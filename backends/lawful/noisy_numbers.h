// The freedoms that are about single numbers: subnormal ones, signs of zeros, numbers that are not finite.
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
  // For the result of an instruction, which flushes or does not.
  NoisyNumbers(const Profile& profile, const HloInstruction& instruction, std::span<const Literal> operands,
               bool flushes, Noise& noise);

  // Replaces the numbers of `value`, in parts of a tuple too; `exact` is the exact result.
  void Replace(Literal& value, const Literal& exact);
  // Whether there is something to do for a freedom that names this noise.
  static bool Knows(std::string_view noise);

 private:
  struct Number {
    PrimitiveType type;
    const FloatFormat& format;
    std::int64_t at;  // its place among the real components of its array
    std::int64_t count;
    double exact;
  };
  // What is done where an open freedom names it (FreedomRecord::noise).
  struct Row {
    std::string_view noise;
    std::uint64_t (NoisyNumbers::*replace)(const Number&, std::uint64_t bits);
  };
  static const Row kRows[];

  std::uint64_t Unchanged(const Number& number, std::uint64_t bits);
  std::uint64_t Flushed(const Number& number, std::uint64_t bits);
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
