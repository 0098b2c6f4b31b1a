#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/plain/element_wise.h"

namespace assay {

const Op op_atan2 = {
    .name = "atan2",
    .meaning = "The angle of the point (rhs, lhs).",
    .legality = {.arity = Exactly(2), .types = kFloats | kComplex, .infer = InferBinary},
    .evaluation = {.kernel =
                       plain::ElementWiseOfResultType<[](auto y, auto x) { return Atan2(y, x); }, kFloats | kComplex>},
};

}  // namespace assay
