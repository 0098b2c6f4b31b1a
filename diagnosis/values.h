// What the reference gives the instructions of an entry.
#pragma once

#include <unordered_map>

#include "diagnosis/subject.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/types/per_device.h"
#include "interpreter/types/result.h"

namespace assay {

// False for a value that an asynchronous operation has only promised, and for one whose sizes are below its bounds.
bool CanBeArgument(const Literal& value);

// Without those that were not evaluated, and whose value cannot be an argument.
using EntryValues = std::unordered_map<const HloInstruction*, PerDevice<Literal>>;
Result<EntryValues> ValuesOfEntry(const Subject& subject, const EvaluationLimits& limits);

}  // namespace assay
