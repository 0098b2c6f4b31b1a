// The errors of a sum of sums that a compiler adds up as one sum.
#pragma once

#include <span>

#include "interpreter/types/primitive_type.h"

namespace assay {

// Returns the error, in units of twice the unit roundoff, of sums of `count` terms whose largest magnitude is
// `largest`, from those of the first `terms`. The errors of n roundings of partial sums are those of a random walk, or
// of adding one by one.
double ErrorOfMergedSum(PrimitiveType type, std::span<const double> terms, double count, double largest);

}  // namespace assay
