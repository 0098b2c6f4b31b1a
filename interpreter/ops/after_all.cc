#include "interpreter/ops/record.h"

namespace assay {

const Op op_after_all = {
    .name = "after-all",
    .meaning = "A token after all its operands.",
    .arity = AtLeast(0),
    .types = kTokens,
};

}  // namespace assay
