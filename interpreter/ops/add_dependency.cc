#include "interpreter/ops/record.h"

namespace assay {

const Op op_add_dependency = {
    .name = "add-dependency",
    .meaning = "The first operand, ordered after the token.",
    .arity = Exactly(2),
    .types = kAny,
};

}  // namespace assay
