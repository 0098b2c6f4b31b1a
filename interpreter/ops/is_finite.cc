#include <cmath>

#include "interpreter/numerics/round.h"
#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/common/images.h"
#include "interpreter/ops/plain/element_wise.h"

namespace assay {

namespace {

Reals Finiteness(const HloInstruction& instruction, std::span<const Reals> x) {
  const FloatFormat& format = FloatFormatOf(instruction.operand(0).shape.element_type());
  const double largest = ToDouble(format, format.max_finite_bits());
  const bool may_be = x[0].low <= largest && x[0].high >= -largest;
  const bool must_be = x[0].low >= -largest && x[0].high <= largest && !x[0].may_be_nan;
  return {must_be ? 1.0 : 0.0, may_be ? 1.0 : 0.0, false};
}

}  // namespace

const Op op_is_finite = {
    .name = "is-finite",
    .meaning = "Whether the element is neither infinite nor NaN.",
    .legality = {.arity = Exactly(1), .types = kFloats, .infer = InferPredicate},
    .evaluation = {.kernel = plain::ElementWise<[](auto a) { return IsFinite(a); }, kFloats>},
    .acceptance = {.image = ByElement<Finiteness>},
};

}  // namespace assay
