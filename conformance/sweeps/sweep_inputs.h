// The numbered inputs on which an element-wise operation is measured.
#pragma once

#include <cstdint>
#include <vector>

#include "interpreter/types/literal.h"

namespace assay {

class SweepInputs {
 public:
  // Every tuple of bit patterns. The number of an input is the concatenation of its patterns, operand 0 first. They
  // have at most 32 bits together.
  static SweepInputs All(PrimitiveType type, int operands);
  static bool CanHaveAll(PrimitiveType type, int operands);
  // A fixed sample. It begins with the special values (of two operands all pairs). The rest alternates between patterns
  // from the whole format and numbers with exponents from -8 to 7; `is_moderate` selects such numbers alone. Each part
  // of a complex number is drawn independently; in every fourth input each part may be of any of the three kinds.
  static SweepInputs Sample(PrimitiveType type, int operands, std::int64_t count, bool is_moderate = false);

  std::int64_t size() const { return size_; }
  bool is_exhaustive() const { return is_exhaustive_; }
  PrimitiveType type() const { return type_; }
  int operands() const { return operands_; }

  // Returns the bit pattern of one number of an input. Number 2 i + part is part 0 or 1 of complex operand i.
  std::uint64_t Pattern(std::int64_t input, int number) const;
  // Returns one array for each operand, with the inputs first, first + 1, ...
  std::vector<Literal> Make(std::int64_t first, std::int64_t count) const;

 private:
  SweepInputs(PrimitiveType type, int operands, std::int64_t size, bool is_exhaustive);
  std::uint64_t SampledPattern(std::int64_t input, int number) const;
  std::uint64_t ModeratePattern(std::uint64_t random) const;

  PrimitiveType type_;
  PrimitiveType part_;
  int operands_;
  std::int64_t size_;
  int numbers_;  // of one input
  bool is_exhaustive_;
  bool is_moderate_ = false;
  std::vector<std::uint64_t> special_;  // of a sample
};

}  // namespace assay
