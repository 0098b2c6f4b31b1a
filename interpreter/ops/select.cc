#include "interpreter/ops/record.h"

namespace assay {

const Op op_select = {
    .name = "select",
    .meaning = "Elements of the second operand where the first is true, else of the third.",
    .arity = Exactly(3),
    .types = kPred,
};

}  // namespace assay
