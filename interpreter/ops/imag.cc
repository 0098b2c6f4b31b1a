#include <utility>

#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/common/images.h"
#include "interpreter/ops/plain/element_wise.h"

namespace assay {
namespace {

Kernel ImaginaryPart(const HloInstruction& imag) {
  return plain::ElementByElement(imag, [type = imag.shape.element_type()](const plain::Row& row) {
    return IsComplexType(row[0].type) ? plain::PartOf(row[0], 1) : plain::Rounded(type, plain::Real(0), {});
  });
}

ElementSet SecondParts(const HloInstruction&, std::span<const ValueSet> operands, const Literal& value,
                       SetEvaluation&) {
  if (!IsComplexType(operands[0].value.element_type())) return nullptr;
  const ElementReader reader(operands[0]);
  ElementWriter writer(value);
  for (std::int64_t i = 0; i < value.element_count(); ++i) {
    if (reader.IsOpen(i)) writer.Set(i, reader.At(2 * i + 1));
  }
  return writer.Take();
}

}  // namespace

const Op op_imag = {
    .name = "imag",
    .meaning = "The imaginary part; 0 for floats.",
    .legality = {.arity = Exactly(1), .types = kFloats | kComplex, .infer = InferComponent},
    .evaluation = {.kernel = ImaginaryPart},
    .acceptance = {.image = SecondParts, .keeps_terms = true},
};

}  // namespace assay
