// The numbers of one element type in order, without NaN: the ends of accepted ranges are positions on this line.
#pragma once

#include <cstdint>

#include "interpreter/types/literal.h"

namespace assay {

class NumberLine {
 public:
  using Position = __int128;

  // `type` is pred, an integer type or a float type. For complex elements it is the type of the parts.
  explicit NumberLine(PrimitiveType type);

  PrimitiveType type() const { return type_; }
  Position first() const { return first_; }
  Position last() const { return last_; }
  Position Clamp(Position position) const;
  // Returns the position of a number, which must not be NaN. -0 is the position before +0. Infinities are the ends of
  // the line if the type has them.
  Position Of(std::uint64_t bits) const;
  std::uint64_t BitsAt(Position position) const;
  bool IsNan(std::uint64_t bits) const;

 private:
  PrimitiveType type_;
  Position first_, last_;
};

// Read and write the storage bits of one component of an array: a number, or a part of a complex number. The parts of
// element i are the components 2i and 2i + 1.
std::uint64_t ComponentBits(const Literal& array, std::int64_t component);
void SetComponentBits(Literal& array, std::int64_t component, std::uint64_t bits);

}  // namespace assay
