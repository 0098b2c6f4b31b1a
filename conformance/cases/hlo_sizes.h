// HLO modules with dimensions of unknown size, f32[?,4]: they get the sizes of the inputs.
#pragma once

#include <cstdint>
#include <optional>

#include "conformance/cases/inputs.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/result.h"
#include "interpreter/types/shape.h"

namespace assay {

// Gives each dimension of unknown size of a shape one size.
void SetUnknownSizes(Shape& shape, std::int64_t size);

// Gives each dimension of unknown size the size that follows from the inputs; if none are given, from one size for all
// dimensions of parameters, which is returned. Only the entry, and computations with one caller, have such dimensions.
// Errors are kIllegal, with the place of an instruction.
Result<std::optional<std::int64_t>> FillUnknownSizes(HloModule& module, const InputOptions& inputs);

}  // namespace assay
