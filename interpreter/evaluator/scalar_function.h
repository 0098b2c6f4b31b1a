// Scalar computations over whole vectors of elements.
#pragma once

#include <memory>

#include "interpreter/evaluator/plan.h"
#include "interpreter/hlo/op.h"

namespace assay {

// Returns the computation as a straight line of kernels over blocks of elements if all its instructions are
// element-wise on scalars. Otherwise (control flow, array intermediates) calls `evaluation` once for each element.
std::unique_ptr<ScalarFunction> MakeScalarFunction(const PlanSet& plans, const HloComputation& computation,
                                                   Evaluation& evaluation);

}  // namespace assay
