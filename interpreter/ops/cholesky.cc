#include "interpreter/ops/record.h"

namespace assay {

const Op op_cholesky = {
    .name = "cholesky",
    .meaning = "The Cholesky factor of each matrix.",
    .arity = Exactly(1),
    .types = kFloats | kComplex,
    .attributes = {Flag("lower")},
    .acceptance = Acceptance::kUlp,
    .ulp = 64,
};

}  // namespace assay
