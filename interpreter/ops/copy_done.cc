#include "interpreter/ops/record.h"

namespace assay {

const Op op_copy_done = {
    .name = "copy-done",
    .meaning = "The end of an asynchronous copy.",
    .arity = Exactly(1),
    .types = kAny,
};

}  // namespace assay
