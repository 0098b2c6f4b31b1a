#include "interpreter/ops/record.h"

namespace assay {

const Op op_partition_id = {
    .name = "partition-id",
    .meaning = "The partition of the device that runs.",
    .arity = Exactly(0),
    .types = TypesOf(U32),
};

}  // namespace assay
