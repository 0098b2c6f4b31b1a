#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/common/images.h"
#include "interpreter/ops/plain/element_wise.h"

namespace assay {

namespace {

// Of single bits; nothing is known of others.
Reals Negation(const HloInstruction& instruction, std::span<const Reals> x) {
  if (instruction.shape.element_type() != PRED) return AnyOf(instruction.shape.element_type());
  return {1 - x[0].high, 1 - x[0].low, false};
}

}  // namespace

const Op op_not = {
    .name = "not",
    .meaning = "Bitwise complement; logical for pred.",
    .legality = {.arity = Exactly(1), .types = kPred | kIntegral, .infer = InferUnary},
    .evaluation = {.kernel = plain::ElementWise<[](auto a) { return ~a; }, kPred | kIntegral>},
    .acceptance = {.image = ByElement<Negation>},
};

}  // namespace assay
