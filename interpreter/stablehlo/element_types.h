// The names that MLIR has for element types.
#pragma once

#include <optional>
#include <string_view>

#include "interpreter/types/primitive_type.h"

namespace assay::stablehlo {

// "i1" for pred, "i32", "ui8", "f8E4M3FN", "complex<f32>": made from the rows of kPrimitiveTypes. What is no element
// type has its name in HLO.
std::string_view MlirTypeName(PrimitiveType type);

// The inverse for pred, integers of 2 bits and more, and floating types; "index" is s64.
std::optional<PrimitiveType> TypeOfMlirName(std::string_view name);

}  // namespace assay::stablehlo
