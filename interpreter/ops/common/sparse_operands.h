// Sparse operands of a convolution: the attribute sparsity_config.
#pragma once

#include <cstddef>
#include <span>

#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/result.h"

namespace assay {

// Returns the shape of operand 0 or 1 with all its elements. Along the dimension of a sparse operand, each stored
// element becomes a block. Fails for a configuration that XLA's ShapeInference::InferConvolveShape refuses.
Result<Shape> DenseShape(const HloInstruction& product, std::size_t operand);

// Fails unless each sparse operand has another operand with the places of its elements.
Status CheckSparseIsEvaluated(const HloInstruction& product);

// Replaces the sparse ones of operands 0 and 1 by arrays of their dense shapes. Element [.., j, ..] is stored in block
// j at the place that the operand `idx` has there; all others are 0, as in XLA's evaluator. Throws EvaluationError for
// a place outside of the block.
void MaterializeSparse(const HloInstruction& product, std::span<Literal> operands);

}  // namespace assay
