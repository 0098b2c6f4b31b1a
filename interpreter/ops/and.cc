#include <algorithm>

#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/common/images.h"
#include "interpreter/ops/plain/element_wise.h"

namespace assay {

namespace {

// Of single bits; nothing is known of others.
Reals Conjunction(const HloInstruction& instruction, std::span<const Reals> x) {
  if (instruction.shape.element_type() != PRED) return AnyOf(instruction.shape.element_type());
  return {std::min(x[0].low, x[1].low), std::min(x[0].high, x[1].high), false};
}

}  // namespace

const Op op_and = {
    .name = "and",
    .meaning = "Bitwise and.",
    .legality = {.arity = Exactly(2), .types = kPred | kIntegral, .infer = InferBinary},
    .evaluation = {.kernel = plain::ElementWise<[](auto a, auto b) { return a & b; }, kPred | kIntegral>},
    .acceptance = {.image = ByElement<Conjunction>},
};

}  // namespace assay
