// Scalar computations over whole vectors of elements.
#pragma once

#include <memory>

#include "interpreter/evaluator/plan.h"
#include "interpreter/hlo/op.h"

namespace assay {

// The computation as a straight line of kernels over blocks of elements, when all its instructions are element-wise on
// scalars; otherwise (control flow, array intermediates) one call of `evaluation` for each element.
std::unique_ptr<ScalarFunction> MakeScalarFunction(const PlanSet& plans, const HloComputation& computation,
                                                   Evaluation& evaluation);

}  // namespace assay
