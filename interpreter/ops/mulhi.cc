#include "interpreter/ops/record.h"

namespace assay {

const Op op_mulhi = {
    .name = "mulhi",
    .meaning = "The upper half of the double-width product.",
    .arity = Exactly(2),
    .types = kIntegral,
};

}  // namespace assay
