// Families of instructions to measure the checker with: those of one acceptance rule, on real and complex numbers.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "generate/draft.h"

namespace assay::generate {

// "functions", "dot", "reduce", ... The first one is that of the element-wise functions.
std::vector<std::string_view> FamilyNames();

// An instruction of a family, which is the root, on operands of at most so many elements each.
DrawnInstruction DrawOfFamily(Random& random, std::string_view family, std::int64_t most_elements);
// One of an op as its family has it, of few elements; nothing where no family has the op.
std::optional<DrawnInstruction> DrawAsInFamily(Random& random, const Op& op);

}  // namespace assay::generate
