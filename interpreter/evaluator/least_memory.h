// A lower bound of the memory that an evaluation needs: it refuses a module that cannot fit before it computes
// anything.
#pragma once

#include <cstdint>

#include "interpreter/evaluator/plan.h"

namespace assay {

// Returns the bytes that results of a computation occupy at once, at least. A result counts if it cannot take the
// buffer of an operand, until its last use. `holds_parameters` is true if the caller keeps the arguments; these then
// count too. Prepared bodies, calls and arrays with run-time sizes count nothing.
std::int64_t LeastArrayBytes(const ComputationPlan& plan, bool holds_parameters);

// Throws EvaluationError (kLimit) if that many more bytes of arrays would pass the limit of memory. Numbers below
// 256 MiB are not checked.
void CheckRoomFor(std::int64_t bytes);
// The same for the least bytes of a module's entry, whose arguments the caller keeps. Accepts a module that the
// evaluator declines.
void CheckRoomForEntry(const HloModule& module);

}  // namespace assay
