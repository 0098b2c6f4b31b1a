// Transposes arrays for kernels and custom calls.
#pragma once

#include "interpreter/hlo/attributes.h"
#include "interpreter/types/literal.h"

namespace assay {

// Returns the array with its dimensions in this order.
Literal Permuted(const Literal& array, const Int64List& order);

}  // namespace assay
