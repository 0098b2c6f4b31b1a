#include "interpreter/ops/record.h"

namespace assay {

const Op op_triangular_solve = {
    .name = "triangular-solve",
    .meaning = "The solution of op(a) x = b or x op(a) = b for triangular a.",
    .arity = Exactly(2),
    .types = kFloats | kComplex,
    .attributes = {Flag("left_side"), Flag("lower"), Flag("unit_diagonal"),
                   OneOf("transpose_a", "TRANSPOSE_INVALID",
                         {"TRANSPOSE_INVALID", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"})},
    .not_evaluated = "its exact value is not implemented",
    .acceptance = Acceptance::kUlp,
    .ulp = 64,
};

}  // namespace assay
