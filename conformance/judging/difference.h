// The distance between two results, without a judgement.
#pragma once

#include <vector>

#include "interpreter/types/literal.h"

namespace assay {

// Returns the elements of an array as doubles, a complex element as its real part, then its imaginary part. Integers
// beyond 2^53 are rounded.
std::vector<double> ElementsAsDoubles(const Literal& array);

// Returns the largest |got - want| / |want| over all elements of two values of one shape, integers and predicates
// included. Returns infinity if exactly one element is NaN, if infinities differ, or if `want` is 0 and `got` is not.
double RelativeDifference(const Literal& want, const Literal& got);

// Returns the sum of |got - want| over the elements of two values of one shape, divided by the sum of |want|: the worst
// of a tuple's arrays. Elements that are not finite in both are left out; infinite if exactly one is.
double MeanDifference(const Literal& want, const Literal& got);

}  // namespace assay
