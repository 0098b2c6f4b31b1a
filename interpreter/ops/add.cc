#include "interpreter/ops/record.h"

namespace assay {

const Op op_add = {
    .name = "add",
    .meaning = "The sum; logical or for pred; integers wrap.",
    .arity = Exactly(2),
    .types = kArrays,
};

}  // namespace assay
