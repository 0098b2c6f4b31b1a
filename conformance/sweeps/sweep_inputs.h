// The inputs that an element-wise operation is measured on, each known by its number.
#pragma once

#include <cstdint>
#include <vector>

#include "interpreter/types/literal.h"

namespace assay {

class SweepInputs {
 public:
  // Every tuple of bit patterns; the number of an input is the patterns one after the other, operand 0 leading. The
  // patterns together have at most 32 bits.
  static SweepInputs All(PrimitiveType type, int operands);
  static bool CanHaveAll(PrimitiveType type, int operands);
  // A fixed sample: the special values first (of two numbers in all pairs), then by turns patterns spread evenly over
  // the whole format and numbers with exponents from -8 to 7; or such numbers alone. The parts of complex numbers are
  // chosen each by itself, in every other input from all of these.
  static SweepInputs Sample(PrimitiveType type, int operands, std::int64_t count, bool is_moderate = false);

  std::int64_t size() const { return size_; }
  bool is_exhaustive() const { return is_exhaustive_; }
  PrimitiveType type() const { return type_; }
  int operands() const { return operands_; }

  // The bit pattern of one number of one input: an operand, or part 0 or 1 of a complex operand i as number 2 i + part.
  std::uint64_t Pattern(std::int64_t input, int number) const;
  // One array for each operand, with the inputs first, first + 1, ...
  std::vector<Literal> Make(std::int64_t first, std::int64_t count) const;

 private:
  SweepInputs(PrimitiveType type, int operands, std::int64_t size, bool is_exhaustive);
  std::uint64_t SampledPattern(std::int64_t input, int number) const;
  std::uint64_t ModeratePattern(std::uint64_t random) const;

  PrimitiveType type_;
  PrimitiveType part_;
  int operands_;
  std::int64_t size_;
  int numbers_;  // of an input
  bool is_exhaustive_;
  bool is_moderate_ = false;
  std::vector<std::uint64_t> special_;  // of a sample
};

}  // namespace assay
