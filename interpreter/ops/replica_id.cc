#include "interpreter/ops/record.h"

namespace assay {

const Op op_replica_id = {
    .name = "replica-id",
    .meaning = "The replica of the device that runs.",
    .arity = Exactly(0),
    .types = TypesOf(U32),
};

}  // namespace assay
