// Values for the parameters of a module that a fuzzer has made.
#pragma once

#include <cstdint>

#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/per_device.h"
#include "interpreter/types/result.h"

namespace assay {

// Numbers, edges and small indices, the same for a seed. kLimit where the parameters are too large.
Result<DeviceValues> DrawInputs(const HloModule& module, std::uint64_t seed);

EvaluationLimits SmallEvaluation();

// Whether a result is a value of the shape: its elements are there, and of sizes that a dynamic dimension can have.
bool IsOfShape(const Literal& value, const Shape& shape);

}  // namespace assay
