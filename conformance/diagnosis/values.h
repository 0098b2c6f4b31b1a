// The reference's values of the instructions of an entry.
#pragma once

#include <unordered_map>

#include "conformance/diagnosis/subject.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/types/per_device.h"
#include "interpreter/types/result.h"

namespace assay {

// False for a pending value of an asynchronous operation, and for a value whose sizes are below its bounds.
bool CanBeArgument(const Literal& value);

// The values on all devices, without those that were not evaluated or cannot be arguments.
using EntryValues = std::unordered_map<const HloInstruction*, PerDevice<Literal>>;
Result<EntryValues> ValuesOfEntry(const Subject& subject, const EvaluationLimits& limits);

}  // namespace assay
