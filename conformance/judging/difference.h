// How far two results are apart, without a judgement.
#pragma once

#include "interpreter/types/literal.h"

namespace assay {

// The largest of |got - want| / |want| over all elements of two values of one shape. Infinite where just one is a NaN,
// where infinities differ, and where something other than 0 stands for 0; of integers and predicates too.
double RelativeDifference(const Literal& want, const Literal& got);

}  // namespace assay
