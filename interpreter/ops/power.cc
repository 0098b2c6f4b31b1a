#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/plain/element_wise.h"

namespace assay {

const Op op_power = {
    .name = "power",
    .meaning = "The first operand raised to the second.",
    .legality = {.arity = Exactly(2), .types = kIntegral | kFloats | kComplex, .infer = InferBinary},
    .evaluation = {.kernel = plain::ElementWiseOfResultType<[](auto a, auto b) { return Power(a, b); },
                                                            kIntegral | kFloats | kComplex>},
};

}  // namespace assay
