// Attributes whose values need nothing but their kind.
#pragma once

#include "generate/random.h"
#include "interpreter/hlo/attributes.h"
#include "interpreter/hlo/result_accuracy.h"

namespace assay::generate {

// A flag, a word of the record's list, a small integer, the precision of two operands. Nothing for other kinds, and for
// what is read and never printed.
AttributeValue DrawAttributeValue(Random& random, const AttributeSpec& spec);
ResultAccuracy DrawResultAccuracy(Random& random);

}  // namespace assay::generate
