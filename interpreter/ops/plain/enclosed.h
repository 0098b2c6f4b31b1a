// Numbers in intervals, for definitions that are not sums of products of the operands. Roots of unity, quotients and
// square roots are computed at a precision that determines how each result rounds.
#pragma once

#include <functional>
#include <vector>

#include "interpreter/numerics/enclosed.h"
#include "interpreter/ops/plain/plain.h"

namespace assay::plain {

// Returns the number in intervals, of type EnclosedReal or EnclosedComplex<EnclosedReal>.
template <class Number>
Number NumberOf(const Element& element, mpfr_prec_t precision) {
  const double parts[] = {RealPart(element), ImaginaryPart(element)};
  return NumberAt<Number>(parts, 0, precision);
}

// Returns the elements of this type whose parts compute(precision) encloses, each part rounded once: one part for a
// floating type, the real and the imaginary part for a complex type. Doubles the precision until both ends of each
// interval round alike, up to 4096 bits. This ends for every number except zero and ties between two numbers of the
// type. An interval that is undecided at 4096 bits counts as such a number (docs/sums.md).
Row RoundedOnce(PrimitiveType type, const std::function<std::vector<EnclosedReal>(mpfr_prec_t precision)>& compute);

}  // namespace assay::plain
