#include "interpreter/ops/record.h"

namespace assay {

const Op op_floor = {
    .name = "floor",
    .meaning = "The greatest integral value not above the element.",
    .arity = Exactly(1),
    .types = kFloats,
};

}  // namespace assay
