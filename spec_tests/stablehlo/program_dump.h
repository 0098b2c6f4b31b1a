// A program of StableHLO with all that it has: two are equal if their dumps are.
#pragma once

#include <string>

#include "interpreter/stablehlo/operation.h"

namespace assay::stablehlo {

// One line an operation, regions indented, without the places in the text. Floating values are their bits.
std::string DumpProgram(const Program& program);
std::string DumpAttribute(const Attribute& attribute);
std::string DumpType(const Type& type);

}  // namespace assay::stablehlo
