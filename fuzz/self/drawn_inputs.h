// Values for the parameters of a fuzzer's module.
#pragma once

#include <cstdint>

#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/per_device.h"
#include "interpreter/types/result.h"

namespace assay {

// Draws numbers, edge values and small indices, the same for a seed. Fails with kLimit if the parameters are too large.
Result<DeviceValues> DrawInputs(const HloModule& module, std::uint64_t seed);

EvaluationLimits SmallEvaluation();

// True if a result is a value of the shape: its elements are stored correctly, and its sizes are legal for dynamic
// dimensions.
bool IsOfShape(const Literal& value, const Shape& shape);

}  // namespace assay
