// Run-time sizes of dynamic dimensions: values that pass an op unchanged keep theirs.
#pragma once

#include <cstdint>

#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/result.h"

namespace assay {

// The same elements under another shape of the same element count and storage size, tuples element by element. Run-time
// sizes stay where the dimensions do.
Literal WithShapeKeepingSizes(Literal value, const Shape& shape);

// The one dimension whose run-time size get-dimension-size and set-dimension-size are about: a dimension of operand 0,
// an array, whose bound fits s32. An error names the rule that is broken.
Result<std::int64_t> FindSizedDimension(const HloInstruction& instruction);

}  // namespace assay
