// StableHLO in the generic form of MLIR's text: for the parts that HLO carries, for messages, and for tests.
#pragma once

#include <string>

#include "interpreter/stablehlo/operation.h"

namespace assay::stablehlo {

// Returns `"stablehlo.add"(%0, %1) : (tensor<f32>, tensor<f32>) -> tensor<f32>`, without locations.
std::string ToText(const Program& program);
// Returns "tensor<2x?xf32>", "76 : ui8", "{lower = true}", as MLIR prints them.
std::string ToText(const Type& type);
std::string ToText(const Attribute& attribute);
std::string ToText(const Dictionary& dictionary);
// Returns six digits if they read back to the same number, otherwise the shortest decimal that does.
std::string FloatText(double value, PrimitiveType type);

}  // namespace assay::stablehlo
