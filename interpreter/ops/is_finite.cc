#include "interpreter/numerics/round.h"
#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/plain/element_wise.h"

namespace assay {

const Op op_is_finite = {
    .name = "is-finite",
    .meaning = "True if the element is neither infinite nor NaN.",
    .legality = {.arity = Exactly(1), .types = kFloats, .infer = InferPredicate},
    .evaluation = {.kernel = plain::ElementWise<[](auto a) { return IsFinite(a); }, kFloats>},
};

}  // namespace assay
