// Rule R: what a computation must look like to fold N arrays into N accumulators (reduce, reduce-window, scatter,
// select-and-scatter, all-reduce, reduce-scatter).
#pragma once

#include <span>
#include <vector>

#include "interpreter/hlo/module.h"
#include "interpreter/types/result.h"
#include "interpreter/types/shape.h"

namespace assay {

// What a reducer returns.
struct ReducerResult {
  std::vector<PrimitiveType> types;  // one for each accumulator
  bool is_tuple = false;             // the computation's result is a tuple, even if of one element

  // The shape of the folded arrays: arrays of these dimensions, in a tuple if the computation returns one.
  Shape WithDimensions(const Shape& dimensions) const;
};

// Rule R for inputs and initial values of these element types. Floating types need not agree in width.
Result<ReducerResult> CheckReducer(const HloInstruction& instruction, const HloComputation& reducer,
                                   std::span<const PrimitiveType> inputs, std::span<const PrimitiveType> inits);

// The operands of reduce and reduce-window: N arrays of the same dimensions, then N scalars; `to_apply` by rule R, and,
// once the instruction has a shape, each operand of exactly the type of the parameter that receives it.
Result<ReducerResult> CheckReduction(const HloInstruction& instruction);

}  // namespace assay
