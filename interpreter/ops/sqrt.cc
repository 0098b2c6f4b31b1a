#include "interpreter/ops/record.h"

namespace assay {

const Op op_sqrt = {
    .name = "sqrt",
    .meaning = "The square root.",
    .arity = Exactly(1),
    .types = kFloats | kComplex,
    .accepts_result_accuracy = true,
};

}  // namespace assay
