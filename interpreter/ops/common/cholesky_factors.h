// The Cholesky factors of a batch of matrices, exact values rounded once.
#pragma once

#include "interpreter/types/literal.h"

namespace assay {

// Of each matrix a, the two minor dimensions: the lower factor l of a = l l^H, read from the lower triangle, or the
// upper one u of a = u^H u, read from the upper triangle. The other triangle of the result is zero. A matrix that is
// not positive definite, or not finite, gives NaN in every element.
Literal CholeskyFactors(const Literal& matrices, bool lower);

}  // namespace assay
