#include "interpreter/ops/record.h"

namespace assay {

const Op op_all_reduce_done = {
    .name = "all-reduce-done",
    .meaning = "The end of an asynchronous all-reduce.",
    .arity = Exactly(1),
    .types = kAny,
};

}  // namespace assay
