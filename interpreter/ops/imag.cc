#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/plain/element_wise.h"

namespace assay {
namespace {

Kernel ImaginaryPart(const HloInstruction& imag) {
  return plain::ElementByElement(imag, [type = imag.shape.element_type()](const plain::Row& row) {
    return IsComplexType(row[0].type) ? plain::PartOf(row[0], 1) : plain::Rounded(type, plain::Real(0), {});
  });
}

}  // namespace

const Op op_imag = {
    .name = "imag",
    .meaning = "The imaginary part; 0 for floats.",
    .legality = {.arity = Exactly(1), .types = kFloats | kComplex, .infer = InferComponent},
    .evaluation = {.kernel = ImaginaryPart},
};

}  // namespace assay
