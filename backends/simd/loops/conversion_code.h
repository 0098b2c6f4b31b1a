// Machine code of conversions.
#pragma once

#include "backends/simd/loops/element_code.h"

namespace assay::simd {

// Returns the code of `convert` between two types; null if there is none.
EmitElements ConversionCode(PrimitiveType from, PrimitiveType to);

}  // namespace assay::simd
