#include "interpreter/ops/record.h"

namespace assay {

const Op op_multiply = {
    .name = "multiply",
    .meaning = "The product; logical and for pred; integers wrap.",
    .arity = Exactly(2),
    .types = kArrays,
};

}  // namespace assay
