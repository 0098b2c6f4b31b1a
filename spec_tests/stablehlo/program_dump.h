// Dumps of StableHLO programs. Two programs are equal if their dumps are.
#pragma once

#include <string>

#include "interpreter/stablehlo/operation.h"

namespace assay::stablehlo {

// Returns one line for each operation, with regions indented and without places in the text. Floats are shown as bits.
std::string DumpProgram(const Program& program);
std::string DumpAttribute(const Attribute& attribute);
std::string DumpType(const Type& type);

}  // namespace assay::stablehlo
