// The constraints of operations with quantized tensors, one function for each kind of operation. `row` has the numbers
// of those that several operations share.
#pragma once

#include "interpreter/stablehlo/to_hlo_quantized.h"

namespace assay::stablehlo {

TypeRule CheckBaselineTypes, CheckAddTypes, CheckDotTypes, CheckConvolutionTypes, CheckBroadcastTypes,
    CheckTransposeTypes, CheckReshapeTypes, CheckPairsTypes, CheckOneType, CheckTwoTypes, CheckEachType,
    CheckQuantizeTypes, CheckDequantizeTypes, CheckReturnedTypes, CheckFoldTypes;

}  // namespace assay::stablehlo
