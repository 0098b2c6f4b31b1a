#include "interpreter/ops/record.h"

namespace assay {

const Op op_rng = {
    .name = "rng",
    .meaning = "Random numbers of a distribution.",
    .arity = AtLeast(2),
    .types = kArrays,
    .attributes = {{.name = "distribution",
                    .kind = AttributeKind::kEnum,
                    .required = true,
                    .enumerators = {"rng_uniform", "rng_normal"},
                    .ignores_case = true}},
    .shape_is_inferable = false,
    .has_side_effect = true,
    .acceptance = Acceptance::kStatistical,
};

}  // namespace assay
