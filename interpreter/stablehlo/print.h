// StableHLO in the generic form of MLIR's text, for tests and for a look at what was read.
#pragma once

#include <string>

#include "interpreter/stablehlo/operation.h"

namespace assay::stablehlo {

// `"stablehlo.add"(%0, %1) : (tensor<f32>, tensor<f32>) -> tensor<f32>`, without locations.
std::string ToText(const Program& program);
std::string ToText(const Type& type);
std::string ToText(const Attribute& attribute);

}  // namespace assay::stablehlo
