// Images of intervals of real numbers under functions that several ops compute.
#pragma once

#include "interpreter/acceptance/ops/op_acceptance.h"

namespace assay {

// Returns the magnitudes of the numbers of an interval.
Reals MagnitudesOf(const Reals& x);

// Returns the image under a function of the math library that increases where it has a value.
Reals Increasing(double (*function)(double), const Reals& x);

// Return the images under the cosine, the sine and the hyperbolic cosine.
Reals CosinesOf(const Reals& x);
Reals SinesOf(const Reals& x);
Reals HyperbolicCosinesOf(const Reals& x);

// Returns the angles of the points (x, y). Sets do not know the sign of a zero, which decides on the cut.
Reals AnglesOf(const Reals& y, const Reals& x);

// Implements ElementImage by a function of one interval.
template <Reals (*function)(const Reals&)>
Reals FunctionOf(const HloInstruction&, std::span<const Reals> x) {
  return function(x[0]);
}

}  // namespace assay
