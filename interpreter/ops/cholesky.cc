#include "interpreter/ops/record.h"

namespace assay {

const Op op_cholesky = {
    .name = "cholesky",
    .meaning = "The Cholesky factor of each matrix.",
    .arity = Exactly(1),
    .types = kFloats | kComplex,
    .attributes = {Flag("lower")},
    .not_evaluated = "its exact value is not implemented",
    .acceptance = Acceptance::kUlp,
    .ulp = 64,
};

}  // namespace assay
