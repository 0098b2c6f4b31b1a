#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/plain/element_wise.h"

namespace assay {
namespace {

Kernel RealPart(const HloInstruction& real) {
  return plain::ElementByElement(real, [](const plain::Row& row) { return plain::PartOf(row[0], 0); });
}

}  // namespace

const Op op_real = {
    .name = "real",
    .meaning = "The real part; floats pass through.",
    .legality = {.arity = Exactly(1), .types = kFloats | kComplex, .infer = InferComponent},
    .evaluation = {.kernel = RealPart},
};

}  // namespace assay
