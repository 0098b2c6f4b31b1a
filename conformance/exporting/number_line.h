// The numbers of one element type in order, without NaN: the line on which a set of accepted values has its ends.
#pragma once

#include <cstdint>

#include "interpreter/types/literal.h"

namespace assay {

class NumberLine {
 public:
  using Position = __int128;

  // `type` is pred, an integer type or a float type: of a complex element, that of its parts.
  explicit NumberLine(PrimitiveType type);

  PrimitiveType type() const { return type_; }
  Position first() const { return first_; }
  Position last() const { return last_; }
  Position Clamp(Position position) const;
  // -0 is the position before +0. Infinities are the ends of a line that has them.
  Position Of(std::uint64_t bits) const;
  std::uint64_t BitsAt(Position position) const;
  bool IsNan(std::uint64_t bits) const;

 private:
  PrimitiveType type_;
  Position first_, last_;
};

// Read and write one component of an array, a number or a part of a complex number, as the bits of its storage.
std::uint64_t ComponentBits(const Literal& array, std::int64_t component);
void SetComponentBits(Literal& array, std::int64_t component, std::uint64_t bits);

}  // namespace assay
