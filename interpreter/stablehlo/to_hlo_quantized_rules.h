// The constraints of operations with quantized tensors, one function for each kind of operation. `row` has the numbers
// of those that several operations share.
#pragma once

#include "interpreter/stablehlo/to_hlo_quantized.h"

namespace assay::stablehlo {

Status CheckBaselineTypes(const QuantizedSignature& signature, const QuantizedRow& row);
Status CheckAddTypes(const QuantizedSignature& signature, const QuantizedRow& row);
Status CheckDotTypes(const QuantizedSignature& signature, const QuantizedRow& row);
Status CheckConvolutionTypes(const QuantizedSignature& signature, const QuantizedRow& row);
Status CheckBroadcastTypes(const QuantizedSignature& signature, const QuantizedRow& row);
Status CheckTransposeTypes(const QuantizedSignature& signature, const QuantizedRow& row);
Status CheckReshapeTypes(const QuantizedSignature& signature, const QuantizedRow& row);
Status CheckPairsTypes(const QuantizedSignature& signature, const QuantizedRow& row);
Status CheckOneType(const QuantizedSignature& signature, const QuantizedRow& row);
Status CheckTwoTypes(const QuantizedSignature& signature, const QuantizedRow& row);
Status CheckEachType(const QuantizedSignature& signature, const QuantizedRow& row);
Status CheckQuantizeTypes(const QuantizedSignature& signature, const QuantizedRow& row);
Status CheckDequantizeTypes(const QuantizedSignature& signature, const QuantizedRow& row);
Status CheckReturnedTypes(const QuantizedSignature& signature, const QuantizedRow& row);
Status CheckFoldTypes(const QuantizedSignature& signature, const QuantizedRow& row);

}  // namespace assay::stablehlo
