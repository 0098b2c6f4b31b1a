#include "interpreter/ops/record.h"

namespace assay {

const Op op_rng_bit_generator = {
    .name = "rng-bit-generator",
    .meaning = "Random bits and the next state of a counter-based generator.",
    .arity = Exactly(1),
    .types = TypesOf(U32, U64),
    .attributes = {OneOf("algorithm", {"rng_default", "rng_three_fry", "rng_philox"}, /*required=*/true)},
    .shape_is_inferable = false,
};

}  // namespace assay
