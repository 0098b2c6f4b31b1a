// MLIR's names of element types.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "interpreter/types/primitive_type.h"

namespace assay::stablehlo {

// Returns "i1" for pred, "i32", "ui8", "f8E4M3FN", "complex<f32>": derived from the rows of kPrimitiveTypes. Other
// types have their HLO name.
std::string_view MlirTypeName(PrimitiveType type);

// Inverts MlirTypeName for pred, integers of 2 bits and more, and floating types; "index" is s64.
std::optional<PrimitiveType> TypeOfMlirName(std::string_view name);

// Sign-extends elements narrower than a byte, whose bits are the low ones of a byte; a Literal has the sign in the
// other bits.
void ExtendSigns(PrimitiveType type, std::string& bytes);

}  // namespace assay::stablehlo
