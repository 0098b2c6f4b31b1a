// Families of instructions for measuring the judge: those of one acceptance rule, on real and complex numbers.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "fuzz/generate/instruction_drawer.h"

namespace assay::generate {

// Returns "functions", "dot", "reduce", ... The first one is that of the element-wise functions.
std::vector<std::string_view> FamilyNames();

// Draws an instruction of a family, which is the root, on operands of at most `most_elements` elements each.
DrawnInstruction DrawOfFamily(Random& random, std::string_view family, std::int64_t most_elements);
// Draws an instruction of an op as its family draws it, with few elements; nothing if no family has the op.
std::optional<DrawnInstruction> DrawAsInFamily(Random& random, const Op& op);

}  // namespace assay::generate
