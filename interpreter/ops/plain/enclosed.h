// Numbers in intervals, for definitions that are not sums of products of the operands: roots of unity, quotients and
// square roots are computed at a precision that tells how each result rounds.
#pragma once

#include <functional>
#include <vector>

#include "interpreter/numerics/enclosed.h"
#include "interpreter/ops/plain/plain.h"

namespace assay::plain {

// The number in intervals, of type EnclosedReal or EnclosedComplex<EnclosedReal>.
template <class Number>
Number NumberOf(const Element& element, mpfr_prec_t precision) {
  const double parts[] = {RealPart(element), ImaginaryPart(element)};
  return NumberAt<Number>(parts, 0, precision);
}

// The elements of this type whose parts compute(precision) encloses, each part rounded once: one part for an element of
// a floating type, the real and the imaginary part for one of a complex type. The precision is doubled until both ends
// of each interval round alike, up to 4096 bits. That ends for every number except zero and those halfway between two
// of the type; an interval that is still undecided at 4096 bits counts as such a number (docs/sums.md).
Row RoundedOnce(PrimitiveType type, const std::function<std::vector<EnclosedReal>(mpfr_prec_t precision)>& compute);

}  // namespace assay::plain
