// Random values of attributes whose kind alone determines the legal values.
#pragma once

#include "fuzz/generate/random.h"
#include "interpreter/hlo/attributes.h"
#include "interpreter/hlo/result_accuracy.h"

namespace assay::generate {

// Draws a flag, a word of the record's list, a small integer, or the precision of two operands. Returns nothing for
// other kinds, and for attributes that are read and never printed.
AttributeValue DrawAttributeValue(Random& random, const AttributeSpec& spec);
ResultAccuracy DrawResultAccuracy(Random& random);

}  // namespace assay::generate
