// The signature of a reducer, a computation that folds N arrays into N accumulators (reduce, reduce-window, scatter,
// select-and-scatter, all-reduce, reduce-scatter): parameters 0 to N - 1 are accumulators, N to 2N - 1 elements, and
// the result has the types of the accumulators.
#pragma once

#include <span>
#include <vector>

#include "interpreter/hlo/module.h"
#include "interpreter/types/result.h"
#include "interpreter/types/shape.h"

namespace assay {

// The result types of a reducer.
struct ReducerResult {
  std::vector<PrimitiveType> types;  // one for each accumulator
  bool is_tuple = false;             // the computation's result is a tuple, even if of one element

  // Returns the shape of the folded arrays: arrays of these dimensions, in a tuple if the computation returns one.
  Shape WithDimensions(const Shape& dimensions) const;
};

// Checks the reducer against inputs and initial values of these element types. Floating types may differ in width.
Result<ReducerResult> CheckReducer(const HloInstruction& instruction, const HloComputation& reducer,
                                   std::span<const PrimitiveType> inputs, std::span<const PrimitiveType> inits);

// Checks reduce and reduce-window: N arrays of the same dimensions, then N scalars; a reducer `to_apply`. If the
// instruction has a shape, each operand must have exactly the type of its parameter.
Result<ReducerResult> CheckReduction(const HloInstruction& instruction);

}  // namespace assay
